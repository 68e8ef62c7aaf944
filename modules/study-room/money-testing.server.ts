import { sql } from 'drizzle-orm'
import { standardId } from '../../core/grant/grant.ts'
import { sentencesOf } from '../../core/kernel/self-check.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { check, commit, xlsxOf } from '../../core/testing/transfer.server.ts'
import type { TestApp } from '../../core/testing/app.server.ts'
import type { Dice, Done, MoneyAction, MoneyPart } from '../order/door.server.ts'
import { type OrderRight, orderRight } from '../order/module.ts'
import { partnerChecks } from './checks.server.ts'
import { partnerOrder, partnerOrderLine } from './partner-order.ts'
import { PARTNER_STATUS, partner, PARTNER_RIGHTS } from './partner.ts'
import { schoolOrder, selfSchoolOrder } from './school-order.ts'
import { schoolStudent } from './school-student.ts'
import { school } from './school.ts'
import { unit } from './unit.ts'

/** List prices of the histories, in fen: service fees and courses have one, codes and pads are agreed on. */
const PRICES = { service: 1_200_00 }
const MONTH = 80_00
const LIMITS = { refund_second_from: 500_000, approve_second_from: 0, unpaid_days: 30 }
const CHANNELS = ['wechat', 'cash', 'offline', 'code', 'free', 'balance']
const YUAN: Readonly<Record<string, string>> = { wechat: '微信', cash: '现金', offline: '线下', code: '激活码', free: '0元', balance: '余额' }

/** The orders of partners, their balance, and the orders of schools that are recorded one by one or from a sheet. */
const part: MoneyPart = {
  name: 'study-room',
  stock: [],
  async open(app: TestApp) {
    const root = await app.login()
    const now = Math.floor(Date.now() / 1000)
    const [unitId = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, unit, [{ name: '流水套餐', subjects: ['数学'], months: 12, status: 1 }]))
    for (const [orders, prices] of [[partnerOrder, PRICES], [schoolOrder, { unit: MONTH }]] as const) await root.put(`${orders.api.list}/setting`, { ...LIMITS, prices })
    const place = { partner: 0, school: 0 }
    let made = 0
    let sheets = 0
    const topUp = PARTNER_RIGHTS.id('topUp')
    const record = standardId(schoolOrder.grant, 'edit')
    const bring = standardId(schoolOrder.grant, 'import')
    const right = (name: OrderRight) => orderRight(schoolOrder, name)
    const needsFor = (amount: unknown, months: number) => [right('pay'), ...(Number(amount) < MONTH * months ? [right('reprice')] : [])]
    const amountOf = (dice: Dice, months: number) => dice.amount(MONTH * months)
    const actions: MoneyAction[] = [
      {
        name: 'partner top up', often: 2, rights: [topUp],
        run: async (who, dice): Promise<Done> => ({ answer: await who.post(`${partner.api.item}/${place.partner}/top_up`, { amount: dice.amount(3_000_00), channel: dice.pick(['transfer', 'cash', 'free', 'code', 'balance']) }), needs: [topUp] }),
      },
      {
        name: 'school order recorded', often: 2, rights: [schoolOrder.grant, record, right('pay'), right('reprice')],
        async run(who, dice) {
          const months = 1 + dice.below(12)
          const amount = amountOf(dice, months)
          return {
            answer: await who.post(schoolOrder.api.item, { school_id: place.school, unit_id: unitId, months, buyer_mobile: '13700009999', amount, pay_channel: dice.one(3) ? dice.pick(CHANNELS) : 'wechat', paid_at: now }),
            needs: [record, ...needsFor(amount, months)],
          }
        },
      },
      {
        name: 'school orders from a sheet', rights: [schoolOrder.grant, bring, right('pay'), right('reprice')],
        async run(who, dice) {
          const months = 1 + dice.below(12)
          const [amount, channel] = [dice.pick([MONTH * months, 1, 0, -1, 10 ** 13]), dice.one(2) ? '现金' : (YUAN[dice.pick(CHANNELS)] ?? '现金')]
          const before = await app.db.query<{ n: number }>(sql`select count(*) as n from orders where place_kind = 'school' and place_ref_id = ${place.school}`)
          const answer = await who.post(`${schoolOrder.api.list}/import`, {})
          // Who may not import is told so before anything is uploaded.
          if (answer.status === 403) return { answer, needs: [] }
          const sheet = await xlsxOf([['手机号', '姓名', '套餐', '月数', '金额', '支付方式', '支付时间'], ['15100000000', '学生甲', '流水套餐', months, amount / 100, channel, `2026-03-01 10:${String(Math.floor(++sheets / 60) % 60).padStart(2, '0')}:${String(sheets % 60).padStart(2, '0')}`]])
          const { id, result } = await check(app, who, schoolOrder.api.list, sheet, { fixed: { school_id: place.school } })
          if (result.counts.good > 0) await commit(who, schoolOrder.api.list, id)
          const after = await app.db.query<{ n: number }>(sql`select count(*) as n from orders where place_kind = 'school' and place_ref_id = ${place.school}`)
          const wrote = (after[0]?.n ?? 0) > (before[0]?.n ?? 0)
          return { answer: { status: wrote ? 200 : 400, body: wrote ? {} : { detail: '没有写入' }, headers: {} }, needs: wrote ? [bring, ...needsFor(amount, months)] : [] }
        },
      },
      {
        name: 'school order refunded', rights: [right('refund')],
        async run(who, dice) {
          const [order] = await app.db.query<{ id: number; left: number }>(sql`select id, (paid - refunded)::float8 as "left" from orders where place_kind = 'school' and place_ref_id = ${place.school} order by id desc limit 1`)
          return order && { answer: await who.post(`${schoolOrder.api.item}/${order.id}/refund`, { amount: dice.amount(order.left), way: dice.pick(['original', 'cash', 'balance']), reason: '随机的一步' }), needs: [right('refund')] }
        },
      },
    ]
    return {
      lines: [{
        line: partnerOrderLine, orders: partnerOrder,
        plan: (dice) => ({
          items: Array.from({ length: 1 + dice.below(2) }, () => dice.pick([{ kind: 'code', ref_id: unitId, list: null }, { kind: 'pad', list: null }, { kind: 'service', list: PRICES.service }, { kind: 'service', list: PRICES.service }])),
          user_info: { partner_id: place.partner },
        }),
      }],
      recorded: [schoolOrder, selfSchoolOrder],
      actions,
      async begin() {
        await seedTransaction(app.kernel.db, async (tx) => {
          const region = { region_code: '320508', address: '观前街 1 号', type_id: 1 }
          const mobile = `135${String(20_000_000 + ++made)}`
          ;[place.partner = 0] = await insertMany(tx, partner, [{ ...region, name: `流水${made}`, contact: '王启航', mobile, level: 4, sign_at: now - 86_400, expire_at: now + 300 * 86_400, status: PARTNER_STATUS.signed }])
          ;[place.school = 0] = await insertMany(tx, school, [{ ...region, name: `流水校${made}`, partner_id: place.partner, manager: '李', mobile, expire_at: now + 300 * 86_400, status: 1 as const }])
          await insertMany(tx, schoolStudent, [{ name: '学生甲', mobile: '15100000000', school_id: place.school, grade: 9 as const }])
        })
      },
      check: (db) => sentencesOf(db, partnerChecks),
    }
  },
}

export default part
