import { Form, Input, Select } from 'antd'
import { formatMoney } from '../../core/field/number.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { ActDialog } from './act-dialog.tsx'
import { orderEndpoints, parcelSchema, repriceSchema } from './calls.ts'
import { FieldInput, MoneyInput, PaidAtInput, VoucherInput } from './inputs.tsx'
import type { OrderLine, OrderResource } from './line.ts'
import { takenChannels } from './money-rules.ts'
import { paymentSchema } from './new-order.ts'
import { carrierField } from './shipment.ts'
import { useAct } from './use-order.tsx'

/** What every dialog over an order is given. */
export interface OrderDialogProps extends RowDialogProps<OrderResource> {
  readonly line: OrderLine
  readonly orders: Resource
}

/** 确认到账: money that came in, all that is owed or a part of it. */
export function PayDialog({ line, orders, row, reload, onClose }: OrderDialogProps) {
  const { act, busy, problem } = useAct(orders, row.id, reload)
  const owed = row.amount - row.paid
  return (
    <ActDialog title={`确认到账 · ${row.order_no}`} okText="确认到账" start={{ amount: owed }} schema={paymentSchema} busy={busy} problem={problem} onClose={onClose}
      onSend={(values) => act(orderEndpoints(orders).pay, values, '已确认到账')}>
      <p>应付 {formatMoney(row.amount)}，已收 {formatMoney(row.paid)}，待收 <b>{formatMoney(owed)}</b></p>
      <Form.Item name="amount" label="到账金额" required><MoneyInput /></Form.Item>
      <Form.Item name="channel" label="支付方式" required><Select placeholder="请选择支付方式" options={takenChannels(line)} /></Form.Item>
      <Form.Item name="at" label="支付时间" extra="不填则为现在"><PaidAtInput /></Form.Item>
      <Form.Item name="trade_no" label="交易单号"><Input maxLength={64} autoComplete="off" /></Form.Item>
      <Form.Item name="voucher" label="付款凭证"><VoucherInput /></Form.Item>
    </ActDialog>
  )
}

/** 改价: another discount before the order is paid. */
export function RepriceDialog({ orders, row, reload, onClose }: OrderDialogProps) {
  const { act, busy, problem } = useAct(orders, row.id, reload)
  const total = row.total
  return (
    <ActDialog title={`改价 · ${row.order_no}`} okText="保存" start={{ discount: row.discount }} schema={repriceSchema} busy={busy} problem={problem} onClose={onClose}
      onSend={(values) => act(orderEndpoints(orders).reprice, values, '改价成功')}>
      {(values) => (
        <>
          <Form.Item name="discount" label="优惠金额" required extra={`原价 ${formatMoney(total)}，改后应付 ${formatMoney(Math.max(0, total - Number(values.discount ?? 0)))}`}><MoneyInput /></Form.Item>
          <Form.Item name="reason" label="原因" required><Input.TextArea rows={3} maxLength={200} showCount /></Form.Item>
        </>
      )}
    </ActDialog>
  )
}

/** 发货: a parcel that goes with the order. */
export function ShipDialog({ orders, row, reload, onClose }: OrderDialogProps) {
  const { act, busy, problem } = useAct(orders, row.id, reload)
  return (
    <ActDialog title={`发货 · ${row.order_no}`} okText="确认发货" start={{}} schema={parcelSchema} busy={busy} problem={problem} onClose={onClose}
      onSend={(values) => act(orderEndpoints(orders).ship, values, '发货成功')}>
      <p>{row.goods}</p>
      <Form.Item name="company" label="快递公司" required><FieldInput field={carrierField} /></Form.Item>
      <Form.Item name="no" label="快递单号" required><Input maxLength={30} autoComplete="off" /></Form.Item>
    </ActDialog>
  )
}
