import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { STANDARD_ACTIONS, type StandardAction } from '../grant/grant.ts'
import { jobOver } from '../testing/jobs.server.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { openSchools, runJob, STUDENT, STUDENTS, type Schools } from '../testing/transfer.server.ts'
import { treeEndpoints, type TreeNode } from '../tree/calls.ts'
import type { TakenBack, UndoInfo } from '../undo/calls.ts'
import { undoSweep } from './job.server.ts'

const UNDO = '/daoyuan/api/end/undo'
let app: TestApp
let admin: Caller
let schools: Schools
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
})
afterAll(() => app.close())
beforeEach(async () => {
  schools = await openSchools(app)
})

type Changed = Record<string, unknown> & { undo?: number; rev: number }
type Student = Record<string, unknown> & { id: number; rev: number }

let mobiles = 0
async function student(name: string): Promise<number> {
  const [row] = await app.db.query<{ id: number }>(sql`insert into school_student (name, mobile, school_id, grade, status) values (${name}, ${String(15100000000 + ++mobiles)}, ${schools.one}, 7, 1) returning id`)
  return row?.id ?? 0
}
const stored = async (id: number) => (await app.db.query<Student>(sql`select * from school_student where id = ${id}`))[0]
const change = async (id: number, values: Record<string, unknown>, caller = admin) => {
  const answer = await caller.put<Changed>(`${STUDENT}/${id}`, values)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.undo ?? 0
}
const kept = async (id: number, caller = admin) => (await caller.get<{ items: UndoInfo[] }>(UNDO)).body.items.find((one) => one.id === id)
const take = (id: number, caller = admin) => caller.post<TakenBack & { detail?: string }>(`${UNDO}/${id}`)
const student_grants = (...actions: StandardAction[]) => {
  const screen = app.kernel.registry.get('school_student')?.resource.grant ?? 0
  return [screen, ...actions.map((action) => screen * 100 + STANDARD_ACTIONS[action].n)]
}

test('a change is listed, taken back once as a change of its own, and says so in the log', async () => {
  const id = await student('王一')
  const undo = await change(id, { student_no: 'A1', name: '王二' })
  expect(await kept(undo)).toMatchObject({ label: '学生', action_name: '修改', title: '王*', count: 1, kept: 0, why: null })
  const before = await stored(id)
  expect(await take(undo)).toMatchObject({ status: 200 })
  expect(await stored(id)).toMatchObject({ name: '王一', student_no: null, rev: (before?.rev ?? 0) + 1 })
  const [last] = await app.db.query(sql`select action, staff_id from audit_log where entity = 'school_student' and entity_id = ${id} order by id desc limit 1`)
  expect(last).toEqual({ action: 'undo', staff_id: admin.staffId })
  expect(await kept(undo)).toBeUndefined()
  expect(await take(undo)).toMatchObject({ status: 409, body: { detail: '已经撤销过，或已超过 24 小时，不能再撤销' } })
})

test('a form that changed nothing leaves nothing to take back', async () => {
  const id = await student('王一')
  expect(await change(id, { name: '王一' })).toBe(0)
})

test('what somebody has changed since stays, and is named', async () => {
  const id = await student('王一')
  const undo = await change(id, { name: '王二' })
  const other = await app.staff(student_grants('edit'), { role: 'staff' })
  await change(id, { student_no: 'B7' }, other)
  const [{ name } = { name: '' }] = await app.db.query<{ name: string }>(sql`select name from staff where id = ${other.staffId}`)
  expect(await kept(undo)).toMatchObject({ kept: 1, why: `之后又被${name}改过` })
  expect(await take(undo)).toMatchObject({ status: 409, body: { detail: `之后又被${name}改过，不能撤销` } })
  expect(await stored(id)).toMatchObject({ name: '王二', student_no: 'B7' })
})

test('a removal and a step of a state machine are taken back by the operation that leads back', async () => {
  const id = await student('王一')
  const stopped = await admin.post<Changed>(`${STUDENT}/${id}/stop`, { reason: '转走了' })
  expect(await stored(id)).toMatchObject({ status: 0 })
  expect(await take(stopped.body.undo ?? 0)).toMatchObject({ status: 200 })
  expect(await stored(id)).toMatchObject({ status: 1 })
  const removed = await admin.delete<Changed>(`${STUDENT}/${id}`)
  expect((await stored(id))?.['deleted_at']).not.toBeNull()
  expect(await take(removed.body.undo ?? 0)).toMatchObject({ status: 200 })
  expect(await stored(id)).toMatchObject({ status: 1, deleted_at: null })
})

test('nobody takes back what another did, nor without the right to do so any more', async () => {
  const id = await student('王一')
  const person = await app.staff(student_grants('edit'))
  const undo = await change(id, { name: '王二' }, person)
  expect(await kept(undo)).toBeUndefined()
  expect((await take(undo)).status).toBe(409)
  await app.grant(person.staffId, student_grants())
  expect((await take(undo, person)).status).toBe(403)
  expect(await stored(id)).toMatchObject({ name: '王二' })
  // A refusal leaves it to be taken back.
  await app.grant(person.staffId, student_grants('edit'))
  expect((await take(undo, person)).status).toBe(200)
  expect(await stored(id)).toMatchObject({ name: '王一' })
})

test('a bulk action is taken back as a whole, but for what was changed since, which is named', async () => {
  const ids = [await student('甲'), await student('乙'), await student('丙')]
  const [first = 0, second = 0, third = 0] = ids
  const job = await runJob(admin, `${STUDENTS}/bulk`, { action: 'update', ids, values: { grade: 9 } }, ['done'])
  const undo = Number(job.result?.['undo'])
  await change(second, { student_no: 'C1' })
  expect(await kept(undo)).toMatchObject({ count: 3, kept: 1, title: null, job_id: job.id, why: expect.stringMatching(/^其中 1 条之后又被.+改过，不会撤销$/) as string })
  const answer = await take(undo)
  expect(answer.status).toBe(200)
  const back = await jobOver(admin, answer.body.job_id ?? 0, ['done'])
  expect(back).toMatchObject({ title: '撤销批量修改学生', result: { done: 2, skipped: 1, reasons: [{ id: second, reason: expect.stringContaining('不能撤销') as string }] } })
  expect([await stored(first), await stored(second), await stored(third)]).toMatchObject([{ grade: 7 }, { grade: 9 }, { grade: 7 }])
  expect(await app.db.query(sql`select status from job where id = ${job.id}`)).toEqual([{ status: 'undone' }])
})

test('what a bulk action would do is shown on the first records, and nothing of it is done', async () => {
  const ids = [await student('甲'), await student('乙')]
  const [first = 0, second = 0] = ids
  await admin.post(`${STUDENT}/${second}/stop`, { reason: '转走了' })
  const before = [await stored(first), await stored(second)]
  const update = await admin.post(`${STUDENTS}/bulk/preview`, { action: 'update', ids, values: { grade: 9 } })
  expect(update).toMatchObject({ status: 200, body: { count: 2, rows: [{ id: first, before: { grade: 7 }, after: { grade: 9 }, why: null }, { id: second, before: { grade: 7 }, after: { grade: 9 }, why: null }] } })
  const stop = await admin.post(`${STUDENTS}/bulk/preview`, { action: 'stop', ids, reason: '毕业' })
  expect(stop.body).toMatchObject({ count: 2, rows: [{ before: { status: 1 }, after: { status: 0 } }, { after: null, why: '当前状态为「停用」，不能停用' }] })
  expect([await stored(first), await stored(second)]).toEqual(before)
  const reader = await app.staff(student_grants())
  expect((await reader.post(`${STUDENTS}/bulk/preview`, { action: 'update', ids, values: { grade: 9 } })).status).toBe(403)
})

test('a move in a tree is taken back to the place before', async () => {
  const samples = await openSamples(app)
  const found = [...app.kernel.registry.values()].find(({ resource }) => resource.tree && resource.tree.levels > 2 && resource.tree.group.length === 0)
  if (!found) throw new Error('no tree')
  const { resource } = found
  const caller = samples.caller(resource)
  const add = async (parent: number | null, name: string) => (await samples.create(resource, { parent_id: parent, [resource.title]: name })).id
  const top = await add(null, '上级')
  const [one, two, three] = [await add(top, '甲'), await add(top, '乙'), await add(top, '丙')]
  const path = treeEndpoints(resource).level.path
  const order = async () => (await caller.get<{ items: TreeNode[] }>(path, { parent_id: top })).body.items.map(({ id }) => id)
  const moved = await caller.post<TreeNode>(`${resource.api.item}/${one}/move`, { parent_id: top })
  expect(await order()).toEqual([two, three, one])
  expect((await take(moved.body.undo ?? 0, caller)).status).toBe(200)
  expect(await order()).toEqual([one, two, three])
})

test('after a day nothing is taken back, and nothing of it is kept', async () => {
  const id = await student('王一')
  const [old, young] = [await change(id, { name: '王二' }), await change(id, { name: '王三' })]
  await app.db.query(sql`update undo_act set at = now() - interval '25 hours' where id = ${old}`)
  expect(await kept(old)).toBeUndefined()
  expect((await take(old)).status).toBe(409)
  await undoSweep(app.kernel).run()
  expect(await app.db.query(sql`select id from undo_act where id in (${old}, ${young})`)).toEqual([{ id: young }])
  expect(await app.db.query(sql`select act_id from undo_step where act_id in (${old}, ${young})`)).toEqual([{ act_id: young }])
})
