import { Alert, Form, Input, InputNumber, Select } from 'antd'
import { sayMoney } from '../../core/field/number.ts'
import { ActDialog } from './act-dialog.tsx'
import { orderEndpoints, refundSchema } from './calls.ts'
import type { OrderDialogProps } from './dialogs.tsx'
import { REFUND_WAYS } from './flow.ts'
import { MoneyInput } from './inputs.tsx'
import { useAct, useOrderDetail } from './use-order.tsx'

/** 退款: how much, which goods, which way. A large one waits for a second person, which is said before. */
export function RefundDialog({ line, orders, row, reload, onClose }: OrderDialogProps) {
  const { act, busy, problem } = useAct(orders, row.id, reload)
  const { detail } = useOrderDetail(orders, row.id, row.rev)
  const left = Number(row['paid'] ?? 0) - Number(row['refunded'] ?? 0)
  const free = left === 0
  const ways = REFUND_WAYS.filter(({ value }) => value !== 'balance' || line.account.balanceTable !== undefined)
  const items = detail?.items.filter((item) => item.qty > item.refunded_qty) ?? []
  return (
    <ActDialog title={`${free ? '撤销开通' : '退款'} · ${String(row['order_no'])}`} okText={free ? '撤销开通' : '申请退款'} danger start={{ amount: left, way: 'original' as const }} schema={refundSchema}
      busy={busy} problem={problem} onClose={onClose}
      onSend={({ items: chosen, ...values }) => act(orderEndpoints(orders).refund, { ...values, ...(chosen && { items: chosen.filter(({ qty }) => qty > 0) }) }, free ? '已撤销' : '已提交')}>
      {(values) => {
        const amount = Number(values.amount ?? 0)
        const whole = amount >= left
        const waits = detail !== undefined && amount > 0 && amount >= detail.setting.refund_second_from
        return (
          <>
            {!free && <Form.Item name="amount" label="退款金额" required extra={`最多可退 ${sayMoney(left)}`}><MoneyInput /></Form.Item>}
            {whole ? <Alert className="form-alert" type="warning" showIcon title="全部退款后，订单开通的内容会同时收回。" /> : items.length > 0 && (
              <fieldset className="form-section">
                <legend className="form-legend">随退款收回</legend>
                {items.map((item, index) => (
                  <Form.Item key={item.id} label={`${item.name}（可退 ${item.qty - item.refunded_qty}）`} htmlFor={`refund-${item.id}`}>
                    <Form.Item name={['items', index, 'id']} initialValue={item.id} hidden><Input /></Form.Item>
                    <Form.Item name={['items', index, 'qty']} initialValue={0} noStyle><InputNumber id={`refund-${item.id}`} className="wide" min={0} max={item.qty - item.refunded_qty} precision={0} /></Form.Item>
                  </Form.Item>
                ))}
              </fieldset>
            )}
            {!free && <Form.Item name="way" label="退款方式" required><Select options={ways.map(({ value, label }) => ({ value, label }))} /></Form.Item>}
            <Form.Item name="reason" label="原因" required><Input.TextArea rows={3} maxLength={200} showCount /></Form.Item>
            {waits && <Alert type="info" showIcon title={`满 ${sayMoney(detail.setting.refund_second_from)} 的退款须由另一人复核后才退出。`} />}
          </>
        )
      }}
    </ActDialog>
  )
}
