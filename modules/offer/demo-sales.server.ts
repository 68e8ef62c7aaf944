import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { formatDate } from '../../core/field/time.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { seasonalMoment, type Random } from '../../core/setup/random.ts'
import { insertOrderRows, type NumberedOrder } from '../order/door.server.ts'
import { ORDER_STATUS } from '../order/module.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import type { CourseLine } from './course-line.ts'
import { OFFER_GOODS } from './offer-order.ts'
import { OFFER_STATE as S } from './offer.ts'

const DAY = 86_400

interface Person { id: number; mobile: string; name: string; agent_id: number | null; channel_id: number | null; register_at: number }

interface Sold { id: number; line: string; title: string; price: number; state: number; created_at: number; valid_days: number | null }

/** What learners bought of a line over eighteen months. */
function ordersOf(random: Random, parts: CourseLine, count: number, sold: readonly Sold[], people: readonly Person[], now: number): NumberedOrder[] {
  return Array.from({ length: count }, () => {
    const [offer, person] = [random.pick(sold), random.pick(people)]
    const { done, paid, refunded, unpaid, cancelled, closed } = ORDER_STATUS
    const status = random.weighted([[done, 58], [paid, 27], [refunded, 5], [unpaid, 2], [cancelled, 4], [closed, 4]])
    const from = status === unpaid || status === paid ? now - 25 * DAY : Math.max(offer.created_at, person.register_at, now - 540 * DAY)
    const at = seasonalMoment(random, Math.min(from, now - 2 * DAY), now - DAY)
    const paid_at = at + random.int(1, 40) * 60
    return {
      line: parts.orderLine, resource: parts.orders,
      order: {
        no: '', at, paid_at, decided_at: Math.min(now, paid_at + random.int(1, 9) * DAY), status, ships: false, channel: random.weighted([['wechat', 62], ['alipay', 28], ['transfer', 6], ['offline', 4]]),
        items: [{ kind: OFFER_GOODS, ref_id: offer.id, name: `${parts.line.noun?.[0] ?? '课程'}·${offer.title}`, price: offer.price, qty: 1, effect: { opened: [{ offer_id: offer.id, days: offer.valid_days }] } }],
        buyer: { user_id: person.id, buyer_mobile: person.mobile, buyer_name: person.name, agent_id: person.agent_id, channel_id: person.channel_id },
      },
    }
  })
}

/** What the orders opened: one after the other where somebody bought the same again. */
async function openBought(tx: Queryable, lines: readonly CourseLine[]): Promise<number> {
  const rows = await tx.query<{ id: number; line: string; user_id: number; ref_id: number; status: number; at: number; product: string; valid_days: number | null; valid_until: number | null }>(sql`
    select i.id, o.line, o.user_id, i.ref_id, o.status, extract(epoch from o.paid_at)::bigint as at, f.title as product, f.valid_days, extract(epoch from f.valid_until)::bigint as valid_until
    from order_item i join orders o on o.id = i.order_id join offer f on f.id = i.ref_id where i.kind = ${OFFER_GOODS} and o.line = any(${sql.param(lines.map(({ line }) => line.code))}::text[]) and o.paid_at is not null and o.user_id is not null order by o.paid_at, i.id`)
  const ends = new Map<string, number>()
  const opened = rows.map(({ id, line, user_id, ref_id, status, at, product, valid_days, valid_until }) => {
    const key = `${user_id} ${ref_id}`
    const back = status === ORDER_STATUS.refunded
    const start_at = valid_days === null ? at : Math.max(at, ends.get(key) ?? 0)
    const expire_at = valid_days === null ? Math.max(valid_until ?? at, at + DAY) : start_at + valid_days * DAY
    if (!back) ends.set(key, expire_at)
    return { line, user_id, product, offer_id: ref_id, source: ENTITLEMENT_SOURCE.paid, ref: `order_item ${id}:${ref_id}`, start_at, expire_at, status: back ? ENTITLEMENT_STATUS.refunded : ENTITLEMENT_STATUS.active, created_at: at, updated_at: at }
  })
  for (const { line, learners } of lines) await insertMany(tx, learners, opened.filter((one) => one.line === line.code))
  return opened.length
}

/**
 * What lines have sold over eighteen months, with what the orders opened. Their offers are there already.
 * @param sales how many orders each line has
 * @param firstNo where the numbers of the orders begin, behind those of other modules
 */
export async function insertSales(tx: Queryable, random: Random, sales: readonly { parts: CourseLine; count: number }[], { firstNo, now, staff }: { firstNo: number; now: number; staff: readonly number[] }): Promise<{ offers: number; orders: number; opened: number }> {
  const codes = sales.map(({ parts }) => parts.line.code)
  const sold = await tx.query<Sold & Record<string, unknown>>(sql`select id, line, title, price, state, created_at, valid_days from offer where line = any(${sql.param(codes)}::text[]) and state in (${S.selling}, ${S.off}) order by id`)
  const people = await tx.query<Person & Record<string, unknown>>(sql`select id, mobile, coalesce(real_name, nickname) as name, agent_id, channel_id, register_at from app_user where role = 1 and status = 1 and deleted_at is null order by id`)
  const all = sales.flatMap(({ parts, count }) => {
    const own = sold.filter(({ line }) => line === parts.line.code)
    return own.length === 0 ? [] : ordersOf(random, parts, count, own, people, now)
  }).sort((a, b) => a.order.at - b.order.at)
  await insertOrderRows(tx, insertMany, all.map((one, index) => ({ ...one, order: { ...one.order, no: `${formatDate(one.order.at).replaceAll('-', '')}${firstNo + index}` } })), staff)
  const opened = await openBought(tx, sales.map(({ parts }) => parts))
  return { offers: sold.length, orders: all.length, opened }
}
