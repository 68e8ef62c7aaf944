import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Progress, Skeleton } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useMemo } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { partnerHealth, type HealthPart, type PartnerHealth } from './partner-health.ts'
import './partner.css'
import type { partner } from './partner.ts'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))

const LABELS: Readonly<Record<HealthPart['key'], string>> = { activation: '激活势头', pads: '平板在线', renewal: '学生续期' }

function chartOf(weeks: PartnerHealth['weeks']): EChartsCoreOption {
  return {
    tooltip: { trigger: 'axis' }, grid: { left: 8, right: 8, top: 16, bottom: 4, containLabel: true },
    xAxis: { type: 'category', data: weeks.map(({ at }) => formatDate(at).slice(5)) }, yAxis: { type: 'value', minInterval: 1 },
    series: [{ name: '激活', type: 'bar', data: weeks.map(({ n }) => n), itemStyle: { color: '#1890ff' } }],
  }
}

/** 健康度: how a partner is doing, and what the number follows from. */
export function HealthTab({ row }: { row: WireRow<typeof partner> }) {
  const { data, error } = useQuery({ queryKey: ['partner health', row.id], queryFn: ({ signal }) => call(partnerHealth, undefined, { params: { id: row.id }, signal, quiet: true }) })
  const option = useMemo(() => chartOf(data?.weeks ?? []), [data])
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  const total = data.weeks.reduce((sum, { n }) => sum + n, 0)
  return (
    <div className="health">
      <p className="health-score">健康分 <b>{data.score ?? '—'}</b>{data.score === null ? '' : ' / 100'}</p>
      {data.parts.map(({ key, points, most, why }) => (
        <div key={key} className="health-part">
          <span>{LABELS[key]}</span>
          <Progress percent={points === null ? 0 : Math.round((points / most) * 100)} format={() => (points === null ? '不计' : `${points} / ${most}`)} aria-label={`${LABELS[key]} ${points === null ? '不计' : `${points} 分，满分 ${most} 分`}`} />
          <span className="note">{why}</span>
        </div>
      ))}
      <p className="note">激活势头：近 4 周达到之前 4 周的 1.5 倍得满分；没有数据的项不计入总分。</p>
      <h3>近 12 周激活</h3>
      {total === 0 ? <Empty description="近 12 周没有激活" /> : <Suspense fallback={<Skeleton active />}><Chart option={option} height={220} label={`近 12 周共激活 ${total} 个授权码`} /></Suspense>}
    </div>
  )
}
