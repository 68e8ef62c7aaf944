import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MOST_PASTED, pastedFile, placePasted, putPasted, readPasted } from './pasted.ts'

const columns = [{ key: 'name', label: '姓名', required: true }, { key: 'mobile', label: '手机号', aliases: ['电话'] }, { key: 'grade', label: '年级' }]

test.each([
  ['甲\t1\r\n乙\t2\r\n', [['甲', '1'], ['乙', '2']]],
  ['甲\t\t初二', [['甲', '', '初二']]],
  ['"两\n行"\t"说""好""了"\n乙\t2', [['两\n行', '说"好"了'], ['乙', '2']]],
  // A quotation mark that ends nothing is one.
  ['"甲\t5"x', [['"甲', '5"x']]],
  ['甲\n\n\n', [['甲']]],
  ['', []],
])('%j is read as the spreadsheet shows it', (text, rows) => {
  expect(readPasted(text)).toEqual(rows)
})

test('whatever stands in cells is read back', () => {
  const cell = fc.string({ maxLength: 8 }).map((text) => `x${text.replaceAll('\r', '')}`)
  const quote = (text: string) => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  fc.assert(fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
    expect(readPasted(rows.map((cells) => cells.map(quote).join('\t')).join('\n'))).toEqual(rows)
  }))
})

test('columns are matched by headings, by other names of theirs too, whatever their order', () => {
  expect(placePasted([['电话', '备注', '姓名*'], ['138', '老生', '甲']], columns, 2)).toEqual({ headed: true, unknown: ['备注'], rows: [['甲', '138', '']] })
})

test('without headings they go by their order from the cell that was chosen on, and write nothing before it', () => {
  const placed = placePasted([['138', '初二'], ['139', '初三']], columns, 1)
  expect(placed).toEqual({ headed: false, unknown: [], rows: [['', '138', '初二'], ['', '139', '初三']] })
  expect(putPasted([['甲', '', ''], ['乙', '', '']], placed, 1, 1)).toEqual([['甲', '', ''], ['乙', '138', '初二'], ['', '139', '初三']])
  // A name that happens to be a heading is a name.
  expect(placePasted([['年级', '1', '2', '3']], columns, 0).headed).toBe(false)
})

test('a sheet has an end', () => {
  const rows = Array.from({ length: MOST_PASTED + 9 }, () => ['甲', '', ''])
  expect(putPasted([], placePasted(rows, columns, 0), 0, 0)).toHaveLength(MOST_PASTED)
})

test('as a file every row keeps its place', () => {
  expect(pastedFile(['姓名', '备注'], [['', ''], ['甲,"乙"', '两\n行']])).toBe('"姓名","备注"\r\n"",""\r\n"甲,""乙""","两\n行"')
})
