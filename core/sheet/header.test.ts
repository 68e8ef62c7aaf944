import { describe, expect, it } from 'vitest'
import type { Cell, SheetRow } from './cell.ts'
import { foldText } from '../field/field.ts'
import { matchHeader, missingSentence } from './header.ts'

const columns = [
  { key: 'name', label: '姓名', required: true },
  { key: 'mobile', label: '手机号', required: true, aliases: ['手机', '联系电话'] },
  { key: 'wechat', label: '微信ID' },
]

function rows(...cells: Cell[][]): SheetRow[] {
  return cells.map((row, index) => ({ rowNumber: index + 1, cells: row }))
}

describe('foldText', () => {
  it('folds what looks the same', () => {
    expect(foldText('　Ａｂ１２（３）\u00A0\u200B')).toBe('Ab12(3)')
    expect(foldText('\uFEFF张\u0000三\u202E')).toBe('张三')
  })
})

describe('matchHeader', () => {
  it('finds the header under title rows and maps by name', () => {
    const found = matchHeader(rows(['2026 年秋季报名表', null, null], ['填表人：姓名', null], [null, '手机号', '姓名', '年级'], ['x', 13800138000, '张三']), columns)
    expect(found).toEqual({ headerRowNumber: 3, mapping: { mobile: 1, name: 2 }, unknown: ['年级'], missing: [], duplicates: [] })
  })

  it.each(['姓名', ' 姓 名 ', '姓名*', '*姓名', '姓名（必填）', '姓名(必填)*', '姓名【必填】', '姓名\n（必填）', '\u200B姓　名'])('knows %j', (label) => {
    expect(matchHeader(rows([label]), columns).mapping).toEqual({ name: 0 })
  })

  it('looks at neither case nor width, and at other names', () => {
    expect(matchHeader(rows(['联系电话', 'ｗｅｃｈａｔ ＩＤ', '微信id']), columns).mapping).toEqual({ mobile: 0, wechat: 2 })
  })

  it('says what is missing', () => {
    const found = matchHeader(rows(['价格', '库存']), columns)
    expect(found).toMatchObject({ headerRowNumber: null, mapping: {}, missing: ['姓名', '手机号'] })
    expect(missingSentence(found.missing)).toBe('缺少必填列：姓名、手机号')
    expect(missingSentence([])).toBeNull()
  })

  it('names labels that stand twice and keeps the first', () => {
    expect(matchHeader(rows(['姓名', '手机', '手机号']), columns)).toMatchObject({ mapping: { name: 0, mobile: 1 }, duplicates: ['手机号'] })
  })

  it('leaves the column of an error report out', () => {
    expect(matchHeader(rows(['错误原因', '姓名', '手机号']), columns)).toMatchObject({ mapping: { name: 1, mobile: 2 }, unknown: [] })
  })

  it('follows what the person chose', () => {
    const sheet = rows(['姓名', '手机号', '备注'], ['昵称', '电话', '微信ID'])
    expect(matchHeader(sheet, columns, { headerRowNumber: 2, mapping: { name: 0, mobile: 1 } })).toEqual({
      headerRowNumber: 2, mapping: { name: 0, mobile: 1, wechat: 2 }, unknown: [], missing: [], duplicates: [],
    })
    expect(matchHeader(sheet, columns, { mapping: { mobile: null } })).toMatchObject({ headerRowNumber: 1, mapping: { name: 0 }, missing: ['手机号'] })
  })

  it('takes the first of equal rows and looks no further than twenty', () => {
    expect(matchHeader(rows(['姓名'], ['姓名']), columns).headerRowNumber).toBe(1)
    expect(matchHeader(rows(...Array.from({ length: 20 }, () => ['x']), ['姓名']), columns).headerRowNumber).toBeNull()
  })
})
