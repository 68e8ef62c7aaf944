import { sql } from 'drizzle-orm'
import type { CellValue } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import type { ImportUndone } from './calls.ts'
import { check, commit, openSchools, readFile, runJob, STUDENTS, xlsxOf, type Schools } from '../testing/transfer.server.ts'

/** Students of one workbook, as a large school sends them. */
const STUDENTS_SENT = 10_000
const MINUTES = 5 * 60_000
const HEADER = ['序号', '姓 名*', '手机（必填）', '年级', '班级', '有效期']
const FIRST_ROW = 4
const mobileOf = (n: number) => `138${String(n).padStart(8, '0')}`
const fullWidth = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
const DAY = Date.UTC(2027, 8, 1) / 1000 - 8 * 3600

/** What is wrong with one row of five hundred each; the others are right. */
const FAULTS: Readonly<Record<number, (row: number) => string>> = {
  110: (row) => `与第 ${row - 100} 行的手机重复`,
  120: () => '班级「初一9班」不属于该学校',
  130: () => '请输入正确的手机号',
  140: () => '请填写姓名',
}

interface Messy {
  rows: CellValue[][]
  /** Sentence for each wrong row, by its number in the sheet. */
  wrong: Map<number, string>
}

/** The rows as they are typed: a title above the header, empty rows, widths and types of mobiles mixed. */
function messyRows(dates: 'cells' | 'texts'): Messy {
  const rows: CellValue[][] = [['一中学生名单（2026 级）', null, null, null, null, null], [null, null, null, null, null, null], [...HEADER]]
  const wrong = new Map<number, string>()
  for (let n = 0; n < STUDENTS_SENT; n++) {
    if (n % 1000 === 999) rows.push([null, null, null, null, null, null])
    const row = rows.length + 1
    const fault = n % 500
    // The row whose number a faulty one repeats lies a hundred before it, with no empty row between.
    const mobile = fault === 110 ? mobileOf(n - 100) : fault === 130 ? '1380013' : mobileOf(n)
    const typed = n % 7 === 1 ? fullWidth(mobile) : n % 7 === 2 ? Number(mobile) : n % 7 === 3 ? ` ${mobile} ` : mobile
    const until = dates === 'cells' ? new Date('2027-09-01T00:00:00Z') : ['2027-09-01', '2027/9/1', '2027年9月1日'][n % 3] ?? null
    rows.push([n + 1, fault === 140 ? null : `学生${n}`, typed, '初一', fault === 120 ? '初一9班' : '初一1班', until])
    const sentence = FAULTS[fault]?.(row)
    if (sentence) wrong.set(row, sentence)
  }
  return { rows, wrong }
}

/** Text in the encoding of Chinese Windows, which Node reads but does not write. */
function gbk(text: string): Buffer {
  const decoder = new TextDecoder('gbk')
  const codes = new Map<string, [number, number]>()
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) if (trail !== 0x7f) codes.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail])
  }
  return Buffer.from([...text].flatMap((char) => (char.charCodeAt(0) < 0x80 ? [char.charCodeAt(0)] : codes.get(char) ?? [0x3f])))
}

const csv = (rows: readonly CellValue[][]) => gbk(rows.map((row) => row.map((cell) => cell ?? '').join(',')).join('\r\n'))

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
})
afterAll(() => app.close())

const living = async (school: number) => (await app.db.query<{ n: number; cells: number; until: number }>(sql`select count(*) as n, count(distinct cell_id) as cells,
  count(*) filter (where expire_at = to_timestamp(${DAY})) as until from school_student where school_id = ${school} and deleted_at is null`))[0]

/** Good rows land, each bad one comes back with its reason, is mended and goes through; then all of it is taken back. */
async function wholeWay(schools: Schools, content: Buffer, wrong: ReadonlyMap<number, string>, name: string): Promise<void> {
  const fixed = { school_id: schools.one }
  const good = STUDENTS_SENT - wrong.size
  const first = await check(app, admin, STUDENTS, content, { fixed }, name)
  expect(first.result).toMatchObject({ header_row: 3, unknown: ['序号'], counts: { good, bad: wrong.size, new: good, update: 0 } })
  expect(first.result.problems.map(({ row_number, reason }) => [row_number, reason])).toEqual([...wrong].slice(0, first.result.problems.length))
  const report = await readFile(app, admin, first.result.errors?.url ?? '')
  expect(report[0]).toEqual(['错误原因', ...HEADER])
  expect(report.slice(1).map((row) => row[0])).toEqual([...wrong.values()])

  expect((await admin.post(`${STUDENTS}/import_commit`, { job_id: first.id })).status).toBe(400)
  expect(await living(schools.one)).toMatchObject({ n: 0 })
  const written = await commit(admin, STUDENTS, first.id, { bad: 'skip' })
  expect(written.result).toMatchObject({ created: good, updated: 0, skipped: wrong.size, late: [] })
  expect(await living(schools.one)).toEqual({ n: good, cells: 1, until: good })

  const mended = report.slice(1).map((row, n) => [row[0], row[1], row[2] ?? '补名', mobileOf(STUDENTS_SENT + n), '初一', '初一1班', '2027-09-01'] as CellValue[])
  const second = await check(app, admin, STUDENTS, await xlsxOf([report[0] as CellValue[], ...mended]), { fixed })
  expect(second.result).toMatchObject({ counts: { good: wrong.size, bad: 0 }, problems: [] })
  const rest = await commit(admin, STUDENTS, second.id)
  expect(await living(schools.one)).toEqual({ n: STUDENTS_SENT, cells: 1, until: STUDENTS_SENT })

  for (const { id, count } of [{ id: rest.id, count: wrong.size }, { id: written.id, count: good }]) {
    const undone = (await runJob(admin, `${STUDENTS}/import_undo`, { job_id: id }, ['done'])).result as unknown as ImportUndone
    expect(undone).toMatchObject({ removed: count, reverted: 0, kept: 0, reasons: [] })
  }
  expect(await living(schools.one)).toMatchObject({ n: 0 })
}

describe('ten thousand students as schools send them', () => {
  test('a workbook with a title, empty rows, a merged class, and dates from 1904', { timeout: MINUTES }, async () => {
    const { rows, wrong } = messyRows('cells')
    // The class of the first two students stands in one cell over both, as people like it.
    const second = rows[FIRST_ROW]
    if (second) second[4] = null
    await wholeWay(await openSchools(app), await xlsxOf(rows, { merges: [[0, 0, 0, 5], [FIRST_ROW - 1, 4, FIRST_ROW, 4]], dateSystem: '1904' }), wrong, '学生.xlsx')
  })

  test('the same saved as csv by Chinese Windows', { timeout: MINUTES }, async () => {
    const { rows, wrong } = messyRows('texts')
    await wholeWay(await openSchools(app), csv(rows), wrong, '学生.csv')
  })
})
