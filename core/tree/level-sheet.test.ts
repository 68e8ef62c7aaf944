import { expect, test } from 'vitest'
import type { SheetRow } from '../sheet/cell.ts'
import { readLevels, type FactColumn } from './level-sheet.ts'

const rows = (...cells: (string | number | null)[][]): SheetRow[] => cells.map((row, index) => ({ rowNumber: index + 1, cells: row }))
const PAGE: FactColumn = { key: 'page', label: '页码', read: (text) => (/^\d+$/.test(text) ? Number(text) : null), write: (value) => value as number }

test('each level of a path is a node, named once, parents first', () => {
  const { nodes, problems } = readLevels(rows(['一级', '二级', '三级', '页码'], ['函数', '单调性', null, 12], [null, null, '定义', null], ['函数', '奇偶性', null, '30'], ['数列', null, null, null]), 5, 60, [PAGE])
  expect(problems).toEqual([])
  expect(nodes.map(({ path, facts }) => [path.join('/'), facts])).toEqual([['函数', {}], ['函数/单调性', { page: 12 }], ['函数/单调性/定义', {}], ['函数/奇偶性', { page: 30 }], ['数列', {}]])
})

test('what cannot be read is said with its row; the header may stand further down', () => {
  const { nodes, problems } = readLevels(rows(['2026 年知识点'], ['*一级（必填）', '二级', '页码'], [null, '孤儿', null], ['函数', '单调性', '第三页'], ['长'.repeat(61), null, null], ['数列', null, 1]), 2, 60, [PAGE])
  expect(nodes.map(({ path }) => path.join('/'))).toEqual(['数列'])
  expect(problems.map(({ row }) => row)).toEqual([3, 4, 5])
  expect(problems.map(({ message }) => message)).toEqual(['缺少一级的名称', '页码「第三页」无法识别', expect.stringContaining('超过 60 个字')])
  expect(readLevels(rows(['姓名', '电话'], ['王', '1']), 5, 60, []).problems[0]?.message).toContain('没有找到表头')
})
