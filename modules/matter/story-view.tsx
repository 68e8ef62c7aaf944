import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Progress, Skeleton, Statistic } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { readStory, type MatterStory } from './calls.ts'
import type { matter } from './matter.ts'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))
const DAY = 86_400
/** Days ahead that the curve goes on. */
const AHEAD = 42

/** What went out each day and what was left, with how it goes on at the present pace. */
function curve({ days, forecast }: MatterStory): EChartsCoreOption {
  const last = days.at(-1)
  const ahead = last ? Array.from({ length: AHEAD }, (_, nth) => ({ day: last.day + (nth + 1) * DAY, left: Math.max(0, Math.round(last.left - forecast.daily * (nth + 1))) })) : []
  const names = [...days.map(({ day }) => day), ...ahead.map(({ day }) => day)].map((day) => formatDate(day).slice(5))
  const level = names.map(() => forecast.reorderAt)
  return {
    tooltip: { trigger: 'axis' }, legend: { top: 0 }, grid: { left: 8, right: 8, top: 36, bottom: 4, containLabel: true },
    xAxis: { type: 'category', data: names }, yAxis: [{ type: 'value', minInterval: 1 }, { type: 'value', minInterval: 1, splitLine: { show: false } }],
    series: [
      { name: '出库', type: 'bar', yAxisIndex: 1, data: days.map(({ out }) => out), itemStyle: { color: '#8fb8de' } },
      { name: '库存', type: 'line', showSymbol: false, data: days.map(({ left }) => left), itemStyle: { color: '#0170d9' } },
      { name: '预测', type: 'line', showSymbol: false, lineStyle: { type: 'dashed' }, itemStyle: { color: '#0170d9' }, data: [...days.map((one, at) => (at === days.length - 1 ? one.left : null)), ...ahead.map(({ left }) => left)] },
      { name: '补货点', type: 'line', showSymbol: false, lineStyle: { type: 'dotted', width: 1 }, itemStyle: { color: '#bf7d06' }, data: level },
    ],
  }
}

/** Where a matter lies, how it goes out, what is on its way, and when to order it. */
export function Story({ row }: { row: WireRow<typeof matter> }) {
  const { data, error, refetch } = useQuery({ queryKey: ['matter story', row.id, row.stock, row.rev], queryFn: ({ signal }) => call(readStory, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  const { forecast, places, prints, receivers } = data
  const most = Math.max(1, ...places.map(({ qty }) => qty))
  return (
    <div className="matter-story">
      {forecast.suggest > 0 && <Alert type="warning" showIcon title={`该补货了：库存加在途 ${((row.stock ?? 0) + Number(row.transit ?? 0)).toLocaleString('zh-CN')} ${row.unit}，不高于补货点 ${forecast.reorderAt.toLocaleString('zh-CN')}，建议补 ${forecast.suggest.toLocaleString('zh-CN')} ${row.unit}`} />}
      <div className="matter-facts">
        <Statistic title="库存" value={row.stock ?? 0} suffix={row.unit} /><Statistic title="日均出库" value={forecast.daily} />
        <Statistic title="还能用" value={forecast.lasts ?? '两年以上'} suffix={forecast.lasts === null ? '' : '天'} /><Statistic title="补货点" value={forecast.reorderAt} />
      </div>
      <Suspense fallback={<Skeleton active />}><Chart option={curve(data)} height={260} label={`${row.name}近 8 周的出库和库存`} /></Suspense>
      <h4>分布</h4>
      {places.length === 0 ? <p className="note">各仓都没有库存</p> : <ul className="matter-places">{places.map(({ warehouse_id, name, qty }) => <li key={warehouse_id}><span>{name}</span><Progress percent={(qty / most) * 100} showInfo={false} size="small" aria-label={`${name} ${qty}`} /><b>{qty.toLocaleString('zh-CN')}</b></li>)}</ul>}
      {prints.length > 0 && <><h4>印次</h4><ul className="matter-places">{prints.map(({ no, copies, received, at }) => <li key={no}><span>第 {no} 次 · {formatDate(Math.floor(at))}</span><Progress percent={Math.min(100, (received / copies) * 100)} showInfo={false} size="small" aria-label={`第 ${no} 次已到 ${received} 册`} /><b>{received.toLocaleString('zh-CN')} / {copies.toLocaleString('zh-CN')}</b></li>)}</ul></>}
      <h4>8 周内领得最多</h4>
      {receivers.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有人领过" /> : <ul className="matter-places">{receivers.map(({ name, qty, times }) => <li key={name}><span>{name}</span><small className="note">{times} 次</small><b>{qty.toLocaleString('zh-CN')} {row.unit}</b></li>)}</ul>}
    </div>
  )
}
