import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Descriptions, Empty, Input, Skeleton, Table, Tag, Timeline } from 'antd'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { briefTime, formatDate, formatTime } from '../../core/field/time.ts'
import { useTabTitle } from '../../core/shell/tabs-context.tsx'
import { ACTION_LABELS } from '../order/module.ts'
import { anyOrderDetail, recentOrders, type AnyOrderDetail } from './calls.ts'
import './query.css'

const detailPath = (no: string) => `/operate/orderDetail?no=${encodeURIComponent(no)}`
const minute = (at: number) => formatTime(Math.floor(at)).slice(0, 16)

/** One order, whichever line it is of: where its money went, what it opened, every step. */
function Detail({ data: { order, detail, steps, opened } }: { data: AnyOrderDetail }) {
  return (
    <main aria-label="订单">
      <h2>{order.order_no} <Tag>{order.status_name}</Tag> <Link to={order.to}>在「{order.screen}」中处理</Link></h2>
      <Descriptions size="small" column={{ xs: 1, md: 3 }} items={[
        { key: 'line', label: '业务', children: order.line }, { key: 'buyer', label: '买方', children: order.buyer ?? '—' }, { key: 'goods', label: '商品', children: order.goods ?? '—' },
        { key: 'at', label: '下单', children: minute(order.at) }, { key: 'paid', label: '支付', children: order.paid_at === null ? '未支付' : minute(order.paid_at) }, { key: 'agent', label: '代理', children: order.agent ?? '无' },
      ]} />
      <h3>钱去哪了</h3>
      <table className="money-steps"><tbody>{steps.map((step, index) => <tr key={`${index} ${step.label}`} data-sum={step.sum ?? false}><td>{step.label}</td><td>{step.amount < 0 ? '− ' : ''}{formatMoney(Math.abs(step.amount))}</td><td className="note">{step.note}</td></tr>)}</tbody></table>
      <h3>商品</h3>
      <Table size="small" rowKey="id" pagination={false} scroll={{ x: 'max-content' }} dataSource={detail.items} columns={[
        { title: '名称', dataIndex: 'name' }, { title: '单价', align: 'right', render: (_value, one) => formatMoney(one.price) }, { title: '数量', align: 'right', dataIndex: 'qty' }, { title: '优惠后', align: 'right', render: (_value, one) => formatMoney(one.net) }, { title: '已退', align: 'right', dataIndex: 'refunded_qty' }, { title: '生效中', align: 'right', dataIndex: 'granted_qty' },
      ]} />
      {opened.length > 0 && <><h3>开通的权益</h3><Table size="small" rowKey="id" pagination={false} dataSource={opened} columns={[{ title: '产品', dataIndex: 'product' }, { title: '有效期', render: (_value, one) => `${formatDate(one.start_at)} 至 ${formatDate(one.expire_at)}` }, { title: '状态', dataIndex: 'state' }]} /></>}
      {detail.receiver && <><h3>收货</h3><p>{detail.receiver.name}　<span className="figure">{detail.receiver.mobile}</span>　{detail.receiver.region_name} {detail.receiver.address}</p></>}
      {detail.shipments.length > 0 && <ul>{detail.shipments.map((one) => <li key={one.id}>{one.company} <span className="figure">{one.no}</span> {minute(one.created_at)}</li>)}</ul>}
      <h3>经过</h3>
      <Timeline items={detail.log.map((one) => ({ key: one.id, content: <>{ACTION_LABELS[one.action as keyof typeof ACTION_LABELS] ?? one.action}　{one.staff_name ?? '系统'}　<span className="note">{minute(one.at)}</span>{one.amount !== null && <>　{formatMoney(one.amount)}</>}{one.reason && <p className="note">原因：{one.reason}</p>}</> }))} />
    </main>
  )
}

/** 订单详情: any line's order by its number, or one of the latest. */
export default function OrderScreen() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [typed, setTyped] = useState('')
  const [mobile, setMobile] = useState<string>()
  const no = search.get('no') ?? ''
  const recent = useQuery({ queryKey: ['any-orders', mobile], queryFn: ({ signal }) => call(recentOrders, mobile === undefined ? {} : { mobile }, { signal, quiet: true }) })
  const { data, error, isFetching } = useQuery({ queryKey: ['any-order', no], enabled: no !== '', queryFn: ({ signal }) => call(anyOrderDetail, undefined, { params: { order_no: no }, signal, quiet: true }) })
  useTabTitle(no === '' ? undefined : `订单 ${no}`)
  const find = (words: string) => {
    const text = words.replace(/\s/g, '')
    if (/^1[3-9]\d{9}$/.test(text)) return setMobile(text)
    setMobile(undefined)
    if (text !== '') void navigate(detailPath(text), { replace: true })
  }
  return (
    <section className="page-body order-sides" aria-label="订单详情">
      <nav aria-label="订单">
        <Input.Search aria-label="订单号或手机号" placeholder="订单号，或买方手机号" value={typed} onChange={(event) => setTyped(event.target.value)} onSearch={find} enterButton />
        <p className="note">{mobile === undefined ? '最近 30 天' : <>手机号 {mobile} 的订单 <Button type="link" size="small" onClick={() => setMobile(undefined)}>返回最近</Button></>}</p>
        {recent.data?.items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有订单" />}
        <ul>{recent.data?.items.map((one) => <li key={one.id} data-chosen={one.order_no === no}><Link to={detailPath(one.order_no)} replace><span className="figure">{one.order_no}</span><small>{one.goods} · {formatMoney(one.amount)} · {one.status_name} · {briefTime(one.at)}</small></Link></li>)}</ul>
      </nav>
      {no === '' ? <Empty description="输入订单号，或从左侧选一个" /> : error ? <Alert type="error" showIcon title={error.message} /> : data && !isFetching ? <Detail data={data} /> : <Skeleton active />}
    </section>
  )
}
