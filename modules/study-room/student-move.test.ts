import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { CODE_STATUS, endAfterMonths } from '../code/module.ts'
import { activateCodeCall, activationCode } from './authorization-code.ts'
import { schoolCell } from './school-cell.ts'
import { schoolStudent } from './school-student.ts'
import { school } from './school.ts'
import { schoolTeacher } from './school-teacher.ts'
import { CHANGE_SCHOOL_GRANT, RENEW_GRANT } from './student-move.ts'
import { codesOf, makeBatch, openCodeWorld, revealed, type CodeRow, type CodeWorld } from './testing.server.ts'

const ITEM = schoolStudent.api.item
const DAY = 86_400
const REASON = { reason: '家长申请' }
const now = Math.floor(Date.now() / 1000)

let app: TestApp
let admin: Caller
let world: CodeWorld
let branch: number
let cells: { here: number; full: number; there: number }
let teacher: number
let next = 0
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  world = await openCodeWorld(app)
  await seedTransaction(app.kernel.db, async (tx) => {
    ;[branch = 0] = await insertMany(tx, school, [{ name: '分校', partner_id: world.partners[0], type_id: 1, region_code: '320508', address: '石路', manager: '王', mobile: '13900110019', expire_at: now + 400 * DAY, status: 1 }])
    const [here = 0, full = 0, there = 0] = await insertMany(tx, schoolCell, [
      { school_id: world.schools[0], name: '九一班', grade: 9, capacity: 50 }, { school_id: world.schools[0], name: '九二班', grade: 9, capacity: 1 }, { school_id: branch, name: '九三班', grade: 9, capacity: 50 },
    ])
    cells = { here, full, there }
    ;[teacher = 0] = await insertMany(tx, schoolTeacher, [{ name: '王督学', mobile: '13900110020', school_id: branch, role: 2 }])
  })
})
afterAll(() => app.close())

const student = () => world.students[next++] ?? 0
const act = <Body = Record<string, unknown>>(id: number, action: string, body: Record<string, unknown>, who = admin) => who.post<Body & { detail: string }>(`${ITEM}/${id}/${action}`, { ...REASON, ...body })
const read = async (id: number) => (await admin.get<Record<string, unknown>>(`${ITEM}/${id}`)).body
const codeRow = async (id: number) => (await admin.get<CodeRow>(`${activationCode.api.item}/${id}`)).body
async function activated(id: number): Promise<number> {
  const batch = await makeBatch(admin, world, { count: 1 })
  const [{ id: code = 0 } = {}] = await codesOf(admin, batch.id)
  expectSuccess(await admin.post(activateCodeCall.path, { code: await revealed(admin, code), student_id: id }))
  return code
}

test('转班: to a class of the same school that has room, with a reason in the log', async () => {
  const [one, two] = [student(), student()]
  expectFieldRefusal(await act(one, 'change_cell', { cell_id: cells.there }), 400, 'cell_id')
  expectFieldRefusal(await act(one, 'change_cell', { cell_id: cells.here, reason: '' }), 400, 'reason')
  expectSuccess(await act(one, 'change_cell', { cell_id: cells.full }))
  const full = await act(two, 'change_cell', { cell_id: cells.full })
  expectFieldRefusal(full, 400, 'cell_id')
  expect(full.body.detail).toBe('该班级已满（1/1 人）')
  expectFieldRefusal(await act(one, 'change_cell', { cell_id: cells.full }), 400, 'cell_id')
  expectSuccess(await act(one, 'change_cell', { cell_id: cells.here }))
  const { items } = (await admin.get<{ items: Record<string, unknown>[] }>(`${ITEM}/${one}/history`)).body
  expect(items[0]).toMatchObject({ action_name: '转班', reason: '家长申请', before: { cell_name: '九二班' }, after: { cell_name: '九一班' } })
  expectRefusal(await act(one, 'change_cell', { cell_id: cells.here }, await app.staff([schoolStudent.grant])), 403)
})

test('two who come to the last place of a class at once: one gets it', async () => {
  const [cell = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, schoolCell, [{ school_id: world.schools[0], name: '小班', grade: 9, capacity: 1 }]))
  const answers = await Promise.all([student(), student(), student()].map((id) => act(id, 'change_cell', { cell_id: cell })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
})

test('转校: codes in use follow to a school of the same partner, class and supervisor are those of the new one', async () => {
  const id = student()
  await act(id, 'change_cell', { cell_id: cells.here })
  const code = await activated(id)
  expectFieldRefusal(await act(id, 'change_school', { school_id: world.schools[0] }), 400, 'school_id')
  expectFieldRefusal(await act(id, 'change_school', { school_id: branch, cell_id: cells.here }), 400, 'cell_id')
  expectSuccess(await act(id, 'change_school', { school_id: branch, teacher_id: teacher, student_no: 'N-1' }))
  expect(await read(id)).toMatchObject({ school_id: branch, cell_id: null, teacher_id: teacher, student_no: 'N-1' })
  expect(await codeRow(code)).toMatchObject({ school_id: branch, student_id: id, status: CODE_STATUS.used })
  const { items } = (await admin.get<{ items: Record<string, unknown>[] }>(`${ITEM}/${id}/history`)).body
  expect(items[0]).toMatchObject({ action_name: '转校', reason: '家长申请', after: { school_name: '分校' } })
})

test('转校 to another partner waits until no code of the first is in use', async () => {
  const id = student()
  const code = await activated(id)
  const refused = await act(id, 'change_school', { school_id: world.schools[1] })
  expect(refused).toMatchObject({ status: 400, body: { detail: '该学生有 1 个使用中的授权码属于「苏州启航」，请先解绑，再转到其他合伙人的学校' } })
  expectSuccess(await admin.post(`${activationCode.api.item}/${code}/unbind`, REASON))
  expectSuccess(await act(id, 'change_school', { school_id: world.schools[1] }))
  expect(await codeRow(code)).toMatchObject({ school_id: null, student_id: null, partner_id: world.partners[0], status: CODE_STATUS.unused })
})

test('转校 is a right of its own, within what the person sees, and no edit of the form', async () => {
  const id = student()
  const editor = await app.staff([schoolStudent.grant, standardId(schoolStudent.grant, 'edit')])
  expectRefusal(await act(id, 'change_school', { school_id: branch }, editor), 403)
  await editor.put(`${ITEM}/${id}`, { school_id: branch, student_no: 'E-1' })
  expect(await read(id)).toMatchObject({ school_id: world.schools[0], student_no: 'E-1' })
  const limited = await app.staff([schoolStudent.grant, CHANGE_SCHOOL_GRANT], { scopes: { school: [world.schools[0]] } })
  expectFieldRefusal(await act(id, 'change_school', { school_id: branch }, limited), 400, 'school_id')
  expectRefusal(await act(world.strangers[0] ?? 0, 'change_school', { school_id: world.schools[0] }, limited), 404)
  await app.db.query(sql`update app_school set status = 3 where id = ${branch}`)
  expectFieldRefusal(await act(id, 'change_school', { school_id: branch }), 400, 'school_id')
  await app.db.query(sql`update app_school set status = 1 where id = ${branch}`)
  // A person who is at the new school already cannot be there twice.
  const [twin = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, schoolStudent, [{ name: '双', mobile: '15300000001', school_id: branch, grade: 9 }]))
  const [other = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, schoolStudent, [{ name: '双', mobile: '15300000001', school_id: world.schools[0], grade: 9 }]))
  expect(twin).toBeGreaterThan(0)
  expectRefusal(await act(other, 'change_school', { school_id: branch }), 409)
})

test('续期 takes an unused code of the partner, the one that has to be used up first, and goes on where the time ends', async () => {
  const id = student()
  const first = await activated(id)
  const ends = Number((await codeRow(first))['expire_at'])
  await app.db.query(sql`update activation_code set status = ${CODE_STATUS.cancelled} where status = ${CODE_STATUS.unused}`)
  const none = await act(id, 'renew', { unit_id: world.units[0] })
  expectFieldRefusal(none, 400, 'unit_id')
  expect(none.body.detail).toBe('该套餐没有可用的授权码，请先向合伙人发码')
  const [late, soon] = [await makeBatch(admin, world, { count: 2, redeem_before: now + 200 * DAY }), await makeBatch(admin, world, { count: 1, redeem_before: now + 30 * DAY })]
  const quota = async () => (await app.db.query(sql`select code_quota, used_quota from partner where id = ${world.partners[0]}`))[0]
  const before = await quota()
  const offered = (await admin.get<{ items: Record<string, unknown>[] }>(`${ITEM}/${id}/renewals`)).body.items
  expect(offered).toEqual([{ unit_id: world.units[0], name: '初中全科年卡', left: 3, until: ends }])
  const done = await act<{ expire_at: number; student: Record<string, unknown> }>(id, 'renew', { unit_id: world.units[0] })
  expectSuccess(done)
  expect(done.body.expire_at).toBe(endAfterMonths(ends + 1, 12))
  expect(done.body.student).toMatchObject({ expire_at: done.body.expire_at, status: 1 })
  expect((await codesOf(admin, soon.id))[0]).toMatchObject({ status: CODE_STATUS.used, student_id: id })
  expect((await codesOf(admin, late.id)).map(({ status }) => status)).toEqual([CODE_STATUS.unused, CODE_STATUS.unused])
  // What was issued was counted when it was issued.
  expect(await quota()).toEqual(before)
  const { items } = (await admin.get<{ items: Record<string, unknown>[] }>(`${ITEM}/${id}/history`)).body
  expect(items[0]).toMatchObject({ action_name: '续期', reason: '家长申请' })
  // Two at once take two codes.
  const answers = await Promise.all([student(), student(), student()].map((one) => act(one, 'renew', { unit_id: world.units[0] })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 400])
})

test('续期 is a right of its own, and not for who is stopped', async () => {
  const id = student()
  await makeBatch(admin, world, { count: 1 })
  expectRefusal(await act(id, 'renew', { unit_id: world.units[0] }, await app.staff([schoolStudent.grant, standardId(schoolStudent.grant, 'edit')])), 403)
  const limited = await app.staff([schoolStudent.grant, RENEW_GRANT], { scopes: { partner: [world.partners[1]] } })
  expectRefusal(await act(id, 'renew', { unit_id: world.units[0] }, limited), 404)
  expectRefusal(await limited.get(`${ITEM}/${id}/renewals`), 404)
  expectSuccess(await admin.post(`${ITEM}/${id}/stop`, REASON))
  expect((await act(id, 'renew', { unit_id: world.units[0] })).body.detail).toBe('该学生已停用，请先恢复再续期')
})
