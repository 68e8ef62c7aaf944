import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Segmented, Skeleton, Table } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { formatTime } from '../../core/field/time.ts'
import { OrderLink } from '../order/door.tsx'
import './distribution.css'
import { MOST_FOREIGN, REGION_DAYS, regionCheck } from './region.ts'

/** 独家区域: who holds which, and what agents of other branches sold there. */
export function RegionView() {
  const [days, setDays] = useState<(typeof REGION_DAYS)[number]>('90')
  const [chosen, setChosen] = useState<number>()
  const { data, error, refetch } = useQuery({ queryKey: ['agent regions', days], queryFn: ({ signal }) => call(regionCheck, { days }, { signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  if (data.holders.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有代理持有独家区域，在代理的「独家区域」中设置" />
  const rows = data.foreign.filter(({ holder_id }) => chosen === undefined || holder_id === chosen)
  const holder = data.holders.find(({ id }) => id === chosen)
  return (
    <div className="agent-regions">
      <div className="lists-switch"><Segmented aria-label="时段" value={days} onChange={setDays} options={REGION_DAYS.map((value) => ({ value, label: `近 ${value} 天的订单` }))} /></div>
      <section aria-label="独家区域">
        <Table size="small" rowKey="id" scroll={{ x: 'max-content' }} pagination={{ pageSize: 10, hideOnSinglePage: true, size: 'small' }} dataSource={data.holders} rowSelection={{ type: 'radio', selectedRowKeys: chosen === undefined ? [] : [chosen], onChange: ([key]) => setChosen(Number(key)) }} columns={[
          { title: '独家区域', dataIndex: 'region_name' }, { title: '代理', dataIndex: 'name', render: (name: string, { id }) => <Link to={`/distribution/account/proxy?open=${id}`}>{name}</Link> },
          { title: '外来合伙人', dataIndex: 'partners', align: 'right', sorter: (a, b) => a.partners - b.partners }, { title: '外来订单', dataIndex: 'orders', align: 'right', sorter: (a, b) => a.orders - b.orders },
          { title: '外来实收', dataIndex: 'amount', align: 'right', render: (amount: number) => formatMoney(amount) },
        ]} />
      </section>
      <section aria-label="跨区明细">
        <h3>{holder ? `${holder.region_name}（${holder.name}）` : '所有独家区域'}内由其他代理做成的合伙人和订单 {holder && <Button type="link" size="small" onClick={() => setChosen(undefined)}>看全部</Button>}</h3>
        {data.total > data.foreign.length && <p className="note">共 {data.total} 条，只列最新的 {MOST_FOREIGN} 条。</p>}
        <Table size="small" rowKey={({ kind, id, holder_id }) => `${kind} ${id} ${holder_id}`} scroll={{ x: 'max-content' }} pagination={{ pageSize: 20, hideOnSinglePage: true, size: 'small' }} dataSource={rows} locale={{ emptyText: '没有跨区' }} columns={[
          { title: '时间', dataIndex: 'at', render: (at: number) => formatTime(at).slice(0, 16) }, { title: '类型', dataIndex: 'kind', render: (kind: string) => (kind === 'partner' ? '合伙人' : '订单') },
          { title: '合伙人 / 订单', dataIndex: 'name', render: (name: string, { kind, id }) => (kind === 'partner' ? <Link to={`/new-study-room/partner?open=${id}`}>{name}</Link> : <OrderLink no={name} />) },
          { title: '地区', dataIndex: 'region_name' }, { title: '做成的代理', dataIndex: 'seller', render: (seller: string | null) => seller ?? '其他代理' }, { title: '独家代理', dataIndex: 'holder' },
          { title: '实收', dataIndex: 'amount', align: 'right', render: (amount: number | null) => (amount === null ? '' : formatMoney(amount)) },
        ]} />
      </section>
    </div>
  )
}
