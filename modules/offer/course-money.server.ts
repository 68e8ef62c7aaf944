import { sql } from 'drizzle-orm'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import type { TestApp } from '../../core/testing/app.server.ts'
import type { Queryable } from '../../core/database/database.server.ts'
import type { MoneyPart } from '../order/door.server.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import type { CourseLine } from './course-line.ts'
import { OFFER_GOODS } from './offer-order.ts'
import { OFFER_STATE, VALID_MODE } from './offer.ts'

const PRICE = 99_00
const DAYS = 30
const STOCK = 5

/** What a module's lines of courses ask beside the rows that every line has. */
interface LinesWithMoney {
  readonly name: string
  readonly lines: readonly CourseLine[]
  /** Tables of which there are few beside the courses themselves. */
  readonly stock?: readonly string[]
  /** Makes what an order of a course names, at the beginning of a history. @returns what orders say beside their buyer */
  begin?(tx: Queryable, offerId: number): Promise<Record<string, unknown>>
}

/** How lines of courses take part in the histories of money: each sells a course that does not run out, and one of which there are few. */
export const courseMoney = ({ name, lines, stock = [], begin }: LinesWithMoney): MoneyPart => ({
  name,
  stock: ['offer', ...stock],
  async open(app: TestApp) {
    const places = lines.map((one) => ({ ...one, plenty: 0, few: 0, said: {} }))
    let mobile = ''
    let made = 0
    return {
      lines: places.map((place) => ({
        line: place.orderLine,
        orders: place.orders,
        plan: (dice) => ({
          items: Array.from({ length: 1 + dice.below(2) }, () => ({ kind: OFFER_GOODS, ref_id: dice.one(3) ? place.few : place.plenty, list: PRICE })),
          user_info: { mobile, name: '流水学员', ...place.said },
        }),
      })),
      recorded: [],
      actions: [],
      async begin() {
        mobile = `133${String(40_000_000 + ++made)}`
        await seedTransaction(app.kernel.db, async (tx) => {
          for (const place of places) {
            const [subject] = await tx.query<{ id: number }>(sql`select id from subject where ${place.line.level === undefined ? sql`true` : sql`level = ${place.line.level}`} order by id limit 1`)
            const course = { subject_id: subject?.id ?? 0, price: PRICE, valid_mode: VALID_MODE.days, valid_days: DAYS, state: OFFER_STATE.selling, ...(place.line.region && { region_id: 1 }) }
            ;[place.plenty = 0, place.few = 0] = await insertMany(tx, place.offers, [{ ...course, title: `流水课${made}` }, { ...course, title: `限量课${made}`, stock: STOCK }])
            place.said = await begin?.(tx, place.plenty) ?? {}
          }
        })
      },
      async check(db) {
        const ours = sql`i.kind = ${OFFER_GOODS} and i.ref_id = any(${sql.param(places.flatMap(({ plenty, few }) => [plenty, few]))}::bigint[])`
        const questions = [
          ['a course has another stock than was sold of it', sql`select o.id, o.stock, sum(i.granted_qty) as granted from offer o join order_item i on i.ref_id = o.id where ${ours} and o.stock is not null
            group by o.id having o.stock < 0 or o.stock + sum(i.granted_qty) <> ${STOCK}`],
          ['a learner may use a course for another time than was paid for', sql`select i.id, i.granted_qty, e.days from order_item i left join lateral (
              select coalesce(round(sum(extract(epoch from expire_at - start_at)) / 86400), 0) as days from entitlement
              where ref = 'order_item ' || i.id || ':' || i.ref_id and source in (${ENTITLEMENT_SOURCE.paid}, ${ENTITLEMENT_SOURCE.virtual}) and status <> ${ENTITLEMENT_STATUS.refunded} and deleted_at is null
            ) e on true where ${ours} and e.days <> i.granted_qty * ${DAYS}`],
        ] as const
        const wrong: string[] = []
        for (const [sentence, question] of questions) wrong.push(...(await db.query(question)).map((row) => `${sentence}: ${JSON.stringify(row)}`))
        return wrong
      },
    }
  },
})
