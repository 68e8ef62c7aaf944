import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { badRequest } from '../error/error.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { check, commit, openSchools, runJob, STUDENT, STUDENTS, xlsxOf } from '../testing/transfer.server.ts'

const SENTENCE = '这条记录由他人看管'
const HEAD = ['姓名', '手机', '年级', '学号']

let app: TestApp
let admin: Caller
let school = 0
/** Names of students to whom nothing may be done. */
const guarded = new Set<string>()
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  school = (await openSchools(app)).one
  // The rules are asked as they stand; students have no guard of their own.
  const service = app.kernel.registry.get('school_student')
  Object.assign(service?.rules ?? {}, { guard: async ({ row }: { row: Record<string, unknown> }) => { if (guarded.has(String(row['name']))) throw badRequest(SENTENCE) } })
})
afterAll(() => app.close())

const students = () => app.db.query<{ id: number; name: string; student_no: string | null }>(sql`select id, name, student_no from school_student where deleted_at is null order by name`)
const sheet = (...rows: string[][]) => xlsxOf([HEAD, ...rows])
const row = (name: string, mobile: string, no: string) => [name, mobile, '初一', no]

test('what a guard refuses is done in no way: by itself, in bulk, by a sheet, nor by taking a sheet back', async () => {
  const fixed = { fixed: { school_id: school } }
  const { id, result } = await check(app, admin, STUDENTS, await sheet(row('甲', '13712340001', 'A1'), row('乙', '13712340002', 'A2')), fixed)
  expect(result).toMatchObject({ problems: [], counts: { new: 2 } })
  const written = await commit(admin, STUDENTS, id)
  expect(written.result).toMatchObject({ created: 2 })
  const [first, second] = await students()
  guarded.add('甲').add('乙')
  const before = await students()
  const refused = { status: 400, body: { detail: SENTENCE } }
  for (const { id: one } of [first, second].flatMap((student) => student ?? [])) {
    expect(await admin.put(`${STUDENT}/${one}`, { student_no: 'B1' })).toMatchObject(refused)
    expect(await admin.delete(`${STUDENT}/${one}`)).toMatchObject(refused)
    expect(await admin.post(`${STUDENT}/${one}/stop`, { reason: '测试原因' })).toMatchObject(refused)
    for (const request of [{ action: 'update', values: { student_no: 'B1' } }, { action: 'remove' }, { action: 'stop', reason: '测试原因' }]) {
      const job = await runJob(admin, `${STUDENTS}/bulk`, { ...request, ids: [one] }, ['done'])
      expect(job.result, request.action).toMatchObject({ done: 0, reasons: [{ id: one, reason: SENTENCE }] })
    }
  }
  const again = await check(app, admin, STUDENTS, await sheet(row('甲', '13712340001', 'B1')), fixed)
  expect(again.result.problems).toEqual([{ row_number: 2, reason: expect.stringContaining(SENTENCE) }])
  const undone = await runJob(admin, `${STUDENTS}/import_undo`, { job_id: written.id }, ['done'])
  expect(undone.result).toMatchObject({ removed: 0, kept: 2, reasons: [{ reason: SENTENCE }, { reason: SENTENCE }] })
  expect(await students()).toEqual(before)
})

test('a guard that refuses between check and writing leaves the record as it is', async () => {
  guarded.clear()
  const { id } = await check(app, admin, STUDENTS, await sheet(row('甲', '13712340001', 'C1')), { fixed: { school_id: school } })
  guarded.add('甲')
  const { result } = await commit(admin, STUDENTS, id, { existing: 'update', bad: 'skip' })
  expect(result).toMatchObject({ updated: 0, late: [{ row_number: 2, reason: expect.stringContaining(SENTENCE) }] })
  expect((await students()).find(({ name }) => name === '甲')?.student_no).toBe('A1')
  guarded.clear()
})
