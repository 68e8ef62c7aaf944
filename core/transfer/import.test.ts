import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upload } from '../testing/uploads.server.ts'
import { addJob, jobOver } from '../testing/jobs.server.ts'
import { STANDARD_ACTIONS, type StandardAction } from '../grant/grant.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { transferSweep } from './jobs.server.ts'
import { check, commit, openSchools, readFile, runJob, STUDENT, STUDENTS, uploadSheet, xlsxOf, type Schools } from '../testing/transfer.server.ts'

let app: TestApp
let admin: Caller
let schools: Schools
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  schools = await openSchools(app)
})
afterAll(() => app.close())

const SCREEN = () => app.kernel.registry.get('school_student')?.resource.grant ?? 0
const ids = (...actions: StandardAction[]) => [SCREEN(), ...actions.map((action) => SCREEN() * 100 + STANDARD_ACTIONS[action].n)]
const living = (school: number) => app.db.query<Record<string, unknown> & { id: number }>(sql`select * from school_student where school_id = ${school} and deleted_at is null order by mobile`)
const inOne = () => ({ fixed: { school_id: schools.one } })
const HEADER = ['姓名', '手机', '年级', '班级']
const PARTNERS = '/daoyuan/api/end/self_study_room/partners'
const PARTNER_HEADER = ['合伙人名称', '联系人', '手机号', '所在地区', '级别', '自习室类型', '签约日期', '到期日期', '保证金']
const partnerRow = (mobile: string, expire: string) => ['启航教育', '王总', mobile, '江苏/南京/玄武', '单店', '线下自习室', '2026-01-01', expire, '10,000.50元']

/** A school of its own for a test that counts. */
async function freshSchool(): Promise<Schools> {
  return openSchools(app)
}

describe('who may import', () => {
  const paths = [['GET', 'import_template'], ['POST', 'import'], ['POST', 'import_commit'], ['POST', 'import_undo']] as const

  test('nobody without a session, and nobody without the right to import', async () => {
    const person = await app.staff(ids('edit', 'export'))
    for (const [method, path] of paths) {
      expect((await app.nobody().call(method, `${STUDENTS}/${path}`, {})).status).toBe(401)
      expect(await person.call(method, `${STUDENTS}/${path}`, {})).toMatchObject({ status: 403, body: { detail: expect.stringContaining('导入') } })
    }
  })

  test('a file or a check of somebody else is as good as none', async () => {
    const [one, other] = [await app.staff(ids('import')), await app.staff(ids('import'))]
    const file_id = await uploadSheet(app, one, await xlsxOf([HEADER, ['张三', '13700000001', '初一', '初一1班']]))
    expect(await other.post(`${STUDENTS}/import`, { file_id, ...inOne() })).toMatchObject({ status: 404, body: { detail: '上传的文件不存在或已被删除' } })
    const job = await runJob(one, `${STUDENTS}/import`, { file_id, ...inOne() }, ['done'])
    for (const path of ['import_commit', 'import_undo']) expect((await other.post(`${STUDENTS}/${path}`, { job_id: job.id })).status).toBe(404)
    expect((await other.get(`/daoyuan/api/end/jobs/${job.id}`)).status).toBe(404)
    // A check of another resource cannot be written into this one.
    expect((await admin.post('/daoyuan/api/end/self_study_room/school_teachers/import_commit', { job_id: job.id })).status).toBe(404)
  })

  test('updating what is there asks for the right to edit too', async () => {
    const person = await app.staff(ids('import'))
    const { id } = await check(app, person, STUDENTS, await xlsxOf([HEADER, ['张三', '13700000002', '初一', null]]), inOne())
    expect(await person.post(`${STUDENTS}/import_commit`, { job_id: id, existing: 'update' })).toMatchObject({ status: 403 })
  })
})

describe('checking a sheet', () => {
  test('a good sheet is shown and written', async () => {
    const sheet = await xlsxOf([HEADER, ['张三', 13800138000, '初一', '初一1班'], ['李四', '13800138001', '初一', '初一(2)班']])
    const { id, result } = await check(app, admin, STUDENTS, sheet, inOne())
    expect(result).toMatchObject({
      counts: { good: 2, bad: 0, new: 2, update: 0 }, unknown: [], header_row: 1, mapping: { name: 0, mobile: 1, grade: 2, cell_id: 3 }, problems: [],
      columns: [{ index: 0, label: '姓名' }, { index: 1, label: '手机' }, { index: 2, label: '年级' }, { index: 3, label: '班级' }],
      preview: [
        { row_number: 2, state: 'new', reason: null, cells: { name: '张*', mobile: '138****8000', grade: '初一', cell_id: '初一1班' } },
        { row_number: 3, state: 'new', reason: null },
      ],
    })
    expect(result.errors).toBeUndefined()
    expect(await living(schools.one)).toEqual([])
    const written = await commit(admin, STUDENTS, id)
    expect(written.result).toMatchObject({ created: 2, updated: 0, unchanged: 0, skipped: 0, late: [] })
    expect(await living(schools.one)).toMatchObject([
      { name: '张三', mobile: '13800138000', grade: 7, cell_id: schools.cells['初一1班'], school_id: schools.one, status: 1, rev: 1, created_by: admin.staffId },
      // The class is called 初一（2）班, with the brackets of a Chinese keyboard.
      { name: '李四', mobile: '13800138001', grade: 7, cell_id: schools.cells['初一（2）班'] },
    ])
  })

  test('the sheet that schools really send', async () => {
    const school = await freshSchool()
    const rows = [
      ['一中学生名单（2026 级）', null, null, null, null, null],
      [null, null, null, null, null, null],
      ['序号', '姓 名*', '手机（必填）', '年级', '班级', '有效期'],
      [1, '张三', 13800138000, '初一', '初一1班', new Date('2027-09-01T00:00:00Z')],
      [2, ' 李四 ', '１３８００１３８００１', '初一', null, '2027/9/1'],
      [null, null, null, null, null, null],
      [3, '王五', '138 0013 8002', '初一', '初一9班', '2027年9月1日'],
      [4, '赵六', '13800138000', '初一', '初一1班', null],
      [5, '钱七', '1380013800', '初七', '初一1班', '随便'],
      [6, null, '13800138005', '初一', null, null],
      [7, '孙八', '+86 13800138006', 7, null, null],
      ['备注：以上名单由教务处提供', null, null, null, null, null],
    ]
    // The class stands in one cell over two rows, as people like it.
    const sheet = await xlsxOf(rows, { merges: [[0, 0, 0, 5], [3, 4, 4, 4]] })
    const { id, result } = await check(app, admin, STUDENTS, sheet, { fixed: { school_id: school.one } })
    expect(result).toMatchObject({ header_row: 3, unknown: ['序号'], mapping: { name: 1, mobile: 2, grade: 3, cell_id: 4, expire_at: 5 } })
    expect(result.counts).toEqual({ good: 3, bad: 4, new: 3, update: 0 })
    expect(result.problems).toEqual([
      { row_number: 7, reason: '班级「初一9班」不属于该学校' },
      { row_number: 8, reason: '与第 4 行的手机重复' },
      { row_number: 9, reason: '请输入正确的手机号；年级应为 一年级、二年级、三年级、四年级、五年级、六年级、初一、初二、初三、高一、高二、高三 之一；有效期不是有效的时间' },
      { row_number: 10, reason: '请填写姓名' },
    ])
    const refused = await admin.post(`${STUDENTS}/import_commit`, { job_id: id })
    expect(refused).toMatchObject({ status: 400, body: { detail: '有 4 行不能写入，请修改后重新上传，或选择跳过这些行' } })
    expect((await commit(admin, STUDENTS, id, { bad: 'skip' })).result).toMatchObject({ created: 3, skipped: 4 })
    const day = Date.UTC(2027, 8, 1) / 1000 - 8 * 3600
    expect(await living(school.one)).toMatchObject([
      { name: '张三', mobile: '13800138000', cell_id: school.cells['初一1班'], expire_at: day },
      { name: '李四', mobile: '13800138001', cell_id: school.cells['初一1班'], expire_at: day },
      { name: '孙八', mobile: '13800138006', cell_id: null, grade: 7 },
    ])

    // The wrong rows come back with their reasons, are mended and sent again as they are.
    const report = await readFile(app, admin, result.errors?.url ?? '')
    expect(report[0]).toEqual(['错误原因', '序号', '姓 名*', '手机（必填）', '年级', '班级', '有效期'])
    expect(report.slice(1).map((row) => row[0])).toEqual(result.problems.map((problem) => problem.reason))
    const mended = report.slice(1).map((row, index) => [row[0], row[1], row[2] ?? '周九', `1380013801${index}`, '初一', null, null])
    const again = await check(app, admin, STUDENTS, await xlsxOf([report[0] as string[], ...(mended as string[][])]), { fixed: { school_id: school.one } })
    expect(again.result).toMatchObject({ counts: { good: 4, bad: 0 }, unknown: ['序号'] })
  })

  test('a csv in the encoding of Chinese Windows', async () => {
    const school = await freshSchool()
    // 姓名,手机,年级 / 张三,13800138000,初一 in GB18030
    const bytes = Buffer.from('d0d5c3fb2ccad6bbfa2cc4eabcb60d0ad5c5c8fd2c31333830303133383030302cb3f5d2bb0d0a', 'hex')
    const { result } = await check(app, admin, STUDENTS, bytes, { fixed: { school_id: school.one } }, '学生.csv')
    expect(result).toMatchObject({ counts: { new: 1, bad: 0 }, preview: [{ row_number: 2, cells: { name: '张*', grade: '初一' } }] })
  })

  test('dates of a workbook that counts from 1904', async () => {
    const school = await freshSchool()
    const sheet = await xlsxOf([['姓名', '手机', '年级', '有效期'], ['张三', '13800138000', '初一', new Date('2027-09-01T00:00:00Z')]], { dateSystem: '1904' })
    const { id } = await check(app, admin, STUDENTS, sheet, { fixed: { school_id: school.one } })
    await commit(admin, STUDENTS, id)
    expect(await living(school.one)).toMatchObject([{ expire_at: Date.UTC(2027, 8, 1) / 1000 - 8 * 3600 }])
  })

  test('a header that is not understood can be mapped by hand', async () => {
    const school = await freshSchool()
    const sheet = await xlsxOf([['学员', '联系方式', '年级', '手机'], ['张三', '13800138000', '初一', '没有']])
    const file_id = await uploadSheet(app, admin, sheet)
    const fixed = { school_id: school.one }
    const first = await runJob(admin, `${STUDENTS}/import`, { file_id, fixed }, ['done'])
    expect(first.result).toMatchObject({ problem: '缺少必填列：姓名', unknown: ['学员', '联系方式'], counts: { good: 0 }, columns: expect.arrayContaining([{ index: 1, label: '联系方式' }]) })
    expect(await admin.post(`${STUDENTS}/import_commit`, { job_id: first.id })).toMatchObject({ status: 400, body: { detail: '没有可以写入的行' } })
    const second = await runJob(admin, `${STUDENTS}/import`, { file_id, fixed, mapping: { name: 0, mobile: 1 } }, ['done'])
    expect(second.result).toMatchObject({ mapping: { name: 0, mobile: 1, grade: 2 }, counts: { new: 1, bad: 0 } })
    const none = await check(app, admin, STUDENTS, await xlsxOf([['甲', '乙'], ['1', '2']]), { fixed })
    expect(none.result.problem).toBe('没有找到表头，请使用模板填写，或指定表头所在的行')
  })

  test('a file that is no sheet fails with a sentence', async () => {
    const answer = await upload(app, admin, 'file', '学生.csv', 'a,"b\n1,2')
    const job = await runJob(admin, `${STUDENTS}/import`, { file_id: answer.body.id, ...inOne() })
    expect(job).toMatchObject({ status: 'failed', error: '文件第 1 行附近的引号不成对，请检查后重新上传' })
  })

  test('fields that a record needs and the definition does not name become columns', async () => {
    const school = await freshSchool()
    const [row] = await app.db.query<{ name: string }>(sql`select name from app_school where id = ${school.one}`)
    const sheet = await xlsxOf([['学校', ...HEADER], [row?.name ?? '', '张三', '13800138000', '初一', '初一1班'], ['没有的学校', '李四', '13800138001', '初一', '初一1班']])
    const { id, result } = await check(app, admin, STUDENTS, sheet)
    expect(result.problems).toEqual([{ row_number: 3, reason: '学校「没有的学校」不存在；班级「初一1班」有 4 个同名记录，无法确定是哪一个'.replace('4', String(await sameName())) }])
    await commit(admin, STUDENTS, id, { bad: 'skip' })
    expect(await living(school.one)).toMatchObject([{ name: '张三', cell_id: school.cells['初一1班'] }])
  })

  const sameName = async () => (await app.db.query(sql`select 1 from school_cell where name = '初一1班'`)).length

  test('values that all rows share are checked like any other', async () => {
    const file_id = await uploadSheet(app, admin, await xlsxOf([HEADER]))
    const start = (fixed: Record<string, unknown>) => admin.post(`${STUDENTS}/import`, { file_id, fixed })
    expect(await start({ school_id: 999_999 })).toMatchObject({ status: 400, body: { fields: { school_id: '学校不存在或已被删除，请重新选择' } } })
    expect(await start({ school_id: '一中' })).toMatchObject({ status: 400 })
    expect(await start({ status: 1 })).toMatchObject({ status: 400, body: { detail: '指定的固定值有误' } })
    expect(await start({ created_by: 1 })).toMatchObject({ status: 400 })
  })
})

describe('what the person may see', () => {
  test('names, shared values and results stay inside the data scope', async () => {
    const school = await freshSchool()
    const person = await app.staff(ids('import', 'edit'), { scopes: { school: [school.one] } })
    const file_id = await uploadSheet(app, person, await xlsxOf([HEADER, ['张三', '13800138000', '初一', '初一9班']]))
    expect((await person.post(`${STUDENTS}/import`, { file_id, fixed: { school_id: school.other } })).status).toBe(400)
    const wrong = await check(app, person, STUDENTS, await xlsxOf([HEADER, ['张三', '13800138000', '初一', '初一9班']]), { fixed: { school_id: school.one } })
    expect(wrong.result.problems).toEqual([{ row_number: 2, reason: '班级「初一9班」不存在' }])
    const names = await app.db.query<{ name: string }>(sql`select name from app_school where id in (${school.one}, ${school.other}) order by id`)
    const both = await check(app, person, STUDENTS, await xlsxOf([['学校', ...HEADER], ...names.map(({ name }, index) => [name, '张三', `1380013801${index}`, '初一', null])]))
    expect(both.result).toMatchObject({ counts: { new: 1, bad: 1 }, problems: [{ row_number: 3, reason: `学校「${names[1]?.name}」不存在` }] })
  })

  test('nobody can import a record that they could not see afterwards', async () => {
    const [own] = await app.db.query<{ id: number }>(sql`select id from partner limit 1`)
    const screen = app.kernel.registry.get('partner')?.resource.grant ?? 0
    const person = await app.staff([screen, screen * 100 + STANDARD_ACTIONS.import.n], { scopes: { partner: [own?.id ?? 0] } })
    const { result } = await check(app, person, PARTNERS, await xlsxOf([PARTNER_HEADER, partnerRow('13700000031', '2027-01-01')]))
    expect(result.problems).toEqual([{ row_number: 2, reason: '该合伙人不在您的数据范围内，不能这样保存' }])
  })

  test('a record of somebody else is neither updated nor shown, only its number is taken', async () => {
    const school = await freshSchool()
    const person = await app.staff(ids('import', 'edit'), { scopes: { school: [school.one] } })
    const teachers = '/daoyuan/api/end/self_study_room/school_teachers'
    const screen = app.kernel.registry.get('school_teacher')?.resource.grant ?? 0
    await app.grant(person.staffId, [...ids('import', 'edit'), screen, screen * 100 + 1, screen * 100 + 3])
    await app.db.query(sql`insert into school_teacher (name, mobile, school_id, role) values ('别校老师', '13711112222', ${school.other}, 2)`)
    const { id, result } = await check(app, person, teachers, await xlsxOf([['姓名', '手机', '角色'], ['张老师', '13711112222', '督学']]), { fixed: { school_id: school.one } })
    expect(result).toMatchObject({ counts: { new: 0, update: 0, bad: 1 }, problems: [{ reason: '手机「137****2222」已存在' }] })
    expect((await person.post(`${teachers}/import_commit`, { job_id: id, bad: 'skip', existing: 'update' })).status).toBe(400)
    expect(await app.db.query(sql`select name from school_teacher where mobile = '13711112222'`)).toEqual([{ name: '别校老师' }])
  })
})

describe('records that are there already', () => {
  test('are refused, or updated where the sheet says something', async () => {
    const school = await freshSchool()
    const fixed = { school_id: school.one }
    const first = await check(app, admin, STUDENTS, await xlsxOf([['姓名', '手机', '年级', '学号', '性别'], ['张三', '13800138000', '初一', 'A1', '男'], ['李四', '13800138001', '初一', 'A2', '女'], ['王五', '13800138002', '初二', 'A3', null]]), { fixed })
    await commit(admin, STUDENTS, first.id)
    const before = await living(school.one)
    await admin.post(`${STUDENT}/${before[0]?.id}/stop`, { reason: '转学了' })

    const sheet = await xlsxOf([['姓名', '手机', '年级', '学号', '性别'], ['张三丰', '13800138000', '初二', null, null], ['李四', '13800138001', '初一', 'A3', '女'], ['王五', '13800138002', '初二', 'A3', null], ['赵六', '13800138003', '初一', 'A4', '男']])
    const { id, result } = await check(app, admin, STUDENTS, sheet, { fixed })
    expect(result.counts).toEqual({ good: 2, bad: 2, new: 1, update: 1 })
    expect(result.problems).toEqual([{ row_number: 3, reason: '学号「A3」已存在' }, { row_number: 4, reason: '与第 3 行的学号重复' }])
    expect(await admin.post(`${STUDENTS}/import_commit`, { job_id: id })).toMatchObject({ status: 400, body: { detail: '有 3 行不能写入，请修改后重新上传，或选择跳过这些行' } })
    const written = await commit(admin, STUDENTS, id, { bad: 'skip', existing: 'update' })
    expect(written.result).toMatchObject({ created: 1, updated: 1, unchanged: 0, skipped: 2 })
    const after = await living(school.one)
    // Empty cells and the state, which no sheet may set, stay as they are.
    expect(after[0]).toMatchObject({ id: before[0]?.id, name: '张三丰', grade: 8, student_no: 'A1', gender: 1, status: 0, rev: 3, updated_by: admin.staffId })
    expect(after[1]).toEqual(before[1])
    expect(after).toHaveLength(4)
  })

  test('a record that is as the sheet says is not touched', async () => {
    const school = await freshSchool()
    const sheet = await xlsxOf([['姓名', '手机', '年级', '有效期', '班级'], ['张三', '13800138000', '初一', '2027-09-01', '初一1班']])
    const fixed = { school_id: school.one }
    await commit(admin, STUDENTS, (await check(app, admin, STUDENTS, sheet, { fixed })).id)
    const before = await living(school.one)
    const { result } = await commit(admin, STUDENTS, (await check(app, admin, STUDENTS, sheet, { fixed })).id, { existing: 'update' })
    expect(result).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
    expect(await living(school.one)).toEqual(before)
  })
})

describe('writing', () => {
  test('a check is written once, whoever asks how often', async () => {
    const school = await freshSchool()
    const { id } = await check(app, admin, STUDENTS, await xlsxOf([HEADER, ['张三', '13800138000', '初一', null]]), { fixed: { school_id: school.one } })
    const path = `${STUDENTS}/import_commit`
    const start = (key: string) => admin.call<{ job: { id: number } }>('POST', path, { job_id: id }, { 'idempotency-key': key })
    const [one, same] = await Promise.all([start('a'), start('a')])
    expect(same.body.job.id).toBe(one.body.job.id)
    // Asked for before the first was done, as from two windows.
    const late = await addJob(app, admin, 'import_commit', { resource: 'school_student', rows_of: id, bad: 'refuse', existing: 'refuse' })
    const jobs = await Promise.all([one.body.job.id, late].map((job) => jobOver(admin, job)))
    expect(jobs.map((job) => job.status).sort()).toEqual(['done', 'failed'])
    expect(jobs.find((job) => job.status === 'failed')?.error).toBe('这个文件已经导入过，不能重复写入')
    expect(await living(school.one)).toHaveLength(1)
    expect(await start('c')).toMatchObject({ status: 409 })
    expect((await start('a')).body.job.id).toBe(one.body.job.id)
    // A run that comes again after the end, as after a lost answer of the database, finds nothing to do.
    const done = jobs.find((job) => job.status === 'done')?.id ?? 0
    await app.db.query(sql`update job set status = 'failed' where id = ${done}`)
    await admin.post(`/daoyuan/api/end/jobs/${done}/retry`)
    expect((await jobOver(admin, done)).error).toBe('这个文件已经导入过，不能重复写入')
    expect(await living(school.one)).toHaveLength(1)
  })

  test('what changed since the check is found before anything is written', async () => {
    const school = await freshSchool()
    const fixed = { school_id: school.one }
    const rows = [HEADER, ['张三', '13800138000', '初一', null], ['李四', '13800138001', '初一', '初一1班'], ['王五', '13800138002', '初一', null]]
    const { id } = await check(app, admin, STUDENTS, await xlsxOf(rows), { fixed })
    await admin.post(STUDENT, { name: '张三', mobile: '13800138000', grade: 7, school_id: school.one })
    await app.db.query(sql`update school_cell set deleted_at = now() where id = ${school.cells['初一1班']}`)
    const all = await runJob(admin, `${STUDENTS}/import_commit`, { job_id: id })
    expect(all).toMatchObject({ status: 'failed', error: '第 3 行：班级不存在或已被删除，请重新选择（共 1 行有误，没有写入任何数据）' })
    expect(await living(school.one)).toHaveLength(1)
    const some = await commit(admin, STUDENTS, id, { bad: 'skip' })
    expect(some.result).toMatchObject({ created: 1, updated: 0, skipped: 2, late: [{ row_number: 3, reason: '班级不存在或已被删除，请重新选择' }] })
    expect((await living(school.one)).map((row) => row['name'])).toEqual(['张三', '王五'])
  })

  test('rules of single saves hold, row by row where a resource has none for sheets', async () => {
    await app.db.query(sql`update room_type set service_fee = 1234 where type = 'common'`)
    const sheet = await xlsxOf([PARTNER_HEADER, partnerRow('13700000011', '2027-01-01'), partnerRow('13700000012', '2025-01-01')])
    const { id, result } = await check(app, admin, PARTNERS, sheet)
    expect(result.problems).toEqual([{ row_number: 3, reason: '到期日期应晚于签约日期' }])
    await commit(admin, PARTNERS, id, { bad: 'skip' })
    expect(await app.db.query(sql`select service_fee, region_code, level, deposit, balance from partner where mobile = '13700000011'`)).toEqual([
      { service_fee: 1234, region_code: '320102', level: 4, deposit: 1_000_050, balance: 0 },
    ])
  })

  test('rows of a sheet go with their job', async () => {
    const school = await freshSchool()
    const sheet = await xlsxOf([HEADER, ['张三', '13800138000', '初一', null]])
    const [gone, kept] = [await check(app, admin, STUDENTS, sheet, { fixed: { school_id: school.one } }), await check(app, admin, STUDENTS, sheet, { fixed: { school_id: school.one } })]
    await app.db.query(sql`delete from job where id = ${gone.id}`)
    await transferSweep({ db: app.db }).run()
    expect(await app.db.query(sql`select job_id from import_row where job_id in (${gone.id}, ${kept.id})`)).toEqual([{ job_id: kept.id }])
  })

  test('two imports that take the same number at the same moment', async (context) => {
    if (app.db.kind === 'embedded') return context.skip('the embedded database has one connection')
    const school = await freshSchool()
    const { id } = await check(app, admin, STUDENTS, await xlsxOf([HEADER, ['张三', '13800138000', '初一', null], ['李四', '13800138001', '初一', null]]), { fixed: { school_id: school.one } })
    let job = 0
    await app.db.transaction({ staff_id: null }, async (tx) => {
      await tx.query(sql`insert into school_student (name, mobile, grade, school_id, status) values ('王五', '13800138000', 7, ${school.one}, 1)`)
      job = (await admin.post<{ job: { id: number } }>(`${STUDENTS}/import_commit`, { job_id: id, bad: 'skip' })).body.job.id
      // The import now waits for this transaction, whose row it cannot see.
      for (;;) {
        const [waiting] = await app.db.query(sql`select 1 from pg_locks where not granted`)
        if (waiting) return
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })
    expect(await jobOver(admin, job)).toMatchObject({ status: 'done', result: { created: 1, skipped: 1 } })
    expect((await living(school.one)).map((row) => row['name'])).toEqual(['王五', '李四'])
  })

  test('the log says who imported what with which job', async () => {
    const school = await freshSchool()
    const { id } = await check(app, admin, STUDENTS, await xlsxOf([HEADER, ['张三', '13800138000', '初一', null]]), { fixed: { school_id: school.one } })
    const written = await commit(admin, STUDENTS, id)
    const [student] = await living(school.one)
    const log = await app.db.query(sql`select staff_id, action, entity_id, job_id, ip, after->>'name' as name from audit_log where entity = 'school_student' and entity_id = ${student?.id ?? 0}`)
    expect(log).toEqual([{ staff_id: admin.staffId, action: 'import', entity_id: student?.id, job_id: written.id, ip: '127.0.0.1', name: '张三' }])
  })
})

describe('taking an import back', () => {
  test('removes what was created and restores what was changed, but nothing that somebody changed since', async () => {
    const school = await freshSchool()
    const fixed = { school_id: school.one }
    const old = await check(app, admin, STUDENTS, await xlsxOf([['姓名', '手机', '年级', '学号'], ['甲', '13800138000', '初一', 'A1'], ['乙', '13800138001', '初一', 'A2']]), { fixed })
    await commit(admin, STUDENTS, old.id)
    const before = await living(school.one)
    const next = await check(app, admin, STUDENTS, await xlsxOf([['姓名', '手机', '年级', '学号'], ['甲甲', '13800138000', '初二', null], ['乙乙', '13800138001', '初一', 'A9'], ['丙', '13800138002', '初一', null], ['丁', '13800138003', '初一', null]]), { fixed })
    const written = await commit(admin, STUDENTS, next.id, { existing: 'update' })
    expect(written.result).toMatchObject({ created: 2, updated: 2, undo: `${STUDENTS}/import_undo` })
    const [, second, , fourth] = await living(school.one)
    await admin.call('PUT', `${STUDENT}/${second?.id}`, { name: '乙改' })
    await admin.call('PUT', `${STUDENT}/${fourth?.id}`, { name: '丁改' })

    const undone = await runJob(admin, `${STUDENTS}/import_undo`, { job_id: written.id }, ['done'])
    expect(undone.result).toMatchObject({
      removed: 1, reverted: 1, kept: 2,
      reasons: [{ row_number: 3, id: second?.id, reason: '导入后又被修改过' }, { row_number: 5, id: fourth?.id, reason: '导入后又被修改过' }],
    })
    const after = await living(school.one)
    expect(after.map((row) => row['name'])).toEqual(['甲', '乙改', '丁改'])
    expect(after[0]).toMatchObject({ id: before[0]?.id, grade: 7, student_no: 'A1' })
    const actions = await app.db.query<{ action: string }>(sql`select action from audit_log where job_id = ${undone.id} order by id`)
    expect(actions).toEqual([{ action: 'import_undo' }, { action: 'import_undo' }])
    expect((await admin.get(`/daoyuan/api/end/jobs/${written.id}`)).body).toMatchObject({ status: 'undone' })
    expect(await admin.post(`${STUDENTS}/import_undo`, { job_id: written.id })).toMatchObject({ status: 400, body: { detail: '这次导入已经撤销过' } })
    expect(await admin.post(`${STUDENTS}/import_undo`, { job_id: next.id })).toMatchObject({ status: 400, body: { detail: '这个任务没有写入数据，不能撤销' } })
  })

  test('keeps what others need', async () => {
    const school = await freshSchool()
    const { id } = await check(app, admin, PARTNERS, await xlsxOf([PARTNER_HEADER, partnerRow('13700000021', '2027-01-01'), partnerRow('13700000022', '2027-01-01')]))
    const written = await commit(admin, PARTNERS, id)
    await app.db.query(sql`update app_school set partner_id = (select id from partner where mobile = '13700000021') where id = ${school.other}`)
    const undone = await runJob(admin, `${PARTNERS}/import_undo`, { job_id: written.id }, ['done'])
    expect(undone.result).toMatchObject({ removed: 1, kept: 1, reasons: [{ row_number: 2, reason: '该合伙人还被 1 个学校使用，不能删除' }] })
  })

  test('keeps what would collide with others', async () => {
    const school = await freshSchool()
    const fixed = { school_id: school.one }
    await commit(admin, STUDENTS, (await check(app, admin, STUDENTS, await xlsxOf([['姓名', '手机', '年级', '学号'], ['甲', '13800138000', '初一', 'A1'], ['乙', '13800138001', '初一', 'A2']]), { fixed })).id)
    const next = await check(app, admin, STUDENTS, await xlsxOf([['姓名', '手机', '年级', '学号'], ['甲', '13800138000', '初一', 'B1'], ['乙', '13800138001', '初一', 'B2']]), { fixed })
    const written = await commit(admin, STUDENTS, next.id, { existing: 'update' })
    await admin.post(STUDENT, { name: '丙', mobile: '13800138009', grade: 7, school_id: school.one, student_no: 'A2' })
    const undone = await runJob(admin, `${STUDENTS}/import_undo`, { job_id: written.id }, ['done'])
    expect(undone.result).toMatchObject({ removed: 0, reverted: 1, kept: 1, reasons: [{ row_number: 3, reason: '原来的值已被其他记录使用' }] })
    expect((await living(school.one)).map((row) => row['student_no'])).toEqual(['A1', 'B2', 'A2'])
  })
})
