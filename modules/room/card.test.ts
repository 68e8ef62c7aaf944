import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { openSamples, type Samples } from '../../core/testing/sample.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { CARD_KIND } from './card-kind.ts'
import { CARD_STATUS } from './card-state.ts'
import type { SeatMap } from './map-calls.ts'
import { userOrder } from './orders.ts'
import { PARTNER_ROOMS } from './ownerships.ts'

const { room, card, member, userCard, visit } = PARTNER_ROOMS
const plain = (resource: unknown) => resource as Resource

let app: TestApp
let samples: Samples
let admin: Caller
let schoolId: number
let roomId: number
let seats: number[]
beforeAll(async () => {
  app = await openTestApp()
  samples = await openSamples(app)
  admin = await app.login()
  const made = await samples.create(plain(room), { price_rules: [{ kind: 1, hour: 1000, day: 5000, rate: 1 }], status: 1 })
  roomId = made.id
  schoolId = Number(made['school_id'])
  const answer = await admin.put<SeatMap>(`${room.api.item}/${roomId}/seat_map`, { rev: made.rev, seats: Array.from({ length: 7 }, (_unused, x) => ({ area: 'A', row: 1, no: x + 1, kind: 1, x, y: 0, status: 1 })) })
  expect(answer.status).toBe(200)
  seats = answer.body.seats.map((seat) => seat.id)
})
afterAll(() => app.close())

const newMember = async () => (await samples.create(plain(member), { school_id: schoolId })).id
const newCard = async (given: Record<string, unknown>) => (await samples.create(plain(card), { school_id: schoolId, room_ids: [], seat_kinds: [], status: 1, stock: null, freeze_times: 2, freeze_days: 10, transferable: 1, valid_days: 30, price: 10_000, ...given })).id
const openCard = async (memberId: number, cardId: number, at_once = 1) => {
  const answer = await admin.post<WireRow>(`${member.api.item}/${memberId}/card`, { card_id: cardId, room_id: roomId, pay_channel: 'cash', at_once })
  expectSuccess(answer)
  return answer.body
}
const cardOf = async (id: number) => (await admin.get<WireRow>(`${userCard.api.item}/${id}`)).body
const act = (id: number, action: string, body: Record<string, unknown> = {}) => admin.post<WireRow>(`${userCard.api.item}/${id}/${action}`, body)

/** What must hold of all cards, whatever happened to them. */
async function expectBooksInOrder(): Promise<void> {
  const wrong = await app.db.query(sql`select u.id from user_card u where u.remaining < 0
    or u.remaining <> (select coalesce(sum(l.delta), 0) from card_log l where l.user_card_id = u.id)
    or u.paid - u.refunded <> (select coalesce(sum(l.paid), 0) from card_log l where l.user_card_id = u.id)
    or (u.expire_at is not null and extract(epoch from u.expire_at + interval '1 second' - date_trunc('day', u.activated_at at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai') / 86400
      <> (select coalesce(sum(l.days), 0) from card_log l where l.user_card_id = u.id))`)
  expect(wrong).toEqual([])
  // Every fen of a card is an order's, and the room's books and its orders say the same.
  const [books] = await app.db.query(sql`select
      (select coalesce(sum(paid - refunded), 0)::float8 from user_card) - (select coalesce(sum(paid - refunded), 0)::float8 from orders where line = 'member') as cards,
      (select coalesce(sum(amount), 0)::float8 from ledger where account_kind = 'room') - (select coalesce(sum(paid - refunded), 0)::float8 from orders where line = 'member') as room,
      (select count(*)::int from orders where refunded > paid) as over`)
  expect(books).toEqual({ cards: 0, room: 0, over: 0 })
  const sitting = await app.db.query(sql`select v.id from visit v full join seated n on n.visit_id = v.id where (v.out_at is null) <> (n.visit_id is not null)`)
  expect(sitting).toEqual([])
}

test('a room says who came today and what members paid for each square metre in thirty days', async () => {
  await app.db.query(sql`update study_room set area_m2 = 50 where id = ${roomId}`)
  const roomNow = async () => (await admin.get<WireRow>(`${room.api.item}/${roomId}`)).body
  const paid = async () => (await app.db.query<{ sum: number }>(sql`select coalesce(sum(amount), 0)::float8 as sum from ledger where account_kind = 'room' and account_id = ${roomId}`))[0]?.sum ?? 0
  const before = await roomNow()
  const memberId = await newMember()
  const held = await openCard(memberId, await newCard({ kind: CARD_KIND.visits, quota: 5 }))
  const came = await admin.post<{ visit_id: number }>(`${member.api.item}/${memberId}/check_in`, { seat_id: seats[5], user_card_id: held.id })
  expectSuccess(came)
  const after = await roomNow()
  expect(after).toMatchObject({ today_cnt: Number(before['today_cnt']) + 1, present_cnt: Number(before['present_cnt']) + 1, revenue_m2: Math.round((await paid()) / 50) })
  await app.db.query(sql`update visit set in_at = in_at - interval '2 days' where member_id = ${memberId}`)
  expect(await roomNow()).toMatchObject({ today_cnt: before['today_cnt'] })
  expectSuccess(await admin.post(`${visit.api.item}/${came.body.visit_id}/check_out`))
})

test('a visit takes minutes from the card, and never more than it holds', async () => {
  const memberId = await newMember()
  const held = await openCard(memberId, await newCard({ kind: CARD_KIND.minutes, quota: 30 }))
  const came = await admin.post<{ visit_id: number }>(`${member.api.item}/${memberId}/check_in`, { seat_id: seats[0], user_card_id: held.id })
  expectSuccess(came)
  expectRefusal(await act(held.id, 'freeze', { days: 1, reason: '集训' }), 409)
  expectRefusal(await admin.post(`${member.api.item}/${memberId}/check_in`, { seat_id: seats[1], user_card_id: held.id }), 409)
  await app.db.query(sql`update visit set in_at = in_at - interval '50 minutes' where id = ${came.body.visit_id}`)
  const left = await admin.post<{ minutes: number; used: number; short: number }>(`${visit.api.item}/${came.body.visit_id}/check_out`)
  expectSuccess(left)
  expect(left.body).toMatchObject({ used: 30, short: left.body.minutes - 30 })
  expect(await cardOf(held.id)).toMatchObject({ remaining: 0, status: CARD_STATUS.used_up })
  expectRefusal(await admin.post(`${member.api.item}/${memberId}/check_in`, { seat_id: seats[0], user_card_id: held.id }), 409)
  await expectBooksInOrder()
})

test('of fifty people who take one seat at once, one gets it', async () => {
  const cardId = await newCard({ kind: CARD_KIND.month, quota: 0 })
  const people = []
  for (let i = 0; i < 50; i++) {
    const memberId = await newMember()
    people.push({ memberId, held: await openCard(memberId, cardId) })
  }
  const answers = await Promise.all(people.map(({ memberId, held }) => admin.post(`${member.api.item}/${memberId}/check_in`, { seat_id: seats[5], user_card_id: held.id })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
  expect(await app.db.query(sql`select 1 from visit where seat_id = ${seats[5]} and out_at is null`)).toHaveLength(1)
  await expectBooksInOrder()
})

test('a frozen card cannot be used, moves its end, and gives back days that were not needed', async () => {
  const memberId = await newMember()
  const held = await openCard(memberId, await newCard({ kind: CARD_KIND.month, quota: 0 }))
  expectSuccess(await act(held.id, 'freeze', { days: 6, reason: '外出集训' }))
  expect(Number((await cardOf(held.id))['expire_at']) - Number(held['expire_at'])).toBe(6 * 86_400)
  expectRefusal(await admin.post(`${member.api.item}/${memberId}/check_in`, { seat_id: seats[0], user_card_id: held.id }), 409)
  await app.db.query(sql`update user_card set frozen_at = frozen_at - interval '36 hours', frozen_until = frozen_until - interval '36 hours' where id = ${held.id}`)
  expectSuccess(await act(held.id, 'unfreeze'))
  expect(await cardOf(held.id)).toMatchObject({ status: CARD_STATUS.active, frozen_days: 2 })
  expectRefusal(await act(held.id, 'freeze', { days: 9, reason: '再次集训' }), 400)
  await expectBooksInOrder()
})

test('only what may be transferred goes to another member, and only stock is sold', async () => {
  const [from, to] = [await newMember(), await newMember()]
  const fixed = await openCard(from, await newCard({ kind: CARD_KIND.year, quota: 0, transferable: 0 }))
  expectRefusal(await act(fixed.id, 'transfer', { member_id: to, reason: '转给弟弟' }), 400)
  const last = await newCard({ kind: CARD_KIND.visits, quota: 5, stock: 1 })
  const held = await openCard(from, last)
  expectSuccess(await act(held.id, 'transfer', { member_id: to, reason: '转给弟弟' }))
  expect((await cardOf(held.id))['member_id']).toBe(to)
  expectRefusal(await admin.post(`${member.api.item}/${to}/card`, { card_id: last, room_id: roomId, pay_channel: 'cash' }), 409)
  await expectBooksInOrder()
})

test('whatever happens to cards, in whatever order, the books are in order', async () => {
  const cards = [await newCard({ kind: CARD_KIND.minutes, quota: 120 }), await newCard({ kind: CARD_KIND.visits, quota: 3 }), await newCard({ kind: CARD_KIND.value, quota: 5000 }), await newCard({ kind: CARD_KIND.week, quota: 0 })]
  const step = fc.tuple(fc.constantFrom('in', 'out', 'freeze', 'unfreeze', 'renew', 'adjust', 'refund', 'transfer'), fc.integer({ min: -300, max: 300 }), fc.integer({ min: 0, max: 4 }))
  await fc.assert(fc.asyncProperty(fc.constantFrom(...cards), fc.boolean(), fc.array(step, { minLength: 3, maxLength: 14 }), async (cardId, at_once, steps) => {
    const [memberId, other] = [await newMember(), await newMember()]
    const { id } = await openCard(memberId, cardId, at_once ? 1 : 0)
    for (const [action, amount, seat] of steps) {
      const now = await cardOf(id)
      const holder = Number(now['member_id'])
      const [open] = await app.db.query<{ id: number }>(sql`select id from visit where user_card_id = ${id} and out_at is null`)
      const calls: Record<string, () => Promise<{ status: number; body: Record<string, unknown> }>> = {
        in: () => admin.post(`${member.api.item}/${holder}/check_in`, { seat_id: seats[seat], user_card_id: id }),
        out: async () => {
          if (open) await app.db.query(sql`update visit set in_at = in_at - make_interval(mins => ${Math.abs(amount)}) where id = ${open.id}`)
          return admin.post(`${visit.api.item}/${open?.id ?? 1}/check_out`)
        },
        freeze: () => act(id, 'freeze', { days: 1 + (Math.abs(amount) % 8), reason: '临时有事' }),
        unfreeze: () => act(id, 'unfreeze'),
        renew: () => act(id, 'renew', { room_id: roomId, pay_channel: 'wechat' }),
        adjust: () => act(id, 'adjust', { ...(amount !== 0 && { delta: amount }), reason: '系统对账' }),
        refund: () => act(id, 'refund', { amount: Math.abs(amount), reason: '不再来店' }),
        transfer: () => act(id, 'transfer', { member_id: holder === memberId ? other : memberId, reason: '转给同学' }),
      }
      const answer = await calls[action]?.()
      expect(answer?.status, `${action} ${JSON.stringify(answer?.body)}`).toBeLessThan(500)
    }
    const [open] = await app.db.query<{ id: number }>(sql`select id from visit where user_card_id = ${id} and out_at is null`)
    if (open) expectSuccess(await admin.post(`${visit.api.item}/${open.id}/check_out`))
    await expectBooksInOrder()
  }), { numRuns: 15 })
})

test('what the desk took and gave back is in the orders and the books of the room, and goes back once', async () => {
  const memberId = await newMember()
  const held = await openCard(memberId, await newCard({ kind: CARD_KIND.visits, quota: 5 }))
  const orderNo = String(held['order_no'])
  expectSuccess(await act(held.id, 'renew', { room_id: roomId, pay_channel: 'wechat', paid: 8_000 }))
  expect(await cardOf(held.id)).toMatchObject({ paid: 18_000, remaining: 10 })
  const [opening] = await app.db.query<{ id: number }>(sql`select id from orders where order_no = ${orderNo}`)
  const [renewal] = await app.db.query<{ id: number }>(sql`select max(id) as id from orders where buyer_kind = 'member' and buyer_ref_id = ${memberId}`)
  const back = (id: number | undefined, amount: number) => admin.post(`${userOrder.api.item}/${id}/refund`, { amount, way: 'original', reason: '不再续' })
  expectSuccess(await back(renewal?.id, 8_000))
  expect(await cardOf(held.id)).toMatchObject({ refunded: 8_000, remaining: 5, status: CARD_STATUS.active })
  expectFieldRefusal(await act(held.id, 'refund', { amount: 10_001, reason: '不再来店' }), 400, 'amount')
  expectSuccess(await act(held.id, 'refund', { amount: 9_000, reason: '不再来店' }))
  expect(await cardOf(held.id)).toMatchObject({ refunded: 17_000, remaining: 0, status: CARD_STATUS.refunded })
  expectRefusal(await back(opening?.id, 9_000), 400)
  await expectBooksInOrder()
})

test('what was used of a renewal cannot be paid back, and more than the desk may give back waits for a second person', async () => {
  const memberId = await newMember()
  const held = await openCard(memberId, await newCard({ kind: CARD_KIND.visits, quota: 5, price: 600_000 }))
  expectSuccess(await act(held.id, 'renew', { room_id: roomId, pay_channel: 'cash', paid: 100 }))
  expectSuccess(await act(held.id, 'adjust', { delta: -7, reason: '补扣漏签' }))
  const [renewal] = await app.db.query<{ id: number }>(sql`select max(id) as id from orders where buyer_kind = 'member' and buyer_ref_id = ${memberId}`)
  expectRefusal(await admin.post(`${userOrder.api.item}/${renewal?.id}/refund`, { amount: 100, way: 'original', reason: '不再续' }), 400)
  expectRefusal(await act(held.id, 'refund', { amount: 600_000, reason: '不再来店' }), 400)
  expect(await cardOf(held.id)).toMatchObject({ status: CARD_STATUS.active, remaining: 3, refunded: 0 })
  await expectBooksInOrder()
})

test('a partner\'s manager sees the rooms and members of that partner only', async () => {
  const [{ partner_id: partnerId } = { partner_id: 0 }] = await app.db.query<{ partner_id: number }>(sql`select partner_id from app_school where id = ${schoolId}`)
  const mine = await app.staff(app.servedGrants, { scopes: { partner: [partnerId] } })
  const theirs = await app.staff(app.servedGrants, { scopes: { partner: [partnerId + 100_000] } })
  const path = `${room.api.item}/${roomId}/seat_map`
  expectSuccess(await mine.get(path))
  expectRefusal(await theirs.get(path), 404)
  expect((await theirs.get<{ items: unknown[] }>(member.api.list)).body.items).toEqual([])
  expectRefusal(await theirs.post(`${room.api.item}/${roomId}/check_out_all`), 404)
})

test('before a card is sold the desk knows what it costs, where the member was last, and which visit goes on', async () => {
  const id = await newMember()
  const cardId = await newCard({ kind: CARD_KIND.month, price: 68_000, name: '月卡' })
  const read = (caller = admin) => caller.get<{ cards: { id: number; price: number }[]; room_id: number | null; visit_id: number | null }>(`${member.api.item}/${id}/counter`)
  const before = (await read()).body
  expect(before).toMatchObject({ room_id: null, visit_id: null })
  expect(before.cards.find((one) => one.id === cardId)).toMatchObject({ price: 68_000, name: '月卡' })
  const opened = await openCard(id, cardId)
  const came = await admin.post<{ visit_id: number }>(`${member.api.item}/${id}/check_in`, { seat_id: seats[6], user_card_id: opened.id })
  expectSuccess(came)
  expect((await read()).body).toMatchObject({ room_id: roomId, visit_id: came.body.visit_id })
  expectSuccess(await admin.post(`${visit.api.item}/${came.body.visit_id}/check_out`, {}))
  expect((await read()).body).toMatchObject({ room_id: roomId, visit_id: null })
  expectRefusal(await read(await app.staff([member.grant])), 403)
  expectRefusal(await read(await app.staff([member.grant, member.rights.id('sell')], { scopes: { school: [schoolId + 100_000] } })), 404)
})
