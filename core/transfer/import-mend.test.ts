import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STANDARD_ACTIONS } from '../grant/grant.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { check, commit, openSchools, STUDENTS, xlsxOf, type Schools } from '../testing/transfer.server.ts'
import type { ImportChecked, ImportMended } from './calls.ts'

let app: TestApp
let admin: Caller
let schools: Schools
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  schools = await openSchools(app)
})
afterAll(() => app.close())

const HEADER = ['姓名', '手机', '年级', '班级']
const inOne = () => ({ fixed: { school_id: schools.one } })
const mend = (job_id: number, row_number: number, cells: Record<string, string>, caller = admin) => caller.post<ImportMended & { detail?: string }>(`${STUDENTS}/import_mend`, { job_id, row_number, cells })
const rowsOf = async (job_id: number, query: Record<string, unknown> = {}) => (await admin.get<{ items: ImportChecked['preview'] }>(`${STUDENTS}/import_rows`, { job_id, ...query })).body.items

test('cells are mended one after another, the other cells of the row stay, and what is good then is written', async () => {
  const { id, result } = await check(app, admin, STUDENTS, await xlsxOf([HEADER, ['甲一', '13610000001', '初一', null], ['乙二', '12345', '初五', '没有这个班'], ['丙三', '13610000003', '初一', null]]), inOne())
  expect(result.counts).toEqual({ good: 2, bad: 1, new: 2, update: 0 })
  const first = await mend(id, 3, { mobile: '136 1000 0002' })
  expect(first.body.row).toMatchObject({ row_number: 3, state: 'bad', cells: { name: '乙*', mobile: '136****0002', grade: '初五', cell_id: '没有这个班' } })
  expect(first.body.row.reason).toContain('没有这个班')
  expect(first.body.row.reason).not.toContain('手机')
  const second = await mend(id, 3, { grade: '初一', cell_id: '初一1班' })
  expect(second.body).toMatchObject({ row: { state: 'new', reason: null }, counts: { good: 3, bad: 0, new: 3, update: 0 }, problems: [] })
  const { result: written } = await commit(admin, STUDENTS, id, { bad: 'refuse' })
  expect(written.created).toBe(3)
  expect(await app.db.query(sql`select name, mobile, grade, cell_id from school_student where mobile = '13610000002'`)).toEqual([{ name: '乙二', mobile: '13610000002', grade: 7, cell_id: schools.cells['初一1班'] }])
  expect(await mend(id, 3, { name: '乙' })).toMatchObject({ status: 409, body: { detail: '这个文件已经导入过，不能重复写入' } })
})

test('a mended row is judged by the other rows and by the records', async () => {
  const { id } = await check(app, admin, STUDENTS, await xlsxOf([HEADER, ['丁一', '13620000001', '初一', null], ['丁二', '1', '初一', null], ['丁三', '13620000003', '初一', null]]), inOne())
  expect((await mend(id, 3, { mobile: '13620000001' })).body.row).toMatchObject({ state: 'bad', reason: '与第 2 行的手机重复' })
  expect((await mend(id, 3, { mobile: '13620000003' })).body.row).toMatchObject({ state: 'bad', reason: '与第 4 行的手机重复' })
  // The row that another repeats is none the worse for it.
  expect((await mend(id, 2, { name: '丁壹' })).body.row).toMatchObject({ state: 'new', reason: null })
  expect((await mend(id, 3, { mobile: '13610000001' })).body).toMatchObject({ row: { state: 'update', reason: null }, counts: { good: 3, bad: 0, new: 2, update: 1 } })
  expect((await mend(id, 3, { mobile: '' })).body.row).toMatchObject({ state: 'bad' })
  // A good row may be spoilt, and is good again afterwards.
  expect((await mend(id, 4, { grade: '大一' })).body.counts).toMatchObject({ bad: 2 })
  expect((await mend(id, 4, { grade: '初二' })).body.counts).toMatchObject({ bad: 1, new: 2 })
  expect((await app.db.query(sql`select 1 from school_student where mobile like '1362%'`)).length, 'judging writes nothing').toBe(0)
})

test('what was mended holds when the file is checked again', async () => {
  const content = await xlsxOf([HEADER, ['庚一', '1', '初一', null], ['庚二', '13650000002', '初一', '没有这个班']])
  const mended = { 2: { mobile: '13650000001' }, 3: { cell_id: '' } }
  expect((await check(app, admin, STUDENTS, content, inOne())).result.counts).toMatchObject({ bad: 2 })
  const { id, result } = await check(app, admin, STUDENTS, content, { ...inOne(), mended })
  expect(result.counts).toMatchObject({ bad: 0, new: 2 })
  expect(result.preview.map(({ cells }) => [cells['mobile'], cells['cell_id']])).toEqual([['136****0001', ''], ['136****0002', '']])
  expect((await commit(admin, STUDENTS, id, { bad: 'refuse' })).result.created).toBe(2)
  expect((await app.db.query(sql`select mobile from school_student where mobile like '1365%' order by mobile`)).map((row) => row['mobile'])).toEqual(['13650000001', '13650000002'])
})

test('wrong rows are read alone, however far down they stand, and hide what every screen hides', async () => {
  const rows = Array.from({ length: 120 }, (_unused, n) => [`戊${n}`, `1363${String(n).padStart(7, '0')}`, n % 40 === 39 ? '大一' : '初一', null])
  const { id } = await check(app, admin, STUDENTS, await xlsxOf([HEADER, ...rows]), inOne())
  expect((await rowsOf(id)).map((row) => row.row_number)).toEqual(Array.from({ length: 50 }, (_unused, n) => n + 2))
  expect((await rowsOf(id, { after: 101 })).map((row) => row.row_number)).toEqual(Array.from({ length: 20 }, (_unused, n) => n + 102))
  const wrong = await rowsOf(id, { bad: 1 })
  expect(wrong.map(({ row_number, cells }) => [row_number, cells['grade']])).toEqual([[41, '大一'], [81, '大一'], [121, '大一']])
  expect(JSON.stringify(await rowsOf(id))).not.toMatch(/1363\d{7}/)
})

test('what is not there, not one\'s own or not in the file is refused in one sentence', async () => {
  const { id } = await check(app, admin, STUDENTS, await xlsxOf([HEADER, ['己一', '1', '初一', null]]), inOne())
  const screen = app.kernel.registry.get('school_student')?.resource.grant ?? 0
  const other = await app.staff([screen, screen * 100 + STANDARD_ACTIONS.import.n])
  expect((await mend(id, 2, { name: '己' }, other)).status).toBe(404)
  expect((await other.get(`${STUDENTS}/import_rows`, { job_id: id })).status).toBe(404)
  expect(await mend(id, 9, { name: '己' })).toMatchObject({ status: 404, body: { detail: '这一行不存在或已被删除' } })
  expect(await mend(id, 2, { school_id: '1' })).toMatchObject({ status: 400, body: { detail: '要修改的列不在这个文件里，请重新上传检查' } })
  expect((await mend(id, 2, { name: 'x'.repeat(2001) })).status).toBe(400)
  expect((await mend(id, 2, { mobile: '13640000001' })).body.row.state).toBe('new')
})
