import { Alert, Form, Input, InputNumber, Select } from 'antd'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatMoney } from '../../core/field/number.ts'
import { ActDialog } from './act-dialog.tsx'
import { orderEndpoints, refundSchema } from './calls.ts'
import type { OrderDialogProps } from './dialogs.tsx'
import { PAY_CHANNELS, REFUND_WAYS, type PayChannel, type RefundWay } from './flow.ts'
import { MoneyInput } from './inputs.tsx'
import { goesAnotherWay, leftOf, splitRefund, type RefundPart, type Source } from './money-rules.ts'
import { useAct, useOrderDetail } from './use-order.tsx'
import { useRights } from './use-rights.tsx'

const channelLabel = (channel: PayChannel) => choiceLabel(PAY_CHANNELS, channel)

/** 微信 ¥200.00、现金 ¥50.00; where a part goes another way than it came, both are named. */
export function sayParts(parts: readonly RefundPart[]): string {
  return parts.map(({ from, to, amount }) => `${from === to ? channelLabel(to) : `${channelLabel(from)} → ${channelLabel(to)}`} ${formatMoney(amount)}`).join('、')
}

/** How an amount would go back; nothing while what was typed does not fit. */
function partsOf(sources: readonly Source[], amount: number, way: RefundWay | undefined): RefundPart[] {
  if (!way || !Number.isSafeInteger(amount) || amount > leftOf(sources)) return []
  return splitRefund(sources, amount, way)
}

/** What came by each channel and can go back by it. */
function Sources({ sources }: { sources: readonly Source[] }) {
  return (
    <ul className="note refund-sources">
      {sources.map(({ channel, paid, left }) => <li key={channel}>{channelLabel(channel)}：收款 {formatMoney(paid)}，可退 <b className="figure">{formatMoney(left)}</b></li>)}
    </ul>
  )
}

/** 退款: how much, which goods, which way. What waits for a second person is said before. */
export function RefundDialog({ line, orders, row, reload, onClose }: OrderDialogProps) {
  const { act, busy, problem } = useAct(orders, row.id, reload)
  const { detail } = useOrderDetail(orders, row.id, row.rev)
  const rights = useRights(orders)
  if (!detail) return null
  const { sources, setting } = detail
  const left = leftOf(sources)
  const free = left === 0
  const ways = REFUND_WAYS.filter(({ value }) => value !== 'balance' || line.account.balanceTable !== undefined)
  const items = detail.items.filter((item) => item.qty > item.refunded_qty)
  return (
    <ActDialog title={`${free ? '撤销开通' : '退款'} · ${row.order_no}`} okText={free ? '撤销开通' : '申请退款'} danger start={{ amount: left, way: 'original' as const }} schema={refundSchema}
      busy={busy} problem={problem} onClose={onClose}
      onSend={({ items: chosen, ...values }) => act(orderEndpoints(orders).refund, { ...values, ...(chosen && { items: chosen.filter(({ qty }) => qty > 0) }) }, free ? '已撤销' : '已提交')}>
      {(values) => {
        const amount = Number(values.amount ?? 0)
        const whole = amount >= left
        const parts = partsOf(sources, amount, values.way)
        const other = goesAnotherWay(parts)
        return (
          <>
            {!free && <Sources sources={sources} />}
            {!free && <Form.Item name="amount" label="退款金额" required extra={`最多可退 ${formatMoney(left)}`}><MoneyInput /></Form.Item>}
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
            {!free && (
              <Form.Item name="way" label="退款方式" required extra={parts.length > 0 ? `将退：${sayParts(parts)}` : undefined}>
                <Select options={ways.map(({ value, label }) => ({ value, label }))} />
              </Form.Item>
            )}
            <Form.Item name="reason" label="原因" required><Input.TextArea rows={3} maxLength={200} showCount /></Form.Item>
            {!free && other && <Alert className="form-alert" type="warning" showIcon title="退款方式与收款方式不同，须由有「改道退款复核」权限的另一人复核后才退出，并在账目中注明。" />}
            {!free && !whole && !rights.has('reprice') && <Alert className="form-alert" type="info" showIcon title="退款后仍生效的商品若超过留下的款项，相当于降价，须由另一人复核。" />}
            {!free && !other && <Alert type="info" showIcon title={`同一订单累计、或本人当日累计满 ${formatMoney(setting.refund_second_from)} 的退款，须由另一人复核后才退出。`} />}
          </>
        )
      }}
    </ActDialog>
  )
}
