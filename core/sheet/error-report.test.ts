import { readXlsx as readByOracle } from 'hucre/xlsx'
import { afterAll, describe, expect, it } from 'vitest'
import { writeErrorReport, type FailedRow } from './error-report.server.ts'
import { collect, each, fixtureFolder, memoryTarget } from './fixture.server.ts'
import { matchHeader } from './header.ts'
import { readSheet } from './read.server.ts'

const folder = fixtureFolder()
afterAll(() => folder.remove())

const columns = [
  { key: 'name', label: '姓名', required: true },
  { key: 'mobile', label: '手机号', required: true },
  { key: 'day', label: '生日', type: 'date' as const },
  { key: 'on', label: '在读' },
]
const failed: FailedRow[] = [
  { cells: { name: '=张三', mobile: 138001, day: new Date('2008-02-29T00:00:00Z'), on: true }, reason: '手机号：请输入正确的手机号' },
  { cells: { name: '0012', mobile: '0138', day: new Date('2008-02-29T08:30:00Z') }, reason: '姓名已存在；生日：不是有效的时间' },
]

describe('writeErrorReport', () => {
  it('puts the reason first, highlighted, and gives every cell back as it was', async () => {
    const target = memoryTarget()
    expect(await writeErrorReport(target, { columns, rows: each(failed) })).toBe(2)
    const { sheets: [sheet] } = await readByOracle(target.bytes(), { readStyles: true })
    expect(sheet?.name).toBe('错误数据')
    expect(sheet?.rows).toEqual([
      ['错误原因', '姓名', '手机号', '生日', '在读'],
      ['手机号：请输入正确的手机号', '=张三', 138001, new Date('2008-02-29T00:00:00Z'), true],
      ['姓名已存在；生日：不是有效的时间', '0012', '0138', new Date('2008-02-29T08:30:00Z'), null],
    ])
    const style = (row: number, column: number) => sheet?.cells?.get(`${row},${column}`)?.style
    expect(style(1, 0)?.fill).toBeDefined()
    expect(style(1, 0)?.fill).not.toEqual(style(1, 1)?.fill)
    expect([style(1, 3)?.numFmt, style(2, 3)?.numFmt]).toEqual(['yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm'])
  })

  it('can be uploaded again', async () => {
    const target = memoryTarget()
    await writeErrorReport(target, { columns, rows: each(failed) })
    const rows = await collect(readSheet(folder.write('a.xlsx', target.bytes())))
    const { mapping, unknown, missing } = matchHeader(rows, columns)
    expect({ mapping, unknown, missing }).toEqual({ mapping: { name: 1, mobile: 2, day: 3, on: 4 }, unknown: [], missing: [] })
    expect(rows.slice(1).map((row) => columns.map(({ key }) => row.cells[mapping[key] ?? -1]))).toEqual([
      ['=张三', 138001, new Date('2008-02-29T00:00:00Z'), true],
      ['0012', '0138', new Date('2008-02-29T08:30:00Z'), undefined],
    ])
  })
})
