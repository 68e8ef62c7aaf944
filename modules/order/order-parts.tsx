import { EyeOutlined } from '@ant-design/icons'
import { Alert, App, Button, Descriptions, Empty, Form, Input, Modal, Skeleton, Space, Table, Tag, Timeline } from 'antd'
import { useState, type ReactNode } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatMoney } from '../../core/field/number.ts'
import { formatTime } from '../../core/field/time.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useCan, useStaff } from '../../core/session/staff-context.tsx'
import { orderEndpoints, type OrderDetail } from './calls.ts'
import { ACTION_LABELS, DISCOUNT_KINDS, ORDER_RIGHTS, PAY_CHANNELS, REFUND_STATUS, REFUND_WAYS, statusChoices, orderRight } from './flow.ts'
import type { OrderLine } from './line.ts'
import { goesAnotherWay } from './money-rules.ts'
import { sayParts } from './refund-dialog.tsx'
import { useAct, useOrderDetail } from './use-order.tsx'

interface Props {
  line: OrderLine
  orders: Resource
  row: WireRow
  reload: () => void
}

const moment = (seconds: number) => <time className="figure">{formatTime(seconds).slice(0, 16)}</time>
const sum = (fen: number) => <span className="figure">{formatMoney(fen)}</span>
const text = (value: string | null) => value ?? <span className="none">—</span>

function Part({ title, children }: { title: string; children: ReactNode }) {
  return <section className="order-part"><h3>{title}</h3>{children}</section>
}

/** Nothing but rows: what an order has of something is never many. */
const plain = { size: 'small', pagination: false, rowKey: 'id', scroll: { x: 'max-content' } } as const

/** A refund that waits for a second person: two buttons for a person who may decide and did not ask. */
function Decision({ orders, row, reload, refund }: Omit<Props, 'line'> & { refund: OrderDetail['refunds'][number] }) {
  const can = useCan()
  const staff = useStaff()
  const { modal } = App.useApp()
  const { act, busy, problem } = useAct(orders, row.id, reload)
  const [refusing, setRefusing] = useState(false)
  const [form] = Form.useForm<{ reason: string }>()
  const endpoints = orderEndpoints(orders)
  const params = { refund_id: refund.id }
  if (refund.status === REFUND_STATUS.done) return <Tag color="success">已退款</Tag>
  if (refund.status === REFUND_STATUS.refused) return <Tag>已拒绝</Tag>
  const other = goesAnotherWay(refund.parts)
  if (!can(orderRight(orders, 'decide'))) return <Tag color="warning">待复核</Tag>
  const may = !other || can(orderRight(orders, 'otherWay'))
  return (
    <Space wrap>
      {refund.asked_by === staff.id ? <Tag color="warning">须由另一人复核</Tag> : !may ? <Tag color="warning">须有「{ORDER_RIGHTS.otherWay[1]}」权限</Tag> : (
        <Button size="small" type="primary" loading={busy} onClick={() => modal.confirm({
          title: '同意退款？', content: `退款 ${sayParts(refund.parts)}${other ? '，与收款方式不同' : ''}。收回的内容以申请为准。`, okText: '同意退款', onOk: () => act(endpoints.approveRefund, undefined, '已退款', params),
        })}>同意</Button>
      )}
      <Button size="small" onClick={() => setRefusing(true)}>{refund.asked_by === staff.id ? '撤回' : '拒绝'}</Button>
      {problem && <span className="problem" role="alert">{problem.sentence}</span>}
      {refusing && (
        <Modal open title="拒绝退款" okText="确定" confirmLoading={busy} onCancel={() => setRefusing(false)}
          onOk={() => void form.validateFields().then(async ({ reason }) => { if (await act(endpoints.refuseRefund, { reason }, '已拒绝退款', params)) setRefusing(false) }, () => undefined)}>
          <Form form={form} layout="vertical">
            <Form.Item name="reason" label="原因" required rules={[{ min: 2, required: true, message: '原因至少 2 个字' }]}><Input.TextArea rows={3} maxLength={200} showCount /></Form.Item>
          </Form>
        </Modal>
      )}
    </Space>
  )
}

/** Where the goods go; the number is shown whole to a person who may see it, and that is logged. */
function Receiver({ orders, row, receiver }: { orders: Resource; row: WireRow; receiver: NonNullable<OrderDetail['receiver']> }) {
  const can = useCan()
  const [mobile, setMobile] = useState<string>()
  const reveal = () => void call(orderEndpoints(orders).revealReceiver, undefined, { params: { id: row.id } }).then(({ value }) => setMobile(value), () => undefined)
  return (
    <Descriptions size="small" bordered column={1} items={[
      { key: 'name', label: '收货人', children: receiver.name },
      { key: 'mobile', label: '手机号', children: <><span className="figure">{mobile ?? receiver.mobile}</span>{!mobile && can(standardId(orders.grant, 'reveal')) && <Button type="link" size="small" icon={<EyeOutlined />} aria-label="查看收货人的完整手机号" onClick={reveal} />}</> },
      { key: 'address', label: '地址', children: `${receiver.region_name} ${receiver.address}` },
    ]} />
  )
}

/** 明细: what was bought, what was paid, what went back, what was sent. */
export function OrderParts({ line, orders, row, reload }: Props) {
  const { detail, error } = useOrderDetail(orders, row.id, row.rev)
  if (error) return <Alert type="error" title={error.message} />
  if (!detail) return <Skeleton active />
  const unitOf = (kind: string) => line.goods.find((good) => good.kind === kind)?.unit ?? ''
  return (
    <>
      <Part title="商品">
        <Table {...plain} dataSource={detail.items} columns={[
          { title: '名称', dataIndex: 'name' },
          { title: '单价', align: 'right', render: (_, item) => sum(item.price) },
          { title: '数量', align: 'right', render: (_, item) => `${item.qty}${unitOf(item.kind)}` },
          { title: '月数', align: 'right', render: (_, item) => (item.months ? `${item.months} 个月` : text(null)) },
          { title: '小计', align: 'right', render: (_, item) => sum(item.price * item.qty) },
          { title: '优惠后', align: 'right', render: (_, item) => sum(item.net) },
          { title: '已退', align: 'right', render: (_, item) => (item.refunded_qty > 0 ? item.refunded_qty : text(null)) },
          { title: '生效中', align: 'right', render: (_, item) => (item.granted_qty > 0 ? <Tag color="success">{item.granted_qty}{unitOf(item.kind)}</Tag> : text(null)) },
        ]} />
        {detail.discounts.length > 0 && <p className="note">优惠：{detail.discounts.map(({ kind, amount }) => `${choiceLabel(DISCOUNT_KINDS, kind)} ${formatMoney(amount)}`).join('、')}</p>}
      </Part>
      <Part title="收款">
        {detail.payments.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有收款" /> : (
          <Table {...plain} dataSource={detail.payments} columns={[
            { title: '支付时间', render: (_, paid) => moment(paid.at) },
            { title: '金额', align: 'right', render: (_, paid) => sum(paid.amount) },
            { title: '方式', render: (_, paid) => choiceLabel(PAY_CHANNELS, paid.channel) },
            { title: '交易单号', render: (_, paid) => text(paid.trade_no) },
            { title: '凭证', render: (_, paid) => (paid.voucher ? <a href={paid.voucher} target="_blank" rel="noopener noreferrer">查看</a> : text(null)) },
            { title: '确认人', render: (_, paid) => text(paid.staff_name) },
          ]} />
        )}
      </Part>
      {detail.refunds.length > 0 && (
        <Part title="退款">
          <Table {...plain} dataSource={detail.refunds} columns={[
            { title: '申请时间', render: (_, one) => moment(one.asked_at) },
            { title: '金额', align: 'right', render: (_, one) => sum(one.amount) },
            { title: '方式', render: (_, one) => (one.parts.length > 0 ? <>{sayParts(one.parts)}{goesAnotherWay(one.parts) && <Tag color="warning">改道</Tag>}</> : choiceLabel(REFUND_WAYS, one.way)) },
            { title: '原因', dataIndex: 'reason' },
            { title: '申请人', render: (_, one) => text(one.asked_by_name) },
            { title: '结果', render: (_, one) => <Decision orders={orders} row={row} reload={reload} refund={one} /> },
            { title: '复核人', render: (_, one) => text(one.decided_by_name) },
            { title: '说明', render: (_, one) => text(one.answer) },
          ]} />
        </Part>
      )}
      {detail.receiver && <Part title="收货"><Receiver orders={orders} row={row} receiver={detail.receiver} /></Part>}
      {detail.shipments.length > 0 && (
        <Part title="包裹">
          <Table {...plain} dataSource={detail.shipments} columns={[
            { title: '快递公司', dataIndex: 'company' }, { title: '快递单号', dataIndex: 'no' }, { title: '发货时间', render: (_, one) => moment(one.created_at) }, { title: '操作人', render: (_, one) => text(one.staff_name) },
          ]} />
        </Part>
      )}
    </>
  )
}

/** 订单日志: each step, who took it, how much money was in it and why. */
export function OrderLog({ line, orders, row }: Omit<Props, 'reload'>) {
  const { detail, error } = useOrderDetail(orders, row.id, row.rev)
  if (error) return <Alert type="error" title={error.message} />
  if (!detail) return <Skeleton active />
  const choices = statusChoices(line.flow)
  return (
    <Timeline items={detail.log.map((entry) => ({
      key: entry.id,
      content: (
        <div>
          <div><b>{ACTION_LABELS[entry.action as keyof typeof ACTION_LABELS] ?? entry.action}</b>　{entry.staff_name ?? '系统'}　{moment(entry.at)}</div>
          <div>{entry.from_status !== null && entry.from_status !== entry.to_status && <>{choiceLabel(choices, entry.from_status)} → </>}{choiceLabel(choices, entry.to_status)}{entry.amount !== null && <>　{sum(entry.amount)}</>}</div>
          {entry.reason && <div className="note">原因：{entry.reason}</div>}
        </div>
      ),
    }))} />
  )
}
