import { sql } from 'drizzle-orm'
import { standardId } from '../../core/grant/grant.ts'
import type { Resource } from '../../core/resource/define.ts'
import { jobOver } from '../../core/testing/jobs.server.ts'
import type { Answer, Caller, TestApp } from '../../core/testing/app.server.ts'
import { ORDER_STATUS as S, PAY_CHANNELS, REFUND_WAYS, type OrderRight, type OrderStatus, orderRight } from './flow.ts'
import { lineShips } from './line.ts'
import type { Dice, Done, MoneyAction, MoneyLine } from './money-part.server.ts'

interface Order { id: number; amount: number; paid: number; refunded: number; total: number; status: OrderStatus; ship_status: number }

const REASON = '随机的一步'
const RECEIVER = { name: '李收', mobile: '15800001111', region_code: '320508', address: '观前街 1 号' }
const CHANNELS = PAY_CHANNELS.map(({ value }) => value)

/** A channel, mostly one that brings money. */
const channelOf = (dice: Dice) => (dice.one(4) ? dice.pick([...CHANNELS, 'gold']) : dice.pick(['wechat', 'cash', 'transfer']))

/** Rights over the orders of a resource, as ids. */
function idsOf(orders: Resource) {
  return { look: orders.grant, edit: standardId(orders.grant, 'edit'), remove: standardId(orders.grant, 'remove'), of: (right: OrderRight) => orderRight(orders, right) }
}

/** One of a line's latest orders, mostly one in a state in which something is usually done. */
async function someOrder(app: TestApp, orders: Resource, dice: Dice, likely: readonly OrderStatus[], deleted = false): Promise<Order | undefined> {
  const rows = await app.db.query<Order>(sql`select id, amount, paid, refunded, total, status, ship_status from orders where line = ${orders.where['line']} and self_run = ${orders.where['self_run']}
    and deleted_at is ${sql.raw(deleted ? 'not null' : 'null')} order by id desc limit 8`)
  const fitting = rows.filter(({ status }) => likely.includes(status))
  const among = fitting.length > 0 && !dice.one(6) ? fitting : rows
  return among.length > 0 ? dice.pick(among) : undefined
}

/** What a new order asks of the person who places it: said by what was sent, apart from the engine's own rules. */
function needsOf({ orders }: MoneyLine, body: { order_info: { virtual?: boolean; items: { price?: unknown; qty: number; list: number | null }[] }; package_price?: { discount?: unknown; paid?: unknown } }): number[] {
  const { look: _look, edit, of } = idsOf(orders)
  const { items, virtual } = body.order_info
  if (virtual) return [edit, of('virtual')]
  const price = (item: (typeof items)[number]) => Number(item.price ?? item.list)
  const amount = items.reduce((sum, item) => sum + price(item) * item.qty, -Number(body.package_price?.discount ?? 0))
  const less = items.some((item) => item.list === null || price(item) < item.list) || amount < items.reduce((sum, item) => sum + (item.list ?? 0) * item.qty, 0)
  return [edit, ...(less ? [of('reprice')] : []), ...(Number(body.package_price?.paid ?? 0) > 0 ? [of('pay')] : [])]
}

/** A new order, rightly priced or not, with money or without. */
function newOrder(world: MoneyLine, dice: Dice) {
  const { items, user_info } = world.plan(dice)
  const whole = items.map((item) => ({ ...item, qty: dice.one(6) ? dice.pick([1, 100_000, 3]) : 1 + dice.below(3) }))
  const priced = whole.map((item) => ({ ...item, ...(item.list === null || dice.one(3) ? { price: dice.one(3) ? dice.pick([1, 0, 10_000_000_000, 5 * 10 ** 15]) : (item.list ?? 100_00) } : {}) }))
  const amount = priced.reduce((sum, item) => sum + Number(item.price ?? item.list) * item.qty, 0)
  const discount = dice.one(4) ? dice.pick([1, amount, amount + 1, Math.floor(amount / 2)]) : 0
  const paid = dice.one(2) ? dice.pick([amount - discount, amount - discount, 1, amount]) : 0
  return {
    order_info: { items: priced, ...(dice.one(6) && { virtual: true }), biz_type: dice.pick([1, 2]) },
    receiving_info: RECEIVER, user_info,
    package_price: { ...(discount > 0 && { discount }), ...(paid > 0 && { paid, pay_channel: channelOf(dice) }) },
  }
}

/** Without what the histories alone know. */
const sent = (body: ReturnType<typeof newOrder>) => ({ ...body, order_info: { ...body.order_info, items: body.order_info.items.map(({ list: _list, ...item }) => item) } })

/** Everything that is done with the orders of a line by their calls, with right and wrong numbers. */
export function historyActions(app: TestApp, world: MoneyLine): MoneyAction[] {
  const { orders, line } = world
  const { list, item } = orders.api
  const ids = idsOf(orders)
  const open: OrderStatus[] = line.flow === 'audited' ? [S.effective, S.part_refunded] : [S.paid, S.unshipped, S.shipped, S.done, S.part_refunded]
  const act = (name: string, needs: readonly number[], likely: readonly OrderStatus[], body: (dice: Dice, order: Order) => Promise<[action: string, body?: Record<string, unknown>]>, often = 1): MoneyAction => ({
    name: `${orders.name} ${name}`, often, rights: [ids.look, ...needs],
    async run(who, dice) {
      const order = await someOrder(app, orders, dice, likely)
      if (!order) return undefined
      const [action, input] = await body(dice, order)
      return { answer: await who.post(`${item}/${order.id}/${action}`, input), needs }
    },
  })
  const place = (name: string, send: (who: Caller, body: Record<string, unknown>) => Promise<Answer>, often: number): MoneyAction => ({
    name: `${orders.name} ${name}`, often, rights: [ids.look, ids.edit, ids.of('reprice'), ids.of('pay'), ids.of('virtual')],
    async run(who, dice): Promise<Done> {
      const body = newOrder(world, dice)
      return { answer: await send(who, sent(body)), needs: needsOf(world, body) }
    },
  })
  const itemsBack = async (dice: Dice, order: Order) => {
    const own = await app.db.query<{ id: number; qty: number }>(sql`select id, qty from order_item where order_id = ${order.id} order by id`)
    const [foreign] = await app.db.query<{ id: number; qty: number }>(sql`select id, qty from order_item where order_id <> ${order.id} order by id desc limit 1`)
    const one = dice.pick([...own, ...own, ...own, ...(foreign ? [foreign] : [])])
    const back = { id: one.id, qty: dice.pick([1, one.qty, one.qty, 0, -1, one.qty + 1, 2 ** 40]) }
    return Array.from({ length: dice.pick([1, 1, 2, 3]) }, () => back)
  }
  const waiting = async (order: Order) => (await app.db.query<{ id: number; parts: { from: string; to: string }[]; asked_by: number }>(sql`select id, parts, asked_by from refund where order_id = ${order.id} order by id desc limit 1`))[0]
  const state = (name: string, grant: number, from: readonly OrderStatus[], reason: boolean, often = 1) => act(name, [grant], from, async () => [name, reason ? { reason: REASON } : {}], often)
  return [
    place('place', (who, body) => who.post(item, body), 6),
    place('draft', async (who, body) => {
      const draft = await who.post<{ id: number }>(`${list}/drafts`, { step: 4, body })
      if (draft.status !== 200) return draft
      const answer = await who.post(`${list}/drafts/${draft.body.id}/place`)
      if (answer.status !== 200) await who.delete(`${list}/drafts/${draft.body.id}`)
      return answer
    }, 2),
    act('pay', [ids.of('pay')], [S.unpaid], async (dice, order) => ['pay', { amount: dice.amount(order.amount - order.paid), channel: channelOf(dice) }], 6),
    act('reprice', [ids.of('reprice')], [S.unpaid, S.rejected], async (dice, order) => ['reprice', { discount: dice.amount(Math.floor(order.total / 10)), reason: REASON }]),
    act('refund', [ids.of('refund')], open, async (dice, order) => {
      const amount = dice.amount(order.paid - order.refunded)
      return ['refund', {
        amount, way: dice.one(2) ? 'original' : dice.pick(REFUND_WAYS).value, reason: REASON, ...(dice.one(2) && { items: await itemsBack(dice, order) }),
        ...(dice.one(4) && { parts: Array.from({ length: dice.pick([1, 2, 2]) }, () => ({ channel: channelOf(dice), amount: dice.pick([Number(amount), Math.ceil(Number(amount) / 2)]) })) }),
      }]
    }, 6),
    {
      name: `${orders.name} agree`, often: 3, rights: [ids.of('decide'), ids.of('otherWay')],
      async run(who, dice) {
        const order = await someOrder(app, orders, dice, [S.refunding])
        const refund = order && await waiting(order)
        if (!order || !refund) return undefined
        const answer = await who.post(`${item}/${order.id}/refund/${refund.id}/approve`)
        if (answer.status === 200 && refund.asked_by === who.staffId) throw new Error('somebody let their own refund through')
        return { answer, needs: [ids.of('decide'), ...(refund.parts.some(({ from, to }) => from !== to) ? [ids.of('otherWay')] : [])] }
      },
    },
    act('refuse', [ids.of('decide')], [S.refunding], async (_dice, order) => [`refund/${(await waiting(order))?.id ?? 0}/refuse`, { reason: REASON }]),
    state('cancel', ids.of('cancel'), [S.unpaid], true),
    ...(line.flow === 'audited' ? [
      state('approve', ids.of('audit'), [S.auditing], false, 4), state('reject', ids.of('audit'), [S.auditing], true, 3), state('resubmit', ids.edit, [S.rejected], false, 3),
    ] : [state('finish', ids.of('finish'), [S.paid, S.shipped], false)]),
    ...(lineShips(line) ? [act('ship', [ids.of('ship')], [S.unshipped, S.effective], async (dice) => ['ship', { company: '顺丰速运', no: `SF${100_000 + dice.below(900_000)}` }])] : []),
    {
      name: `${orders.name} remove`, rights: [ids.remove],
      async run(who, dice) {
        const order = await someOrder(app, orders, dice, [S.cancelled, S.refunded])
        return order && { answer: await who.delete(`${item}/${order.id}`), needs: [ids.remove] }
      },
    },
    {
      name: `${orders.name} restore`, rights: [ids.remove],
      async run(who, dice) {
        const order = await someOrder(app, orders, dice, [], true)
        return order && { answer: await who.post(`${item}/${order.id}/restore`), needs: [ids.remove] }
      },
    },
    {
      name: `${orders.name} bulk cancel`, rights: [ids.of('cancel')],
      async run(who, dice) {
        const order = await someOrder(app, orders, dice, [S.unpaid])
        if (!order) return undefined
        const answer = await who.post<{ job: { id: number } }>(`${list}/bulk`, { action: 'cancel', ids: [order.id], reason: REASON })
        if (answer.status === 200) await jobOver(who, answer.body.job.id)
        return { answer, needs: [ids.of('cancel')] }
      },
    },
  ]
}
