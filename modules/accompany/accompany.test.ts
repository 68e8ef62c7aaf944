import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { screenId } from '../screens.ts'
import { accompany } from './accompany.ts'

const BASE = '/daoyuan/api/end/accompany'
const DAY = 86_400
const now = Math.floor(Date.now() / 1000)
const today = startOfDay(now)
const WORDS = '这一周按时完成了全部练习，计算的准确率明显提高，解题步骤也写得更清楚，请继续保持。'

let app: TestApp
let manager: Caller
let tutor: Caller
let other: Caller
let stranger: Caller
let teacherId: number
let otherId: number
let key: string
let count = 0
const mobile = () => `139${String(40_000_000 + ++count)}`
const TUTOR = ['/accompany/tutor/student', '/accompany/tutor/task', '/accompany/tutor/student/task/:studentId', '/accompany/tutor/student/report/:studentId', '/accompany/tutor/task/content'] as const
const tutorGrants = TUTOR.flatMap((path) => [screenId(path), standardId(screenId(path), 'edit')])

async function newTeacher(caller: Caller, level = 1): Promise<number> {
  const made = await manager.post<WireRow>(`${BASE}/manager/teachers`, { staff_id: caller.staffId, kinds: ['accompany'], level, max_students: 25 })
  expectSuccess(made)
  expectSuccess(await manager.post(`${BASE}/manager/teachers/${made.body.id}/pass`, {}))
  return made.body.id
}
async function newStudent(more: Record<string, unknown> = {}): Promise<WireRow> {
  const made = await manager.post<WireRow>(`${BASE}/manager/students`, { name: '林小满', mobile: mobile(), grade: 8, teacher_id: teacherId, ...more })
  expectSuccess(made)
  return made.body
}
const newTask = async (students: readonly number[], more: Record<string, unknown> = {}): Promise<number> => {
  const made = await tutor.post<WireRow>(`${BASE}/teacher/tasks`, { title: `全等三角形练习${++count}`, task_kind: 'exercise', student_ids: students, due_at: now + DAY, full: 100, lessons: 1, ...more })
  expectSuccess(made)
  return made.body.id
}
/** Calls of the learners' app. */
const device = async (method: 'GET' | 'POST', path: string, payload?: Record<string, unknown>, once = `key-${++count}-${now}`) => {
  const answer = await app.http.inject({ method, url: `/daoyuan/api/device/accompany${path}`, ...(payload && { payload }), headers: { authorization: `Bearer ${key}`, 'idempotency-key': once } })
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
}
const step = (task: number, student: number, action: 'open' | 'submit') => device('POST', `/tasks/${task}/students/${student}/step`, { action })
const says = (task: number, student: number, body: string, client_key = `client-key-${++count}`) => device('POST', `/tasks/${task}/students/${student}/messages`, { kind: 'text', body, client_key })
const rows = async (task: number) => (await tutor.get<{ items: { student_id: number; status: number; newMessages: number; mobile: string; score: number | null; graded_at: number | null }[] }>(`${BASE}/teacher/students?task_id=${task}`)).body.items
const put = (caller: Caller, task: number, body: Record<string, unknown>) => caller.put<Record<string, unknown>>(`${BASE}/teacher/tasks/${task}`, body)
const lessons = async (student: number) => (await app.db.query<{ left: number; sum: number }>(sql`select s.lessons_left as left, (select coalesce(sum(delta), 0)::int from lesson_entry e where e.student_id = s.id) as sum from companion_student s where s.id = ${student}`))[0]

/** Sells lessons to a number. */
async function buy(number: string, qty: number, price: number) {
  const answer = await manager.post<WireRow>(`${BASE}/teacher/orders`, { order_info: { items: [{ kind: 'lessons', qty, price }] }, user_info: { mobile: number, name: '林小满' } })
  expectSuccess(answer)
  const paid = await manager.post<WireRow>(`${BASE}/teacher/orders/${answer.body.id}/pay`, { amount: answer.body['amount'], channel: 'wechat' })
  expectSuccess(paid)
  return paid.body
}

beforeAll(async () => {
  app = await openTestApp()
  manager = await app.staff(app.servedGrants)
  ;[tutor, other, stranger] = [await app.staff(tutorGrants), await app.staff(tutorGrants), await app.staff(tutorGrants)]
  teacherId = await newTeacher(tutor)
  otherId = await newTeacher(other, 3)
  key = await makeAppKey(app, ['companion'])
})
afterAll(() => app.close())

describe('who is a teacher', () => {
  test('somebody who is none is told whom to ask, in the words of the specification', async () => {
    const answer = await stranger.get(`${BASE}/teacher`)
    expect([answer.status, answer.body['detail']]).toEqual([403, '您还不是老师，请联系运营人员'])
    expect((await tutor.get(`${BASE}/teacher`)).body).toMatchObject({ id: teacherId, kind: 'accompany', level: 1 })
    expectRefusal(await (await app.staff([])).get(`${BASE}/teacher`), 403)
  })

  test('a rate holds from a day on, and not before lessons that were given', async () => {
    const [path, reason] = [`${BASE}/manager/teachers/${teacherId}/rates`, '按级别定价']
    expectSuccess(await manager.post(path, { mode: 'lesson', rate: 60_00, valid_from: today - 30 * DAY, reason }))
    expect((await manager.get<{ items: unknown[] }>(path)).body.items).toMatchObject([{ mode: 'lesson', rate: 60_00, valid_from: today - 30 * DAY }])
    const student = await newStudent()
    await buy(String((await app.db.query<{ mobile: string }>(sql`select mobile from companion_student where id = ${student.id}`))[0]?.mobile), 2, 100_00)
    const task = await newTask([student.id])
    await step(task, student.id, 'submit')
    expectSuccess(await put(tutor, task, { student_ids: [student.id], status: 4, score: 80 }))
    const refused = await manager.post<{ detail: string }>(path, { mode: 'lesson', rate: 70_00, valid_from: today - DAY, reason })
    expectFieldRefusal(refused, 400, 'valid_from')
    expect(refused.body.detail).toContain('最早可从')
  })

  test('nobody leaves who has learners', async () => {
    const answer = await manager.post<{ detail: string }>(`${BASE}/manager/teachers/${teacherId}/leave`, { reason: '回校读研' })
    expect(answer.body.detail).toMatch(/还带着 \d+ 名学生，请先交接给其他教师/)
  })
})

describe('learners and their teacher', () => {
  test('one enrolment of a person at a time; the history of teachers neither gaps nor overlaps', async () => {
    const number = mobile()
    const { id } = await newStudent({ mobile: number })
    expectRefusal(await manager.post(`${BASE}/manager/students`, { name: '林小满', mobile: number, grade: 8 }), 409)
    const moved = await manager.post<{ assigned: number; undo: number }>(`${BASE}/manager/students/assign`, { ids: [id], teacher_id: otherId, reason: '时间更合适' })
    expect(moved.body).toMatchObject({ assigned: 1, undo: expect.any(Number) })
    const history = await app.db.query(sql`select teacher_id, to_at is null as open from companion_assign where student_id = ${id} order by id`)
    expect(history).toEqual([{ teacher_id: teacherId, open: false }, { teacher_id: otherId, open: true }])
    expect((await tutor.get<{ items: { student_id: number }[] }>(`${BASE}/teacher/students`)).body.items.map(({ student_id }) => student_id)).not.toContain(id)
    expect((await other.get<{ items: { student_id: number; name: string }[] }>(`${BASE}/teacher/students`)).body.items).toContainEqual(expect.objectContaining({ student_id: id, name: '林小满' }))
  })

  test('two pauses and no third', async () => {
    const { id } = await newStudent()
    expectSuccess(await manager.post(`${BASE}/manager/students/${id}/read`, {}))
    for (let i = 0; i < 2; i++) {
      expectSuccess(await manager.post(`${BASE}/manager/students/${id}/pause`, { reason: '期中考试' }))
      expectSuccess(await manager.post(`${BASE}/manager/students/${id}/resume`, {}))
    }
    expect((await manager.post(`${BASE}/manager/students/${id}/pause`, { reason: '期末考试' })).body['detail']).toBe('最多停课 2 次，该学生已停课 2 次')
  })
})

describe('a task and its thread', () => {
  test('handed in, read up to what was seen, marked, sent back and marked again', async () => {
    const { id } = await newStudent()
    const task = await newTask([id])
    expect(await rows(task)).toMatchObject([{ student_id: id, status: 0, newMessages: 0 }])
    expect((await step(task, id, 'open')).body).toEqual({ status: 1 })
    const first = await says(task, id, '第三题不会')
    expect((await step(task, id, 'submit')).body).toEqual({ status: 3 })
    const thread = (await tutor.get<{ items: { id: number; side: string; body: string }[]; student: { name: string } }>(`${BASE}/teacher/tasks/${task}/students/${id}`)).body
    expect(thread.items.map(({ side, body }) => `${side} ${body}`)).toEqual(['student 第三题不会', 'student 提交'])
    // What comes while the page is open stays unread.
    await says(task, id, '补一张图')
    expectSuccess(await put(tutor, task, { student_ids: [id], read_to: thread.items.at(-1)?.id }))
    expect(await rows(task)).toMatchObject([{ newMessages: 1 }])
    expectSuccess(await put(tutor, task, { student_ids: [id], newMessages: 0 }))
    expect(await rows(task)).toMatchObject([{ newMessages: 0 }])
    expect(first.status).toBe(200)
    expectFieldRefusal(await put(tutor, task, { student_ids: [id], status: 4, score: 101 }), 400, 'score')
    expectSuccess(await put(tutor, task, { student_ids: [id], status: 4, score: 86.5 }))
    expectFieldRefusal(await put(tutor, task, { student_ids: [id], status: 5 }), 400, 'reason')
    expectSuccess(await put(tutor, task, { student_ids: [id], status: 5, reason: '步骤不完整' }))
    expect(await rows(task)).toMatchObject([{ status: 5, score: null }])
    expect((await step(task, id, 'submit')).body).toEqual({ status: 3 })
    expectSuccess(await put(tutor, task, { student_ids: [id], status: 4, score: 95 }))
    expect(await rows(task)).toMatchObject([{ status: 4, score: 95 }])
  })

  test('sent twice it is said once, and a message to a withdrawn task is kept', async () => {
    const { id } = await newStudent()
    const task = await newTask([id])
    const [one, again] = [await says(task, id, '在吗', 'same-client-key'), await says(task, id, '在吗', 'same-client-key')]
    expect(again.body['id']).toBe(one.body['id'])
    expectSuccess(await tutor.delete(`${BASE}/teacher/tasks/${task}`))
    expect((await says(task, id, '还能交吗')).body).toMatchObject({ late: true })
    const { body } = await tutor.get<{ items: { body: string }[] }>(`${BASE}/teacher/tasks/${task}/students/${id}`)
    expect(body.items.map((one) => one.body)).toEqual(['在吗', '还能交吗', '任务已撤回后收到'])
    expect((await step(task, id, 'submit')).body['detail']).toContain('任务已撤回')
  })

  test('what somebody has handed in is not withdrawn; two markers see each other', async () => {
    const { id } = await newStudent()
    const task = await newTask([id])
    await step(task, id, 'submit')
    expect((await tutor.delete(`${BASE}/teacher/tasks/${task}`)).body['detail']).toContain('已有 1 人提交，不能撤回')
    expectSuccess(await put(tutor, task, { student_ids: [id], status: 4, score: 60, seen_mark_at: null }))
    const late = await put(tutor, task, { student_ids: [id], status: 4, score: 70, seen_mark_at: null })
    expect([late.status, String(late.body['detail'])]).toEqual([409, expect.stringMatching(/^已由 .+ 于 \d\d-\d\d \d\d:\d\d 批改$/)])
  })

  test('a task names learners of one\'s own, and is due later than now', async () => {
    const { id } = await newStudent()
    expectFieldRefusal(await tutor.post(`${BASE}/teacher/tasks`, { title: '练习', task_kind: 'exercise', student_ids: [id], due_at: now - 60, full: 100, lessons: 1 }), 400, 'due_at')
    expectRefusal(await other.post(`${BASE}/teacher/tasks`, { title: '练习', task_kind: 'exercise', student_ids: [id], due_at: now + DAY, full: 100, lessons: 1 }), 404)
    const nobody = await tutor.post<{ detail: string }>(`${BASE}/teacher/tasks`, { title: '练习', task_kind: 'exercise', due_at: now + DAY, full: 100, lessons: 1 })
    expect(nobody.body.detail).toBe('请选择学生')
    const task = await newTask([id])
    expectRefusal(await other.get(`${BASE}/teacher/tasks/${task}/students/${id}`), 404)
    expectRefusal(await put(other, task, { student_ids: [id], status: 4 }), 404)
    expectRefusal(await put(other, task, { title: '别人的任务' }), 404)
    expect((await tutor.get<{ items: { task_id: number; status: number }[]; total: number }>(`${BASE}/teacher/tasks?student_id=${id}`)).body).toMatchObject({ total: 1, items: [{ task_id: task, status: 0 }] })
  })
})

describe('lessons and money', () => {
  test('forty lessons sold, one used and given back by a return, the rest refunded to the fen', async () => {
    const number = mobile()
    const { id } = await newStudent({ mobile: number })
    const order = await buy(number, 40, 80_00)
    expect(await lessons(id)).toEqual({ left: 40, sum: 40 })
    const task = await newTask([id], { lessons: 3 })
    await step(task, id, 'submit')
    expectSuccess(await put(tutor, task, { student_ids: [id], status: 4, score: 90 }))
    expect(await lessons(id)).toEqual({ left: 37, sum: 37 })
    expectSuccess(await put(tutor, task, { student_ids: [id], status: 5, reason: '重做一遍' }))
    expect(await lessons(id)).toEqual({ left: 40, sum: 40 })
    await step(task, id, 'submit')
    expectSuccess(await put(tutor, task, { student_ids: [id], status: 4, score: 90 }))
    const [item] = await app.db.query<{ id: number }>(sql`select id from order_item where order_id = ${order.id}`)
    const all = await manager.post<{ detail: string }>(`${BASE}/teacher/orders/${order.id}/refund`, { amount: 3200_00, way: 'original', reason: '不想学了' })
    expect(all.body.detail).toContain('剩余 37 节，最多可退 2960.00 元')
    expectSuccess(await manager.post(`${BASE}/teacher/orders/${order.id}/refund`, { amount: 2960_00, way: 'original', reason: '不想学了', items: [{ id: item?.id, qty: 37 }] }))
    expect(await lessons(id)).toEqual({ left: 0, sum: 0 })
  })

  test('who buys without being enrolled is enrolled, and refunded in full leaves as 退费', async () => {
    const number = mobile()
    const order = await buy(number, 10, 80_00)
    const read = () => app.db.query<{ status: number; lessons_left: number }>(sql`select status, lessons_left from companion_student where mobile = ${number}`)
    expect(await read()).toEqual([{ status: 2, lessons_left: 10 }])
    expectSuccess(await manager.post(`${BASE}/teacher/orders/${order.id}/refund`, { amount: 800_00, way: 'original', reason: '不想学了' }))
    expect(await read()).toEqual([{ status: 5, lessons_left: 0 }])
  })
})

describe('packs', () => {
  test('tasks keep the version that they were made with; the detail is the first of lesson_packs', async () => {
    const item = (title: string) => ({ key: `item-${title}`, kind: 'article', title, body: '一段文字' })
    const made = await manager.post<WireRow>(`${BASE}/research/packs`, { name: `必修资料${++count}`, subject_id: 1, sort: 10 })
    expectSuccess(made)
    const pack = `${BASE}/research/packs/${made.body.id}`
    expect((await manager.post(`${pack}/submit`, {})).body['detail']).toBe('资料包还没有内容，请先添加')
    expectSuccess(await manager.put(pack, { items: [item('first')] }))
    expectSuccess(await manager.post(`${pack}/submit`, {}))
    expectRefusal(await manager.post(`${pack}/approve`, {}), [403, 409])
    expectSuccess(await (await app.staff(app.servedGrants)).post(`${pack}/approve`, {}))
    const { id } = await newStudent()
    const task = await newTask([id], { pack_id: made.body.id })
    expectSuccess(await manager.put(pack, { items: [item('first'), item('second')] }))
    expectSuccess(await manager.post(`${pack}/publish`, {}))
    expect((await manager.post(`${pack}/publish`, {})).body['detail']).toBe('内容没有变化，不需要发布新版本')
    const read = await tutor.get<{ lesson_packs: { id: number; version: number; items: unknown[] }[] }>(`${BASE}/research/lesson_packs?lesson_pack_id=${made.body.id}`)
    expect(read.body.lesson_packs).toMatchObject([{ id: made.body.id, version: 2, items: [{ title: 'first' }, { title: 'second' }] }])
    expect(await app.db.query(sql`select pack_version from companion_task where id = ${task}`)).toEqual([{ pack_version: 1 }])
  })
})

describe('reports', () => {
  const period = { period: 1, from_at: today - 6 * DAY, to_at: today }
  test('a report of a new teacher is looked at; parents read and answer; taken back nobody opens it', async () => {
    const { id } = await newStudent()
    const short = await tutor.post<{ detail: string }>(`${BASE}/teacher/reports`, { student_id: id, ...period, words: '表现很好', send: true })
    expectFieldRefusal(short, 400, 'words')
    const made = await tutor.post<WireRow>(`${BASE}/teacher/reports`, { student_id: id, ...period, words: WORDS, send: true })
    expectSuccess(made)
    expect(made.body['state']).toBe(2)
    expectSuccess(await manager.post(`${BASE}/manager/reports/${made.body.id}/send`, {}))
    const again = await tutor.post<{ detail: string }>(`${BASE}/teacher/reports`, { student_id: id, ...period, words: WORDS, send: true })
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('该时段已有已发送的报告')])
    const { body: { path } } = await tutor.get<{ path: string }>(`${BASE}/teacher/reports/${made.body.id}/link`)
    expectRefusal(await other.get(`${BASE}/teacher/reports/${made.body.id}/link`), 404)
    const page = `/daoyuan/api/public/pages/${path.split('/').at(-1)}`
    const opened = await app.http.inject({ url: page })
    expect(opened.json()).toMatchObject({ title: '林小满的学习报告', send: '发送' })
    expect((await app.http.inject({ method: 'POST', url: page, payload: { answers: { reply: '辛苦老师了' } }, headers: { 'idempotency-key': `reply-${now}` } })).json()).toEqual({ message: '已发送给老师，谢谢您' })
    expect((await tutor.get<{ items: Record<string, unknown>[] }>(`${BASE}/teacher/reports?student_id=${id}`)).body.items).toContainEqual(expect.objectContaining({ id: made.body.id, state: 4, reply: '辛苦老师了' }))
    expectSuccess(await tutor.delete(`${BASE}/teacher/reports/${made.body.id}`))
    expect((await app.http.inject({ url: page })).statusCode).toBe(404)
  })

  test('who has done it for long sends without a second look; figures are counted from tasks', async () => {
    const { id } = await newStudent({ teacher_id: otherId })
    const set = await other.post<WireRow>(`${BASE}/teacher/tasks`, { title: '函数小测', task_kind: 'paper', student_ids: [id], due_at: now + 3600, full: 50, lessons: 0 })
    expectSuccess(set)
    await step(set.body.id, id, 'submit')
    expectSuccess(await put(other, set.body.id, { student_ids: [id], status: 4, score: 40 }))
    const { body: facts } = await other.get<Record<string, unknown>>(`${BASE}/teacher/reports/facts?student_id=${id}&from_at=${period.from_at}&to_at=${period.to_at + DAY}`)
    expect(facts).toMatchObject({ tasks: 1, done: 1, score: 80, marks: [{ title: '函数小测', score: 40, full: 50 }] })
    const made = await other.post<WireRow>(`${BASE}/teacher/reports`, { student_id: id, ...period, words: WORDS, send: true })
    expect(made.body['state']).toBe(3)
  })
})

test('今日清单: who did not learn for days comes first, with the figures; done, it is written down', async () => {
  const { id } = await newStudent()
  await app.db.query(sql`update companion_student set last_study_at = now() - interval '6 days 1 hour', created_at = now() - interval '20 days' where id = ${id}`)
  const today = await tutor.get<{ items: { student_id: number; why: string[]; done: boolean }[] }>(`${BASE}/teacher/today`)
  expect(today.body.items.find(({ student_id }) => student_id === id)).toMatchObject({ why: ['6 天未学', '剩 0 节课'], done: false })
  const card = await tutor.get<{ facts: unknown[]; draft: string }>(`${BASE}/teacher/today/${id}`)
  expect(card.body.facts).toHaveLength(5)
  expect(card.body.draft).toContain('6 天未学')
  expectRefusal(await other.get(`${BASE}/teacher/today/${id}`), 404)
  expectSuccess(await tutor.post(`${BASE}/teacher/today/${id}`, { way: 'call', body: '家里有事，明天开始补', seconds: 170 }))
  const after = await tutor.get<{ items: { student_id: number; done: boolean }[] }>(`${BASE}/teacher/today`)
  expect(after.body.items.find(({ student_id }) => student_id === id)?.done).toBe(true)
})

test('the classes answer items and total, and the rows what the specification names', async () => {
  const made = await manager.post<WireRow>(accompany.classes[0]?.api.item ?? '', { name: '八年级晚间班', subject_id: 101, grade: 8, teacher_id: teacherId, capacity: 30 })
  expectSuccess(made)
  const { body } = await manager.get<{ items: unknown[]; total: number }>(`${BASE}/classes`)
  expect(body).toMatchObject({ total: 1, items: [{ name: '八年级晚间班' }] })
})
