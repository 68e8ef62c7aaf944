import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Skeleton, Statistic } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useMemo } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { formatTime } from '../../../core/field/time.ts'
import { bulkChange, type PracticeDetail } from '../bank/calls.ts'
import { DIFFICULTIES } from '../bank/practice.ts'
import { answerLetters, optionLetter, type QuestionContent } from '../content/question.ts'
import { useReloadPractices } from '../ui/use-moves.tsx'
import { practiceStatistics, type Statistics } from './calls.ts'
import { ENOUGH_TO_RECALIBRATE, LEAST_ATTEMPTS, type OptionShare } from './figures.ts'
import { FLAGS } from './flags.ts'

const Chart = lazy(() => import('../../../core/chart/chart.tsx'))

const percent = (value: number) => Math.round(value * 1000) / 10
const lettersOf = (content: QuestionContent, options: readonly OptionShare[]) => options.map(({ id }) => optionLetter(content.options.findIndex((option) => option.id === id)))

function chartOf(content: QuestionContent, options: readonly OptionShare[]): EChartsCoreOption {
  const right = answerLetters(content)
  const series = [['全部', 'all', '#8c8c8c'], ['高分组', 'high', '#13a8a8'], ['低分组', 'low', '#d4763b']] as const
  return {
    tooltip: { trigger: 'axis', valueFormatter: (value: number) => `${value}%` },
    legend: { top: 0 },
    grid: { left: 8, right: 8, top: 32, bottom: 4, containLabel: true },
    xAxis: { type: 'category', data: lettersOf(content, options).map((letter) => (right.includes(letter) ? `${letter} ✓` : letter)) },
    yAxis: { type: 'value', max: 100, axisLabel: { formatter: '{value}%' } },
    series: series.map(([name, key, color]) => ({ name, type: 'bar', data: options.map((option) => percent(option[key])), itemStyle: { color } })),
  }
}

/** A difficulty that learners found differs from the one that was written. */
function Recalibrate({ detail, found }: { detail: PracticeDetail; found: number }) {
  const reload = useReloadPractices()
  const words = `按得分率应为「${choiceLabel(DIFFICULTIES, found)}」，现为「${detail.difficulty === null ? '未定' : choiceLabel(DIFFICULTIES, detail.difficulty)}」`
  const take = async () => {
    // The shell says what was refused; what is shown is read again either way.
    await call(bulkChange, { ids: [detail.id], changes: { difficulty: found } }).catch(() => undefined)
    await reload()
  }
  return <Alert type="info" title={words} action={detail.can.includes('tag') && <Button size="small" onClick={() => void take()}>采用</Button>} />
}

function Options({ content, options }: { content: QuestionContent; options: readonly OptionShare[] }) {
  const option = useMemo(() => chartOf(content, options), [content, options])
  const letters = lettersOf(content, options)
  return (
    <Suspense fallback={<Skeleton active />}>
      <Chart option={option} height={220} label={`各选项的选择比例：${options.map(({ all, high, low }, index) => `${letters[index]} 全部 ${percent(all)}%、高分组 ${percent(high)}%、低分组 ${percent(low)}%`).join('；')}`} />
    </Suspense>
  )
}

function Figures({ found, detail }: { found: Statistics; detail: PracticeDetail }) {
  const { facility, discrimination, disc_eff, group_gap, avg_seconds, options } = found
  return (
    <div className="rail-panel">
      {FLAGS.filter(({ value }) => found.flags.includes(value)).map(({ value, label, hint }) => <Alert key={value} type="warning" showIcon title={label} description={hint} />)}
      <div className="stat-figures">
        <Statistic title="作答人次" value={found.attempts} />
        {facility !== null && <Statistic title="得分率" value={percent(facility)} suffix="%" />}
        {discrimination !== null && <Statistic title="区分度" value={discrimination} precision={2} />}
        {group_gap !== null && <Statistic title="高低分组差" value={group_gap} precision={2} />}
        {disc_eff !== null && <Statistic title="鉴别效率" value={percent(disc_eff)} suffix="%" />}
        {avg_seconds !== null && <Statistic title="平均用时" value={avg_seconds} suffix="秒" />}
      </div>
      {facility === null && <p className="note">作答满 {LEAST_ATTEMPTS} 人次后显示得分率等</p>}
      {found.difficulty_est !== null && found.difficulty_est !== detail.difficulty && <Recalibrate detail={detail} found={found.difficulty_est} />}
      {options && <Options content={detail.content} options={options} />}
      <p className="note">高、低分组为同场其他题得分最高和最低的 27%；满 {ENOUGH_TO_RECALIBRATE} 人次后建议难度。{formatTime(found.at).slice(0, 16)} 更新</p>
    </div>
  )
}

/** What learners' answers say about a question (domain 3.8). */
export function StatPanel({ detail }: { detail: PracticeDetail }) {
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['practice', detail.id, 'statistics'], queryFn: ({ signal }) => call(practiceStatistics, undefined, { params: { id: detail.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (isPending) return <Skeleton active />
  if (!data.statistics) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有作答记录" />
  return <Figures found={data.statistics} detail={detail} />
}
