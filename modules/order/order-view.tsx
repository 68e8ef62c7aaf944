import type { ComponentType } from 'react'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { extendPresentation, present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { ActDialog } from './act-dialog.tsx'
import { orderEndpoints } from './calls.ts'
import { PayDialog, RepriceDialog, ShipDialog, type OrderDialogProps } from './dialogs.tsx'
import { edgeOf, ORDER_STATUS, SHIP_STATUS, type OrderAction, type OrderRight, orderRight } from './flow.ts'
import { isRecorded, type OrderLine, type OrderResource } from './line.ts'
import { OrderHead } from './order-head.tsx'
import { OrderLog, OrderParts } from './order-parts.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { useAct } from './use-order.tsx'
import * as z from 'zod/mini'

type Order = WireRow<OrderResource>

/** 审核通过: what comes into force is said before. */
function ApproveDialog({ orders, row, reload, onClose }: OrderDialogProps) {
  const { act, busy, problem } = useAct(orders, row.id, reload)
  return (
    <ActDialog title={`审核通过 · ${row.order_no}`} okText="审核通过" start={{}} schema={z.object({})} busy={busy} problem={problem} onClose={onClose}
      onSend={() => act(orderEndpoints(orders).approve, { rev: row.rev }, '已生效')}>
      <p>通过后立即生效：{row.goods}</p>
    </ActDialog>
  )
}

/** 重新提交: a rejected order goes back to the auditor. */
function ResubmitDialog({ orders, row, reload, onClose }: OrderDialogProps) {
  const { act, busy, problem } = useAct(orders, row.id, reload)
  return (
    <ActDialog title={`重新提交 · ${row.order_no}`} okText="重新提交" start={{}} schema={z.object({})} busy={busy} problem={problem} onClose={onClose}
      onSend={() => act(orderEndpoints(orders).resubmit, undefined, '已提交')}>
      <p>款项已收齐的订单直接进入待审核，否则回到待付款。</p>
    </ActDialog>
  )
}

/** How the orders of a line look: what every line has, and what its screen adds. */
export function presentOrders({ line, orders, Toolbar, Main, own }: {
  line: OrderLine; orders: OrderResource; Toolbar?: ComponentType<{ reload: () => void }>; Main?: ComponentType<{ reload: () => void }> | undefined; own?: Presentation | undefined
}): Presentation {
  const can = (action: OrderAction) => (row: Order) => row.deleted_at === null && edgeOf(line.flow, action, row.status) !== undefined
  const grant = (name: OrderRight) => orderRight(orders, name)
  const dialog = (Dialog: ComponentType<OrderDialogProps>) => (props: RowDialogProps<OrderResource>) => <Dialog line={line} orders={orders} {...props} />
  const refundable = (row: Order) => can('ask_refund')(row) && (row.paid > row.refunded || (row.amount === 0 && edgeOf(line.flow, 'refund', row.status, 'part') !== undefined))
  return extendPresentation(present(orders)({
    bulkFields: ['remark'],
    slots: {
      ...(Toolbar && { toolbar: Toolbar }),
      ...(Main && { main: Main }),
      head: ({ row }) => <OrderHead line={line} orders={orders} row={row} />,
      details: [
        { key: 'parts', label: '明细', Content: ({ row, reload }) => <OrderParts line={line} orders={orders} row={row} reload={reload} /> },
        { key: 'log', label: '订单日志', Content: ({ row }) => <OrderLog line={line} orders={orders} row={row} /> },
      ],
    },
    rowActions: [
      { key: 'approve', first: true, label: '审核通过', grant: grant('audit'), visible: can('approve') },
      { key: 'pay', first: true, label: '确认到账', grant: grant('pay'), visible: can('pay') },
      { key: 'ship', first: true, label: '发货', grant: grant('ship'), visible: (row) => can('ship')(row) && row.ship_status === SHIP_STATUS.waiting },
      { key: 'resubmit', first: true, label: '重新提交', grant: standardId(orders.grant, 'edit'), visible: can('resubmit') },
      { key: 'reprice', label: '改价', grant: grant('reprice'), visible: (row) => !isRecorded(line) && row.virtual !== 1 && (row.status === ORDER_STATUS.unpaid || row.status === ORDER_STATUS.rejected) },
      { key: 'refund', label: '退款', grant: grant('refund'), danger: true, visible: refundable },
    ],
    dialogs: {
      approve: dialog(ApproveDialog), resubmit: dialog(ResubmitDialog), pay: dialog(PayDialog), reprice: dialog(RepriceDialog), ship: dialog(ShipDialog), refund: dialog(RefundDialog),
    },
  // The page has put the screen's own buttons into the row of its own.
  }), own && { ...own, slots: { ...own.slots, ...(Toolbar && { toolbar: Toolbar }) } })
}
