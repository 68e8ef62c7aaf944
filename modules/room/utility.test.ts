import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { selfSchool } from '../study-room/module.ts'
import { selfRoom } from './room.ts'
import { roomUtility } from './utility.ts'

let app: TestApp
let rooms: number[]
let schools: number[]
beforeAll(async () => {
  app = await openTestApp()
  await seedTransaction(app.kernel.db, async (tx) => {
    schools = await insertMany(tx, selfSchool, ['一校', '二校'].map((name) => ({ name, type_id: 1, region_code: '320508', address: '观前街', manager: '李', mobile: '13900150000', status: 1 as const })))
    rooms = await insertMany(tx, selfRoom, schools.map((school_id) => ({ name: '一号室', school_id, type_id: 1, status: 1 })))
  })
})
afterAll(() => app.close())

test('a reading belongs to the school of its room, and only those of that school see it', async () => {
  const desk = await app.staff(app.servedGrants)
  const reading = { room_id: rooms[0], kind: 1, read_at: 1_790_784_000, reading: 4711.5, used: 320.25, amount: 272_21 }
  const made = await desk.post<WireRow>(roomUtility.api.item, reading)
  expectSuccess(made)
  expect(made.body).toMatchObject({ school_id: schools[0], used: 320.25 })
  const other = await app.staff(app.servedGrants, { scopes: { school: [schools[1] ?? 0] } })
  expect((await other.get(roomUtility.api.list)).body).toMatchObject({ total: 0 })
  expectRefusal(await other.get(`${roomUtility.api.item}/${made.body.id}`), 404)
  expectRefusal(await other.post(roomUtility.api.item, { ...reading, kind: 2 }), [400, 403])
})
