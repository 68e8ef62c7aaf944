import { ArrowDownOutlined, ArrowUpOutlined, MinusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import { Link } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { TREND_DAYS, trends, type TrendLine } from '../module/dashboard.ts'
import { change, figure, hasMoved, linePoints, total } from './trend-figures.ts'

/** Figures are of whole days: they may be as old as this, in milliseconds. */
const FRESH = 300_000
/** Size of a line, in pixels. */
const WIDTH = 112
const HEIGHT = 32

const ways = { up: <ArrowUpOutlined aria-label="上升" />, down: <ArrowDownOutlined aria-label="下降" />, same: <MinusOutlined aria-label="持平" /> }

/** Day by day, with the same days of the period before dashed. */
function Line({ values, before }: Pick<TrendLine, 'values' | 'before'>) {
  const most = Math.max(...values, ...before, 1)
  const points = (line: readonly number[]) => linePoints(line, most, WIDTH, HEIGHT)
  return (
    <svg className="figure-line" width={WIDTH} height={HEIGHT} viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`} aria-hidden>
      <polyline points={points(before)} data-before /><polyline points={points(values)} />
    </svg>
  )
}

/** What one figure came to, and how that stands to the period before. */
function Figure({ trend: { title, as, to, values, before } }: { trend: TrendLine }) {
  const sum = total(values)
  const moved = change(sum, total(before))
  return (
    <Link className="home-figure" to={to}>
      <span>{title}</span><strong className="figure">{figure(sum, as)}</strong>
      <small data-way={moved?.way}>{moved ? <>{ways[moved.way]} {moved.text} 比上期</> : '上期没有'}</small>
      <Line values={values} before={before} />
    </Link>
  )
}

/** How things went in the last thirty days, as far as the person may know; what nothing happened with is left out. */
export function HomeFigures() {
  const { data, error, refetch } = useQuery({ queryKey: ['trends'], queryFn: ({ signal }) => call(trends, undefined, { signal, quiet: true }), staleTime: FRESH })
  if (error && !data) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <section className="home-part" aria-busy><Skeleton active paragraph={{ rows: 6 }} /></section>
  const moving = data.trends.filter(hasMoved)
  if (moving.length === 0) return null
  return (
    <section aria-labelledby="home-figures">
      <h2 id="home-figures" className="home-title">近 {TREND_DAYS} 天 <small>虚线为上一个 {TREND_DAYS} 天</small></h2>
      <div className="home-card">{moving.map((trend) => <Figure key={trend.name} trend={trend} />)}</div>
    </section>
  )
}
