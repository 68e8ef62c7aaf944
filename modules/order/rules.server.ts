import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError, badRequest, invalid } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Transition } from '../../core/resource/define.ts'
import type { Row } from '../../core/resource/list.server.ts'
import { serve, type ImportedRow, type ResourceService } from '../../core/resource/serve.server.ts'
import { announceMove, lockAnyOrder, nextOrderNumbers, setOrder, settle, workOf, writeLog, type OrderRow, type ServedLine } from './engine.server.ts'
import { ORDER_STATUS, type OrderStatus, type PayChannel } from './flow.ts'
import { lineShips } from './line.ts'
import { checkPlan, leftOf, listPrice, rightsOf, type Rights } from './money-rules.ts'
import { auditRefusal, bookPayment, checkAuditor } from './money.server.ts'
import { insertItems } from './place.server.ts'
import { readSources } from './refund.server.ts'
import { readSetting } from './setting.server.ts'
import { addSides } from './side.server.ts'
import type { OrderSetting } from './setting.ts'

const EXPRESS = sql`select string_agg(x.company || ' ' || x.no, '、' order by x.id) from shipment x where x.order_id = t.id and x.deleted_at is null`

type Values = Record<string, unknown>

/** A row of a line whose orders are recorded one by one, before it is stored. */
export interface RecordedRow {
  readonly values: Values
  refuse(key: string, sentence: string): void
}

/**
 * What the owner of a recorded line does with rows before they are stored: whose they are, what they are called.
 * `fromSheet`: nobody looks at each row, so that doubts are refused.
 */
export type CompleteRecorded = (tx: Queryable, rows: readonly RecordedRow[], fromSheet: boolean) => Promise<void>

/** What a click or a reason does: the state has been changed by the kernel, the rest follows here. */
async function afterTransition(served: ServedLine, { tx, staff, row, transition, reason }: { tx: Queryable; staff: Staff; row: Row; transition: Transition; reason: string | undefined }): Promise<void> {
  const work = workOf(served, tx, staff)
  const before = row as unknown as OrderRow
  const order = await lockAnyOrder(tx, before.id)
  const logged = await writeLog(work, order.id, { action: transition.name, from: before.status, to: transition.to as OrderStatus, reason })
  if (transition.right === 'audit') {
    await checkAuditor(work, before)
    await setOrder(work, order.id, { auditor_id: sql`${staff.id}`, audited_at: sql`now()` })
  }
  await settle(work, order)
  await announceMove(tx, before, order, logged)
}

/** Refuses to remove an order that money or goods hang on. */
async function beforeRemove(tx: Queryable, order: OrderRow): Promise<void> {
  if (leftOf(await readSources(tx, order.id)) > 0) throw badRequest('订单还有未退的款项，请先退款再删除')
  const [item] = await tx.query(sql`select 1 from order_item where order_id = ${order.id} and granted_qty > 0 limit 1`)
  if (item) throw badRequest('订单内容仍在生效，请先退款再删除')
}

/** Looks at a recorded order as at one that is paid at once: what it costs, and whether the person may say that money came in. */
function checkRecorded({ line }: ServedLine, rights: Rights, prices: OrderSetting['prices'], { values, refuse }: RecordedRow): void {
  const [good] = line.goods
  const [amount, months] = [Number(values['amount']), Number(values['months']) || null]
  try {
    const list = good ? listPrice(line, prices, { kind: good.kind, ref_id: Number(values['goods_ref_id']) || null, months }) : null
    checkPlan(rights, { items: [{ name: good?.label ?? line.label, price: amount, qty: 1, list }], discount: 0, virtual: false, paid: amount })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    refuse('amount', error.message)
  }
}

/** Fills in what the product itself knows of a recorded order: its number, and sums that follow from the one amount. */
async function completeRows(served: ServedLine, tx: Queryable, staff: Staff, complete: CompleteRecorded, rows: readonly RecordedRow[], fromSheet: boolean): Promise<void> {
  const rights = rightsOf(served.resource, staff.modules)
  const { prices } = await readSetting(tx, served.resource.name)
  for (const row of rows) checkRecorded(served, rights, prices, row)
  const numbers = await nextOrderNumbers(tx, rows.length)
  for (const [index, { values }] of rows.entries()) {
    Object.assign(values, { order_no: numbers[index], total: values['amount'], paid: values['amount'], status: ORDER_STATUS.paid })
  }
  await complete(tx, rows, fromSheet)
  await addSides({ tx, line: served.line, staffId: staff.id }, rows.map(({ values }) => values))
}

/** Books a recorded order that was just stored: its one item, and the money that had come in. */
async function bookRecorded(served: ServedLine, { tx, staff, saved }: { tx: Queryable; staff: Staff; saved: Row }): Promise<void> {
  const work = workOf(served, tx, staff)
  const order = await lockAnyOrder(tx, saved.id)
  const [good] = served.line.goods
  if (!good) throw new Error(`${served.line.name} sells nothing`)
  await insertItems(work, order.id, [{ kind: good.kind, ref_id: order.goods_ref_id, name: order.goods ?? good.label, price: order.amount, qty: 1, months: order.months, net: order.amount }])
  await writeLog(work, order.id, { action: 'create', from: null, to: ORDER_STATUS.unpaid, amount: order.amount })
  await writeLog(work, order.id, { action: 'pay', from: ORDER_STATUS.unpaid, to: order.status, amount: order.amount })
  // The field asked for it; whether it may be so was checked before.
  const cause = await bookPayment(work, order, { amount: order.amount, channel: order.pay_channel as PayChannel, at: order.paid_at ?? undefined })
  await settle(work, order)
  await announceMove(tx, { ...order, status: ORDER_STATUS.unpaid, paid: 0, pay_channel: null, paid_at: null }, order, cause)
}

/** The rules of a line's orders. @param complete for lines whose orders are recorded one by one */
export function orderService(served: ServedLine, complete?: CompleteRecorded): ResourceService {
  const effect = (change: { tx: Queryable; staff: Staff; row: Row; transition: Transition; reason: string | undefined }) => afterTransition(served, change)
  return serve(served.resource)({
    ...(lineShips(served.line) && { computed: { express: EXPRESS } }),
    beforeRemove: ({ tx, row }) => beforeRemove(tx, row as unknown as OrderRow),
    ...(served.line.flow === 'audited' && {
      async refusals({ db, staff }) {
        const refuse = await auditRefusal(db, served.resource, staff.id)
        return (row): Readonly<Record<string, string>> => {
          const order = row as unknown as OrderRow
          const why = order.status === ORDER_STATUS.auditing ? refuse(order) : undefined
          return why === undefined ? {} : { approve: why, reject: why }
        }
      },
    }),
    effects: Object.fromEntries(served.resource.transitions.map(({ name }) => [name, effect])),
    ...(complete && {
      async before({ tx, staff, values, row }) {
        if (row) return
        const errors: Record<string, string> = {}
        await completeRows(served, tx, staff, complete, [{ values, refuse: (key, sentence) => { errors[key] ??= sentence } }], false)
        if (Object.keys(errors).length > 0) throw invalid(errors)
      },
      async beforeImport({ tx, staff, rows }: { tx: Queryable; staff: Staff; rows: readonly ImportedRow<unknown, unknown>[] }) {
        const fresh = rows.filter(({ row }) => row === undefined)
        if (fresh.length > 0) await completeRows(served, tx, staff, complete, fresh.map(({ values, refuse }) => ({ values, refuse: (_key, sentence) => refuse(sentence) })), true)
      },
      async after({ tx, staff, row, saved }) {
        if (!row) await bookRecorded(served, { tx, staff, saved })
      },
    }),
  })
}
