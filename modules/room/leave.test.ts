import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { startOfDay } from '../../core/field/time.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { selfSchool } from '../study-room/module.ts'
import { LEAVE_STATUS } from './leave.ts'
import type { SeatMap } from './map-calls.ts'
import { OWN_ROOMS } from './ownerships.ts'

const DAY = 86_400
const today = startOfDay(Math.floor(Date.now() / 1000))
const { leave, member } = OWN_ROOMS

let app: TestApp
let desk: Caller
const place = { school: 0, room: 0, member: 0, card: 0 }
beforeAll(async () => {
  app = await openTestApp()
  desk = await app.staff(app.servedGrants)
  await seedTransaction(app.kernel.db, async (tx) => {
    ;[place.school = 0] = await insertMany(tx, selfSchool, [{ name: '自营一校', type_id: 1, region_code: '320508', address: '观前街', manager: '李', mobile: '13900150000', status: 1 as const }])
    ;[place.room = 0] = await insertMany(tx, OWN_ROOMS.room, [{ name: '一号室', school_id: place.school, type_id: 1, status: 1 }])
    ;[place.member = 0] = await insertMany(tx, member, ['张三'].map((name, n) => ({ name, mobile: `1370013700${n}`, school_id: place.school, status: 1 })))
    ;[place.card = 0] = await insertMany(tx, OWN_ROOMS.card, [{ name: '月卡', school_id: place.school, kind: 5, quota: 0, valid_days: 30, price: 300_00, status: 1 }])
  })
})
afterAll(() => app.close())

const ask = (from: number, until: number) => desk.post<WireRow>(leave.api.item, { member_id: place.member, from_at: today + from * DAY, until_at: today + until * DAY, reason: '学校期末考试' })
const memberNow = async () => (await desk.get<WireRow>(`${member.api.item}/${place.member}`)).body

test('a leave is not endless and ends when it begins at the earliest', async () => {
  expectSuccess(await ask(10, 12))
  expectFieldRefusal(await ask(20, 19), 400, 'until_at')
  expectFieldRefusal(await ask(20, 90), 400, 'until_at')
  expectSuccess(await ask(13, 13))
})

test('who is away is shown as away, and who comes is back', async () => {
  const { body: written } = await ask(0, 3)
  expect(await memberNow()).toMatchObject({ leave_until: today + 3 * DAY })
  const map = await desk.put<SeatMap>(`${OWN_ROOMS.room.api.item}/${place.room}/seat_map`, { rev: 1, seats: [{ area: 'A', row: 1, no: 1, kind: 1, x: 0, y: 0, status: 1 }] })
  const card = await desk.post<WireRow>(`${member.api.item}/${place.member}/card`, { card_id: place.card, room_id: place.room, pay_channel: 'cash' })
  expectSuccess(card)
  expectSuccess(await desk.post(`${member.api.item}/${place.member}/check_in`, { seat_id: map.body.seats[0]?.id, user_card_id: card.body.id }))
  expect(await memberNow()).toMatchObject({ leave_until: null })
  expect((await desk.get<WireRow>(`${leave.api.item}/${written.id}`)).body['status']).toBe(LEAVE_STATUS.back)
  expectRefusal(await desk.put(`${leave.api.item}/${written.id}`, { until_at: today + 9 * DAY }), 400)
})
