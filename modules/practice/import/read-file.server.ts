/** Which reader a file of questions is for. */
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { badRequest } from '../../../core/error/error.ts'
import { readDocx } from '../formats/docx/read.server.ts'
import type { Parsed, Warning } from '../formats/item.ts'
import { mapRecords } from '../formats/json.ts'
import { isAiken, readAiken } from '../formats/aiken.ts'
import { readQuestionSheet } from '../formats/excel.server.ts'
import { isGift, readGift } from '../formats/gift.ts'
import { fieldsOf, guessMapping, type FieldSample, type JsonMapping } from '../formats/json-mapping.ts'
import { readJson, type JsonFile } from '../formats/json-records.ts'
import { readJsonl } from '../formats/jsonl.ts'
import { readMoodle } from '../formats/moodle/read.ts'
import { paperHead } from '../formats/paper/head.ts'
import { paperItems } from '../formats/paper/items.ts'
import { QTI_1, readQti, readQtiItem } from '../formats/qti/read.server.ts'
import { textFlow } from '../formats/text/read-text.ts'
import { wideEncoding } from '../../../core/file/encoding.ts'
import { EMPTY, ENDINGS, refusalOf } from './endings.ts'

/** domain 1.19: documents up to 50 MB. */
export const MAX_BYTES = 50 * 1024 * 1024

export interface Reading {
  parsed: Parsed
  mapping: JsonMapping | null
  fields: FieldSample[] | null
}

type Reader = (bytes: Buffer, name: string, mapping: JsonMapping | null, path: string) => Promise<Reading> | Reading

/** Text in the encodings that Chinese programs write. */
export function decodeText(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes)
  if (wide) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

/** XML names its encoding itself. */
function decodeXml(bytes: Uint8Array): string {
  const named = /encoding=["']([\w-]+)["']/.exec(String.fromCharCode(...bytes.subarray(0, 200)))?.[1]?.toLowerCase()
  return named?.startsWith('gb') ? new TextDecoder('gb18030').decode(bytes) : decodeText(bytes)
}

const json: Reader = (bytes, name, given) => {
  const text = decodeText(bytes)
  const own = readJsonl(text)
  if (own) return { parsed: own, mapping: null, fields: null }
  return records(readJson(text), name, given)
}

function records(file: JsonFile, name: string, given: JsonMapping | null): Reading {
  const values = file.records.map((record) => record.value)
  const mapping = given ?? guessMapping(values)
  return { parsed: mapRecords(file, mapping, name, given !== null), mapping, fields: fieldsOf(values) }
}

/** Whether the questions of a text have numbers, as those of papers do and those of Aiken do not. */
const isNumbered = (text: string) => /(?:^|\n)[ \t]*1\s*[.．、)][\s\S]*\n[ \t]*2\s*[.．、)]/.test(text)

/** A text in Moodle's formats, or a paper with formulas between dollars. */
const paper: Reader = (bytes) => {
  const text = decodeText(bytes)
  if (isGift(text)) return { parsed: readGift(text), mapping: null, fields: null }
  if (isAiken(text) && !isNumbered(text)) return { parsed: { items: readAiken(text), warnings: [], assets: new Map() }, mapping: null, fields: null }
  const warnings: Warning[] = []
  const flow = textFlow(text, warnings)
  const items = paperItems(flow)
  items[0]?.warnings.push(...warnings)
  return { parsed: { items, warnings: [], assets: new Map(), ...paperHead(flow) }, mapping: null, fields: null }
}

/** A format that needs no mapping. */
const plain = (read: (bytes: Buffer) => Promise<Parsed>): Reader => async (bytes) => ({ parsed: await read(bytes), mapping: null, fields: null })

/** Moodle's questions, or one item of QTI. */
const xml: Reader = (bytes) => {
  const text = decodeXml(bytes)
  if (text.trim() === '') throw badRequest(EMPTY)
  if (/<(?:\w+:)?questestinterop[\s>]/.test(text)) throw badRequest(QTI_1)
  const parsed = readMoodle(text) ?? readQtiItem(text)
  if (!parsed) throw badRequest('这个 XML 文件不是 Moodle 题库或 QTI 2.x、3.0 试题，请确认导出时选择的格式')
  return { parsed, mapping: null, fields: null }
}

const sheet: Reader = async (_, name, mapping, path) => records(await readQuestionSheet(path), name, mapping)
const gift: Reader = (bytes) => ({ parsed: readGift(decodeText(bytes)), mapping: null, fields: null })

/** Readers by the ending of the file. */
const READERS: Readonly<Record<(typeof ENDINGS)[number], Reader>> = { '.docx': plain(readDocx), '.xlsx': sheet, '.csv': sheet, '.gift': gift, '.xml': xml, '.zip': plain(readQti), '.json': json, '.jsonl': json, '.txt': paper }

/**
 * Reads a file of questions.
 * @param path local file
 * @throws AppError when it is too large or of a kind that nobody reads
 */
export async function readQuestions(path: string, name: string, mapping: JsonMapping | null): Promise<Reading> {
  const ending = extname(name).toLowerCase()
  const reader = Object.entries(READERS).find(([known]) => known === ending)?.[1]
  if (!reader) throw badRequest(refusalOf(name) ?? `不支持这种文件，请上传 ${ENDINGS.join('、')} 文件`)
  const { size } = await stat(path)
  if (size === 0) throw badRequest(EMPTY)
  if (size > MAX_BYTES) throw badRequest('文件不能超过 50 MB')
  return reader(await readFile(path), name, mapping, path)
}

