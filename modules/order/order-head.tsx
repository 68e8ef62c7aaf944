import { Alert, Steps } from 'antd'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatTime } from '../../core/field/time.ts'
import { formatMoney } from '../../core/field/number.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { mainSteps, ORDER_STATUS, SHIP_STATUS, statusChoices, type OrderStatus } from './flow.ts'
import type { OrderLine, OrderResource } from './line.ts'
import { useOrderDetail } from './use-order.tsx'
import './order.css'

const S = ORDER_STATUS
/** States in which the way forward has ended, and how that looks. */
const ENDS: Partial<Record<OrderStatus, 'error' | 'wait'>> = { [S.rejected]: 'error', [S.cancelled]: 'wait', [S.closed]: 'wait', [S.refunded]: 'wait' }

/** How far an order is: its steps with who took each and when, and what it is worth. */
export function OrderHead({ line, orders, row }: { line: OrderLine; orders: Resource; row: WireRow<OrderResource> }) {
  const { detail, error } = useOrderDetail(orders, row.id, row.rev)
  if (error) return <Alert type="error" title={error.message} className="form-alert" />
  const choices = statusChoices(line.flow)
  const { status, amount, paid, refunded } = row
  const steps = mainSteps(line.flow, (row.ship_status ?? SHIP_STATUS.none) !== SHIP_STATUS.none)
  // The log comes newest first: the last time that a step was reached counts.
  const reached = steps.map((step) => detail?.log.find((entry) => entry.to_status === step))
  const current = Math.max(0, reached.findLastIndex((entry) => entry !== undefined))
  const end = ENDS[status]
  return (
    <div className="order-head">
      <Steps size="small" responsive current={end ? current + 1 : current} status={end ?? 'process'} items={[
        ...steps.slice(0, end ? current + 1 : steps.length).map((step, index) => ({
          title: choiceLabel(choices, step), content: reached[index] && <span className="note">{formatTime(reached[index].at).slice(0, 16)}<br />{reached[index].staff_name ?? '系统'}</span>,
        })),
        ...(end ? [{ title: choiceLabel(choices, status), content: detail?.log[0] && <span className="note">{formatTime(detail.log[0].at).slice(0, 16)}<br />{detail.log[0].staff_name ?? '系统'}</span> }] : []),
      ]} />
      <div className="order-sums">
        <span>应付 <b className="figure">{formatMoney(amount)}</b></span>
        <span>实付 <b className="figure">{formatMoney(paid)}</b></span>
        {paid < amount && status === S.unpaid && <span className="problem">待付 <b className="figure">{formatMoney(amount - paid)}</b></span>}
        {refunded > 0 && <span>已退 <b className="figure">{formatMoney(refunded)}</b></span>}
      </div>
    </div>
  )
}
