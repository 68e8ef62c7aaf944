import { readXlsx as readByOracle } from 'hucre/xlsx'
import { afterAll, describe, expect, it } from 'vitest'
import { Archive } from './archive.server.ts'
import { collect, fixtureFolder, memoryTarget } from './fixture.server.ts'
import { matchHeader } from './header.ts'
import { readSheet } from './read.server.ts'
import { writeTemplate, type TemplateColumn } from './template.server.ts'
import { STYLE } from './workbook-xml.ts'

const folder = fixtureFolder()
afterAll(() => folder.remove())

const schools = Array.from({ length: 300 }, (_, index) => `第${index + 1}中学`)
const columns: TemplateColumn[] = [
  { key: 'name', label: '姓名', required: true, example: '张三', note: '最多 60 个字' },
  { key: 'mobile', label: '手机号', required: true, example: '013800138000', note: '11 位手机号' },
  { key: 'gender', label: '性别', required: false, example: '男', choices: ['男', '女'] },
  { key: 'school', label: '学校', required: false, example: '第1中学', choices: schools },
  { key: 'subject', label: '科目', required: false, example: '语文, 数学', choices: ['语文, 数学', '英语'] },
  { key: 'price', label: '价格', required: false, example: 99.9, type: 'money', note: '单位：元' },
  { key: 'day', label: '生日', required: false, example: '2008-02-29', type: 'date' },
  { key: 'at', label: '开课时间', required: false, example: '2026-09-01 08:30', type: 'time' },
  { key: 'count', label: '课时', required: false, example: 12, type: 'number' },
]

async function template(): Promise<Buffer> {
  const target = memoryTarget()
  await writeTemplate(target, { sheetName: '学员导入', columns })
  return target.bytes()
}

describe('writeTemplate', () => {
  it('is a workbook to an independent library', async () => {
    const { sheets: [data, rules, choices] } = await readByOracle(await template(), { readStyles: true })
    expect(data).toMatchObject({ name: '学员导入', freezePane: { rows: 1 } })
    expect(data?.rows).toEqual([
      ['姓名*', '手机号*', '性别', '学校', '科目', '价格', '生日', '开课时间', '课时'],
      ['张三', '013800138000', '男', '第1中学', '语文, 数学', 99.9, new Date('2008-02-29T00:00:00Z'), new Date('2026-09-01T08:30:00Z'), 12],
    ])
    expect(data?.cells?.get('0,0')?.style?.font).toMatchObject({ bold: true })
    expect([0, 1, 5, 6, 7].map((column) => data?.cells?.get(`1,${column}`)?.style?.numFmt)).toEqual(['@', '@', '#,##0.00', 'yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm'])
    expect(rules?.name).toBe('填写说明')
    expect(rules?.rows.slice(0, 4)).toEqual([
      ['列名', '是否必填', '填写规则', '示例', '可选值'],
      ['姓名', '必填', '最多 60 个字', '张三', null],
      ['手机号', '必填', '11 位手机号', '013800138000', null],
      ['性别', '选填', null, '男', '男、女'],
    ])
    expect(rules?.rows.at(-1)?.[0]).toBe('带 * 的列必须填写')
    expect(choices).toMatchObject({ name: '下拉选项', hidden: true })
    expect(choices?.rows.slice(0, 3)).toEqual([['学校', '科目'], ['第1中学', '语文, 数学'], ['第2中学', '英语']])
  })

  it('offers the choices from the example row to the last', async () => {
    const { sheets: [data] } = await readByOracle(await template())
    expect(data?.dataValidations?.map(({ range, formula1, values, errorMessage }) => [range, values ?? formula1, errorMessage])).toEqual([
      ['C2:C1048576', ['男', '女'], '请从下拉列表中选择'],
      ['D2:D1048576', '下拉选项!$A$2:$A$301', '请从下拉列表中选择'],
      ['E2:E1048576', '下拉选项!$B$2:$B$3', '请从下拉列表中选择'],
    ])
  })

  it('comes back as it was filled in', async () => {
    const rows = await collect(readSheet(folder.write('a.xlsx', await template())))
    expect(matchHeader(rows, columns)).toMatchObject({ headerRowNumber: 1, missing: [], unknown: [], mapping: { name: 0, mobile: 1, count: 8 } })
    expect(rows).toHaveLength(2)
    expect(rows[1]?.cells[1]).toBe('013800138000')
  })

  it('formats columns of text as text where nothing is typed yet', async () => {
    const archive = await Archive.open(folder.write('b.xlsx', await template()))
    const xml = Buffer.concat(await collect(archive.read('xl/worksheets/sheet1.xml', 1e6))).toString()
    archive.close()
    expect(xml).toContain(`<col min="2" max="2" width="16" style="${STYLE.text}" customWidth="1"/>`)
  })
})
