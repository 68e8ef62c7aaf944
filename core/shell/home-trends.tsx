import { ArrowDownOutlined, ArrowUpOutlined, MinusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { formatDate } from '../field/time.ts'
import { TREND_DAYS, trends, type TrendLine } from '../module/dashboard.ts'
import { readable } from './contrast.ts'
import { useDark } from '../ui/dark.tsx'
import { useSettings } from './settings-context.tsx'
import { change, figure, hasMoved, total } from './trend-figures.ts'

const Chart = lazy(() => import('../chart/chart.tsx'))
const HEIGHT = 240
/** Trends are of whole days: they may be as old as this, in milliseconds. */
const FRESH = 300_000

const ways = { up: <ArrowUpOutlined aria-label="上升" />, down: <ArrowDownOutlined aria-label="下降" />, same: <MinusOutlined aria-label="持平" /> }

function chartOf({ title, as, values }: TrendLine, days: readonly number[], color: string, line: string): EChartsCoreOption {
  const short = (value: number) => figure(value, as)
  return {
    tooltip: { trigger: 'axis', valueFormatter: (value: unknown) => short(Number(value)) },
    grid: { left: 4, right: 16, top: 12, bottom: 4, containLabel: true },
    xAxis: { type: 'category', boundaryGap: false, data: days.map((day) => formatDate(day).slice(5)), axisTick: { show: false }, axisLine: { lineStyle: { color: line } } },
    yAxis: { type: 'value', minInterval: as === 'number' ? 1 : undefined, splitNumber: 4, axisLabel: { formatter: short }, splitLine: { lineStyle: { color: line } } },
    series: [{
      name: title, type: 'line', data: values, smooth: 0.25, smoothMonotone: 'x', showSymbol: false, lineStyle: { width: 2 }, itemStyle: { color },
      areaStyle: { opacity: 0.12, color },
    }],
  }
}

/** One trend to choose: what it came to, and how that stands to the days before. */
function TrendChoice({ trend, chosen, onChosen }: { trend: TrendLine; chosen: boolean; onChosen: () => void }) {
  const sum = total(trend.values)
  const moved = change(sum, trend.before)
  return (
    <button type="button" aria-pressed={chosen} className="trend-choice" onClick={onChosen}>
      <span>{trend.title}</span>
      <strong className="figure">{figure(sum, trend.as)}</strong>
      <small data-way={moved?.way}>{moved ? <>{ways[moved.way]} {moved.text}</> : '前期无数据'}</small>
    </button>
  )
}

/** One trend, day by day. */
function TrendChart({ line, days }: { line: TrendLine; days: readonly number[] }) {
  const { settings } = useSettings()
  const dark = useDark()
  const option = useMemo(() => chartOf(line, days, readable(settings.themeColor, dark ? '#1a1c1f' : '#ffffff'), dark ? '#34383d' : '#e4e7ed'), [line, days, dark, settings.themeColor])
  return (
    <Suspense fallback={<div style={{ height: HEIGHT }} />}>
      <Chart option={option} height={HEIGHT} label={`${line.title}近 ${TREND_DAYS} 天合计 ${figure(total(line.values), line.as)}，今天 ${figure(line.values.at(-1) ?? 0, line.as)}`} />
    </Suspense>
  )
}

function Trends({ days, lines }: { days: readonly number[]; lines: readonly TrendLine[] }) {
  const [name, setName] = useState<string>()
  // What nothing happened with, now or before, is one line and no chart.
  const [moving, still] = [lines.filter(hasMoved), lines.filter((one) => !hasMoved(one))]
  const line = moving.find((one) => one.name === name) ?? moving.find((one) => total(one.values) > 0) ?? moving[0]
  const quiet = still.length > 0 && <p className="tiles-done">近 {TREND_DAYS} 天暂无：{still.map((one) => <Link key={one.name} to={one.to}>{one.title}</Link>)}</p>
  if (!line) return quiet
  return (
    <section className="home-part" aria-labelledby="home-trends">
      <header><h2 id="home-trends">近 {TREND_DAYS} 天</h2><Link to={line.to}>查看{line.title.replace(/实付$/, '')}</Link></header>
      <div className="trend-choices" role="group" aria-label="选择趋势">
        {moving.map((one) => <TrendChoice key={one.name} trend={one} chosen={one === line} onChosen={() => setName(one.name)} />)}
      </div>
      <TrendChart line={line} days={days} />
      {quiet}
    </section>
  )
}

/** How things went in the last thirty days, as far as the person may know. */
export function HomeTrends() {
  const { data, error, refetch } = useQuery({ queryKey: ['trends'], queryFn: ({ signal }) => call(trends, undefined, { signal, quiet: true }), staleTime: FRESH })
  if (error && !data) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <section className="home-part" aria-busy><Skeleton active paragraph={{ rows: 8 }} /></section>
  return <Trends days={data.days} lines={data.trends} />
}
