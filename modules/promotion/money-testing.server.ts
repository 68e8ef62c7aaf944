import { sql } from 'drizzle-orm'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { makeAppKey, type Answer, type TestApp } from '../../core/testing/app.server.ts'
import { courseLines } from '../course-line/lines.ts'
import type { Dice, MoneyAction, MoneyPart } from '../order/door.server.ts'
import { activity, ACTIVITY_RIGHTS, ACTIVITY_STATE, ACTIVITY_TYPE } from './activity.ts'
import { PROMOTION_APP } from './calls.ts'
import { flashSale, FLASH_STATE } from './flash.ts'
import type { Good } from './good.ts'
import { groupSweep } from './group.server.ts'
import { wrongPromotion } from './invariants.server.ts'
import { activityLink, LINK_RIGHTS, LINK_STATE } from './link.ts'
import { lostSweep } from './watch.server.ts'

const DEVICE = '/daoyuan/api/device/promotion'
const REASON = '随机的一步'
const OK: Answer = { status: 200, body: {}, headers: {} }

/** Links over two lines, sales of few pieces, coupons, groups and a small budget: bought by apps, paid, lapsed and given back, while orders go on. */
const part: MoneyPart = {
  name: 'promotion',
  stock: [],
  async open(app: TestApp) {
    const key = await makeAppKey(app, [PROMOTION_APP.name], { per_minute: 100_000 })
    const lines = courseLines.slice(0, 2)
    let made = 0
    let calls = 0
    let [link, sale, coupons, group] = [{ id: 0, short: '' }, 0, 0, 0]
    let mobiles: string[] = []
    const device = (path: string, body: Record<string, unknown>) => app.nobody().call('POST', `${DEVICE}/${path}`, body, { authorization: `Bearer ${key}`, 'idempotency-key': `money-${++calls}-0000` })
    const act = (name: string, rights: readonly number[], often: number, run: MoneyAction['run']): MoneyAction => ({ name: `promotion ${name}`, often, rights, run })
    const some = async (dice: Dice) => {
      const rows = await app.db.query<{ no: string; amount: number }>(sql`select no, amount::float8 as amount from checkout order by id desc limit 8`)
      return rows.length > 0 ? dice.pick(rows) : undefined
    }
    const buyer = (dice: Dice) => ({ mobile: dice.pick(mobiles), name: '流水学员' })
    const freeCoupon = async (mobile: string) => (await app.db.query<{ no: string }>(sql`select c.no from coupon_user c join app_user u on u.id = c.user_id where u.mobile = ${mobile} and c.status = 1 order by c.id desc limit 1`))[0]?.no
    return {
      lines: [], recorded: [],
      actions: [
        act('bought by a link', [], 6, async (_who, dice) => {
          const who = buyer(dice)
          const coupon_no = dice.one(2) ? await freeCoupon(who.mobile) : undefined
          return { answer: await device('checkouts', { ...who, link: link.short, suite_id: dice.one(8) ? 9 : 1, ...(coupon_no && { coupon_no }) }), needs: [] }
        }),
        act('bought in a sale', [], 6, async (_who, dice) => ({ answer: await device('checkouts', { ...buyer(dice), flash_id: sale, qty: 1 + dice.below(3) }), needs: [] })),
        act('bought in a group', [], 4, async (_who, dice) => {
          const [open] = dice.one(2) ? await app.db.query<{ id: number }>(sql`select id from group_buy where activity_id = ${group} order by id desc limit 1`) : []
          return { answer: await device('checkouts', { ...buyer(dice), activity_id: group, ...(open && { group_id: open.id }) }), needs: [] }
        }),
        act('coupon taken', [], 4, async (_who, dice) => ({ answer: await device(`activities/${coupons}/join`, buyer(dice)), needs: [] })),
        act('paid by the app', [], 10, async (_who, dice) => {
          const checkout = await some(dice)
          return checkout && { answer: await device(`checkouts/${checkout.no}/payments`, { channel: 'wechat', amount: dice.one(6) ? dice.amount(checkout.amount) : checkout.amount, trade_no: `M${++calls}` }), needs: [] }
        }),
        act('paid at the link', [LINK_RIGHTS.screen, LINK_RIGHTS.id('pay')], 3, async (who, dice) => {
          const checkout = await some(dice)
          return checkout && { answer: await who.post(`${activityLink.api.item}/${link.id}/checkouts/${checkout.no}/payments`, { channel: 'alipay', amount: checkout.amount }), needs: [LINK_RIGHTS.id('pay')] }
        }),
        act('coupon void', [activity.grant, ACTIVITY_RIGHTS.id('issue')], 2, async (who) => {
          const [row] = await app.db.query<{ id: number }>(sql`select id from coupon_user where activity_id = ${coupons} order by random() limit 1`)
          return row && { answer: await who.post(`${activity.api.item}/${coupons}/coupons/${row.id}/void`, { reason: REASON }), needs: [ACTIVITY_RIGHTS.id('issue')] }
        }),
        act('clock runs', [], 4, async (_who, dice) => {
          if (dice.one(2)) await app.db.query(sql`update orders set close_at = now() - interval '1 minute' where id in (select o.id from orders o join checkout_part p on p.order_id = o.id where o.status = 1 and o.paid = 0 order by o.id desc limit 2)`)
          if (dice.one(3)) await app.db.query(sql`update group_buy set until = now() - interval '1 minute' where activity_id = ${group} and state = 1`)
          for (const sweep of app.modules.flatMap((module) => module.sweeps?.(app.kernel) ?? []).filter(({ name }) => lines.some((line) => name === `${line.orderLine.name}_unpaid`))) await sweep.run()
          await groupSweep(app.kernel.db).run()
          await lostSweep(app.kernel.db).run()
          return { answer: OK, needs: [] }
        }),
      ],
      async begin() {
        const base = ++made * 10
        const now = Math.floor(Date.now() / 1000)
        await seedTransaction(app.kernel.db, async (tx) => {
          const goods: Good[] = []
          for (const [index, one] of lines.entries()) {
            const [subject] = await tx.query<{ id: number }>(sql`select id from subject where level = ${one.line.level ?? 0} order by id limit 1`)
            const [id = 0] = await insertMany(tx, one.offers, [{ title: `流水套餐课${base + index}`, subject_id: subject?.id ?? 0, price: 99_99, floor_price: 50_00, valid_mode: 1, valid_days: 30, state: 3 }])
            goods.push({ line: one.orders.name, kind: 'offer', ref_id: id, name: `流水套餐课${base + index}` })
          }
          const [first] = goods
          if (!first) throw new Error('there are lines of courses')
          mobiles = [1, 2, 3].map((n) => `155${String(50_000_000 + base + n)}`)
          await tx.query(sql`insert into app_user (user_no, mobile, nickname, role, register_at, wechat_bound, status) select 'PM' || m, m, '流水学员', 1, now(), 0, 1 from unnest(${sql.param(mobiles)}::text[]) m`)
          const running = { start_at: now - 3600, end_at: now + 86_400, state: ACTIVITY_STATE.on }
          const rule = { amount: 7_77, threshold: 60_00, valid_days: 3, per_user: 4 }
          ;[coupons = 0, group = 0] = await insertMany(tx, activity, [
            { ...running, ...rule, name: `流水券${base}`, type: ACTIVITY_TYPE.coupon, budget: 40_00 },
            { ...running, name: `流水团${base}`, type: ACTIVITY_TYPE.group, good: first, price: 60_01, need: 2, hours: 2, budget: 150_00 },
          ])
          ;[sale = 0] = await insertMany(tx, flashSale, [{ name: `流水抢${base}`, good: first, good_name: first.name, list_price: 99_99, price: 66_66, stock: 4, per_user: 2, start_at: now - 3600, end_at: now + 86_400, show: 1 as const, state: FLASH_STATE.on }])
          const short = `money-link-${base}`
          const [id = 0] = await insertMany(tx, activityLink, [{ name: `流水链接${base}`, short, suites: [{ id: 1, name: '联报', price: 133_33, stock: 5, goods: goods.map((good) => ({ ...good, qty: 1 })) }], need_receiver: 0, need_referrer: 0, max_uses: 6, state: LINK_STATE.on } as object])
          link = { id, short }
        })
      },
      check: (db) => wrongPromotion(db),
    }
  },
}

export default part
