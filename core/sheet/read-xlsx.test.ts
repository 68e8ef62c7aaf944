import { afterAll, describe, expect, it } from 'vitest'
import { writeXlsx as writeByOracle } from 'hucre/xlsx'
import { collect, fixtureFolder, stylesOf, workbook, workbookOf } from './fixture.server.ts'
import { readSheet } from './read.server.ts'

const folder = fixtureFolder()
afterAll(() => folder.remove())

async function read(bytes: Uint8Array, sheet?: string) {
  return collect(readSheet(folder.write('a.xlsx', bytes), sheet === undefined ? {} : { sheet }))
}

async function readCells(sheetData: string, parts: Record<string, string> = {}) {
  return (await read(await workbookOf(`<sheetData>${sheetData}</sheetData>`, parts))).map((row) => row.cells)
}

function relation(id: number, file: number): string {
  return `<Relationship Id="rId${id}" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="worksheets/sheet${file}.xml"/>`
}

describe('readSheet of a workbook', () => {
  it('reads what another library wrote', async () => {
    const bytes = await writeByOracle({
      sheets: [{ name: '学员', rows: [['姓名', '手机号', '生日', '在读', '价格'], ['张三 <&> "李"', 13800138000, new Date('2008-02-29T00:00:00Z'), true, 19.9], [' 李四\n', '013800138000', null, false, -0.5]] }],
    })
    expect(await read(bytes)).toEqual([
      { rowNumber: 1, cells: ['姓名', '手机号', '生日', '在读', '价格'] },
      { rowNumber: 2, cells: ['张三 <&> "李"', 13800138000, new Date('2008-02-29T00:00:00Z'), true, 19.9] },
      { rowNumber: 3, cells: [' 李四\n', '013800138000', null, false, -0.5] },
    ])
  })

  it('honours the date system of 1904, as another library writes it', async () => {
    const date = new Date('2026-09-01T08:30:00Z')
    const bytes = await writeByOracle({ sheets: [{ name: 'a', rows: [[date]] }], dateSystem: '1904' })
    expect((await read(bytes))[0]?.cells).toEqual([date])
  })

  it('leaves blank rows out and keeps the numbers of the others', async () => {
    const rows = await read(await workbookOf('<sheetData><row r="2"><c r="A2" s="0"/></row><row r="3"><c r="A3" t="str"><v> </v></c></row><row r="5"><c r="C5"><v>1</v></c></row><row><c><v>2</v></c><c><v>3</v></c></row></sheetData>'))
    expect(rows).toEqual([{ rowNumber: 5, cells: [null, null, 1] }, { rowNumber: 6, cells: [2, 3] }])
  })

  it('reads shared, rich and inline texts as plain text', async () => {
    const shared = '<sst><si><t>张三</t></si><si><r><rPr><b/></rPr><t>李</t></r><r><t xml:space="preserve"> 四</t></r><rPh sb="0" eb="1"><t>lǐ</t></rPh></si><si><t>a_x000D_b_x005F_x000D_</t></si></sst>'
    expect(await readCells(
      '<row r="1"><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="inlineStr"><is><r><t>王</t></r><r><t>五</t></r></is></c><c t="s"><v>9</v></c></row>',
      { 'xl/sharedStrings.xml': shared },
    )).toEqual([['张三', '李 四', 'a\rb_x000D_', '王五']])
  })

  it('gives the cached value of a formula', async () => {
    expect(await readCells(
      '<row r="1"><c><f>1+1</f><v>2</v></c><c t="str"><f>A1&amp;"x"</f><v>2x</v></c><c t="b"><f>TRUE()</f><v>1</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c><c><f>NOW()</f></c><c t="d"><v>2026-09-01T08:00:00</v></c></row>',
    )).toEqual([[2, '2x', true, '#DIV/0!', null, new Date('2026-09-01T08:00:00Z')]])
  })

  it('shows numbers as their formats do', async () => {
    expect(await readCells(
      '<row r="1"><c s="1"><v>123</v></c><c s="2"><v>46266</v></c><c s="3"><v>46266.5</v></c><c s="4"><v>13800138000</v></c><c><v>123456789012345678</v></c><c s="9"><v>1</v></c></row>',
      { 'xl/styles.xml': stylesOf('00000', 14, 'yyyy&quot;年&quot;m&quot;月&quot;', '@') },
    )).toEqual([['00123', new Date('2026-09-01T00:00:00Z'), new Date('2026-09-01T12:00:00Z'), 13800138000, '123456789012345678', 1]])
  })

  it('spreads merged cells, wherever a row holds something of its own', async () => {
    const sheet = '<sheetData><row r="1"><c r="A1" t="str"><v>名单</v></c></row>'
      + '<row r="2"><c r="A2" t="str"><v>一班</v></c><c r="B2" t="str"><v>张三</v></c></row><row r="3"><c r="B3" t="str"><v>李四</v></c></row><row r="4"><c r="A4"/></row>'
      + '<row r="5"><c r="A5" t="str"><v>二班</v></c><c r="B5" t="str"><v>王五</v></c><c r="D5"><v>1</v></c></row></sheetData>'
      + '<mergeCells count="3"><mergeCell ref="A2:A4"/><mergeCell ref="A1:C1"/><mergeCell ref="D5:E6"/></mergeCells><pageMargins left="1"/>'
    expect(await read(await workbookOf(sheet))).toEqual([
      { rowNumber: 1, cells: ['名单', '名单', '名单'] },
      { rowNumber: 2, cells: ['一班', '张三'] },
      { rowNumber: 3, cells: ['一班', '李四'] },
      { rowNumber: 5, cells: ['二班', '王五', null, 1, 1] },
    ])
  })

  it('finds merged ranges behind many rows and is not misled by text', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `<row r="${index + 1}"><c r="A${index + 1}" t="str"><v>${index % 2 === 0 ? '班' : ''}</v></c><c r="B${index + 1}" t="str"><v>:mergeCells ${index}</v></c></row>`)
    const merged = Array.from({ length: 1500 }, (_, index) => `<x:mergeCell ref="A${index * 2 + 1}:A${index * 2 + 2}"/>`)
    const bytes = await workbookOf('', {
      'xl/worksheets/sheet1.xml': `<x:worksheet xmlns:x="a"><x:sheetData>${rows.join('').replaceAll('</', '</x:').replaceAll(/<(?=\w)/g, '<x:')}</x:sheetData><x:mergeCells>${merged.join('')}</x:mergeCells></x:worksheet>`.replaceAll('</x:x:', '</x:'),
    })
    const read3000 = await read(bytes)
    expect(read3000).toHaveLength(3000)
    expect(read3000.every((row) => row.cells[0] === '班')).toBe(true)
  })

  it('takes the first visible sheet, or the one that is named', async () => {
    const sheets = '<sheet name="隐藏" sheetId="1" state="veryHidden" r:id="rId1"/><sheet name="图" sheetId="2" r:id="rId5"/><sheet name="名单" sheetId="3" r:id="rId2"/>'
    const bytes = await workbookOf('<sheetData><row r="1"><c><v>1</v></c></row></sheetData>', {
      'xl/workbook.xml': workbook(sheets),
      'xl/_rels/workbook.xml.rels': `<Relationships>${relation(1, 1)}${relation(2, 2)}<Relationship Id="rId5" Type="x/chartsheet" Target="chartsheets/sheet1.xml"/></Relationships>`,
      'xl/worksheets/sheet2.xml': '<worksheet><sheetData><row r="1"><c><v>2</v></c></row></sheetData></worksheet>',
    })
    expect((await read(bytes))[0]?.cells).toEqual([2])
    expect((await read(bytes, '隐藏'))[0]?.cells).toEqual([1])
    await expect(read(bytes, '没有')).rejects.toThrow('文件中没有名为「没有」的工作表')
  })

  it('stops when told to', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => [index, '张三'])
    const file = folder.write('b.xlsx', await writeByOracle({ sheets: [{ name: 'a', rows }] }))
    const stop = new AbortController()
    let last = 0
    await expect((async () => {
      for await (const { rowNumber } of readSheet(file, { signal: stop.signal })) {
        last = rowNumber
        if (rowNumber === 10) stop.abort(new Error('够了'))
      }
    })()).rejects.toThrow('够了')
    expect(last).toBeLessThan(5000)
    await expect(collect(readSheet(file, { signal: AbortSignal.abort() }))).rejects.toThrow('aborted')
  })
})
