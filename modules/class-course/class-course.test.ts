import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOfDay } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { makeAppKey, openTestApp, type Answer, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { openSamples } from '../../core/testing/sample.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { anyRoom } from '../room/module.ts'
import { LESSONS } from '../paper/module.ts'
import { classCourse, seniorCourse } from './course.ts'
import { anyGrant, classAccount, GRANT_RIGHTS, roomCourse, roomPlan } from './grant.ts'
import type { Granted, Grid, Opened, Run } from './grant-calls.ts'
import { trainingPlan } from './plan.ts'
import type { PublishPreview } from './plan-calls.ts'
import type { PlanTask } from './tasks.ts'

const DAY = 86_400
const SPEC = '/micro_material/api/end'
const today = startOfDay(Math.floor(Date.now() / 1000))
let app: TestApp
let admin: Caller
let rooms: number[]
let lessons: number[]
let made = 0
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.staff(app.servedGrants)
  const samples = await openSamples(app)
  rooms = (await samples.insert(anyRoom, 3, { status: 1 })).map(({ id }) => id)
  lessons = (await samples.insert(LESSONS[0], 3, { subject_id: 1, state: 2 })).map(({ id }) => id)
})
afterAll(() => app.close())

type Row = WireRow & { detail: string; undo?: number }
async function newCourse(more: Record<string, unknown> = {}): Promise<Row> {
  const answer = await admin.post<Row>(seniorCourse.api.item, { name: `数学培优 ${++made}`, subject_id: 1, ...more })
  expectSuccess(answer)
  return answer.body
}
const give = (course_id: number, refs: readonly (number | undefined)[], more: Record<string, unknown> = {}, caller = admin) =>
  caller.put<Record<string, number> & { detail: string }>(`${SPEC}/lesson_class_v2/content/course`, { course_id, contents: refs.map((ref_id) => ({ kind: 'micro', ref_id })), ...more })
const shelve = (id: number) => admin.post<Row>(`${seniorCourse.api.item}/${id}/shelve`, {})
async function shelved(more: Record<string, unknown> = {}): Promise<Row> {
  const course = await newCourse(more)
  expectSuccess(await give(course.id, [lessons[0]]))
  expectSuccess(await shelve(course.id))
  return course
}
const grant = (course_ids: readonly number[], more: Record<string, unknown> = {}, caller = admin) => caller.post<Granted & Record<string, unknown>>(`${roomCourse.api.list}/grant`, { room_ids: rooms, course_ids, quota: 5, valid_until: today + 30 * DAY, ...more })
const grantsOf = async (filter: Record<string, unknown>, resource: { api: { list: string } } = roomCourse) => (await admin.get<{ items: Row[] }>(resource.api.list, filter)).body.items.toSorted((a, b) => a.id - b.id)
const people = (...numbers: readonly number[]) => numbers.map((n) => ({ mobile: `139${String(n).padStart(8, '0')}`, name: `学员${n}` }))
const open = (id: number, list: readonly { mobile: string; name: string }[], caller = admin) => caller.post<Opened & { detail: string } & Record<string, unknown>>(`${anyGrant.api.item}/${id}/accounts`, { people: [...list] })
const ends = async (id: number) => (await app.db.query<{ status: number; expire_at: number }>(sql`select e.status, extract(epoch from e.expire_at)::int as expire_at from entitlement e join class_account a on e.ref = 'class_account ' || a.id where a.grant_id = ${id} order by a.id`))

test('what a course is given replaces what it taught, is counted and seen at once; a client of the specification lists it', async () => {
  const { id } = await newCourse()
  expect((await shelve(id)).body.detail).toBe('还不能上架：目录还没有发布；目录里还没有课时'.split('；')[0])
  const first = await give(id, [lessons[0], lessons[1]])
  expectSuccess(first)
  expect(first.body).toMatchObject({ added: 2, moved: 0, removed: 0, version_no: 1 })
  expect((await give(id, [lessons[2], lessons[1], lessons[0]])).body).toMatchObject({ added: 1, moved: 1, removed: 0, version_no: 2, node_id: first.body['node_id'] })
  const videos = await admin.get<{ items: { id: number; node_name: string }[]; total: number }>(`${SPEC}/senior_high/course/video`, { course_id: id })
  expect([videos.body.items.map((one) => one.id), videos.body.total]).toEqual([[lessons[2], lessons[1], lessons[0]], 3])
  const list = await admin.get<{ items: Record<string, unknown>[]; total: number }>(`${SPEC}/senior_high/course/list`, { cat_id: 1 })
  expect(list.body.items.find((one) => one['id'] === id)).toMatchObject({ cat_id: 1, status: 0, video_count: 3, version_no: 2 })
  expectRefusal(await give(id, [999_999_999]), 400)
  expectRefusal(await give(id, [], { node_id: 999_999_999 }), 404)
  expectRefusal(await give(id, [], {}, await app.staff([classCourse.grant])), 403)
  expectSuccess(await shelve(id))
})

test('rooms are given what they may have; the rest is named, and nothing is given twice', async () => {
  const [free, limited] = [await shelved(), await shelved({ room_ids: [rooms[0]] })]
  const { body } = await grant([free.id, limited.id])
  expect(body.made).toBe(4)
  expect(body.left_out.map(({ why }) => why)).toEqual([expect.stringContaining('不开放给'), expect.stringContaining('不开放给')])
  expect((await grant([free.id])).body).toMatchObject({ made: 0, left_out: [{ why: expect.stringContaining('已经授权') }, {}, {}] })
  const { body: grid } = await admin.get<Grid>(`${roomCourse.api.list}/grid`, { cat_id: 1 })
  expect(grid.cells.filter(({ course_id }) => course_id === free.id)).toHaveLength(3)
  const draft = await newCourse()
  expect((await grant([draft.id])).body).toMatchObject({ made: 0 })
  expectRefusal(await grant([free.id], { valid_until: today - DAY }), 400)
  expectRefusal(await grant([free.id], {}, await app.staff([GRANT_RIGHTS.screen])), 403)
  const [, , third] = await Promise.all(Array.from({ length: 3 }, async () => grant([(await shelved()).id])))
  expect(third?.body.made).toBe(3)
})

test('places: twenty at once take as many as there are; what somebody may use ends, pauses and returns with the grant', async () => {
  const course = await shelved()
  await grant([course.id])
  const [one] = await grantsOf({ course_id: course.id })
  const id = one?.id ?? 0
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => open(id, people(100 + n))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.find(({ status }) => status === 409)?.body.detail).toContain('名额不足：共 5 个')
  expect((await ends(id)).map(({ status, expire_at }) => [status, expire_at])).toEqual(Array.from({ length: 5 }, () => [1, today + 31 * DAY]))
  expect((await admin.put<Row>(`${roomCourse.api.item}/${id}`, { quota: 4 })).body.detail).toContain('不能小于 5')
  const { body: longer } = await admin.post<{ extended: number; undo: number }>(`${roomCourse.api.list}/extend`, { ids: [id], days: 10 })
  expect([longer.extended, typeof longer.undo, (await ends(id))[0]?.expire_at]).toEqual([1, 'number', today + 41 * DAY])
  const act = (name: string, reason = '欠费') => admin.post<Row>(`${roomCourse.api.item}/${id}/${name}`, { reason })
  const statuses = async () => [...new Set((await ends(id)).map(({ status }) => status))]
  expectSuccess(await act('pause'))
  expect(await statuses()).toEqual([2])
  expectRefusal(await open(id, people(200)), 400)
  expectSuccess(await act('resume'))
  expectSuccess(await act('recall'))
  expect([await statuses(), (await admin.get<Row>(`${roomCourse.api.item}/${id}`)).body['used']]).toEqual([[2], 0])
  expectRefusal(await admin.post(`${roomCourse.api.list}/extend`, { ids: [id], days: 10 }), 409)
  expectSuccess(await act('regrant'))
  expect([await statuses(), (await admin.get<Row>(`${roomCourse.api.item}/${id}`)).body['used']]).toEqual([[1], 5])
  const [account] = await grantsOf({ grant_id: id }, classAccount)
  expectSuccess(await admin.post(`${classAccount.api.item}/${account?.id}/release`, {}))
  const shown = await open(id, [...people(300), { mobile: '13900000100', name: '学员' }].slice(0, 1))
  expect(shown.body).toMatchObject({ opened: 1, used: 5, quota: 5 })
})

test('whatever is opened, released and set: a quota is never below what is used', async () => {
  const course = await shelved()
  await grant([course.id], { quota: 3 })
  const [one] = await grantsOf({ course_id: course.id })
  const id = one?.id ?? 0
  const step = fc.oneof(
    fc.record({ do: fc.constant('open' as const), from: fc.integer({ min: 0, max: 8 }), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ do: fc.constant('release' as const), nth: fc.nat(5) }), fc.record({ do: fc.constant('quota' as const), quota: fc.integer({ min: 1, max: 6 }) }), fc.record({ do: fc.constantFrom('recall' as const, 'regrant' as const) }),
  )
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
    for (const what of steps) {
      const used = await grantsOf({ grant_id: id, state: 1 }, classAccount)
      let answer: Answer<Record<string, unknown>> | undefined
      if (what.do === 'open') answer = await open(id, people(...Array.from({ length: what.count }, (_, n) => 500 + what.from + n))) as never
      else if (what.do === 'quota') answer = await admin.put(`${roomCourse.api.item}/${id}`, { quota: what.quota })
      else if (what.do === 'release') {
        const account = used[what.nth % Math.max(1, used.length)]
        if (account) answer = await admin.post(`${classAccount.api.item}/${account.id}/release`, {})
      } else answer = await admin.post(`${roomCourse.api.item}/${id}/${what.do}`, { reason: '试一试' })
      expect(answer === undefined || [200, 400, 409].includes(answer.status), JSON.stringify(answer?.body)).toBe(true)
      const [row] = await app.db.query<{ quota: number; live: number; held: number }>(sql`select g.quota::int as quota, (select count(*)::int from class_account a where a.grant_id = g.id and a.state in (1, 3)) as held,
        (select count(*)::int from entitlement e join class_account a on e.ref = 'class_account ' || a.id where a.grant_id = g.id and e.status = 1) as live from room_course g where g.id = ${id}`)
      expect(row?.held).toBeLessThanOrEqual(row?.quota ?? 0)
      expect(row?.live).toBe((await grantsOf({ grant_id: id, state: 1 }, classAccount)).length)
    }
  }), { numRuns: 8 })
}, 120_000)

const task = (key: string, day: number, more: Partial<PlanTask> = {}): PlanTask => ({ key, day, kind: 'check', show: null, title: `任务 ${key}`, minutes: 10, required: true, unlock: 0, ...more })
const publish = (id: number) => admin.post<Row>(`${trainingPlan.api.item}/${id}/publish`, {})

test('a plan is published in versions; rooms get a new one from tomorrow on, and it is seen who is behind', async () => {
  const { body: plan } = await admin.post<Row>(trainingPlan.api.item, { name: `函数四周计划 ${++made}`, subject_id: 1, weeks: 1, day_minutes: 60 })
  const save = async (tasks: readonly PlanTask[]) => admin.put<Row>(`${trainingPlan.api.item}/${plan.id}`, { tasks: [...tasks] })
  expect((await publish(plan.id)).body.detail).toBe('还没有任务，不能发布')
  expectRefusal(await save([task('a', 1, { show: { kind: 'micro', ref_id: 999_999_999 } })]), 400)
  expectSuccess(await save([task('a', 1, { show: { kind: 'micro', ref_id: lessons[0] ?? 0 } }), task('b', 2), task('c', 3), task('d', 4)]))
  expectRefusal(await admin.delete(`${LESSONS[0].api.item}/${lessons[0]}`), 409)
  expectSuccess(await publish(plan.id))
  const grantPlan = await admin.post<Granted & Record<string, unknown>>(`${roomPlan.api.list}/grant`, { room_ids: rooms.slice(0, 1), plan_id: plan.id, quota: 2, valid_until: today + 60 * DAY, start_on: today - 2 * DAY, rest_days: [] })
  expectSuccess(grantPlan)
  const [going] = await grantsOf({ plan_id: plan.id }, roomPlan)
  const id = going?.id ?? 0
  expectSuccess(await open(id, people(801, 802)))
  const run = async () => (await admin.get<Run>(`${roomPlan.api.item}/${id}/run`)).body
  const before = await run()
  expect([before.today, before.learners.map(({ due, behind }) => [due, behind])]).toEqual([3, [[3, 2], [3, 2]]])
  const [ahead, late] = before.learners.toSorted((a, b) => a.account_id - b.account_id)
  const tick = (task_key: string, done = true) => admin.put<Run & { detail: string } & Record<string, unknown>>(`${roomPlan.api.item}/${id}/run`, { account_id: ahead?.account_id, task_key, done })
  for (const key of ['a', 'b']) expectSuccess(await tick(key))
  expect((await tick('d')).body.detail).toBe('还没有到这一天，不能登记')
  expect((await run()).learners.map(({ account_id, behind }) => [account_id, behind])).toEqual([[late?.account_id, 2], [ahead?.account_id, 0]])
  // The learner's app says what was done there, once, and nothing of whom nobody knows.
  const key = await makeAppKey(app, ['plan_records'])
  const records = [{ account_id: late?.account_id, task_key: 'a', at: today }, { account_id: 999_999_999, task_key: 'a', at: today }]
  const report = (idempotency: string) => app.nobody().post('/daoyuan/api/end/lesson_class/plan_records', { records }, { authorization: `Bearer ${key}`, 'idempotency-key': idempotency })
  expect((await report('plan records 1')).body).toEqual({ received: 1, unknown: 1 })
  expect((await report('plan records 2')).body).toEqual({ received: 0, unknown: 1 })
  expect((await run()).learners.map(({ behind }) => behind)).toEqual([1, 0])
  // What is changed of today and before reaches nobody who has begun.
  expectSuccess(await save([task('b', 1), task('c', 3), task('d', 5), task('e', 4)]))
  const { body: preview } = await admin.get<PublishPreview>(`${trainingPlan.api.list}/${plan.id}/publish/preview`)
  expect(preview).toMatchObject({ added: 1, removed: 1, changed: 2, rooms: [{ today: 3, learners: 2, behind: 1, version_no: 1 }] })
  expectSuccess(await publish(plan.id))
  expect((await run()).tasks.map(({ key, day }) => `${key}${day}`)).toEqual(['a1', 'b2', 'c3', 'e4', 'd5'])
  expect((await run()).learners.map(({ behind }) => behind)).toEqual([1, 0])
  expectRefusal(await (await app.staff([trainingPlan.grant])).get(`${roomPlan.api.item}/${id}/run`), 403)
  expect((await save([task('z', 30)])).status).toBe(200)
  expect((await publish(plan.id)).body.detail).toContain('超过了 1 周')
})
