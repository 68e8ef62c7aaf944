import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { partner, school } from '../study-room/module.ts'
import { CARD_STATUS } from './card-state.ts'
import type { FoundMember, FrontDay, FrontMember } from './front-calls.ts'
import { minutesLeft, seatState } from './front-seat.ts'
import type { MapSeat } from './map-calls.ts'
import { userOrder } from './orders.ts'
import { PARTNER_ROOMS } from './ownerships.ts'
import { seat } from './seat.ts'

let app: TestApp
let clerk: Caller
const { member, room, userCard, visit } = PARTNER_ROOMS
const ids = { partners: [] as number[], schools: [] as number[], rooms: [] as number[], members: [] as number[], card: 0, seats: [] as number[] }
const DESK = [room.grant, member.grant, member.rights.id('visit'), member.rights.id('sell'), member.rights.id('refund'), userOrder.grant]

beforeAll(async () => {
  app = await openTestApp()
  clerk = await app.staff(DESK)
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(app.kernel.db, async (tx) => {
    const region = { region_code: '320508', address: '观前街 1 号', type_id: 1 }
    ids.partners = await insertMany(tx, partner, ['启航', '远航'].map((name, n) => ({ ...region, name, contact: '王启航', mobile: `1390013000${n}`, level: 4 as const, sign_at: now - 86_400, expire_at: now + 86_400 * 300, status: 1 as const })))
    ids.schools = await insertMany(tx, school, ids.partners.map((partner_id, n) => ({ ...region, name: `${n} 校`, partner_id, manager: '李校长', mobile: `1390014000${n}`, expire_at: now + 86_400 * 300, status: 1 as const })))
    ids.rooms = await insertMany(tx, room, ids.schools.map((school_id) => ({ name: '一号室', school_id, type_id: 1, status: 1 })))
    ids.members = await insertMany(tx, member, ['张三丰', '张无忌', '赵敏'].map((name, n) => ({ name, mobile: `1370013700${n}`, school_id: ids.schools[n === 2 ? 1 : 0] ?? 0, status: 1 as const })))
    ;[ids.card = 0] = await insertMany(tx, PARTNER_ROOMS.card, [{ name: '十次卡', school_id: ids.schools[0] ?? 0, kind: 2, quota: 10, valid_days: 90, price: 200_00, status: 1 }])
    ids.seats = await insertMany(tx, seat, [1, 2, 3].map((no) => ({ room_id: ids.rooms[0] ?? 0, school_id: ids.schools[0] ?? 0, area: 'A', row: 1, no, kind: 1 as const, x: no, y: 0, status: 1, label: `A区 1排${no}号` })))
  })
})
afterAll(() => app.close())

const front = (n = 0) => `${room.api.item}/${ids.rooms[n]}/front`
const [one, other] = [() => ids.members[0] ?? 0, () => ids.members[1] ?? 0]
const find = async (words: string, who = clerk) => (await who.get<{ members: FoundMember[]; exact: boolean }>(`${front()}/find?words=${encodeURIComponent(words)}`)).body
const person = async (id: number, who = clerk) => (await who.get<FrontMember>(`${front()}/members/${id}`)).body
const day = async (who = clerk) => (await who.get<FrontDay>(front())).body
const sell = (id: number, key?: string) => clerk.post<{ id: number; card_no: string }>(`${member.api.item}/${id}/card`, { card_id: ids.card, room_id: ids.rooms[0], pay_channel: 'cash', at_once: 0 }, key ? { 'idempotency-key': key } : undefined)
const sit = (id: number, card: number, at: number) => clerk.post<{ visit_id: number; undoable: boolean }>(`${member.api.item}/${id}/check_in`, { seat_id: ids.seats[at], user_card_id: card })

test('a name, the end of a number and a scanned card lead to the member, and to nobody of another school', async () => {
  const { body: card } = await sell(one())
  // Whoever works there sees names, and finds people by a part of them; a stranger by the whole.
  const own = await app.staff(DESK, { scopes: { school: [ids.schools[0] ?? 0] } })
  expect((await find('张三', own)).members).toMatchObject([{ id: one(), name: '张三丰', mobile: '137****7000' }])
  expect((await find('张三丰')).members).toMatchObject([{ id: one(), name: '张*丰' }])
  expect((await find('13700137001')).members.map(({ id }) => id)).toEqual([other()])
  expect(await find(card.card_no)).toMatchObject({ exact: true, members: [{ id: one(), card_no: card.card_no }] })
  expect(await find(`https://ka.example/c/${card.card_no.toLowerCase()}`)).toMatchObject({ exact: true, members: [{ id: one() }] })
  expect((await find('赵敏')).members).toEqual([])
  expectRefusal(await clerk.get(`${front()}/members/${ids.members[2]}`), 404)
})

test('two counters give one seat once, and the second is told so', async () => {
  const cards = [(await person(one())).cards[0]?.id ?? 0, (await sell(other())).body.id]
  const answers = await Promise.all([sit(one(), cards[0] ?? 0, 0), sit(other(), cards[1] ?? 0, 0)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ detail: '「A区 1排1号」已有人在座，请换一个座位' })
  const seated = await app.db.query<{ visit_id: number }>(sql`select visit_id from seated where room_id = ${ids.rooms[0]}`)
  expect(seated).toHaveLength(1)
  expectSuccess(await clerk.post(`${visit.api.item}/${seated[0]?.visit_id}/check_out`, {}))
})

test('a check-in is taken back as if nobody had come, within a minute and where it used nothing', async () => {
  const before = await day()
  // Its first visit activates a card: what began to run stays begun.
  const { id: fresh } = (await sell(other())).body
  const first = (await sit(other(), fresh, 1)).body
  expect(first.undoable).toBe(false)
  expectRefusal(await clerk.post(`${visit.api.item}/${first.visit_id}/undo_check_in`, {}), 400)
  expectSuccess(await clerk.post(`${visit.api.item}/${first.visit_id}/check_out`, {}))
  await app.db.query(sql`update user_card set activated_at = now() - interval '1 day' where id = ${fresh}`)
  const again = (await sit(other(), fresh, 1)).body
  expect(again.undoable).toBe(true)
  expectSuccess(await clerk.post(`${visit.api.item}/${again.visit_id}/undo_check_in`, {}))
  expect((await day()).arrivals).toBe(before.arrivals + 1)
  expect((await person(other())).visit).toBeNull()
  const late = (await sit(other(), fresh, 1)).body
  await app.db.query(sql`update visit set in_at = now() - interval '2 minutes' where id = ${late.visit_id}`)
  expectRefusal(await clerk.post(`${visit.api.item}/${late.visit_id}/undo_check_in`, {}), 400)
})

test('a card in use goes neither back nor on, and the counter says so before', async () => {
  const { visit: sitting, cards } = await person(other())
  const used = cards.find(({ id }) => id === sitting?.card_id)
  expect(used).toMatchObject({ in_use: true, status: CARD_STATUS.active })
  expectRefusal(await clerk.post(`${userCard.api.item}/${used?.id}/refund`, { amount: 1, reason: '不来了' }), 409)
  expectRefusal(await clerk.post(`${userCard.api.item}/${used?.id}/renew`, { room_id: ids.rooms[0], pay_channel: 'cash' }), 409)
  expectSuccess(await clerk.post(`${visit.api.item}/${sitting?.id}/check_out`, {}))
})

test('one key takes money once, and the day says what the lists say', async () => {
  const before = await day()
  const key = 'b7f0a3de-1111-4222-8333-444455556666'
  const answers = [await sell(one(), key), await sell(one(), key)]
  expect(answers[0]?.body.id).toBe(answers[1]?.body.id)
  const after = await day()
  expect((after.takings?.paid ?? 0) - (before.takings?.paid ?? 0)).toBe(200_00)
  const sums = (await clerk.get<{ paid: number }>(`${userOrder.api.list}/summary?room_id=${ids.rooms[0]}&paid_at_start=${after.since}`)).body
  expect(sums).toMatchObject({ paid: after.takings?.paid, refunded: after.takings?.refunded })
  const visits = (await clerk.get<{ total: number }>(`${visit.api.list}?room_id=${ids.rooms[0]}&in_at_start=${after.since}`)).body
  expect(visits.total).toBe(after.arrivals)
  expect((await clerk.get<{ items: { today_cnt: number }[] }>(`${room.api.list}?ids=${ids.rooms[0]}`)).body.items[0]?.today_cnt).toBe(after.arrivals)
})

test('who works elsewhere, or may not, finds no counter; who may not see orders sees no money', async () => {
  const elsewhere = await app.staff(DESK, { scopes: { partner: [ids.partners[1] ?? 0] } })
  for (const path of [front(), `${front()}/find?words=${encodeURIComponent('张三')}`, `${front()}/members/${one()}`]) expectRefusal(await elsewhere.get(path), 404)
  const looker = await app.staff([room.grant, member.grant, standardId(room.grant, 'edit')])
  expectRefusal(await looker.get(front()), 403)
  const poor = await app.staff(DESK.filter((id) => id !== userOrder.grant))
  expect(await day(poor)).toMatchObject({ takings: null })
  expect((await person(one(), poor)).unpaid).toBeNull()
})

test('a seat says how long somebody sits, and when their card ends', () => {
  const at = 1_000_000
  const place = (remaining: number, minutes: number): MapSeat => ({
    id: 1, area: 'A', row: 1, no: 1, kind: 1, x: 0, y: 0, status: 1, label: '', pad_sn: null,
    sitting: { visit_id: 1, member_id: 1, member_name: '', card_name: '', in_at: at - minutes * 60, card_kind: 1, remaining, expire_at: null },
  })
  expect(seatState(place(600, 100), null, at)).toEqual({ look: 'taken', note: '1:40' })
  expect(seatState(place(118, 100), null, at)).toEqual({ look: 'soon', note: '剩 18 分' })
  expect(seatState(place(88, 100), null, at)).toEqual({ look: 'late', note: '超 12分钟' })
  expect(minutesLeft(place(200, 50), [{ kind: 1, hour: 0, rate: 2 }], at)).toBe(50)
})
