import { Button, Segmented, Skeleton, Tag } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { MeasureContent } from './calls.ts'
import { answersOf, bandsOf, LEARNERS, reportOf, type Asked, type Band, type LearnerKind } from './report.ts'

const Chart = lazy(() => import('../../../core/chart/chart.tsx'))

/** Colours of the steps of mastery, the highest first. */
const COLOURS = ['#36a476', '#3d8bdc', '#d99a26', '#d9603a', '#c42a2a', '#8a2a2a'] as const

/** The report as a learner gets it, worked out from answers that are tried: an invented learner's, or one's own. */
export function ReportPreview({ content: { row, labels, cards, lessons }, questions }: { content: MeasureContent; questions: readonly Asked[] }) {
  const [kind, setKind] = useState<LearnerKind | 'own'>('middle')
  const [own, setOwn] = useState<ReadonlyMap<number, number>>(new Map())
  const bands = bandsOf(row.bands as Band[] | null)
  const answers = useMemo(() => (kind === 'own' ? own : answersOf(kind, questions)), [kind, own, questions])
  const report = useMemo(() => reportOf(questions, answers, bands), [questions, answers, bands])
  const numbers = new Map(cards.map(({ id, no }) => [id, no]))
  const nameOf = (id: number) => labels.find((label) => label.id === id)?.name ?? ''
  const colourOf = (band: Band) => COLOURS[bands.findIndex(({ from }) => from === band.from)] ?? COLOURS[0]
  const option = {
    grid: { left: 8, right: 48, top: 8, bottom: 8, containLabel: true }, xAxis: { type: 'value', max: 100, show: false },
    yAxis: { type: 'category', inverse: true, data: report.labels.map(({ label_id }) => nameOf(label_id)), axisTick: { show: false }, axisLabel: { width: 160, overflow: 'truncate' } },
    series: [{ type: 'bar', barMaxWidth: 18, data: report.labels.map(({ mastery, band }) => ({ value: mastery, itemStyle: { color: colourOf(band) } })), label: { show: true, position: 'right', formatter: '{c}%' } }],
  }
  return (
    <div className="bc-drawer">
      <div className="bc-line">
        <Segmented aria-label="试答的学员" value={kind} onChange={(next) => { if (next === 'own') setOwn(new Map(answers)); setKind(next) }} options={[...LEARNERS.map(({ value, label }) => ({ value: value as LearnerKind | 'own', label })), { value: 'own' as const, label: '自己试答' }]} />
        <span className="note">试答的结果不保存</span>
      </div>
      {kind === 'own' && (
        <div className="bc-answers" role="group" aria-label="逐题对错">
          {questions.map(({ practice_id }, at) => {
            const right = answers.get(practice_id) === 1
            return <Button key={practice_id} size="small" aria-pressed={right} type={right ? 'primary' : 'default'} title={numbers.get(practice_id)} onClick={() => setOwn(new Map([...own, [practice_id, right ? 0 : 1]]))}>{at + 1} {right ? '对' : '错'}</Button>
          })}
        </div>
      )}
      <section className="bc-report" aria-label="报告">
        <header><h2>{row.name}</h2><p><b className="figure">{report.mastery}</b> 分 <Tag color={colourOf(report.band)}>{report.band.name}</Tag> <span className="figure">答对 {report.right} / {report.count} 题</span></p></header>
        <Suspense fallback={<Skeleton active />}><Chart option={option} height={Math.max(120, report.labels.length * 34)} label={`各知识点掌握度：${report.labels.map(({ label_id, mastery, band }) => `${nameOf(label_id)} ${mastery}%，${band.name}`).join('；')}`} /></Suspense>
        <ul className="bc-list">
          {report.labels.map(({ label_id, mastery, right, count, band }) => <li key={label_id}><b>{nameOf(label_id)}</b> <span className="figure">{mastery}% · 对 {right}/{count}</span> <Tag color={colourOf(band)}>{band.name}</Tag><span className="bc-advice">{band.advice}</span></li>)}
        </ul>
        {report.weak.length > 0 && (
          <>
            <h3>先补这些</h3>
            <ol>{report.weak.slice(0, 3).map(({ label_id }) => {
              const own = lessons.filter((lesson) => lesson.label_id === label_id)
              return <li key={label_id}>{nameOf(label_id)}{own.length > 0 ? `：看讲解 ${own.map(({ name }) => `《${name}》`).join('、')}` : ''}</li>
            })}</ol>
          </>
        )}
        {row.closing && <p>{row.closing}</p>}
      </section>
    </div>
  )
}
