import { useQuery } from '@tanstack/react-query'
import { Alert, Descriptions, Skeleton, Table, Tag } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { formatTime } from '../../core/field/time.ts'
import type { agentCalls, OrderExplained } from './calls.ts'
import { rateText } from './formula.ts'

const TIERS: Readonly<Record<number, string>> = { 1: '直接', 2: '上级' }

/** Whether what was booked is what it should be now, in a word. */
function Agrees({ booked, target }: { booked: number; target: number }) {
  return booked === target ? <Tag color="success">与重新计算一致</Tag> : <Tag color="error">重新计算为 {formatMoney(target)}</Tag>
}

/** How a line came about: its formula, everything that was booked for the same, and the same worked out again. */
export function ExplainTab({ of, id }: { of: (typeof agentCalls)['explain']; id: number }) {
  const { data, error } = useQuery({ queryKey: ['earning-explain', of.path, id], queryFn: ({ signal }) => call(of, undefined, { params: { id }, signal, quiet: true }), staleTime: 0 })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  return (
    <>
      <Descriptions column={1} size="small" items={[
        { key: 'words', label: '这一笔', children: data.words ?? '无' },
        { key: 'sum', label: '累计已计', children: <>{formatMoney(data.booked)} <Agrees {...data} /></> },
      ]} />
      <Table size="small" rowKey="id" pagination={false} dataSource={data.lines} scroll={{ x: 560 }} columns={[
        { title: '时间', width: 150, dataIndex: 'at', render: formatTime },
        { title: '金额', width: 110, align: 'right', dataIndex: 'amount', render: (amount: number) => <span className="figure">{formatMoney(amount)}</span> },
        { title: '怎么算的', dataIndex: 'words' },
      ]} />
    </>
  )
}

/** The commissions of an order, or the reason for none. */
export function OrderCommission({ order, why, shares, lines }: OrderExplained) {
  if (!order) return <Alert type="info" showIcon title="没有找到该订单，或不在您的数据范围内" />
  return (
    <>
      <Descriptions column={1} size="small" items={[
        { key: 'goods', label: '商品', children: order.goods ?? '' },
        { key: 'paid', label: '外部实付', children: `${formatMoney(order.paid)}${order.refunded > 0 ? `，已退 ${formatMoney(order.refunded)}` : ''}` },
      ]} />
      {why && <Alert className="form-alert" type="warning" showIcon title={why} />}
      {shares.map((share) => (
        <p key={share.tier}><strong>{TIERS[share.tier]} · {share.agent_name}</strong> {rateText(share.bp)}（{share.plan}）已计 {formatMoney(share.booked)} <Agrees {...share} /></p>
      ))}
      {lines.length > 0 && <Table size="small" rowKey="id" pagination={false} dataSource={lines} scroll={{ x: 640 }} columns={[
        { title: '时间', width: 150, dataIndex: 'at', render: formatTime },
        { title: '代理', width: 120, dataIndex: 'agent_name' },
        { title: '金额', width: 100, align: 'right', dataIndex: 'amount', render: (amount: number) => <span className="figure">{formatMoney(amount)}</span> },
        { title: '怎么算的', dataIndex: 'words' },
        { title: '结算单', width: 150, dataIndex: 'settlement_no' },
      ]} />}
    </>
  )
}
