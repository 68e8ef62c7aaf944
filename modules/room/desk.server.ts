import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, wrongState } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { askRefund, lockAnyOrder, lockMoney, lockRefundDay, placeOrder, readItems, workOf, type ItemRow, type OrderRow, type ServedLine } from '../order/door.server.ts'
import { ownCards, partnerCards } from './card-calls.ts'
import { isCounted } from './card-kind.ts'
import { checkFree, enter, lockCard, type UserCard } from './card-ledger.server.ts'
import { cardsOf } from './card-sale.server.ts'
import { CARD_STATUS } from './card-state.ts'
import { activation, showCard, type Card } from './card.server.ts'
import { MEMBER_STATUS } from './member.ts'
import { ownUserOrders, partnerUserOrders } from './orders.server.ts'
import { MEMBER_GOODS } from './orders.ts'
import { read } from './row.server.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'

interface Payment {
  paid?: number | undefined
  pay_channel: 'wechat' | 'alipay' | 'cash' | 'transfer' | 'offline' | 'free'
  room_id: number
  remark?: string | null | undefined
}

/** What is paid: the card's price, or less; whether the person may grant that is for the rules of orders to say. */
function pricePaid(card: Card, { paid, pay_channel }: Payment): number {
  const sum = paid ?? card.price
  if (sum > card.price) throw invalid({ paid: `实付不能高于售价 ${yuan(card.price)} 元` })
  if ((sum === 0) !== (pay_channel === 'free')) throw invalid({ pay_channel: sum === 0 ? '实付为 0 时支付方式应为 0元' : '请选择实际的支付方式' })
  return sum
}

function checkOnSale(card: Card): void {
  if (card.status !== 1) throw badRequest(`「${card.name}」已下架，不能销售`)
  if (isCounted(card.kind) && card.quota <= 0) throw badRequest(`「${card.name}」没有设置额度，不能销售`)
}

/** What of a card's money can go back: how much came from which order, the newest first. Fen. */
function sourcesOf(tx: Queryable, cardId: number): Promise<{ id: number; order_no: string; left: number }[]> {
  return tx.query(sql`select o.id, o.order_no, least(sum(l.paid), o.paid - o.refunded)::float8 as left from card_log l join orders o on o.order_no = l.order_no and o.deleted_at is null
    where l.user_card_id = ${cardId} group by o.id having sum(l.paid) > 0 order by o.id desc`)
}

const concerns = (card: UserCard) => ({ kind, ref_id, effect }: ItemRow) => (kind === MEMBER_GOODS.renewal ? ref_id === card.id : cardsOf(effect).includes(card.id))

/** What goes back of an order with a card: the card, or all that renewed it. */
function itemsOf(card: UserCard, items: readonly ItemRow[]): { id: number; qty: number }[] {
  const item = items.find(concerns(card))
  const left = item ? item.qty - item.refunded_qty : 0
  return item && left > 0 ? [{ id: item.id, qty: item.kind === MEMBER_GOODS.renewal ? left : 1 }] : []
}

/**
 * What happens at the desk, face to face and at once: a card is sold, renewed, given back. Each sale is an order like any
 * other, placed, paid and fulfilled in one transaction, so that money has one way into the books (ADR 16). Who may sell
 * takes the money there, and who may refund gives it: those rights come with the desk's own. A card is locked after the
 * orders, stock and accounts that it is paid through (ADR 22).
 */
function callsOf(rooms: Rooms, line: ServedLine, calls: typeof partnerCards, targets: ReadonlyMap<string, Resource>): Served[] {
  /** Sells one thing to a member. @returns the item with what it did */
  const sell = async (tx: Queryable, call: Pick<Call, 'staff'>, member: { id: number; school_id: number }, card: Card, item: { kind: string; ref_id: number }, payment: Payment): Promise<ItemRow | undefined> => {
    const room = await read(tx, rooms.room, call.staff, payment.room_id)
    if (room.school_id !== member.school_id) throw invalid({ room_id: '该自习室不属于会员所在的学校' })
    checkOnSale(card)
    const paid = pricePaid(card, payment)
    const order = await placeOrder(workOf(line, tx, call.staff, ['pay']), call.staff, {
      order_info: { items: [{ ...item, price: card.price, qty: 1 }], biz_type: item.kind === MEMBER_GOODS.renewal ? 2 : 1, virtual: false, ...(payment.remark && { remark: payment.remark }) },
      package_price: { discount: card.price - paid, paid, ...(payment.pay_channel !== 'free' && { pay_channel: payment.pay_channel }) },
      referrer_info: {}, user_info: { room_id: room.id, member_id: member.id },
    }, targets)
    return (await readItems(tx, order.id))[0]
  }
  return [
    handle(calls.open, (call) => call.transaction(async (tx) => {
      const member = await read(tx, rooms.member, call.staff, idParam(call))
      if (member.status !== MEMBER_STATUS.normal) throw wrongState('开卡', '停用')
      const kind = await read(tx, rooms.card, call.staff, call.input.card_id)
      if (kind.school_id !== member.school_id) throw invalid({ card_id: '该会员卡不属于会员所在的学校' })
      const item = await sell(tx, call, member, kind, { kind: MEMBER_GOODS.card, ref_id: kind.id }, call.input)
      const id = cardsOf(item?.effect)[0] ?? 0
      if (call.input.at_once === 1) {
        const opened = await lockRow(tx, rooms.userCard, call.staff, id)
        await enter(tx, call.staff.id, opened, { action: 'activate', ...activation(opened, Math.floor(Date.now() / 1000)) })
      }
      return showCard(tx, rooms, call, id)
    }, { action: 'open_card' })),

    handle(calls.renew, (call) => call.transaction(async (tx) => {
      const card = await read(tx, rooms.userCard, call.staff, idParam(call))
      await checkFree(tx, card, 'renew')
      const member = await read(tx, rooms.member, call.staff, card.member_id)
      const kind = await read(tx, rooms.card, call.staff, card.card_id)
      await sell(tx, call, member, kind, { kind: MEMBER_GOODS.renewal, ref_id: card.id }, call.input)
      return showCard(tx, rooms, call, card.id)
    }, { action: 'renew' })),

    handle(calls.refund, (call) => call.transaction(async (tx) => {
      const { amount, reason } = call.input
      const work = workOf(line, tx, call.staff, ['refund'])
      const { id } = await read(tx, rooms.userCard, call.staff, idParam(call))
      const orders: OrderRow[] = []
      for (const source of (await sourcesOf(tx, id)).toReversed()) orders.push(await lockAnyOrder(tx, source.id))
      await lockMoney(work, orders)
      await lockRefundDay(work)
      let card = await lockCard(tx, rooms, call.staff, id, 'refund')
      const sources = (await sourcesOf(tx, id)).filter((source) => orders.some((order) => order.id === source.id))
      const most = sources.reduce((sum, { left }) => sum + left, 0)
      if (amount > most) throw invalid({ amount: `最多可退 ${yuan(most)} 元` })
      card = await enter(tx, call.staff.id, card, { action: 'refund', delta: -card.remaining, reason, set: { status: CARD_STATUS.refunded, frozen_at: null, frozen_until: null } })
      let rest = amount
      for (const { id: orderId, order_no, left } of sources) {
        const part = Math.min(left, rest)
        if (part === 0) continue
        rest -= part
        const { waits } = await askRefund(work, await lockAnyOrder(tx, orderId), { amount: part, items: itemsOf(card, await readItems(tx, orderId)), way: 'original', reason })
        if (waits) throw badRequest(`退款须由另一人复核，请在用户订单 ${order_no} 申请退款`)
        card = await enter(tx, call.staff.id, card, { action: 'refund', paid: -part, order_no, reason, set: { refunded: card.refunded + part } })
      }
      return showCard(tx, rooms, call, card.id)
    }, { action: 'refund', reason: call.input.reason })),
  ]
}

/** What happens at the desks, on both sides. */
export function deskCalls(kernel: Pick<Kernel, 'registry'>): Served[] {
  const targets = new Map([...kernel.registry].map(([name, { resource }]) => [name, resource]))
  return [...callsOf(PARTNER_ROOMS, partnerUserOrders, partnerCards, targets), ...callsOf(OWN_ROOMS, ownUserOrders, ownCards, targets)]
}
