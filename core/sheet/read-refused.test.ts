import { afterAll, describe, expect, it } from 'vitest'
import { writeXlsx as writeByOracle } from 'hucre/xlsx'
import { collect, fixtureFolder, workbook, workbookOf, zip } from './fixture.server.ts'
import { readSheet } from './read.server.ts'
import { SheetError } from './sheet-error.ts'

const folder = fixtureFolder()
afterAll(() => folder.remove())

const BROKEN = '文件已损坏，请在 Excel 中打开并重新保存后上传'
const NOT_SHEET = '文件不是有效的表格，请上传 .xlsx 或 .csv 文件'
const TOO_LARGE = '文件解压后过大，请删除多余的行列或拆分后重新上传'

/** Reads a file to the end and gives the sentence with which it was refused. */
async function refusal(bytes: Uint8Array, maxBytes?: number): Promise<string> {
  const reading = collect(readSheet(folder.write('a.xlsx', bytes), maxBytes === undefined ? {} : { maxBytes }))
  const error = await reading.then(() => 'not refused', (reason: unknown) => reason)
  return error instanceof SheetError ? error.message : `no sentence: ${String(error)}`
}

const sound = () => writeByOracle({ sheets: [{ name: 'a', rows: Array.from({ length: 2000 }, (_, index) => [index, `学员${Math.sin(index)}`]) }] })

describe('a file that is no sheet', () => {
  it('may be empty', async () => {
    expect(await refusal(Buffer.alloc(0))).toBe('文件内容为空，请检查后重新上传')
  })

  it('may be an old workbook', async () => {
    const bytes = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4096), Buffer.from('Workbook', 'utf16le')])
    expect(await refusal(bytes)).toBe('暂不支持 .xls 格式，请在 Excel 中另存为 .xlsx 后重新上传')
  })

  it('may be locked', async () => {
    const bytes = await writeByOracle({ sheets: [{ name: 'a', rows: [[1]] }], encryption: { password: 'x', spinCount: 1 } })
    expect(await refusal(bytes)).toBe('文件设有打开密码，请取消密码后重新上传')
  })

  it('may be a picture, another zip or a web page', async () => {
    expect(await refusal(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))).toBe(NOT_SHEET)
    expect(await refusal(await zip({ 'a.txt': 'x' }))).toBe(NOT_SHEET)
    expect(await refusal(await workbookOf('', { 'xl/workbook.xml': '<document/>' }))).toBe(NOT_SHEET)
    expect(await refusal(Buffer.from('\n<html><table>'))).toBe('文件内容是网页，不是真正的表格，请在 Excel 中打开并另存为 .xlsx 后重新上传')
  })

  it('may be text of no known encoding', async () => {
    expect(await refusal(Buffer.from([0x61, 0xff, 0xff, 0x2c]))).toBe('无法识别文件的文字编码，请在 Excel 中另存为 .xlsx 后重新上传')
  })

  it('may have nothing visible', async () => {
    const bytes = await workbookOf('<sheetData/>', { 'xl/workbook.xml': workbook('<sheet name="a" sheetId="1" state="hidden" r:id="rId1"/>') })
    expect(await refusal(bytes)).toBe('文件中没有可见的工作表，请检查后重新上传')
  })

  it('is not taken for one when the disk fails', async () => {
    await expect(collect(readSheet('/no/such/file.xlsx'))).rejects.toThrow('ENOENT')
  })
})

describe('a damaged workbook', () => {
  it('may be cut anywhere', async () => {
    const bytes = await sound()
    for (const part of [0.05, 0.5, 0.9, 0.999]) expect(await refusal(bytes.subarray(0, bytes.length * part))).toBe(BROKEN)
  })

  it('fails before the first row when a byte of the sheet is wrong', async () => {
    const bytes = Buffer.from(await sound())
    const place = Math.floor(bytes.length / 2)
    bytes[place] = (bytes[place] ?? 0) ^ 0x55
    const rows: unknown[] = []
    await expect((async () => {
      for await (const row of readSheet(folder.write('b.xlsx', bytes))) rows.push(row)
    })()).rejects.toThrow(BROKEN)
    expect(rows).toEqual([])
  })

  it.each([
    '<sheetData><row r="1"><c r="A1"><v>1</v></row></sheetData>',
    '<sheetData><row r="0"><c r="A0"><v>1</v></c></row></sheetData>',
    '<sheetData><row r="9999999"><c r="A1"><v>1</v></c></row></sheetData>',
    '<sheetData><row r="1"><c r="1"><v>1</v></c></row></sheetData>',
    '<sheetData><row r="1"><c t="str"><v>&lol;</v></c></row></sheetData>',
  ])('%s', async (sheet) => {
    expect(await refusal(await workbookOf(sheet))).toBe(BROKEN)
  })

  it('may have no sheet behind its list', async () => {
    expect(await refusal(await workbookOf('', { 'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/none.xml"/></Relationships>' }))).toBe(BROKEN)
  })
})

describe('a bomb', () => {
  it('is refused by its ratio', async () => {
    expect(await refusal(await workbookOf(`<sheetData>${' '.repeat(20 * 1024 * 1024)}</sheetData>`))).toBe(TOO_LARGE)
  })

  it('is refused by its size, in the sheet and in the shared texts', async () => {
    const words = Array.from({ length: 2000 }, (_, index) => Math.sin(index).toString(36)).join(' ')
    expect(await refusal(await workbookOf(`<sheetData><row r="1"><c t="str"><v>${words}</v></c></row></sheetData>`), 1000)).toBe(TOO_LARGE)
    const shared = `<sst><si><t>${' '.repeat(130 * 1024 * 1024)}</t></si></sst>`
    expect(await refusal(await workbookOf('<sheetData/>', { 'xl/sharedStrings.xml': shared }))).toBe(TOO_LARGE)
  })

  it('gains nothing by lying about its size', async () => {
    const bytes = await workbookOf(`<sheetData>${' '.repeat(20 * 1024 * 1024)}</sheetData>`)
    const name = bytes.lastIndexOf('xl/worksheets/sheet1.xml')
    bytes.writeUInt32LE(1000, name - 46 + 24)
    expect(await refusal(bytes)).toBe(BROKEN)
  })

  it('may hide in far columns', async () => {
    expect(await refusal(await workbookOf('<sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData>'))).toBe('表格超过 1000 列，请删除多余的列后重新上传')
    expect(await refusal(Buffer.from(','.repeat(2000)))).toBe('表格超过 1000 列，请删除多余的列后重新上传')
  })
})
