import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { formatDate } from '../../core/field/time.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { PEOPLE, person } from '../../core/setup/people.ts'
import { seasonalMoment, seededRandom, type Random } from '../../core/setup/random.ts'
import { insertOrderRows, type DemoOrder } from '../order/door.server.ts'
import { ORDER_STATUS as S } from '../order/module.ts'
import { PARTNER_GOODS, partnerOrder, partnerOrderLine } from './partner-order.ts'
import { schoolOrder, schoolOrderLine, selfSchoolOrder, selfSchoolOrderLine } from './school-order.ts'

const DAY = 86_400
const HOUR = 3600
/** Orders of partners and schools together; those of rooms come with the rooms. */
const ORDERS = 5000
/** Orders of our own schools among them, and where the numbers of those who buy there begin. */
const OWN_ORDERS = 320
const OWN_BUYER = PEOPLE.parent + 40_000
/** What a month of a unit costs a student, in fen, beside each further subject. */
const MONTH = 88_00

interface Owner { id: number; contact: string; mobile: string; pad_cnt: number; balance: number; code_quota: number; used_quota: number; sign_at: number; status: number }
interface Batch { id: number; partner_id: number; unit_id: number; unit: string; count: number; price: number; created_at: number }

/** An order of a partner that came into force when its codes were issued. */
function batchOrder(random: Random, owner: Owner, batch: Batch, first: boolean, rest: number): DemoOrder {
  const items = [
    { kind: PARTNER_GOODS.code, ref_id: batch.unit_id, name: `授权码·${batch.unit}`, price: batch.price, qty: batch.count, effect: { batches: [batch.id] } },
    // Bought and not yet issued.
    ...(rest > 0 ? [{ kind: PARTNER_GOODS.code, ref_id: batch.unit_id, name: `授权码·${batch.unit}`, price: batch.price, qty: rest }] : []),
    ...(first && owner.pad_cnt > 0 ? [{ kind: PARTNER_GOODS.pad, name: '平板', price: 899_00, qty: owner.pad_cnt }] : []),
    ...(first ? [{ kind: PARTNER_GOODS.joining, name: '加盟费', price: random.pick([10_000_00, 20_000_00, 30_000_00]), qty: 1 }] : []),
  ]
  const paid = batch.created_at - random.int(2, 30) * HOUR
  return { at: paid - random.int(1, 48) * HOUR, paid_at: paid, decided_at: batch.created_at, status: S.effective, channel: 'transfer', ships: first && owner.pad_cnt > 0, items, buyer: buyerOf(owner) }
}

const buyerOf = (owner: Owner) => ({ buyer_ref_id: owner.id, buyer_name: owner.contact, buyer_mobile: owner.mobile })

/** States of a partner's other orders; what is still open is of the last days. */
const OTHERS = [[S.effective, 60], [S.cancelled, 8], [S.closed, 5], [S.refunded, 9], [S.rejected, 4], [S.auditing, 7], [S.unpaid, 7]] as const

/** Orders of fees and printed goods, which put no quota in force. */
function otherOrder(random: Random, owner: Owner, now: number): DemoOrder {
  const status = random.weighted(OTHERS)
  const open = status === S.auditing || status === S.unpaid || status === S.rejected
  const at = seasonalMoment(random, open ? now - 9 * DAY : owner.sign_at, now - 2 * DAY)
  const fee = random.chance(0.5)
  const items = [fee ? { kind: PARTNER_GOODS.service, name: '服务费', price: random.pick([9_800_00, 19_800_00]), qty: 1 } : { kind: PARTNER_GOODS.material, name: '物料', price: random.pick([128_00, 258_00, 498_00]), qty: random.int(1, 30) }]
  const paid_at = at + random.int(1, 20) * HOUR
  return { at, paid_at, decided_at: paid_at + random.int(1, 20) * HOUR, status, channel: random.weighted([['transfer', 7], ['wechat', 2], ['alipay', 1]]), ships: !fee, items, buyer: buyerOf(owner) }
}

interface Student { id: number; name: string; mobile: string; school_id: number; partner_id: number; unit_id: number; unit: string; months: number; subjects: number; created_at: number; seconds: number }

/** What a student's time was paid with. */
function studentOrder(random: Random, one: Student): DemoOrder {
  const price = one.months * (MONTH + (one.subjects - 1) * 12_00)
  const name = `${one.unit} ${one.months}个月`
  const status = random.weighted([[S.done, 52], [S.paid, 38], [S.refunded, 8], [S.part_refunded, 2]])
  return {
    at: one.created_at, paid_at: one.created_at, decided_at: one.created_at + random.int(1, 12) * DAY, status, channel: random.weighted([['wechat', 60], ['alipay', 20], ['cash', 8], ['transfer', 7], ['offline', 5]]),
    ships: false, items: [{ kind: 'unit', ref_id: one.unit_id, name, price, qty: 1, months: one.months, effect: { student_id: one.id, seconds: one.seconds, unit_added: true } }],
    buyer: { place_ref_id: one.school_id, school_id: one.school_id, partner_id: one.partner_id, buyer_ref_id: one.id, months: one.months, buyer_name: one.name, buyer_mobile: one.mobile },
  }
}

/** Orders of our own schools, which keep no students: a person who buys has an account of their number. */
async function ownSchoolOrders(tx: Queryable, random: Random, now: number): Promise<DemoOrder[]> {
  const schools = await tx.query<{ id: number; created_at: number }>(sql`select id, created_at from app_school where self_run = 1 and status = 1 order by id`)
  const units = await tx.query<{ id: number; name: string; months: number; subjects: number }>(sql`select id, name, months, cardinality(subjects) as subjects from unit where status = 1 order by id`)
  return Array.from({ length: OWN_ORDERS }, (_unused, index): DemoOrder => {
    const [school, unit] = [random.pick(schools), random.pick(units)]
    const { name, mobile } = person(OWN_BUYER + index, 'child')
    const status = random.weighted([[S.done, 60], [S.paid, 32], [S.refunded, 6], [S.part_refunded, 2]])
    const at = seasonalMoment(random, Math.max(school.created_at, now - 548 * DAY), now - DAY)
    return {
      at, paid_at: at + random.int(1, 30) * 60, decided_at: Math.min(now, at + random.int(1, 12) * DAY), status, channel: random.weighted([['wechat', 60], ['alipay', 25], ['cash', 15]]), ships: false,
      items: [{ kind: 'unit', ref_id: unit.id, name: `${unit.name} ${unit.months}个月`, price: unit.months * (MONTH + (unit.subjects - 1) * 12_00), qty: 1, months: unit.months }],
      buyer: { place_ref_id: school.id, school_id: school.id, months: unit.months, buyer_name: name, buyer_mobile: mobile },
    }
  })
}

async function partnerOrders(tx: Queryable, random: Random, now: number): Promise<DemoOrder[]> {
  const owners = await tx.query<Owner>(sql`select id, contact, mobile, coalesce(pad_cnt, 0) as pad_cnt, coalesce(balance, 0) as balance, coalesce(code_quota, 0) as code_quota, coalesce(used_quota, 0) as used_quota, sign_at, status from partner order by id`)
  const batches = await tx.query<Batch>(sql`select g.id, g.partner_id, g.unit_id, u.name as unit, g.count, coalesce(g.price, 0) as price, g.created_at from activation_code_group g join unit u on u.id = g.unit_id order by g.created_at, g.id`)
  return owners.flatMap((owner) => {
    const own = batches.filter((batch) => batch.partner_id === owner.id)
    const issued = own.map((batch, index) => batchOrder(random, owner, batch, index === 0, index === own.length - 1 ? owner.code_quota - owner.used_quota : 0))
    const others = owner.sign_at < now - 12 * DAY ? Array.from({ length: random.int(5, 12) }, () => otherOrder(random, owner, now)) : []
    return [...issued, ...others]
  })
}

/** Students who paid through their school: a random half, by the day on which they began. */
async function schoolOrders(tx: Queryable, random: Random, count: number): Promise<DemoOrder[]> {
  const students = await tx.query<Student & { draw: number }>(sql`select x.id, x.name, x.mobile, x.school_id, s.partner_id, u.id as unit_id, u.name as unit, u.months, cardinality(u.subjects) as subjects, x.created_at,
      extract(epoch from x.expire_at - x.start_at)::float8 as seconds from school_student x join app_school s on s.id = x.school_id join unit u on u.id = x.unit_ids[1] where s.self_run = 0 order by x.id`)
  const drawn = students.map((one) => ({ one, draw: random.next() })).sort((a, b) => a.draw - b.draw).slice(0, count)
  return drawn.map(({ one }) => studentOrder(random, one))
}

/** Five thousand orders over eighteen months, with books that agree: quotas are what was bought, balances what was booked. */
export async function insertOrderDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(41), Math.floor(Date.now() / 1000)]
  await seedTransaction(db, async (tx) => {
    const staff = (await tx.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
    const ofPartners = await partnerOrders(tx, random, now)
    const ofSchools = await schoolOrders(tx, random, ORDERS - ofPartners.length - OWN_ORDERS)
    const ofOwnSchools = await ownSchoolOrders(tx, random, now)
    const all = [
      ...ofPartners.map((order) => ({ order, line: partnerOrderLine, resource: partnerOrder })),
      ...ofSchools.map((order) => ({ order, line: schoolOrderLine, resource: schoolOrder })),
      ...ofOwnSchools.map((order) => ({ order, line: selfSchoolOrderLine, resource: selfSchoolOrder })),
    ].sort((a, b) => a.order.at - b.order.at)
    const numbered = all.map(({ order, ...of }, index) => ({ ...of, order: { ...order, no: `${formatDate(order.at).replaceAll('-', '')}${String(index + 1).padStart(8, '0')}` } }))
    await insertOrderRows(tx, insertMany, numbered, staff)
    // A batch is that of the order which bought it.
    await tx.query(sql`update activation_code_group g set order_id = i.order_id from order_item i where i.effect->'batches' @> to_jsonb(g.id)`)
    // What was paid in advance beside the orders is what the balance holds.
    await tx.query(sql`insert into ledger (account_kind, account_id, at, created_at, amount, kind, channel, note)
      select 'partner', id, least(sign_at + interval '20 days', now()), least(sign_at + interval '20 days', now()), balance, 'top_up', 'transfer', '预存款' from partner where balance > 0 order by id`)
    report(`已生成 ${numbered.length.toLocaleString('zh-CN')} 个订单`)
  })
}
