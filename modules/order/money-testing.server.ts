import { sql } from 'drizzle-orm'
import { AppError } from '../../core/error/error.ts'
import { standardId } from '../../core/grant/grant.ts'
import { seedTransaction } from '../../core/setup/insert-many.server.ts'
import type { Answer, Caller, TestApp } from '../../core/testing/app.server.ts'
import { userOfMobile } from '../user/door.server.ts'
import type { Discount } from './discount.server.ts'
import { addOrderWatcher, lockAnyOrder, workOf, type OrderContext, type OrderRow } from './engine.server.ts'
import { orderRight, ORDER_STATUS as S } from './flow.ts'
import { HISTORY_LIMIT, type Dice, type MoneyAction, type MoneyPart } from './money-part.server.ts'
import { pay, reprice } from './money.server.ts'
import { placeOrder } from './place.server.ts'
import { approveRefund, askRefund } from './refund.server.ts'
import { DEFAULT_SETTING } from './setting.ts'
import { writeSetting } from './setting.server.ts'
import { serveTrial, staffOf, TRIAL_PRICES, TRIAL_SIDE, trialLine } from './trial-testing.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'

const REASON = '随机的一步'
const OK: Answer = { status: 200, body: {}, headers: {} }

/**
 * What other modules do with orders that no call does: they place them with discounts of their own and with where they came
 * from, refund what goes back for what was paid for it, and watch them move.
 */
const part: MoneyPart = {
  name: 'order',
  stock: [],
  async open(app: TestApp) {
    const served = serveTrial()
    const targets = new Map([...app.kernel.registry].map(([name, known]) => [name, known.resource]))
    // As a module that books commissions does: each cause once, with what the order is worth then.
    await app.db.script('create table watched (id bigint generated always as identity, order_id bigint not null, cause text not null unique, before_paid bigint, paid bigint, refunded bigint, status integer)')
    const stop = addOrderWatcher({
      async moved(tx, before, after, cause) {
        await tx.query(sql`insert into watched (order_id, cause, before_paid, paid, refunded, status) values (${after.id}, ${cause}, ${before.paid}, ${after.paid}, ${after.refunded}, ${after.status})`)
      },
    })
    await app.kernel.db.transaction({ staff_id: null, silent: true }, (tx) => writeSetting(tx, null, served.resource, { ...DEFAULT_SETTING, refund_second_from: HISTORY_LIMIT }))
    await app.db.script(TRIAL_SIDE)
    let user = 0
    let made = 0
    const right = (name: Parameters<typeof orderRight>[1]) => orderRight(served.resource, name)
    const act = (name: string, rights: readonly number[], often: number, needs: readonly number[], run: (work: OrderContext, staff: Staff, dice: Dice) => Promise<unknown>): MoneyAction => ({
      name: `trial_order ${name}`, often, rights,
      async run(who: Caller, dice) {
        const staff = await staffOf(app.kernel.db, who.staffId)
        try {
          const done = await app.kernel.db.transaction({ staff_id: who.staffId }, (tx) => run(workOf(served, tx, staff), staff, dice))
          return done === undefined ? undefined : { answer: OK, needs }
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return { answer: { status: error.status, body: { detail: error.message }, headers: {} }, needs: [] }
        }
      },
    })
    const some = async ({ tx }: OrderContext, dice: Dice, states: readonly number[]): Promise<OrderRow | undefined> => {
      const rows = await tx.query<{ id: number }>(sql`select id from orders where line = 'trial' and status = any(${sql.param([...states])}::int[]) order by id desc limit 5`)
      return rows.length > 0 ? lockAnyOrder(tx, dice.pick(rows).id) : undefined
    }
    const discountsOf = (dice: Dice): Discount[] => [
      ...(dice.one(2) ? [{ kind: 'coupon' as const, ref_id: 1 + dice.below(9), amount: 1 + dice.below(5000) }] : []),
      ...(dice.one(3) ? [{ kind: 'flash' as const, ref_id: 1 + dice.below(9), amount: dice.pick([1, 3333, TRIAL_PRICES.course]) }] : []),
    ]
    return {
      lines: [],
      recorded: [],
      books: [trialLine],
      actions: [
        act('placed with discounts and an origin', [standardId(trialLine.grant, 'edit'), right('reprice')], 4, [right('reprice')], (work, staff, dice) => placeOrder(work, staff, {
          order_info: { items: [{ kind: 'course', price: TRIAL_PRICES.course, qty: 1 + dice.below(3) }, ...(dice.one(2) ? [{ kind: 'box', price: TRIAL_PRICES.box, qty: 1 + dice.below(7) }] : [])], biz_type: 1, virtual: false },
          package_price: { discount: dice.one(3) ? dice.below(2000) : 0, paid: 0 }, referrer_info: {}, user_info: { learner_id: user, mobile: '13500001234' },
        }, targets, {
          discounts: discountsOf(dice), origins: dice.one(2) ? [{ kind: 'link', ref_id: 1 + dice.below(9) }] : [],
          ...(dice.one(3) && { close_at: Math.floor(Date.now() / 1000) + dice.pick([-60, 900]) }), ...(dice.one(4) && { checkout_no: `C${++made}`, deal_no: `D${made}` }),
        })),
        act('paid', [right('pay')], 6, [right('pay')], async (work, _staff, dice) => {
          const order = await some(work, dice, [S.unpaid])
          return order && pay(work, order, { amount: dice.one(3) ? Math.ceil((order.amount - order.paid) / 2) : order.amount - order.paid, channel: dice.pick(['wechat', 'alipay']) })
        }),
        act('repriced', [right('reprice')], 2, [right('reprice')], async (work, _staff, dice) => {
          const order = await some(work, dice, [S.unpaid])
          return order && reprice(work, order, dice.below(9000), REASON)
        }),
        act('refunded for what goes back', [right('refund')], 5, [right('refund')], async (work, _staff, dice) => {
          const order = await some(work, dice, [S.paid, S.part_refunded])
          if (!order) return undefined
          const items = await work.tx.query<{ id: number; left: number }>(sql`select id, (qty - refunded_qty)::int as left from order_item where order_id = ${order.id} and qty > refunded_qty`)
          const back = items.length > 0 && !dice.one(5) ? [dice.pick(items)].map(({ id, left }) => ({ id, qty: 1 + dice.below(left) })) : undefined
          return askRefund(work, order, { ...(back && { items: back }), way: 'original', reason: REASON })
        }),
        act('refund agreed', [right('decide')], 3, [right('decide')], async (work, _staff, dice) => {
          const order = await some(work, dice, [S.refunding])
          const [refund] = order ? await work.tx.query<{ id: number }>(sql`select id from refund where order_id = ${order.id} and status = 1`) : []
          return order && refund && approveRefund(work, order, refund.id)
        }),
      ],
      close: stop,
      async begin() {
        await seedTransaction(app.kernel.db, async (tx) => {
          user = await userOfMobile(tx, null, { mobile: `136${String(10_000_000 + ++made)}`, name: '学员' })
        })
      },
      async check(db) {
        const questions = [
          ['a line without an account stands in the books', sql`select l.id from ledger l join orders o on o.id = l.order_id where o.line = 'trial'`],
          ['a watcher knows an order otherwise than it is', sql`select o.id from orders o join lateral (select paid, refunded, status from watched where order_id = o.id order by id desc limit 1) w on true where (w.paid, w.refunded, w.status) <> (o.paid, o.refunded, o.status)`],
          ['a payment was not told to the watchers', sql`select p.id from payment p where not exists (select 1 from watched where cause = 'payment ' || p.id)`],
          ['a refund was not told to the watchers', sql`select r.id from refund r where status = 2 and not exists (select 1 from watched where cause = 'refund ' || r.id)`],
          ['a step was not told to the watchers', sql`select l.id from order_log l where action not in ('create', 'payment', 'refund') and not (action = 'pay' and exists (select 1 from orders o where o.id = l.order_id and o.line = 'school'))
            and not exists (select 1 from watched where cause = 'move ' || l.id)`],
          ['an origin of no order', sql`select order_id from order_origin where not exists (select 1 from orders where id = order_id)`],
        ] as const
        const wrong: string[] = []
        for (const [sentence, question] of questions) wrong.push(...(await db.query(question)).map((row) => `${sentence}: ${JSON.stringify(row)}`))
        return wrong
      },
    }
  },
}

export default part
