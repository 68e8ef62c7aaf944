import { useQuery } from '@tanstack/react-query'
import { Alert, Skeleton, Table } from 'antd'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { choiceLabel, choicesOf } from '../../core/field/choice.ts'
import { formatMoney } from '../../core/field/number.ts'
import { formatDate } from '../../core/field/time.ts'
import { ORDER_STATUS } from '../order/module.ts'
import { readDeal, type DealOrder } from './deal.ts'
import { excellentLine } from './line.ts'

const { orders, orderPath, orderLine } = excellentLine
const wordOf = (field: (typeof orders.fields)[string] | undefined, value: number) => choiceLabel((field && choicesOf(field)) ?? [], value)

/** Whether something is due and was not paid. */
const isLate = ({ due_at, status }: DealOrder) => status === ORDER_STATUS.unpaid && due_at !== null && due_at < Date.now() / 1000

/** Everything that is paid under the deal of an order: deposit and balance, or instalments, with what is left. */
export function DealTab({ id }: { id: number }) {
  const { data, error } = useQuery({ queryKey: ['deal', id], queryFn: ({ signal }) => call(readDeal, undefined, { params: { id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  const standing = data.orders.filter(({ status }) => status !== ORDER_STATUS.cancelled && status !== ORDER_STATUS.closed)
  const sum = (key: 'amount' | 'paid' | 'refunded') => standing.reduce((all, one) => all + one[key], 0)
  return (
    <>
      <p>{data.deal_no === null ? '没有签约，单独成单。' : `合同 ${data.deal_no}：`}共 {formatMoney(sum('amount'))}，已付 {formatMoney(sum('paid') - sum('refunded'))}，还差 {formatMoney(Math.max(0, sum('amount') - sum('paid')))}</p>
      <Table size="small" pagination={false} rowKey="id" scroll={{ x: 560 }} dataSource={data.orders} columns={[
        { title: '款项', render: (_value, { part, part_no }) => `${wordOf(orderLine.side?.fields['part'], part)}${data.orders.length > 2 ? ` ${part_no}/${data.orders.length}` : ''}` },
        { title: '订单号', render: (_value, { id: other, order_no }) => (other === id ? order_no : <Link to={`${orderPath}?open=${other}`}>{order_no}</Link>) },
        { title: '应付', align: 'right', render: (_value, { amount }) => formatMoney(amount) },
        { title: '已付', align: 'right', render: (_value, { paid, refunded }) => formatMoney(paid - refunded) },
        { title: '应付日期', render: (_value, one) => (one.due_at === null ? '签约时' : <span className={isLate(one) ? 'problem' : undefined}>{formatDate(one.due_at)}{isLate(one) && '（已逾期）'}</span>) },
        { title: '状态', render: (_value, { status }) => wordOf(orders.fields['status'], status) },
      ]} />
    </>
  )
}
