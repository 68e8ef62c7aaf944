import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { openSchools, STUDENT, type Schools } from '../testing/transfer.server.ts'
import type { WaitingItem } from '../inbox/waiting.ts'
import type { Concern, Contribution } from './calls.ts'

const CONCERNS = '/daoyuan/api/end/discussion'
let app: TestApp
let admin: Caller
let schools: Schools
let screen: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  screen = app.kernel.registry.get('school_student')?.resource.grant ?? 0
})
afterAll(() => app.close())
beforeEach(async () => {
  schools = await openSchools(app)
})

let mobiles = 0
async function student(name: string): Promise<number> {
  const [row] = await app.db.query<{ id: number }>(sql`insert into school_student (name, mobile, school_id, grade, status) values (${name}, ${String(15200000000 + ++mobiles)}, ${schools.one}, 7, 1) returning id`)
  return row?.id ?? 0
}
const say = (id: number, body: Record<string, unknown>, caller = admin) => caller.post<Contribution & { detail?: string; fields?: Record<string, string> }>(`${STUDENT}/${id}/discussion`, body)
const read = async (id: number, caller = admin) => (await caller.get<{ items: Contribution[] }>(`${STUDENT}/${id}/discussion`)).body.items
const concernsOf = async (caller: Caller) => (await caller.get<{ mentions: Concern[]; follow_ups: Concern[] }>(CONCERNS)).body

test('what is said about a record is read by whoever sees it, newest first, and concerns whom it names', async () => {
  const id = await student('王一')
  const colleague = await app.staff([screen])
  expect(await say(id, { body: '  家长想换班  ', mentions: [colleague.staffId, admin.staffId] })).toMatchObject({ status: 200, body: { body: '家长想换班', mentions: [{ id: colleague.staffId }], follow_up: null } })
  await say(id, { body: '已联系' }, colleague)
  expect((await read(id, colleague)).map(({ body, staff_id }) => [body, staff_id])).toEqual([['已联系', colleague.staffId], ['家长想换班', admin.staffId]])
  const mine = await concernsOf(colleague)
  expect(mine.mentions).toMatchObject([{ record_id: id, resource: 'school_student', screen, record: expect.stringContaining('学生「王') as string, body: '家长想换班' }])
  expect((await concernsOf(admin)).mentions).toEqual([])
  // Who may not open the screen any more is not reminded of its records.
  await app.grant(colleague.staffId, [])
  expect((await concernsOf(colleague)).mentions).toEqual([])
  expect((await colleague.get(`${STUDENT}/${id}/discussion`)).status).toBe(403)
})

test('a follow-up stands until it is done, by whoever asked or was asked', async () => {
  const id = await student('王一')
  const [colleague, third] = [await app.staff([screen]), await app.staff([screen])]
  const at = Math.floor(Date.now() / 1000) + 3600
  const said = await say(id, { body: '谈续约', follow_up: { at, staff_id: colleague.staffId } })
  expect(said.body.follow_up).toMatchObject({ at, staff_id: colleague.staffId, done_at: null })
  expect((await concernsOf(colleague)).follow_ups).toMatchObject([{ id: said.body.id, record_id: id }])
  expect((await third.post(`${CONCERNS}/${said.body.id}/done`)).status).toBe(404)
  expect((await colleague.post(`${CONCERNS}/${said.body.id}/done`)).status).toBe(200)
  expect((await concernsOf(colleague)).follow_ups).toEqual([])
  expect((await admin.post(`${CONCERNS}/${said.body.id}/done`, { done: false })).status).toBe(200)
  expect((await concernsOf(colleague)).follow_ups).toHaveLength(1)
})

test('nobody is pointed to a record that they may not see, and nothing is said of a record out of sight', async () => {
  const id = await student('王一')
  const [blind, far] = [await app.staff([]), await app.staff([screen], { scopes: { school: [schools.other] } })]
  for (const one of [blind, far]) {
    expect(await say(id, { body: '看一下', mentions: [one.staffId] })).toMatchObject({ status: 400, body: { fields: { mentions: expect.stringMatching(/看不到这条学生，请选择其他人$/) as string } } })
    expect((await say(id, { body: '看一下', follow_up: { at: 2_000_000_000, staff_id: one.staffId } })).status).toBe(400)
  }
  expect((await far.get(`${STUDENT}/${id}/discussion`)).status).toBe(404)
  expect((await say(id, { body: '我看看' }, far)).status).toBe(404)
  expect(await read(id)).toEqual([])
  const people = (await admin.get<{ items: { id: number }[] }>(`${STUDENT}/${id}/discussion/people`)).body.items.map((one) => one.id)
  expect(people).not.toContain(blind.staffId)
  expect(people).not.toContain(far.staffId)
})

test('an empty or an endless contribution is refused in words', async () => {
  const id = await student('王一')
  expect(await say(id, { body: '   ' })).toMatchObject({ status: 400, body: { fields: { body: '请填写讨论内容' } } })
  expect(await say(id, { body: '长'.repeat(1001) })).toMatchObject({ status: 400, body: { fields: { body: '讨论内容最多 1000 个字' } } })
})

test('a mention waits until the person has said something about the record, a follow-up until it is done', async () => {
  const id = await student('王一')
  const colleague = await app.staff([screen])
  const now = Math.floor(Date.now() / 1000)
  await say(id, { body: '看一下', mentions: [colleague.staffId] })
  const late = await say(id, { body: '谈续约', follow_up: { at: now - 60, staff_id: colleague.staffId } })
  const waiting = async () => (await colleague.get<{ items: WaitingItem[] }>('/daoyuan/api/end/waiting')).body.items
  expect((await waiting()).map(({ kind, title, record, due }) => [kind, title, record, due])).toEqual([['follow_up', '谈续约', id, now - 60], ['mention', '看一下', id, null]])
  const { body } = await colleague.get<{ waiting: { name: string; count: number; late: number }[] }>('/daoyuan/api/end/dashboard')
  expect(body.waiting.map(({ name, count, late: over }) => [name, count, over])).toEqual([['follow_up', 1, 1], ['mention', 1, 0]])
  await say(id, { body: '看过了' }, colleague)
  const [left] = await waiting()
  expect(left).toMatchObject({ kind: 'follow_up', done: `${CONCERNS}/${late.body.id}/done` })
  expect((await colleague.post(left?.done ?? '', { done: true })).status).toBe(200)
  expect(await waiting()).toEqual([])
})
