import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { open } from 'node:fs/promises'
import { Archive } from './archive.server.ts'
import { columnIndex } from './cell-reference.ts'
import { readRelations, readWorkbook, type Relation } from './read-workbook.server.ts'
import { toSheetError } from './sheet-error.ts'
import { parseXml } from './xml-parser.ts'

/** These parts are held in memory as a whole. */
const MAX_PART = 64 * 1024 * 1024
/** The largest picture that is taken out. */
const MAX_PICTURE = 20 * 1024 * 1024
/** More than anybody puts into one sheet by hand. */
const MAX_PICTURES = 20_000

export interface SheetPicture {
  /** From 1, as in the file. */
  rowNumber: number
  /** From 0. */
  column: number
  /** What the file calls it; empty where it has no name. */
  name: string
  /** Part of the archive, which tells equal pictures from others. */
  part: string
  bytes: Uint8Array
}

/** Where a picture belongs, before its bytes are read. */
type Placed = Omit<SheetPicture, 'bytes'>

/**
 * Pictures of the first visible sheet with the cells that they belong to: drawings that lie over a cell (the cell under
 * their upper left corner), pictures placed in a cell by Excel, and those placed in a cell by WPS (`DISPIMG`). Pictures in
 * formats that no browser shows come without bytes; those larger than 20 MB are left out. A csv file has none.
 * @param file path
 * @throws SheetError when the file is no workbook
 */
export async function readPictures(file: string): Promise<SheetPicture[]> {
  if (!await isZip(file)) return []
  const archive = await Archive.open(file).catch((error: unknown) => { throw toSheetError(error) })
  try {
    const { sheetPart } = await readWorkbook(archive)
    const placed = [...await drawings(archive, sheetPart), ...await inCells(archive, sheetPart)].slice(0, MAX_PICTURES)
    const pictures: SheetPicture[] = []
    const read = new Map<string, Uint8Array>()
    for (const one of placed.toSorted((a, b) => a.rowNumber - b.rowNumber || a.column - b.column)) {
      if (!/\.(?:png|jpe?g|gif|webp|bmp)$/i.test(one.part) || !archive.has(one.part)) {
        pictures.push({ ...one, bytes: new Uint8Array() })
        continue
      }
      const bytes = read.get(one.part) ?? new Uint8Array(await buffer(Readable.from(archive.read(one.part, MAX_PICTURE))))
      read.set(one.part, bytes)
      pictures.push({ ...one, bytes })
    }
    return pictures
  } catch (error) {
    throw toSheetError(error)
  } finally {
    archive.close()
  }
}

async function isZip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer: bytes } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytes.toString('latin1') === 'PK'
  } finally {
    await handle.close()
  }
}

const partOf = (relations: readonly Relation[], id: string | undefined) => relations.find((relation) => relation.id === id)?.part
/** An attribute whatever the prefix of its namespace is. */
const ending = (attributes: Readonly<Record<string, string>>, name: string) => Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1]

/** Pictures that lie over cells. */
async function drawings(archive: Archive, sheetPart: string): Promise<Placed[]> {
  const found: Placed[] = []
  for (const { part } of (await readRelations(archive, sheetPart)).filter(({ type }) => type === 'drawing')) {
    if (!archive.has(part)) continue
    const relations = await readRelations(archive, part)
    let corner = ''
    let text = ''
    let at = { row: 0, column: 0 }
    let name = ''
    await parseXml(archive.read(part, MAX_PART), {
      open(tag, attributes) {
        text = ''
        if (tag === 'from' || tag === 'to') corner = tag
        else if (tag === 'cNvPr') name = attributes['descr'] || attributes['name'] || ''
        else if (tag === 'blip') {
          const target = partOf(relations, ending(attributes, 'embed'))
          if (target) found.push({ rowNumber: at.row + 1, column: at.column, name, part: target })
        }
      },
      text(piece) { text += piece },
      close(tag) {
        if (corner === 'from' && tag === 'row') at = { ...at, row: Number(text) }
        else if (corner === 'from' && tag === 'col') at = { ...at, column: Number(text) }
        else if (tag === corner) corner = ''
      },
    })
  }
  return found
}

/** Pictures that are the value of a cell. */
async function inCells(archive: Archive, sheetPart: string): Promise<Placed[]> {
  const [rich, named] = [await richValues(archive), await wpsPictures(archive)]
  if (rich.size === 0 && named.size === 0) return []
  const found: Placed[] = []
  let cell = { rowNumber: 0, column: -1 }
  let text = ''
  await parseXml(archive.read(sheetPart, MAX_PART * 8), {
    open(tag, attributes) {
      if (tag === 'row') cell = { rowNumber: attributes['r'] === undefined ? cell.rowNumber + 1 : Number(attributes['r']), column: -1 }
      if (tag !== 'c') return
      cell = { ...cell, column: attributes['r'] === undefined ? cell.column + 1 : columnIndex(attributes['r']) }
      text = ''
      const part = rich.get(Number(attributes['vm']))
      if (part) found.push({ ...cell, name: '', part })
    },
    text(piece) { text += piece },
    close(tag) {
      const id = tag === 'c' ? DISPIMG.exec(text)?.[1] : undefined
      const part = id === undefined ? undefined : named.get(id)
      if (part) found.push({ ...cell, name: '', part })
    },
  })
  return found
}

/** What WPS writes into a cell that holds a picture. */
const DISPIMG = /DISPIMG\(\s*"([^"]+)"/
/** Whether a cell's text only stands for a picture in it. */
export const isPictureText = (text: string) => /^=?(?:_xlfn\.)?DISPIMG\(/.test(text) || text === '#VALUE!'

/** WPS: pictures by the id that cells name. */
async function wpsPictures(archive: Archive): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const part = 'xl/cellimages.xml'
  if (!archive.has(part)) return found
  const relations = await readRelations(archive, part)
  let name = ''
  await parseXml(archive.read(part, MAX_PART), {
    open(tag, attributes) {
      if (tag === 'cNvPr') name = attributes['name'] ?? ''
      const target = tag === 'blip' ? partOf(relations, ending(attributes, 'embed')) : undefined
      if (target) found.set(name, target)
    },
  })
  return found
}

/** Excel: pictures by the number that a cell gives as its `vm`, counted from 1 ([MS-XLSX] 2.3.12, 2.3.13). */
async function richValues(archive: Archive): Promise<Map<number, string>> {
  const parts = ['xl/metadata.xml', 'xl/richData/rdrichvalue.xml', 'xl/richData/rdrichvaluestructure.xml', 'xl/richData/richValueRel.xml'] as const
  const [metadata, values, structures, links] = parts
  const found = new Map<number, string>()
  if (!parts.every((part) => archive.has(part))) return found

  // Which of its values says which picture, for each shape of value.
  const places: number[] = []
  let keys = 0
  await parseXml(archive.read(structures, MAX_PART), {
    open(tag, attributes) {
      if (tag === 's') {
        places.push(-1)
        keys = 0
      } else if (tag === 'k') {
        if (attributes['n'] === '_rvRel:LocalImageIdentifier') places[places.length - 1] = keys
        keys++
      }
    },
  })
  const pictures: (number | undefined)[] = []
  let text = ''
  let shape = 0
  let place = 0
  await parseXml(archive.read(values, MAX_PART), {
    open(tag, attributes) {
      text = ''
      if (tag !== 'rv') return
      shape = Number(attributes['s'] ?? 0)
      place = 0
      pictures.push(undefined)
    },
    text(piece) { text += piece },
    close(tag) {
      if (tag !== 'v') return
      if (places[shape] === place) pictures[pictures.length - 1] = Number(text)
      place++
    },
  })
  const targets: (string | undefined)[] = []
  const relations = await readRelations(archive, links)
  await parseXml(archive.read(links, MAX_PART), { open(tag, attributes) { if (tag === 'rel') targets.push(partOf(relations, ending(attributes, 'id'))) } })

  // A cell names a record of the metadata, that a record of the rich values.
  let group = ''
  let kinds = 0
  let kind = 0
  const future: number[] = []
  let cells = 0
  await parseXml(archive.read(metadata, MAX_PART), {
    open(tag, attributes) {
      if (tag === 'metadataType') {
        kinds++
        if (attributes['name'] === 'XLRICHVALUE') kind = kinds
      } else if (tag === 'futureMetadata' || tag === 'valueMetadata') group = `${tag} ${attributes['name'] ?? ''}`
      else if (tag === 'rvb' && group === 'futureMetadata XLRICHVALUE') future.push(Number(attributes['i']))
      else if (tag === 'bk' && group.startsWith('valueMetadata')) cells++
      else if (tag === 'rc' && group.startsWith('valueMetadata') && Number(attributes['t']) === kind) {
        const target = targets[pictures[future[Number(attributes['v'])] ?? -1] ?? -1]
        if (target) found.set(cells, target)
      }
    },
    close(tag) { if (group.startsWith(`${tag} `)) group = '' },
  })
  return found
}

/** A picture's MIME type by the ending of its part. */
export const pictureType = (part: string): string => {
  const end = posix.extname(part).slice(1).toLowerCase()
  return `image/${end === 'jpg' ? 'jpeg' : end}`
}
