import { sql } from 'drizzle-orm'
import { spendReveal } from '../../core/audit/privacy.server.ts'
import type { Queryable } from '../../core/database/database.server.ts'
import * as z from 'zod/mini'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, invalid, notFound } from '../../core/error/error.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import { regionName } from '../../core/field/region.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, readOne, type Row } from '../../core/resource/list.server.ts'
import { tellRefusals } from '../../core/resource/refusal.server.ts'
import type { ResourceService } from '../../core/resource/serve.server.ts'
import { listCondition, pickableCondition } from '../../core/resource/where.server.ts'
import { checkRev } from '../../core/resource/write.server.ts'
import { orderEndpoints, type OrderDetail } from './calls.ts'
import { readDiscounts } from './discount.server.ts'
import { addDraft, dropDraft, lockDraft, readDrafts, saveDraft } from './draft.server.ts'
import { listPrice } from './money-rules.ts'
import { advance, approve, pay, reprice } from './money.server.ts'
import { lockOrder, moveOrder, workOf, type OrderRow, type ServedLine, type OrderContext } from './engine.server.ts'
import { ORDER_STATUS } from './flow.ts'
import { isRecorded, PARTIES } from './line.ts'
import { newOrderSchema, voucherField, type NewOrder } from './new-order.ts'
import { goodOf, placeOrder } from './place.server.ts'
import { approveRefund, askRefund, readSources, refuseRefund } from './refund.server.ts'
import { readSetting, writeSetting } from './setting.server.ts'
import { pricesObstacle } from './setting.ts'
import { ship } from './shipment.server.ts'

/** Everything that hangs on an order. */
export async function readDetail(db: Queryable, resource: Resource, order: { id: number }): Promise<OrderDetail> {
  const of = sql`where x.order_id = ${order.id}`
  const staff = (column: string) => sql`left join staff s on s.id = x.${sql.identifier(column)}`
  const [items, payments, refunds, shipments, [receiver], log, setting, sources, discounts] = await Promise.all([
    db.query<OrderDetail['items'][number]>(sql`select x.id, x.kind, x.name, x.price, x.qty, x.months, x.net, x.refunded_qty, x.granted_qty from order_item x ${of} order by x.id`),
    db.query<OrderDetail['payments'][number]>(sql`select x.id, x.at, x.amount, x.channel, x.trade_no, x.voucher, s.name as staff_name from payment x ${staff('staff_id')} ${of} order by x.id`),
    db.query<OrderDetail['refunds'][number]>(sql`select x.id, x.amount, x.way, x.parts, x.reason, x.status, x.asked_by, s.name as asked_by_name, x.asked_at, d.name as decided_by_name, x.decided_at, x.answer
      from refund x ${staff('asked_by')} left join staff d on d.id = x.decided_by ${of} order by x.id`),
    db.query<OrderDetail['shipments'][number]>(sql`select x.id, x.company, x.no, x.created_at, s.name as staff_name from shipment x ${staff('created_by')} ${of} and x.deleted_at is null order by x.id`),
    db.query<Omit<NonNullable<OrderDetail['receiver']>, 'region_name'>>(sql`select name, mobile, region_code, address from order_receiver x ${of}`),
    db.query<OrderDetail['log'][number]>(sql`select x.id, x.at, s.name as staff_name, x.action, x.from_status, x.to_status, x.amount, x.reason from order_log x ${staff('staff_id')} ${of} order by x.id desc limit 200`),
    readSetting(db, resource.name),
    readSources(db, order.id),
    readDiscounts(db, order.id),
  ])
  return {
    items, payments, refunds, shipments, log, setting, sources, discounts,
    receiver: receiver ? { ...receiver, mobile: maskMobile(receiver.mobile), region_name: regionName(receiver.region_code) } : null,
  }
}

/** Checks a whole draft as if it had been sent at once. */
function checkDraft(body: unknown): NewOrder {
  const result = z.safeParse(newOrderSchema, body)
  if (result.success) return result.data
  const fields: Record<string, string> = {}
  for (const issue of result.error.issues) fields[issue.path.join('.')] ??= issue.message
  throw new AppError('invalid', 400, result.error.issues[0]?.message ?? '提交的内容有误', { fields })
}

/** The calls of a line's orders, answered. @param rules of the orders, with the SQL of their computed fields */
export function orderCalls(kernel: Kernel, served: ServedLine, rules: ResourceService['rules']): Served[] {
  const computed = rules.computed ?? {}
  const { resource, line } = served
  const endpoints = orderEndpoints(resource)
  const targets = new Map([...kernel.registry].map(([name, known]) => [name, known.resource]))
  const show = async (call: Pick<Call, 'db' | 'staff'>, id: number): Promise<WireRow> => {
    const row = await readOne(call.db, resource, call.staff, id, computed)
    if (!row) throw notFound(resource.label)
    const shown = present(resource, call.staff, row)
    await tellRefusals(rules, call, [shown])
    return shown
  }
  /** Does something with an order that the person may see, in one transaction, and answers with the order. */
  const change = async (call: Call<unknown>, action: string, reason: string | undefined, act: (work: OrderContext, order: OrderRow) => Promise<unknown>): Promise<WireRow> => {
    const id = await call.transaction(async (tx) => {
      const work = workOf(served, tx, call.staff)
      const order = await lockOrder(work, call.staff, idParam(call))
      await act(work, order)
      return order.id
    }, { action, ...(reason && { reason }) })
    return show(call, id)
  }
  const place = async (call: Call<unknown>, read: (tx: Queryable) => Promise<NewOrder>): Promise<WireRow> => {
    const id = await call.transaction(async (tx) => {
      const input = await read(tx)
      const { id: placed } = await placeOrder(workOf(served, tx, call.staff), call.staff, input, targets)
      await claimVoucher(tx, call, resource.grant, input.package_price.voucher)
      return placed
    })
    return show(call, id)
  }
  const owner = (call: Pick<Call, 'staff'>) => ({ staffId: call.staff.id, resource: resource.name })

  const shared: Served[] = [
    handle(endpoints.detail, async (call) => {
      const row = await readOne(call.db, resource, call.staff, idParam(call), computed) ?? await readOne(call.db, resource, call.staff, idParam(call), computed, true)
      if (!row) throw notFound(resource.label)
      return readDetail(call.db, resource, row)
    }),
    handle(endpoints.revealReceiver, async (call) => {
      const row = await readOne(call.db, resource, call.staff, idParam(call), computed)
      if (!row) throw notFound(resource.label)
      // The value stays out of the transaction, which keeps its answer for repetitions.
      await call.transaction(async (tx) => {
        await spendReveal(tx, call, { table: resource.table, id: row.id, field: '收货人手机号' })
        return {}
      })
      const [receiver] = await call.db.query<{ mobile: string }>(sql`select mobile from order_receiver where order_id = ${row.id}`)
      return { value: receiver?.mobile ?? '' }
    }),
    handle(endpoints.pay, (call) => change(call, 'pay', undefined, async (work, order) => {
      await claimVoucher(work.tx, call, resource.grant, call.input.voucher)
      await pay(work, order, call.input)
    })),
    handle(endpoints.reprice, (call) => change(call, 'reprice', call.input.reason, (work, order) => reprice(work, order, call.input.discount, call.input.reason))),
    handle(endpoints.refund, (call) => change(call, 'refund', call.input.reason, async (work, order) => {
      const { waits } = await askRefund(work, order, call.input)
      // As much as takes a second person takes a first one who is who they say.
      if (waits) await call.requireFresh(work.tx)
    })),
    handle(endpoints.approveRefund, (call) => change(call, 'refund', undefined, (work, order) => approveRefund(work, order, idParam(call, 'refund_id')))),
    handle(endpoints.refuseRefund, (call) => change(call, 'refuse_refund', call.input.reason, (work, order) => refuseRefund(work, order, idParam(call, 'refund_id'), call.input.reason))),
    handle(endpoints.getSetting, (call) => readSetting(call.db, resource.name)),
    handle(endpoints.putSetting, (call) => call.transaction(async (tx) => {
      const wrong = pricesObstacle(line, call.input.prices)
      if (wrong) throw invalid({ prices: wrong })
      await writeSetting(tx, call.staff.id, resource, call.input)
      return call.input
    })),
  ]
  const audited: Served[] = [
    handle(endpoints.approve, (call) => change(call, 'approve', undefined, async (work, order) => {
      await checkRev(work.tx, order as unknown as Row, call.input.rev, (row) => present(resource, call.staff, row))
      await approve(work, order)
    })),
    handle(endpoints.resubmit, (call) => change(call, 'resubmit', undefined, async (work, order) => advance(work, await moveOrder(work, order, 'resubmit')))),
  ]
  const shipped: Served[] = [handle(endpoints.ship, (call) => change(call, 'ship', undefined, (work, order) => ship(work, order, call.input)))]
  const written: Served[] = [
    handle(endpoints.create, (call) => place(call, async () => call.input)),
    handle(endpoints.describe, async (call) => {
      const { kind, ref_id: ref, mobile } = call.input
      const good = goodOf(line, kind)
      const known = ref === undefined ? undefined : await served.effects.describe?.(call.db, kind, Number(ref), mobile)
      if (ref !== undefined && !known) throw notFound('商品')
      const { prices } = await readSetting(call.db, resource.name)
      const list = known?.price ?? listPrice(line, prices, { kind, ref_id: Number(ref) || null, months: 1 })
      return { name: known?.name ?? good.label, price: list, months: known?.months ?? null, note: known?.note ?? null }
    }),
    handle(endpoints.regard, async (call) => {
      const id = Number(call.input.ref_id)
      const [name, party] = Object.entries(PARTIES).flatMap(([key, columns]) => {
        const one = line[key as keyof typeof PARTIES]
        return one?.kind === call.input.kind ? [[columns, one] as const] : []
      })[0] ?? []
      const target = party && 'target' in party.field ? kernel.registry.get(party.field.target().name)?.resource : undefined
      const [seen] = name && target ? await call.db.query(sql`select 1 from ${sql.identifier(target.table)} where id = ${id} and ${pickableCondition(target, call.staff)}`) : []
      if (!name || !seen) throw notFound(party?.field.label ?? '买家')
      const [count] = await call.db.query<{ orders: number; unpaid: number }>(sql`select count(*)::int as orders, count(*) filter (where status = ${ORDER_STATUS.unpaid})::int as unpaid
        from orders where ${listCondition(resource, call.staff, {})} and ${sql.identifier(name.kind)} = ${call.input.kind} and ${sql.identifier(name.id)} = ${id}`)
      const regard = await served.effects.regard?.(call.db, { kind: call.input.kind, id }) ?? { facts: [], warnings: [] }
      return { ...regard, orders: count?.orders ?? 0, unpaid: count?.unpaid ?? 0 }
    }),
    handle(endpoints.drafts, async (call) => ({ items: await readDrafts(call.db, owner(call)) })),
    handle(endpoints.addDraft, (call) => call.transaction((tx) => addDraft(tx, owner(call), call.input))),
    handle(endpoints.saveDraft, (call) => call.transaction((tx) => saveDraft(tx, owner(call), idParam(call, 'draft_id'), call.input, call.input.rev))),
    handle(endpoints.dropDraft, (call) => call.transaction(async (tx) => {
      await dropDraft(tx, owner(call), idParam(call, 'draft_id'))
      return {}
    })),
    handle(endpoints.placeDraft, (call) => place(call, async (tx) => {
      const draft = await lockDraft(tx, owner(call), idParam(call, 'draft_id'))
      const input = checkDraft(draft.body)
      await dropDraft(tx, owner(call), draft.id)
      return input
    })),
  ]
  return [...shared, ...(line.flow === 'audited' ? audited : []), ...(line.goods.some((good) => good.ships) ? shipped : []), ...(isRecorded(line) ? [] : written)]
}

/** A voucher that was uploaded for a payment belongs to it from now on. */
async function claimVoucher(tx: Queryable, call: Pick<Call, 'staff'>, grant: number, voucher: string | undefined): Promise<void> {
  if (voucher) await attachFiles(tx, { fields: { voucher: voucherField }, grant }, { voucher }, call.staff.id)
}
