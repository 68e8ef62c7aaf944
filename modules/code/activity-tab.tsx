import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Skeleton, Statistic, Table, Tag } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useMemo } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate, formatTime } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { cumulate } from './activity.ts'
import { codeEndpoints, type Activity } from './calls.ts'
import type { CodeFamily, BatchResource } from './family.ts'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))

/** More activations than this in one hour, and more than a third of all, do not look like students at their desks. */
const BURST = 50

function chartOf(days: ReturnType<typeof cumulate>): EChartsCoreOption {
  return {
    tooltip: { trigger: 'axis' },
    legend: { top: 0 },
    grid: { left: 8, right: 8, top: 36, bottom: 4, containLabel: true },
    xAxis: { type: 'category', data: days.map(({ day }) => formatDate(day).slice(2)) },
    yAxis: [{ type: 'value', minInterval: 1 }, { type: 'value', minInterval: 1, splitLine: { show: false } }],
    series: [
      { name: '当天激活', type: 'bar', data: days.map(({ n }) => n), itemStyle: { color: '#1890ff' } },
      { name: '累计激活', type: 'line', yAxisIndex: 1, showSymbol: false, data: days.map(({ sum }) => sum), itemStyle: { color: '#13a8a8' } },
    ],
  }
}

/** What does not look right about where and when codes were activated. */
function Hints({ activity: { places, burst }, used }: { activity: Activity; used: number }) {
  const away = places.filter((place) => place.away).reduce((sum, { n }) => sum + n, 0)
  const hasty = burst !== null && burst.n >= BURST && burst.n * 3 > used
  if (away === 0 && !hasty) return null
  return (
    <Alert className="form-alert" type="warning" showIcon title="疑似串货，请核实" description={(
      <>
        {away > 0 && <div>{away.toLocaleString('zh-CN')} 个码在归属方所在省以外激活</div>}
        {hasty && <div>{formatTime(burst.at).slice(0, 13)} 时一小时内集中激活 {burst.n.toLocaleString('zh-CN')} 个</div>}
      </>
    )} />
  )
}

/** How a batch is being used: by day, by place, and what is suspicious. */
export function ActivityTab({ family, row }: { family: CodeFamily; row: WireRow<BatchResource> }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['code activity', family.batch.name, row.id, row.used], queryFn: ({ signal }) => call(codeEndpoints(family).activity, undefined, { params: { id: row.id }, signal }),
  })
  const days = useMemo(() => cumulate(data?.days ?? []), [data])
  const option = useMemo(() => chartOf(days), [days])
  if (error) return <Alert type="error" title={error.message} />
  if (isPending) return <Skeleton active />
  const [total, used] = [row.total ?? 0, row.used ?? 0]
  return (
    <>
      <div className="code-facts">
        <Statistic title="总数" value={total} /><Statistic title="已激活" value={used} /><Statistic title="激活率" value={total > 0 ? (used / total) * 100 : 0} precision={1} suffix="%" />
        <Statistic title="未使用" value={row.left ?? 0} /><Statistic title="已作废" value={row.cancelled ?? 0} />
      </div>
      <Hints activity={data} used={used} />
      {days.length === 0 ? <Empty description="还没有码被激活" /> : (
        <Suspense fallback={<Skeleton active />}>
          <Chart option={option} height={260} label={`${formatDate(days[0]?.day ?? 0)} 到 ${formatDate(days.at(-1)?.day ?? 0)} 共激活 ${days.at(-1)?.sum ?? 0} 个`} />
        </Suspense>
      )}
      {data.places.length > 0 && (
        <Table className="code-part" size="small" rowKey="region" pagination={false} dataSource={data.places} columns={[
          { title: '激活地区', dataIndex: 'name', render: (name: string, place) => <>{name} {place.away && <Tag color="warning">归属地以外</Tag>}</> },
          { title: '数量', dataIndex: 'n', align: 'right', render: (n: number) => <span className="figure">{n.toLocaleString('zh-CN')}</span> },
        ]} />
      )}
    </>
  )
}
