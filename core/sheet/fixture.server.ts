/** Files and targets for the tests of this folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { contentTypesXml, rootRelationsXml, workbookRelationsXml } from './workbook-xml.ts'

/** A folder for files, and a way to put files there. */
export function fixtureFolder(): { write(name: string, bytes: Uint8Array): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sheet-'))
  return {
    write(name, bytes) {
      const file = join(folder, name)
      writeFileSync(file, bytes)
      return file
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Zips parts as they are. */
export async function zip(parts: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const file = new ZipFile()
  for (const [name, content] of Object.entries(parts)) file.addBuffer(Buffer.from(content), name)
  file.end()
  return buffer(file.outputStream)
}

/**
 * A workbook around one handwritten sheet.
 * @param sheet what stands inside `worksheet`
 * @param parts replaces or adds parts, by full name
 */
export async function workbookOf(sheet: string, parts: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  return zip({
    '[Content_Types].xml': contentTypesXml(1),
    '_rels/.rels': rootRelationsXml(),
    'xl/workbook.xml': workbook('<sheet name="一" sheetId="1" r:id="rId1"/>'),
    'xl/_rels/workbook.xml.rels': workbookRelationsXml(1).replace('</Relationships>', '<Relationship Id="rId9" Type="http://x/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>'),
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${sheet}</worksheet>`,
    ...parts,
  })
}

/** The list of sheets, with what stands before it. */
export function workbook(sheets: string, before = ''): string {
  return `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${before}<sheets>${sheets}</sheets></workbook>`
}

/** Styles with the given format codes, the first being style 1. */
export function stylesOf(...codes: (string | number)[]): string {
  const own = codes.map((code, index) => (typeof code === 'string' ? `<numFmt numFmtId="${200 + index}" formatCode="${code}"/>` : ''))
  const xfs = codes.map((code, index) => `<xf numFmtId="${typeof code === 'string' ? 200 + index : code}"/>`)
  return `<styleSheet><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`
}

/** A target that keeps what it gets. */
export function memoryTarget(): Writable & { bytes(): Buffer } {
  const chunks: Buffer[] = []
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return Object.assign(target, { bytes: () => Buffer.concat(chunks) })
}

/** All items of an iterable. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Gives items one by one, as a query would. */
export async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items
}
