import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Segmented, Skeleton, Table } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate } from '../../core/field/time.ts'
import { CODES_PATH, diversionRadar, RADAR_DAYS, type Radar } from './diversion.ts'
import './diversion.css'
import { PROVINCE_CELLS } from './province-grid.ts'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))
const CELL = 52

function Grid({ radar, chosen, onChoose }: { radar: Radar; chosen: string | undefined; onChoose: (code: string | undefined) => void }) {
  const figures = new Map(radar.provinces.map((one) => [one.code, one]))
  return (
    <svg className="radar-map" viewBox={`0 0 ${9 * CELL} ${8 * CELL}`} role="group" aria-label="省份格图">
      {PROVINCE_CELLS.map(([code, name, column, row]) => {
        const { activated = 0, away = 0 } = figures.get(code) ?? {}
        const choose = () => onChoose(chosen === code ? undefined : code)
        return (
          <g key={code} transform={`translate(${column * CELL + 2} ${row * CELL + 2})`} role="button" tabIndex={activated > 0 ? 0 : -1} aria-pressed={chosen === code} data-away={away > 0} data-chosen={chosen === code}
            aria-label={`${name}：激活 ${activated} 个，其中外省合伙人的 ${away} 个`} onClick={choose} onKeyDown={(event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose() } }}>
            <rect width={CELL - 4} height={CELL - 4} rx={4} />
            <text x={(CELL - 4) / 2} y={16}>{name}</text>
            {activated > 0 && <text className="radar-n" x={(CELL - 4) / 2} y={30}>{activated}</text>}
            {away > 0 && <text className="radar-away" x={(CELL - 4) / 2} y={43}>外 {away}</text>}
          </g>
        )
      })}
    </svg>
  )
}

const chartOf = (days: Radar['days']): EChartsCoreOption => ({
  tooltip: { trigger: 'axis' }, legend: { top: 0 }, grid: { left: 8, right: 8, top: 32, bottom: 4, containLabel: true },
  xAxis: { type: 'category', data: days.map(({ day }) => formatDate(day).slice(5)) }, yAxis: { type: 'value', minInterval: 1 },
  series: [{ name: '本省', type: 'bar', stack: 'n', data: days.map(({ n, away }) => n - away), itemStyle: { color: '#1890ff' } }, { name: '外省', type: 'bar', stack: 'n', data: days.map(({ away }) => away), itemStyle: { color: '#d99a26' } }],
})

/** 串货雷达: where codes were activated, by province, day and batch. It only shows; what is suspected stands among the cases. */
export function DiversionRadar() {
  const [days, setDays] = useState<(typeof RADAR_DAYS)[number]>('90')
  const [chosen, setChosen] = useState<string>()
  const { data, error, refetch } = useQuery({ queryKey: ['code_diversion', 'radar', days], queryFn: ({ signal }) => call(diversionRadar, { days }, { signal, quiet: true }) })
  const option = useMemo(() => chartOf(data?.days ?? []), [data])
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  const flows = data?.flows.filter(({ from, to }) => chosen === undefined || from === chosen || to === chosen) ?? []
  return (
    <div className="radar">
      <section aria-label="地区">
        <div className="radar-bar">
          <Segmented aria-label="时段" value={days} onChange={setDays} options={RADAR_DAYS.map((value) => ({ value, label: `近 ${value} 天` }))} />
          {data && <span>激活 <b className="figure">{data.total.toLocaleString('zh-CN')}</b> 个，外省 <b className="figure">{data.away.toLocaleString('zh-CN')}</b> 个</span>}
        </div>
        {data ? <Grid radar={data} chosen={chosen} onChoose={setChosen} /> : <Skeleton active />}
        <p className="note">按激活学校所在省统计；格中是激活数，「外」是其中外省合伙人的码。外省激活只是疑似，要由人核实。</p>
      </section>
      <section aria-label="去向和批次">
        <h3>从哪里到哪里</h3>
        <Table size="small" rowKey={({ from, to }) => `${from} ${to}`} pagination={{ pageSize: 6, hideOnSinglePage: true, size: 'small' }} dataSource={flows} locale={{ emptyText: '没有在外省激活的码' }} columns={[
          { title: '合伙人所在省', dataIndex: 'from_name' }, { title: '激活地', dataIndex: 'to_name' }, { title: '数量', dataIndex: 'n', align: 'right' },
        ]} />
        <h3>外省激活最多的批次</h3>
        <Table size="small" rowKey="id" pagination={false} dataSource={data?.batches ?? []} locale={{ emptyText: '没有在外省激活的批次' }} columns={[
          { title: '批次', dataIndex: 'name', render: (name: string, { id }) => <Link to={`${CODES_PATH}?open=${id}`}>{name}</Link> }, { title: '合伙人', dataIndex: 'partner_name' },
          { title: '外省 / 激活', align: 'right', render: (_, { id, away, used }) => <Link className="figure" to={`${CODES_PATH}?show=cases&group_id=${id}`}>{away} / {used}</Link> },
        ]} />
        {data && data.days.length > 0 && (
          <>
            <h3>每天激活</h3>
            <Suspense fallback={<Skeleton active />}><Chart option={option} height={200} label={`每天激活，共 ${data.total} 个，外省 ${data.away} 个`} /></Suspense>
          </>
        )}
      </section>
    </div>
  )
}
