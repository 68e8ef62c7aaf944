import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { FLOWS, isInForce, type Edge, type OrderStatus } from '../order/module.ts'
import { partnerOrder } from './partner-order.ts'
import { PARTNER_STATUS, partner } from './partner.ts'
import { unit } from './unit.ts'

const ITEM = partnerOrder.api.item

let app: TestApp
let people: Caller[]
let unitId: number
let made = 0
beforeAll(async () => {
  app = await openTestApp()
  people = [await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  ;[unitId = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, unit, [{ name: '初中全科年卡', subjects: ['数学'], months: 12, status: 1 }]))
})
afterAll(() => app.close())

async function newPartner(): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  const [id = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, partner, [{
    name: `合伙人${++made}`, contact: '王启航', mobile: `138${String(10_000_000 + made)}`, region_code: '320508', level: 4, type_id: 1,
    sign_at: now - 86_400, expire_at: now + 300 * 86_400, status: PARTNER_STATUS.signed,
  }]))
  return id
}

interface Order { id: number; amount: number; paid: number; refunded: number; total: number; status: OrderStatus; before_status: OrderStatus | null; deleted_at: number | null }

const ordersOf = (partnerId: number) => app.db.query<Order>(sql`select id, amount, paid, refunded, total, status, before_status, deleted_at from orders where buyer_kind = 'partner' and buyer_ref_id = ${partnerId} order by id`)

const edges: readonly Edge[] = FLOWS.audited
/** Steps of the log that leave the state where it is. */
const STILL = new Set(['payment', 'reprice'])

/** Whether the state machine's table has such a step. */
function isEdge({ action, from_status: from, to_status: to }: LogRow, before: OrderStatus | null): boolean {
  if (action === 'create') return from === null
  if (STILL.has(action)) return from === to
  return edges.some((edge) => edge.action === action && from !== null && edge.from.includes(from) && (edge.to === to || (edge.to === 'same' && from === to) || (edge.to === 'before' && to === before)))
}

interface LogRow { action: string; from_status: OrderStatus | null; to_status: OrderStatus }

/** Everything that has to hold whatever has happened. */
async function checkBooks(partnerId: number): Promise<void> {
  const [owner] = await app.db.query<{ balance: number; quota: number; used: number; pads: number; sum: number }>(sql`select coalesce(balance, 0) as balance, coalesce(code_quota, 0) as quota,
    coalesce(used_quota, 0) as used, coalesce(pad_cnt, 0) as pads, (select coalesce(sum(amount), 0)::float8 from ledger where account_kind = 'partner' and account_id = ${partnerId}) as sum from partner where id = ${partnerId}`)
  if (!owner) throw new Error('no partner')
  expect(owner.balance, 'the balance is the sum of the ledger').toBe(owner.sum)
  expect(owner.balance).toBeGreaterThanOrEqual(0)
  expect(owner.quota, 'used quota is never taken away').toBeGreaterThanOrEqual(owner.used)
  const granted: Record<string, number> = { code: 0, pad: 0 }
  for (const order of await ordersOf(partnerId)) {
    expect(order.refunded, 'never more goes back than came in').toBeLessThanOrEqual(order.paid)
    expect(order.paid).toBeLessThanOrEqual(order.amount)
    const [sums] = await app.db.query<{ paid: number; refunded: number }>(sql`select (select coalesce(sum(amount), 0)::float8 from payment where order_id = ${order.id}) as paid,
      (select coalesce(sum(amount), 0)::float8 from refund where order_id = ${order.id} and status = 2) as refunded`)
    expect(sums).toEqual({ paid: order.paid, refunded: order.refunded })
    for (const item of await app.db.query<{ kind: string; qty: number; refunded_qty: number; granted_qty: number }>(sql`select kind, qty, refunded_qty, granted_qty from order_item where order_id = ${order.id}`)) {
      const on = order.deleted_at === null && isInForce(order)
      expect(item.granted_qty, `in force exactly while paid for (state ${order.status})`).toBe(on ? item.qty - item.refunded_qty : 0)
      granted[item.kind] = (granted[item.kind] ?? 0) + item.granted_qty
    }
    const log = await app.db.query<LogRow>(sql`select action, from_status, to_status from order_log where order_id = ${order.id} order by id`)
    let before: OrderStatus | null = null
    for (const [index, entry] of log.entries()) {
      expect(isEdge(entry, before), `${entry.action}: ${entry.from_status} → ${entry.to_status}`).toBe(true)
      if (index > 0) expect(entry.from_status, 'no step is missing').toBe(log[index - 1]?.to_status)
      if (entry.action === 'ask_refund') before = entry.from_status
    }
    expect(log.at(-1)?.to_status).toBe(order.status)
  }
  expect({ code: owner.quota, pad: owner.pads }).toEqual({ code: granted['code'], pad: granted['pad'] })
}

test('of fifty people who approve an order at once one does, and the quota grows once', async () => {
  const [seller, auditor] = people
  if (!seller || !auditor) throw new Error('nobody')
  const partnerId = await newPartner()
  const { body: order } = await seller.post<WireRow>(ITEM, {
    order_info: { items: [{ kind: 'code', ref_id: unitId, price: 100, qty: 500 }] }, package_price: { paid: 50_000, pay_channel: 'transfer' }, user_info: { partner_id: partnerId },
  })
  const answers = await Promise.all(Array.from({ length: 50 }, () => auditor.post(`${ITEM}/${order.id}/approve`)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 409)
  await checkBooks(partnerId)
})

test('of ten who pay from one balance only as many get through as it carries', async () => {
  const [seller, auditor] = people
  if (!seller || !auditor) throw new Error('nobody')
  const partnerId = await newPartner()
  const buy = (more: Record<string, unknown>) => seller.post<WireRow>(ITEM, { order_info: { items: [{ kind: 'service', price: 100_00, qty: 1 }] }, user_info: { partner_id: partnerId }, ...more })
  // What is paid back to the balance is there to pay with: three times a hundred yuan.
  const first = await buy({ order_info: { items: [{ kind: 'service', price: 300_00, qty: 1 }] }, package_price: { paid: 300_00, pay_channel: 'cash' } })
  await auditor.post(`${ITEM}/${first.body.id}/approve`)
  expectSuccess(await seller.post(`${ITEM}/${first.body.id}/refund`, { amount: 300_00, way: 'balance', reason: '转为预存' }))
  const [asked] = await app.db.query<{ id: number }>(sql`select id from refund where order_id = ${first.body.id}`)
  expectSuccess(await auditor.post(`${ITEM}/${first.body.id}/refund/${asked?.id}/approve`))
  const orders = await Promise.all(Array.from({ length: 10 }, () => buy({})))
  const answers = await Promise.all(orders.map(({ body }) => seller.post(`${ITEM}/${body.id}/pay`, { amount: 100_00, channel: 'balance' })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 409)
  await checkBooks(partnerId)
})

test('what was written into the books and the log stays as it was written', async () => {
  await newPartner()
  for (const change of [sql`update ledger set amount = 1`, sql`delete from ledger`, sql`update order_log set reason = 'x'`, sql`delete from order_log`]) {
    await expect(app.db.query(change)).rejects.toThrow(/never changed/)
  }
})
