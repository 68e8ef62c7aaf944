import { posix } from 'node:path'
import type { Archive } from './archive.server.ts'
import { builtInFormat, parseFormat, type NumberFormat } from './number-format.ts'
import { brokenFile, noSuchSheet, notSheet, noVisibleSheet } from './sheet-error.ts'
import { parseXml } from './xml-parser.ts'
import { decodeEscapes } from './xml-text.ts'

/** These parts are held in memory as a whole. */
const MAX_PART = 128 * 1024 * 1024

/** What is needed to read one sheet of a workbook. */
export interface Workbook {
  /** Name of the part that holds the sheet. */
  sheetPart: string
  /** Names of the other visible sheets. */
  others: string[]
  sharedTexts: readonly string[]
  /** Number format of each cell style. */
  formats: readonly NumberFormat[]
  /** Whether days are counted from 1904. */
  date1904: boolean
}

export interface Relation {
  id: string
  /** Last word of the type, which is the same in both dialects of the format. */
  type: string
  part: string
}

/**
 * Reads the parts around a sheet.
 * @param sheetName the first visible sheet when left out
 * @throws SheetError when the archive is no workbook or has no such sheet
 */
export async function readWorkbook(archive: Archive, sheetName?: string): Promise<Workbook> {
  const root = await readRelations(archive, '')
  const main = root.find((relation) => relation.type === 'officeDocument')?.part
  if (main === undefined || !main.endsWith('.xml') || !archive.has(main)) throw notSheet()
  const relations = await readRelations(archive, main)
  const part = (type: string) => relations.find((relation) => relation.type === type && archive.has(relation.part))?.part
  const sheetParts = new Map(relations.filter((relation) => relation.type === 'worksheet').map((relation) => [relation.id, relation.part]))

  let date1904 = false
  let isWorkbook = false
  const sheets: { name: string; hidden: boolean; part: string }[] = []
  await parseXml(archive.read(main, MAX_PART), {
    open(name, attributes) {
      if (name === 'workbook') isWorkbook = true
      if (name === 'workbookPr') date1904 = isTrue(attributes['date1904'])
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      const sheetPart = sheetParts.get(id)
      // A chart on a sheet of its own has no cells.
      if (sheetPart !== undefined) {
        sheets.push({ name: attributes['name'] ?? '', hidden: (attributes['state'] ?? 'visible') !== 'visible', part: sheetPart })
      }
    },
  })
  if (!isWorkbook) throw notSheet()
  const sheet = sheets.find((one) => (sheetName === undefined ? !one.hidden : one.name === sheetName))
  if (!sheet) throw sheetName === undefined ? noVisibleSheet() : noSuchSheet(sheetName)
  if (!archive.has(sheet.part)) throw brokenFile(new Error(`no part ${sheet.part}`))
  const [textsPart, stylesPart] = [part('sharedStrings'), part('styles')]
  return {
    sheetPart: sheet.part,
    others: sheets.filter((one) => one !== sheet && !one.hidden).map(({ name }) => name),
    sharedTexts: textsPart === undefined ? [] : await readSharedTexts(archive, textsPart),
    formats: stylesPart === undefined ? [] : await readFormats(archive, stylesPart),
    date1904,
  }
}

/** @param owner part whose relations are asked for; empty for those of the archive itself */
export async function readRelations(archive: Archive, owner: string): Promise<Relation[]> {
  const folder = posix.dirname(owner)
  const part = posix.join(folder, '_rels', `${posix.basename(owner)}.rels`)
  if (!archive.has(part)) return []
  const relations: Relation[] = []
  await parseXml(archive.read(part, MAX_PART), {
    open(name, attributes) {
      const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes
      if (name !== 'Relationship' || mode === 'External') return
      relations.push({
        id,
        type: type.slice(type.lastIndexOf('/') + 1),
        part: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
      })
    },
  })
  return relations
}

async function readSharedTexts(archive: Archive, part: string): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  let inText = false
  let inReading = false
  await parseXml(archive.read(part, MAX_PART), {
    open(name) {
      if (name === 'si') text = ''
      // How characters are pronounced is stored beside them and is no part of the text.
      else if (name === 'rPh') inReading = true
      else if (name === 't') inText = !inReading
    },
    text(piece) {
      if (inText) text += piece
    },
    close(name) {
      if (name === 't') inText = false
      else if (name === 'rPh') inReading = false
      else if (name === 'si') texts.push(decodeEscapes(text))
    },
  })
  return texts
}

async function readFormats(archive: Archive, part: string): Promise<NumberFormat[]> {
  const codes = new Map<number, string>()
  const styles: number[] = []
  let group = ''
  await parseXml(archive.read(part, MAX_PART), {
    open(name, attributes) {
      if (name === 'numFmts' || name === 'cellXfs') group = name
      const id = Number(attributes['numFmtId'] ?? 0)
      if (name === 'numFmt' && group === 'numFmts') codes.set(id, attributes['formatCode'] ?? '')
      if (name === 'xf' && group === 'cellXfs') styles.push(id)
    },
    close(name) {
      if (name === group) group = ''
    },
  })
  return styles.map((id) => {
    const code = codes.get(id)
    return code === undefined ? builtInFormat(id) : parseFormat(code)
  })
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true'
}
