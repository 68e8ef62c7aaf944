import { sentencesOf } from '../../core/kernel/self-check.server.ts'
import type { TestApp } from '../../core/testing/app.server.ts'
import type { MoneyPart } from '../order/door.server.ts'
import { companionChecks } from './checks.server.ts'
import type { Companion } from './companion.ts'
import { COMPANION_GOODS } from './order.ts'

const PRICES = { [COMPANION_GOODS.lessons]: 80_00, [COMPANION_GOODS.month]: 1200_00 }
const PLAIN = { refund_second_from: 500_000, approve_second_from: 0, unpaid_days: 30 }

/** The orders of a business of companions in the histories of money: lessons and months for learners. */
export const companionMoneyPart = (companion: Companion): MoneyPart => ({
  name: companion.kind.value,
  stock: [],
  async open(app: TestApp) {
    const { kind, orderLine, orders } = companion
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
      check: (db) => sentencesOf(db, companionChecks(companion)),
    }
  },
})
