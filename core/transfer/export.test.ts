import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchPath } from '../testing/uploads.server.ts'
import { STANDARD_ACTIONS, type StandardAction } from '../grant/grant.ts'
import type { JobContext } from '../job/define.server.ts'
import { addJob, jobOver } from '../testing/jobs.server.ts'
import { Claim, claimJob } from '../job/queue.server.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import type { JobFile } from './calls.ts'
import { exportList, type ExportJob } from './export.server.ts'
import { openSchools, readFile, runJob, STUDENTS, type Schools } from '../testing/transfer.server.ts'

let app: TestApp
let admin: Caller
let schools: Schools
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  schools = await openSchools(app)
  await app.db.query(sql`insert into school_student (name, mobile, parent_mobile, student_no, gender, school_id, grade, cell_id, unit_ids, expire_at, status, week_minutes, created_by) values
    ('=1+1', '13800138000', '13900139000', '00123', 1, ${schools.one}, 7, ${schools.cells['初一1班']}, '{}', to_timestamp(1819728000), 1, 90, ${admin.staffId}),
    ('李四', '13800138001', null, null, 2, ${schools.one}, 8, null, '{}', null, 0, null, null),
    ('王五', '13800138002', null, null, null, ${schools.other}, 8, null, '{}', null, 1, null, null)`)
})
afterAll(() => app.close())

const SCREEN = () => app.kernel.registry.get('school_student')?.resource.grant ?? 0
const ids = (...actions: StandardAction[]) => [SCREEN(), ...actions.map((action) => SCREEN() * 100 + STANDARD_ACTIONS[action].n)]
const PATH = `${STUDENTS}/export`
const COLUMNS = ['id', 'name', 'mobile', 'student_no', 'gender', 'school_id', 'cell_id', 'unit_ids', 'expire_at', 'week_minutes', 'status', 'created_by_name']

async function exported(caller: Caller, body: Record<string, unknown>): Promise<{ file: JobFile; cells: unknown[][]; id: number }> {
  const job = await runJob(caller, PATH, body, ['done'])
  const file = job.result as unknown as JobFile
  return { file, cells: await readFile(app, caller, file.url), id: job.id }
}

describe('what an export holds', () => {
  test('the columns of the list unless told, as people read them', async () => {
    const { cells, file } = await exported(admin, { format: 'xlsx' })
    const resource = app.kernel.registry.get('school_student')?.resource
    expect(cells[0]).toEqual(resource?.list.columns.map((key) => resource.fields[key]?.label))
    expect(cells).toHaveLength(4)
    expect(file.rows).toBe(3)
  })

  test.each(['xlsx', 'csv'] as const)('names, words, times and hidden numbers, as %s', async (format) => {
    const { cells } = await exported(admin, { format, columns: COLUMNS, query: { school_id: [schools.one], sort: 'id' } })
    const [school] = await app.db.query<{ name: string }>(sql`select name from app_school where id = ${schools.one}`)
    const text = (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : value === null || value === undefined ? '' : String(value))
    const rows = cells.map((row) => Array.from({ length: COLUMNS.length }, (_, index) => text(row[index])))
    expect(rows).toEqual([
      ['编号', '姓名', '手机', '学号', '性别', '学校', '班级', '科目', '有效期', '近7天学习（分钟）', '状态', '创建人'],
      [expect.stringMatching(/^\d+$/), '=**1', '138****8000', '00123', '男', school?.name, '初一1班', '', '2027-09-01', '90', '在读', '超级管理员'],
      [expect.stringMatching(/^\d+$/), '李*', '138****8001', '', '女', school?.name, '', '', '', '', '停用', ''],
    ])
  })

  test('filters, ids and order are those of the list; nothing is left behind on later pages', async () => {
    const first = await exported(admin, { columns: ['name'], query: { grade: 8, page: 3, page_size: 1, cursor: 'x', sort: '-id' } })
    expect(first.cells.slice(1)).toEqual([['王*'], ['李*']])
    const [row] = await app.db.query<{ id: number }>(sql`select id from school_student where name = '李四'`)
    expect((await exported(admin, { columns: ['name'], ids: [row?.id] })).cells.slice(1)).toEqual([['李*']])
    for (const body of [{ columns: ['password'] }, { columns: [] }, { query: { school_id: 'x' } }, { format: 'pdf' }, { ids: [] }]) {
      expect(await admin.post(PATH, body)).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/[\u4e00-\u9fff]/) } })
    }
  })

  test('text that a spreadsheet program would run is only text', async () => {
    const { file } = await exported(admin, { format: 'csv', columns: ['name'], query: { school_id: schools.one, sort: 'id' }, plain: true })
    const csv = (await fetchPath(app, admin, file.url)).body
    expect(csv).toBe("\uFEFF姓名\r\n'=1+1\r\n李四\r\n")
  })

  test('more records than are read at a time, each once', async () => {
    await app.db.query(sql`insert into school_student (name, mobile, school_id, grade, status)
      select '同名', (15000000000 + n)::text, ${schools.other}, 9, 1 from generate_series(1, 4500) n`)
    const { cells, file } = await exported(admin, { format: 'csv', columns: ['id'], query: { grade: 9, sort: 'id' } })
    expect(file.rows).toBe(4500)
    expect(new Set(cells.slice(1).map(([id]) => id)).size).toBe(4500)
    await app.db.query(sql`delete from school_student where grade = 9`)
  })
})

describe('who may export what', () => {
  test('nobody without a session, nobody without the right, and plain numbers only with the right to see them', async () => {
    expect((await app.nobody().post(PATH, {})).status).toBe(401)
    expect(await (await app.staff(ids('import', 'edit'))).post(PATH, {})).toMatchObject({ status: 403, body: { detail: expect.stringContaining('导出') } })
    const person = await app.staff(ids('export'))
    expect(await person.post(PATH, { plain: true })).toMatchObject({ status: 403, body: { detail: '没有「查看和导出明文」权限，请联系管理员开通' } })
    const clear = await app.staff(ids('export', 'reveal'))
    const columns = ['mobile', 'parent_mobile', 'name']
    const query = { school_id: schools.one, sort: 'id' }
    expect((await exported(person, { columns, query })).cells[1]).toEqual(['138****8000', '139****9000', '=**1'])
    expect((await exported(clear, { columns, query })).cells[1]).toEqual(['138****8000', '139****9000', '=**1'])
    expect((await exported(clear, { columns, query, plain: true })).cells[1]).toEqual(['13800138000', '13900139000', '=1+1'])
    // Rights are asked again when the job runs.
    const id = await addJob(app, person, 'export', { resource: 'school_student', query: {}, columns, format: 'csv', plain: true } satisfies ExportJob)
    expect(await jobOver(person, id)).toMatchObject({ status: 'failed', error: expect.stringContaining('查看和导出明文') })
  })

  test('only records inside the data scope, whatever is asked for', async () => {
    const person = await app.staff(ids('export'), { scopes: { school: [schools.other] } })
    const [foreign] = await app.db.query<{ id: number }>(sql`select id from school_student where name = '李四'`)
    for (const body of [{}, { query: { school_id: schools.one } }, { ids: [foreign?.id] }, { query: { ids: [foreign?.id] } }]) {
      const { cells } = await exported(person, { columns: ['name'], ...body })
      expect(cells.slice(1).flat().filter((name) => name !== '王五')).toEqual([])
    }
  })

  test('the file is private, for a week, and the log keeps what was taken', async () => {
    const person = await app.staff(ids('export'))
    const { file, id } = await exported(person, { columns: ['name'], query: { grade: 8, mobile: '13800138002' } })
    expect((await fetchPath(app, admin, file.url)).statusCode).toBe(404)
    const [stored] = await app.db.query<{ days: number }>(sql`select extract(epoch from expires_at - now()) / 86400 as days from file where id = ${file.file_id}::uuid`)
    expect(stored?.days).toBeCloseTo(7, 1)
    const log = await app.db.query(sql`select staff_id, action, entity, ip, after from audit_log where job_id = ${id}`)
    expect(log).toEqual([{
      staff_id: person.staffId, action: 'export', entity: 'school_student', ip: '127.0.0.1',
      after: { query: { grade: '8', mobile: '138****8002' }, columns: ['name'], format: 'xlsx', plain: false, rows: 1 },
    }])
  })
})

test('an export that is stopped half way leaves no file behind', async () => {
  await app.db.query(sql`insert into school_student (name, mobile, school_id, grade, status)
    select '很多', (15000000000 + n)::text, ${schools.other}, 9, 1 from generate_series(1, 6000) n`)
  const before = await app.db.query(sql`select id from file order by id`)
  await app.kernel.jobs.stop()
  const input: ExportJob = { resource: 'school_student', query: { grade: '9' }, columns: ['name'], format: 'xlsx', plain: false }
  await addJob(app, admin, 'export', input)
  const job = await claimJob(app.db, 'test')
  const [service, staff] = [app.kernel.registry.get('school_student'), await app.kernel.sessions.staff(app.db, admin.staffId)]
  if (!job || !service || !staff) throw new Error('no job')
  const [claim, stop] = [new Claim(job, 'test'), new AbortController()]
  const context: JobContext<ExportJob> = {
    id: job.id, input, staff, db: app.db, actor: { staff_id: staff.id }, signal: stop.signal, saved: undefined,
    progress: (done) => { if (done >= 3000) stop.abort(new Error('stopped')) },
    save: (tx, saved) => claim.save(tx, saved),
    finish: (tx, result) => claim.finish(tx, result, 0, 0),
  }
  await expect(exportList(context, service, app.kernel.files)).rejects.toThrow('stopped')
  expect(await app.db.query(sql`select id from file order by id`)).toEqual(before)
  expect(bytesLeft()).toBe(before.length)

  // Cancelled at the very end, when the file is stored already: it goes too.
  await app.db.query(sql`update job set cancel_asked = true where id = ${job.id}`)
  const whole = { ...context, signal: new AbortController().signal, progress: () => {} }
  await expect(exportList(whole, service, app.kernel.files)).rejects.toThrow('任务已取消')
  expect(await app.db.query(sql`select id from file order by id`)).toEqual(before)
  expect(bytesLeft()).toBe(before.length)
  await app.kernel.jobs.start()
})

/** Number of files on disk, unfinished ones too. */
function bytesLeft(): number {
  const root = join(app.config.dataDir, 'files')
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(root, name)).isFile()).length
}
