import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { STANDARD_ACTIONS, type StandardAction } from '../grant/grant.ts'
import type { JobContext } from '../job/define.server.ts'
import { Claim, claimJob } from '../job/queue.server.ts'
import { addJob, jobOver, storedJob } from '../testing/jobs.server.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import type { RecordsState } from './over-records.server.ts'
import { runBulk, type BulkJob } from './bulk.server.ts'
import { openSchools, runJob, STUDENTS, type Schools } from '../testing/transfer.server.ts'

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

const BASE = '/daoyuan/api/end/self_study_room'
const PATH = `${STUDENTS}/bulk`
const SCREEN = () => app.kernel.registry.get('school_student')?.resource.grant ?? 0
const ids = (...actions: StandardAction[]) => [SCREEN(), ...actions.map((action) => SCREEN() * 100 + STANDARD_ACTIONS[action].n)]

let mobiles = 0
async function students(school: number, names: readonly string[], status = 1): Promise<number[]> {
  const made = []
  for (const name of names) {
    const [row] = await app.db.query<{ id: number }>(sql`insert into school_student (name, mobile, school_id, grade, status)
      values (${name}, ${String(15000000000 + ++mobiles)}, ${school}, 7, ${status}) returning id`)
    made.push(row?.id ?? 0)
  }
  return made
}
const read = (list: readonly number[]) => app.db.query<Record<string, unknown>>(sql`select * from school_student where id = any(${sql.param([...list])}::bigint[]) order by id`)

describe('what can be done to many', () => {
  test('removing and restoring, with the log and the job beside it', async () => {
    const [one = 0, two = 0] = await students(schools.one, ['甲', '乙'])
    const removed = await runJob(admin, PATH, { action: 'remove', ids: [one, two] }, ['done'])
    expect(removed).toMatchObject({ title: '批量删除学生', done: 2, total: 2, result: { done: 2, skipped: 0, reasons: [] } })
    expect((await read([one, two])).every((row) => row['deleted_at'] !== null)).toBe(true)
    const again = await runJob(admin, PATH, { action: 'remove', ids: [one, two] }, ['done'])
    expect(again.result).toMatchObject({ done: 0, skipped: 2, reasons: [{ id: one, name: '*', reason: '学生不存在或已被删除' }, { id: two, name: '*' }] })
    const restored = await runJob(admin, PATH, { action: 'restore', query: { school_id: schools.one } }, ['done'])
    expect(restored.result).toMatchObject({ done: 2, skipped: 0 })
    expect((await read([one, two])).every((row) => row['deleted_at'] === null)).toBe(true)
    const log = await app.db.query(sql`select action, job_id, staff_id from audit_log where entity = 'school_student' and entity_id = ${one} and job_id is not null order by id`)
    expect(log).toEqual([{ action: 'remove', job_id: removed.id, staff_id: admin.staffId }, { action: 'restore', job_id: restored.id, staff_id: admin.staffId }])
  })

  test('a filter that the list does not have is refused: left out, it would have meant everybody', async () => {
    const made = await students(schools.one, ['甲', '乙'])
    for (const path of [PATH, `${STUDENTS}/export`]) {
      expect(await admin.post(path, { action: 'remove', format: 'xlsx', query: { school: schools.one } }), path).toMatchObject({ status: 400, body: { detail: '没有「school」这个筛选条件' } })
    }
    expect((await read(made)).every((row) => row['deleted_at'] === null)).toBe(true)
  })

  test('a transition of everything that a filter finds; what is in another state stays', async () => {
    const active = await students(schools.one, ['甲', '乙'])
    const [stopped = 0] = await students(schools.one, ['丙'], 0)
    const [foreign = 0] = await students(schools.other, ['丁'])
    expect(await admin.post(PATH, { action: 'stop', query: { school_id: schools.one } })).toMatchObject({ status: 400, body: { detail: '请填写原因' } })
    const job = await runJob(admin, PATH, { action: 'stop', query: { school_id: schools.one }, reason: '毕业了' }, ['done'])
    expect(job.result).toMatchObject({ done: 2, skipped: 1, reasons: [{ id: stopped, name: '*', reason: '当前状态为「停用」，不能停用' }] })
    expect((await read([...active, stopped, foreign])).map((row) => row['status'])).toEqual([0, 0, 0, 1])
    const log = await app.db.query(sql`select entity_id, action, reason from audit_log where job_id = ${job.id} order by entity_id`)
    expect(log).toEqual(active.map((id) => ({ entity_id: id, action: 'stop', reason: '毕业了' })))
  })

  test('the same values for all; what a rule refuses is left alone', async () => {
    const [one = 0, two = 0] = await students(schools.one, ['甲', '乙'])
    const [foreign = 0] = await students(schools.other, ['丙'])
    const cell = schools.cells['初一1班'] ?? 0
    const job = await runJob(admin, PATH, { action: 'update', ids: [one, two, foreign], values: { cell_id: cell, grade: 8 } }, ['done'])
    expect(job.result).toMatchObject({ done: 2, skipped: 1, reasons: [{ id: foreign, name: '*', reason: '班级不属于该学校，请重新选择' }] })
    expect(await read([one, two, foreign])).toMatchObject([{ cell_id: cell, grade: 8, rev: 2 }, { cell_id: cell, grade: 8 }, { cell_id: null, grade: 7, rev: 1 }])
    // A record that collides with another is left alone, and the batch goes on.
    const moved = await runJob(admin, PATH, { action: 'update', ids: [one, two], values: { student_no: 'A1', cell_id: null } }, ['done'])
    expect(moved.result).toMatchObject({ done: 1, skipped: 1, reasons: [{ id: two, name: '*', reason: '学号「A1」已存在' }] })
    expect(await read([one, two])).toMatchObject([{ student_no: 'A1', cell_id: null }, { student_no: null, cell_id: cell }])
  })

  test('values that make no sense are refused at once', async () => {
    const list = await students(schools.one, ['甲'])
    const update = (values?: Record<string, unknown>) => admin.post(PATH, { action: 'update', ids: list, ...(values && { values }) })
    expect(await update()).toMatchObject({ status: 400, body: { detail: '请填写要修改的内容' } })
    expect(await update({ grade: 99 })).toMatchObject({ status: 400, body: { fields: { grade: expect.any(String) } } })
    for (const values of [{ status: 0 }, { created_by: 1 }, { nothing: 1 }]) expect(await update(values)).toMatchObject({ status: 400, body: { detail: '要修改的内容有误，请重新选择' } })
    expect(await admin.post(`${BASE}/partners/bulk`, { action: 'update', ids: [1], values: { mobile: '13800138000' } })).toMatchObject({ status: 400, body: { detail: '手机号不能批量修改，因为不能重复' } })
    expect(await admin.post(PATH, { action: 'explode', ids: list })).toMatchObject({ status: 400, body: { detail: '没有这种操作' } })
    expect(await admin.post(PATH, { action: 'remove' })).toMatchObject({ status: 400, body: { detail: '请选择要处理的记录' } })
    expect((await admin.post(PATH, { action: 'remove', ids: [] })).status).toBe(400)
    expect((await admin.post(PATH, { action: 'remove', query: { school_id: 'x' } })).status).toBe(400)
  })

  test('what a refused record had written is undone, and rules of removal hold', async () => {
    const [partner] = await app.db.query<{ id: number }>(sql`insert into partner (name, contact, mobile, region_code, level, type_id, sign_at, expire_at, status)
      values ('过期的', '王', '13811112222', '320102', 1, 1, now() - interval '2 years', now() - interval '1 year', 0) returning id`)
    // The effect of signing refuses after the state was written.
    const signed = await runJob(admin, `${BASE}/partners/bulk`, { action: 'sign', ids: [partner?.id] }, ['done'])
    expect(signed.result).toMatchObject({ done: 0, skipped: 1, reasons: [{ reason: '合同已过到期日期，请先修改到期日期' }] })
    expect(await app.db.query(sql`select status, rev from partner where id = ${partner?.id ?? 0}`)).toEqual([{ status: 0, rev: 1 }])
    const [used] = await app.db.query<{ id: number }>(sql`select partner_id as id from app_school where id = ${schools.one}`)
    const removed = await runJob(admin, `${BASE}/partners/bulk`, { action: 'remove', ids: [partner?.id, used?.id] }, ['done'])
    expect(removed.result).toMatchObject({ done: 1, skipped: 1, reasons: [{ id: used?.id, reason: '该合伙人还被 2 个学校使用，不能删除' }] })
  })
})

describe('who may do it', () => {
  test('each action asks for the id that it asks for on one record', async () => {
    const list = await students(schools.one, ['甲'])
    expect((await app.nobody().post(PATH, { action: 'remove', ids: list })).status).toBe(401)
    expect((await (await app.staff(ids('export'))).post(PATH, { action: 'remove', ids: list })).status).toBe(403)
    const editor = await app.staff(ids('edit'))
    expect((await editor.post(PATH, { action: 'remove', ids: list }))).toMatchObject({ status: 403, body: { detail: '没有「删除」权限，请联系管理员开通' } })
    expect((await runJob(editor, PATH, { action: 'update', ids: list, values: { grade: 9 } }, ['done'])).result).toMatchObject({ done: 1 })
    // Rights are asked again when the job runs.
    const id = await addJob(app, editor, 'bulk', { resource: 'school_student', action: 'remove', query: { ids: list.map(String) } } satisfies BulkJob)
    expect((await jobOver(editor, id)).status).toBe('failed')
    expect(await read(list)).toMatchObject([{ deleted_at: null, grade: 9 }])
  })

  test('records outside the data scope are as good as none, by id and by filter', async () => {
    const [own = 0] = await students(schools.one, ['甲'])
    const [foreign = 0] = await students(schools.other, ['秘密'])
    const person = await app.staff(ids('edit', 'remove'), { scopes: { school: [schools.one] } })
    for (const body of [{ action: 'remove' }, { action: 'update', values: { grade: 9 } }, { action: 'stop', reason: '测试' }]) {
      const job = await runJob(person, PATH, { ...body, ids: [foreign] }, ['done'])
      expect(job.result).toEqual({ done: 0, skipped: 1, reasons: [{ id: foreign, name: '', reason: '学生不存在或已被删除' }] })
    }
    expect((await runJob(person, PATH, { action: 'update', query: { grade: 7 }, values: { grade: 9 } }, ['done'])).result).toMatchObject({ done: 1, skipped: 0 })
    expect((await person.post(PATH, { action: 'update', ids: [own], values: { school_id: schools.other } })).status).toBe(400)
    expect(await read([own, foreign])).toMatchObject([{ grade: 9, school_id: schools.one }, { grade: 7, school_id: schools.other, deleted_at: null, status: 1 }])
  })
})

test('an interrupted bulk action goes on behind what it has done, and counts everything once', async () => {
  await app.db.query(sql`insert into school_student (name, mobile, school_id, grade, status)
    select '很多', (16000000000 + n)::text, ${schools.one}, 7, 1 from generate_series(1, 450) n`)
  await app.kernel.jobs.stop()
  const input: BulkJob = { resource: 'school_student', action: 'stop', query: { school_id: String(schools.one) }, reason: '毕业了' }
  const id = await addJob(app, admin, 'bulk', input)
  const job = await claimJob(app.db, 'test')
  const [service, staff] = [app.kernel.registry.get('school_student'), await app.kernel.sessions.staff(app.db, admin.staffId)]
  if (!job || !service || !staff) throw new Error('no job')
  const [claim, stop] = [new Claim(job, 'test'), new AbortController()]
  const context: JobContext<BulkJob, RecordsState> = {
    id, input, staff, db: app.db, actor: { staff_id: staff.id, job_id: id }, signal: stop.signal, saved: undefined, progress: () => {},
    finish: (tx, result) => claim.finish(tx, result, 0, 0),
    async save(tx, saved) {
      await claim.save(tx, saved)
      stop.abort(new Error('stopped'))
    },
  }
  const targets = new Map([...app.kernel.registry].map(([name, { resource }]) => [name, resource]))
  await expect(runBulk(context, { service, targets, registry: app.kernel.registry })).rejects.toThrow('stopped')
  // A transaction ends after so many records, or after so much time.
  const { saved } = await storedJob(app, id) as { saved: RecordsState }
  expect(saved).toMatchObject({ total: 450, skipped: 0 })
  expect(saved.done).toBeGreaterThan(0)
  expect(saved.done).toBeLessThanOrEqual(200)
  // Somebody adds a student meanwhile: it came after the wish and is none of its business.
  const [late = 0] = await students(schools.one, ['后来的'])
  await claim.end(app.db, 'waiting', null)
  await app.kernel.jobs.start()
  expect(await jobOver(admin, id)).toMatchObject({ status: 'done', total: 450, result: { done: 450, skipped: 0 } })
  expect(await read([late])).toMatchObject([{ status: 1 }])
  expect(await app.db.query(sql`select count(*) as n from audit_log where job_id = ${id}`)).toEqual([{ n: 450 }])
})
