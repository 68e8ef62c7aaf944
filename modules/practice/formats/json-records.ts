/** Records of a JSON file: an array somewhere in it, or an object on every line. A broken one does not spoil the others. */
import { lost, type Asset, type ParsedItem } from './item.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export interface JsonRecord {
  value: JsonObject
  /** 第 3 条（第 41 行） */
  place: string
}

export interface JsonFile {
  records: JsonRecord[]
  /** What could not be read, each with its line. */
  broken: ParsedItem[]
  /** What stands beside the records, such as a title. */
  about: JsonObject
  /** Pictures that texts of the records name. */
  files?: ReadonlyMap<string, Asset>
}

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Deepest place at which the records are looked for. */
const MAX_DEPTH = 3

/** A file says less about itself, in characters, than a passage has. */
const LONGEST_TITLE = 150
/** Names of what a file says about itself at length. */
const ABOUT = /desc|about|note|readme|licen[cs]e|intro|notice|说明|简介|须知|声明/i

/** What only a question has. */
const STEM = /^(?:stem|question|problem|content|question_?(?:text|content|stem)|题干|题目|试题)$/i

/** Whether an object with a list in it is one question with its sub-questions, not a file with its questions. */
const isPassage = (value: JsonObject): boolean => Object.keys(value).some((name) => STEM.test(name) && typeof value[name] === 'string') || Object.entries(value).some(([name, text]) => typeof text === 'string' && text.length > LONGEST_TITLE && !ABOUT.test(name))

/** The longest list of objects in a value; one object is a list of itself. */
function listIn(value: unknown, depth = 0): { list: unknown[]; about: JsonObject } | null {
  if (Array.isArray(value)) return value.some(isObject) ? { list: value, about: {} } : null
  if (!isObject(value) || depth > MAX_DEPTH) return null
  let best: { list: unknown[]; about: JsonObject } | null = null
  for (const inner of Object.values(value)) {
    const found = listIn(inner, depth + 1)
    if (found && (!best || found.list.length > best.list.length)) best = found
  }
  if (best && depth === 0) return { list: best.list, about: Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one === 'string' || typeof one === 'number')) }
  return best
}

/** Words for what JSON.parse says. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  return /end of JSON|Unterminated|unterminated/.test(text) ? '内容没有写完' : /control character/i.test(text) ? '文字中有未转义的换行或制表符' : /escape/i.test(text) ? '反斜杠没有转义' : /property name|double-quoted/i.test(text) ? '字段名须用双引号' : '不是有效的 JSON'
}

/** Line breaks and tabs in strings, backslashes of TeX: mistakes that can only mean one thing. */
function mended(source: string): string {
  let out = ''
  let inString = false
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? ''
    if (inString && char === '\\') {
      const next = source[at + 1] ?? ''
      const known = /["\\/bfnrtu]/.test(next) && !(next === 'u' && !/^[0-9a-fA-F]{4}/.test(source.slice(at + 2, at + 6)))
      out += known ? char + next : `\\\\${next}`
      at++
    } else if (inString && char === '\n') out += '\\n'
    else if (inString && char === '\r') out += '\\r'
    else if (inString && char === '\t') out += '\\t'
    else {
      if (char === '"') inString = !inString
      out += char
    }
  }
  return out.replace(/,\s*([}\]])(?=\s*(?:[,}\]]|$))/g, '$1')
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    try {
      return JSON.parse(mended(source))
    } catch {
      throw error
    }
  }
}

/** Ends of the objects that stand at one depth of a text, strings apart. */
function objectsIn(source: string): { text: string; line: number }[] {
  const found: { text: string; line: number }[] = []
  const open: number[] = []
  let inString = false
  let line = 1
  const lines: number[] = []
  /** Depth of the records: the outermost objects that stand in a list, or at the top. */
  let list = 0
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? ''
    if (char === '\n') {
      line++
      // A string does not go on in the next line: a quote was forgotten.
      if (inString && /^\s*[{}"\]]/.test(source.slice(at + 1, at + 80))) inString = false
    }
    if (char === '\\') at++
    else if (char === '"') inString = !inString
    else if (inString) continue
    else if (char === '[') list++
    else if (char === ']') list--
    else if (char === '{') {
      open.push(at)
      lines.push(line)
    } else if (char === '}') {
      const start = open.pop()
      const first = lines.pop() ?? line
      if (start !== undefined && (open.length === 0 || (open.length === 1 && list > 0))) found.push({ text: source.slice(start, at + 1), line: first })
    }
  }
  const outer = open[0]
  // What was never closed is the rest of the file; said once.
  if (outer !== undefined && (open.length > 1 || found.length === 0)) found.push({ text: source.slice(open.at(-1)), line: lines.at(-1) ?? line })
  return found
}

const recordsOf = (list: readonly unknown[]): { records: JsonRecord[]; broken: ParsedItem[] } => {
  const records: JsonRecord[] = []
  const broken: ParsedItem[] = []
  for (const [index, value] of list.entries()) {
    if (isObject(value)) records.push({ value, place: `第 ${index + 1} 条` })
    else broken.push(lost(`第 ${index + 1} 条`, '不是一道题的记录'))
  }
  return { records, broken }
}

/** Reads a whole file. Never throws; a file of which nothing can be read has one broken item. */
export function readJson(source: string): JsonFile {
  const text = source.replace(/^\uFEFF/, '').trim()
  if (text === '') return { records: [], broken: [lost('文件', '文件是空的')], about: {} }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const looksLined = lines.length > 1 && !text.startsWith('[') && lines.filter((line) => /^\s*\{.*\}\s*,?\s*$/.test(line)).length >= Math.max(1, lines.length * 0.5)
  if (!looksLined) {
    try {
      const one = parse(text)
      const found = isObject(one) && isPassage(one) ? null : listIn(one)
      if (found) return { ...recordsOf(found.list), about: found.about }
      return isObject(one) ? { records: [{ value: one, place: '第 1 条' }], broken: [], about: {} } : { records: [], broken: [lost('文件', '文件中没有题目记录')], about: {} }
    } catch (error) {
      return pieces(text, error)
    }
  }
  const records: JsonRecord[] = []
  const broken: ParsedItem[] = []
  for (const [index, line] of source.replace(/^\uFEFF/, '').split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      const value = parse(line.trim().replace(/,$/, ''))
      if (isObject(value)) records.push({ value, place: `第 ${index + 1} 行` })
      else broken.push(lost(`第 ${index + 1} 行`, '不是一道题的记录'))
    } catch (error) {
      broken.push(lost(`第 ${index + 1} 行`, reasonOf(error)))
    }
  }
  return { records, broken, about: {} }
}

/** Every object that can be read by itself, when the whole cannot. */
function pieces(text: string, whole: unknown): JsonFile {
  const records: JsonRecord[] = []
  const broken: ParsedItem[] = []
  for (const [index, piece] of objectsIn(text).entries()) {
    const place = `第 ${index + 1} 条（第 ${piece.line} 行）`
    try {
      const value = parse(piece.text)
      const inner = listIn(value)
      // The whole file is an object around the list: its records have been read already.
      if (inner && inner.list.length > 1 && records.length > 0) continue
      if (isObject(value)) records.push({ value, place })
    } catch (error) {
      broken.push(lost(place, reasonOf(error)))
    }
  }
  if (records.length === 0 && broken.length === 0) broken.push(lost('文件', reasonOf(whole)))
  return { records, broken, about: {} }
}
