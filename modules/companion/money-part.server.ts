import { sql } from 'drizzle-orm'
import type { TestApp } from '../../core/testing/app.server.ts'
import type { MoneyPart } from '../order/door.server.ts'
import type { Companion } from './companion.ts'
import { COMPANION_GOODS } from './order.ts'

const PRICES = { [COMPANION_GOODS.lessons]: 80_00, [COMPANION_GOODS.month]: 1200_00 }
const PLAIN = { refund_second_from: 500_000, approve_second_from: 0, unpaid_days: 30 }

/** The orders of a business of companions in the histories of money: lessons and months for learners. */
export const companionMoneyPart = ({ kind, orderLine, orders }: Companion): MoneyPart => ({
  name: kind.value,
  stock: [],
  async open(app: TestApp) {
    const root = await app.login()
    await root.put(`${orders.api.list}/setting`, { ...PLAIN, prices: PRICES })
    let made = 0
    let mobile = ''
    return {
      lines: [{
        line: orderLine, orders,
        plan: (dice) => ({ items: [dice.pick([{ kind: COMPANION_GOODS.lessons, list: PRICES.lessons ?? 0 }, { kind: COMPANION_GOODS.month, list: PRICES.month ?? 0 }])], user_info: { mobile, name: '林小满' } }),
      }],
      recorded: [],
      actions: [],
      async begin() {
        mobile = `${kind.ranked ? '158' : '159'}${String(30_000_000 + ++made)}`
      },
      async check(db) {
        const rows = await db.query(sql`select s.id, s.lessons_left, s.lessons_bought from companion_student s where s.kind = ${kind.value} and (s.lessons_left < 0
          or s.lessons_left <> (select coalesce(sum(delta), 0) from lesson_entry e where e.student_id = s.id)
          or s.lessons_bought <> (select coalesce(sum(delta), 0) from lesson_entry e where e.student_id = s.id and e.cause in ('order', 'refund'))
          or s.lessons_bought <> (select coalesce(sum(i.granted_qty), 0) from order_item i where i.kind = ${COMPANION_GOODS.lessons} and (i.effect ->> 'student_id')::bigint = s.id))`)
        return rows.map((row) => `lessons are not the sum of what was bought and taken: ${JSON.stringify(row)}`)
      },
    }
  },
})
