import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserHeaders } from '../../core/testing/uploads.server.ts'
import { jobOver } from '../../core/testing/jobs.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { openSchools, readFile, xlsxOf, type Schools } from '../../core/testing/transfer.server.ts'
import { batchSchoolStudent, batchSchoolTeacher } from './batch.ts'
import { schoolStudent } from './school-student.ts'

let app: TestApp
let admin: Caller
let schools: Schools
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  schools = await openSchools(app)
})
afterAll(() => app.close())

/** Uploads as the old console's form does. */
async function send(caller: Caller, path: string, school: unknown, content?: Buffer, name = '名单.xlsx') {
  const boundary = 'xxBOUNDARYxx'
  const payload = Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`), content ?? Buffer.alloc(0), Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const answer = await app.http.inject({
    method: 'POST', url: `${path}?self_study_room_id=${String(school)}`,
    ...(content && { payload }), headers: { ...browserHeaders(caller), ...(content && { 'content-type': `multipart/form-data; boundary=${boundary}` }) },
  })
  return { status: answer.statusCode, body: answer.json<{ job_id: number; detail?: string }>() }
}

test('students: what is good is written in one go, the rest comes back with reasons', async () => {
  const sheet = await xlsxOf([['姓名', '手机', '年级', '班级'], ['张三', 13800138000, '初一', '初一1班'], ['李四', 13800138001, '初一', '初一9班'], ['王五', '1380013', '初一', null]])
  const { body } = await send(admin, batchSchoolStudent.path, schools.one, sheet)
  const job = await jobOver(admin, body.job_id)
  expect(job).toMatchObject({ status: 'done', title: '导入学生：名单.xlsx', result: { counts: { good: 1, bad: 2 }, created: 1, updated: 0, skipped: 2 } })
  const rows = await app.db.query(sql`select name, school_id, cell_id from school_student order by id`)
  expect(rows).toEqual([{ name: '张三', school_id: schools.one, cell_id: schools.cells['初一1班'] }])
  const { errors } = job.result as { errors?: { url: string } }
  expect((await readFile(app, admin, errors?.url ?? '')).slice(1).map((row) => row[0])).toEqual(['班级「初一9班」不属于该学校', '请输入正确的手机号'])

  // The same file once more: what is there stays as it is.
  const again = await jobOver(admin, (await send(admin, batchSchoolStudent.path, schools.one, sheet)).body.job_id)
  expect(again).toMatchObject({ status: 'done', result: { created: 0, updated: 0, skipped: 3 } })
  // One job wrote, one job takes back.
  const undo = await admin.post<{ job: { id: number } }>('/daoyuan/api/end/self_study_room/school_students/import_undo', { job_id: job.id })
  expect(await jobOver(admin, undo.body.job.id)).toMatchObject({ status: 'done', result: { removed: 1, kept: 0 } })
})

test('teachers, from a csv', async () => {
  const { body } = await send(admin, batchSchoolTeacher.path, schools.one, Buffer.from('姓名,手机,角色,班级\n王老师,13900139000,班主任,"初一1班，初一(2)班"\n'), '教师.csv')
  expect(await jobOver(admin, body.job_id)).toMatchObject({ status: 'done', result: { created: 1 } })
  expect(await app.db.query(sql`select name, role, school_id, cell_ids, status from school_teacher where mobile = '13900139000'`)).toEqual([
    { name: '王老师', role: 3, school_id: schools.one, cell_ids: Object.values(schools.cells), status: 1 },
  ])
})

test('only with the right, only into schools that one sees, only with a file', async () => {
  const sheet = await xlsxOf([['姓名', '手机', '年级'], ['赵六', '13800138009', '初一']])
  const path = batchSchoolStudent.path
  expect((await send(app.nobody(), path, schools.one, sheet)).status).toBe(401)
  expect((await send(await app.staff([schoolStudent.grant]), path, schools.one, sheet)).status).toBe(403)
  const person = await app.staff([schoolStudent.grant, schoolStudent.actions.import ?? 0], { scopes: { school: [schools.one] } })
  expect(await send(person, path, schools.other, sheet)).toMatchObject({ status: 400, body: { detail: '学校不存在或已被删除，请重新选择' } })
  expect(await send(person, path, 'x', sheet)).toMatchObject({ status: 400, body: { detail: '请选择学校' } })
  expect(await send(person, path, schools.one)).toMatchObject({ status: 400, body: { detail: '请选择文件' } })
  expect(await send(person, path, schools.one, Buffer.from('%PDF-1.7 x'), '名单.xlsx')).toMatchObject({ status: 400 })
  expect(await app.db.query(sql`select 1 from school_student where mobile = '13800138009'`)).toEqual([])
})
