import { sql } from 'drizzle-orm'
import { sentencesOf } from '../../core/kernel/self-check.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import type { TestApp } from '../../core/testing/app.server.ts'
import type { Dice, MoneyAction, MoneyLine, MoneyPart } from '../order/door.server.ts'
import { type OrderLine, orderRight } from '../order/module.ts'
import { partner, school, selfSchool } from '../study-room/module.ts'
import { CARD_PAY_CHANNELS } from './card-calls.ts'
import { CARD_STATUS, type MemberRight } from './card-state.ts'
import { roomChecks } from './checks.server.ts'
import { closeDay, CLOSE_DAY_GRANT, dayClosing, openDay, type OpenDay } from './closing.ts'
import { roomOrder, roomOrderLine, selfRoomOrder, selfRoomOrderLine, selfUserOrder, selfUserOrderLine, userOrder, userOrderLine } from './orders.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'

const CARD = 200_00
const SERVICE = 500_00
const REASON = '随机的一步'
const PLAIN = { refund_second_from: 500_000, approve_second_from: 0, unpaid_days: 30 }

/** A school of one side with a room, a kind of card and a member. */
interface DeskFixture { room: number; member: number; card: number }

/** What happens at the desk of one side. */
function deskActions(app: TestApp, rooms: Rooms, orders: Resource, place: DeskFixture): MoneyAction[] {
  const { member, userCard, side } = rooms
  const may = (name: MemberRight) => member.rights.id(name)
  const reprice = orderRight(orders, 'reprice')
  const someCard = async (dice: Dice) => {
    const cards = await app.db.query<{ id: number; left: number }>(sql`select id, (paid - refunded)::float8 as "left" from user_card where member_id = ${place.member} and deleted_at is null and status <> ${CARD_STATUS.refunded} order by id desc limit 5`)
    return cards.length > 0 ? dice.pick(cards) : undefined
  }
  const payment = (dice: Dice) => {
    const paid = dice.one(2) ? undefined : dice.amount(CARD)
    const channel = dice.one(4) ? dice.pick([...CARD_PAY_CHANNELS.map(({ value }) => value), 'code', 'balance']) : paid === 0 ? 'free' : 'cash'
    return { input: { room_id: place.room, pay_channel: channel, ...(paid !== undefined && { paid }) }, less: paid !== undefined && Number(paid) < CARD }
  }
  const sale = (name: string, path: (dice: Dice) => Promise<[string, Record<string, unknown>] | undefined>): MoneyAction => ({
    name: `${orders.name} ${name}`, often: 3, rights: [side.screens.member, may('sell'), reprice],
    async run(who, dice) {
      const where = await path(dice)
      if (!where) return undefined
      const { input, less } = payment(dice)
      return { answer: await who.post(where[0], { ...where[1], ...input }), needs: [may('sell'), ...(less ? [reprice] : [])] }
    },
  })
  return [
    sale('card at the desk', async (dice) => [`${member.api.item}/${place.member}/card`, { card_id: place.card, at_once: dice.below(2) }]),
    sale('renewal at the desk', async (dice) => {
      const card = await someCard(dice)
      return card && [`${userCard.api.item}/${card.id}/renew`, {}]
    }),
    {
      name: `${orders.name} card taken back at the desk`, often: 4, rights: [side.screens.member, may('refund')],
      async run(who, dice) {
        const card = await someCard(dice)
        return card && { answer: await who.post(`${userCard.api.item}/${card.id}/refund`, { amount: dice.amount(card.left), reason: REASON }), needs: [may('refund')] }
      },
    },
  ]
}

/** The day of one of our own rooms is closed, as it is or otherwise. */
function closing(place: DeskFixture): MoneyAction {
  const right = CLOSE_DAY_GRANT
  return {
    name: 'day closed', rights: [dayClosing.grant, right],
    async run(who, dice) {
      const open = await who.get<OpenDay>(openDay.path, { room_id: place.room })
      const lines = (open.body.lines ?? []).map(({ channel, expected }) => ({ channel, expected: dice.one(8) ? expected + 1 : expected, counted: expected, reason: REASON }))
      return { answer: await who.post(closeDay.path, { room_id: place.room, shift: 4, lines }), needs: [right] }
    },
  }
}

/** Cards of members, at the desk and by orders, what rooms buy, and the days of our own rooms. */
const part: MoneyPart = {
  name: 'room',
  stock: ['member_card'],
  async open(app: TestApp) {
    const root = await app.login()
    for (const orders of [roomOrder, selfRoomOrder]) await root.put(`${orders.api.list}/setting`, { ...PLAIN, prices: { service: SERVICE } })
    const now = Math.floor(Date.now() / 1000)
    const [theirs, ours]: [DeskFixture, DeskFixture] = [{ room: 0, member: 0, card: 0 }, { room: 0, member: 0, card: 0 }]
    const places: readonly [DeskFixture, Rooms][] = [[theirs, PARTNER_ROOMS], [ours, OWN_ROOMS]]
    let made = 0
    const cards = (line: OrderLine, orders: Resource, place: DeskFixture): MoneyLine => ({
      line, orders,
      plan: (dice) => ({ items: Array.from({ length: 1 + dice.below(2) }, () => ({ kind: 'card', ref_id: place.card, list: CARD })), user_info: { room_id: place.room, member_id: place.member } }),
    })
    const goods = (line: OrderLine, orders: Resource, place: DeskFixture): MoneyLine => ({
      line, orders,
      plan: (dice) => ({ items: [dice.pick([{ kind: 'service', list: SERVICE }, { kind: 'pad', list: null }])], user_info: { room_id: place.room } }),
    })
    return {
      lines: [cards(userOrderLine, userOrder, theirs), cards(selfUserOrderLine, selfUserOrder, ours), goods(roomOrderLine, roomOrder, theirs), goods(selfRoomOrderLine, selfRoomOrder, ours)],
      recorded: [],
      actions: [...deskActions(app, PARTNER_ROOMS, userOrder, theirs), ...deskActions(app, OWN_ROOMS, selfUserOrder, ours), closing(ours)],
      async begin() {
        await seedTransaction(app.kernel.db, async (tx) => {
          const region = { region_code: '320508', address: '观前街 1 号', type_id: 1 }
          for (const [place, rooms] of places) {
            const mobile = `134${String(30_000_000 + ++made)}`
            const [owner = 0] = rooms.side.self_run ? [] : await insertMany(tx, partner, [{ ...region, name: `门店${made}`, contact: '王', mobile, level: 4, sign_at: now - 86_400, expire_at: now + 300 * 86_400, status: 1 }])
            const base = { ...region, name: `门店校${made}`, manager: '李', mobile, status: 1 as const }
            const [schoolId = 0] = rooms.side.self_run ? await insertMany(tx, selfSchool, [base]) : await insertMany(tx, school, [{ ...base, partner_id: owner, expire_at: now + 300 * 86_400 }])
            ;[place.room = 0] = await insertMany(tx, rooms.room, [{ name: '一号室', school_id: schoolId, type_id: 1, status: 1 }])
            ;[place.member = 0] = await insertMany(tx, rooms.member, [{ name: '张三', mobile, school_id: schoolId, status: 1 }])
            ;[place.card = 0] = await insertMany(tx, rooms.card, [{ name: '十次卡', school_id: schoolId, kind: 2, quota: 10, valid_days: 90, price: CARD, stock: 9, status: 1 }])
          }
        })
      },
      check: (db) => sentencesOf(db, roomChecks),
    }
  },
}

export default part
