/** Options as records bring them, whatever their shape, and which of them the record says is right. */
import { isObject, type JsonObject } from './json-records.ts'

/** A text of any shape: a string, a number, a list of lines, an object with its text in it. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(valueText).filter(Boolean).join('\n')
  if (isObject(value)) return valueText(contentIn(value) ?? Object.values(value).filter((one) => typeof one === 'string'))
  return ''
}

export interface GivenOption {
  /** What the file calls it: A, 1, opt_3; null when it only lists them. */
  label: string | null
  value: unknown
  /** Whether the option itself says that it is right. */
  right: boolean | null
}

const CONTENT = ['text', 'content', 'value', 'html', 'name', 'optioncontent', 'option_content', 'optiontext', 'body', 'title', 'desc', '内容', '选项内容']
const LABEL = ['aoval', 'key', 'label', 'letter', 'optionkey', 'option_key', 'optionno', 'option', 'prefix', 'tag', 'mark', 'no', 'index', 'id', '选项', '标号', '序号']
const RIGHT = ['is_correct', 'iscorrect', 'correct', 'right', 'is_right', 'isright', 'is_answer', 'isanswer', 'is_true', 'istrue', 'checked', '是否正确', '正确', '是否答案']

const named = (object: JsonObject, names: readonly string[]) => {
  const found = Object.entries(object)
  for (const name of names) {
    const entry = found.find(([key, value]) => key.toLowerCase() === name && value !== null && value !== undefined)
    if (entry) return entry[1]
  }
  return undefined
}
const contentIn = (object: JsonObject) => named(object, CONTENT)

const truth = (value: unknown): boolean | null => (value === undefined || typeof value === 'object' ? null : value === true || value === 1 || /^(?:true|1|yes|y|t|是|对|√|正确|right|correct)$/i.test(String(value).trim()))

/** An option's letter in front of its text: "(A)甲", "B．乙". */
export const LETTERED = /^\s*[（(]?\s*([A-Ha-h])\s*(?:[)）]\s*[.．、]?|[.．、:：])\s*/

function optionOf(value: unknown): GivenOption {
  const one = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
  if (Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string') && /^[A-Z0-9]{1,2}$/i.test(String(one[0]).trim())) return { label: String(one[0]).trim(), value: one[1], right: null }
  if (!isObject(one)) return { label: null, value: one, right: null }
  const entries = Object.entries(one)
  const [single] = entries
  if (entries.length === 1 && single && /^[A-H]$/i.test(single[0])) return { label: single[0].toUpperCase(), value: single[1], right: null }
  const pair = entries.length === 2 ? entries.map(([, part]) => valueText(part).trim()) : []
  const lettered = pair.findIndex((text) => /^[A-H]$/.test(text))
  if (contentIn(one) === undefined && lettered >= 0) return { label: pair[lettered] ?? null, value: entries[1 - lettered]?.[1], right: null }
  const label = named(one, LABEL)
  const content = contentIn(one)
  return { label: label === undefined || content === undefined ? null : valueText(label).trim().replace(/[.．、)）]$/, ''), value: content ?? label ?? one, right: truth(named(one, RIGHT)) }
}

/** A list that was written as text: "['甲', '乙']". */
function listed(text: string): unknown[] | null {
  if (!/^\s*\[[\s\S]*\]\s*$/.test(text)) return null
  for (const source of [text, text.replace(/(?<=[[,]\s*)'|'(?=\s*[,\]])/g, '"')]) {
    try {
      const value: unknown = JSON.parse(source)
      if (Array.isArray(value) && value.length >= 2) return value
    } catch {
      // It may be a sentence in brackets.
    }
  }
  return null
}

/**
 * Options of any shape: a list, an object by letter, lists of labels and texts beside each other, a text, a field for each.
 * @returns null when there are none
 */
export function givenOptions(values: readonly unknown[]): GivenOption[] | null {
  const [first] = values
  if (first === undefined) return null
  const list = values.length > 1 ? values.flatMap((value): unknown[] => (Array.isArray(value) ? value : [value])) : Array.isArray(first) ? first : typeof first === 'string' ? listed(first) : null
  let options: GivenOption[]
  if (list) options = list.map(optionOf)
  else if (isObject(first)) {
    const [texts, labels] = [contentIn(first), named(first, LABEL)]
    options = Array.isArray(texts)
      ? texts.map((value: unknown, index) => ({ label: Array.isArray(labels) ? valueText(labels[index]) : null, value, right: null }))
      : Object.keys(first).sort().map((key) => ({ ...optionOf(first[key]), label: /^[A-Z0-9]{1,2}$/i.test(key) ? key.toUpperCase() : null }))
  } else {
    const lines = valueText(first).split(/\n|\s*(?:\||<br\s*\/?>)\s*(?=[(（]?[A-H]\s*[.．、:：)）])|(?<=\S)\s{2,}(?=[B-H]\s*[.．、:：])/).filter((line) => line.trim() !== '')
    if (lines.length < 2 || !lines.every((line) => LETTERED.test(line))) return null
    options = lines.map(optionOf)
  }
  // One that is empty between others keeps its place: the letters behind it would move.
  const kept = options.slice(0, options.findLastIndex((one) => valueText(one.value).trim() !== '') + 1)
  if (kept.length < 2) return null
  const lettered = kept.every((one, index) => typeof one.value === 'string' && LETTERED.exec(one.value)?.[1]?.toUpperCase() === String.fromCodePoint(65 + index))
  return lettered ? kept.map((one) => ({ ...one, value: String(one.value).replace(LETTERED, ''), label: LETTERED.exec(String(one.value))?.[1]?.toUpperCase() ?? null })) : kept
}

const isLettered = (options: readonly GivenOption[]) => options.every((one, index) => one.label?.toUpperCase() === String.fromCodePoint(65 + index))

/** What an answer may count: the text of an option, its place from 0, its place from 1. */
export type Counting = 'text' | 'zero' | 'one'
const COUNTINGS: readonly Counting[] = ['text', 'zero', 'one']

const keyOf = (value: unknown) => valueText(value).normalize('NFKC').replace(/[\s$]+/g, '').toLowerCase()
const asList = (answer: unknown): unknown[] => (Array.isArray(answer) ? answer : [answer])
const isWhole = (value: unknown) => (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && /^\s*\d{1,2}\s*$/.test(value))

function placeBy(counting: Counting, value: unknown, options: readonly GivenOption[]): number {
  if (counting === 'text') return options.findIndex((option) => keyOf(option.value) === keyOf(value))
  const place = Number(value) - (counting === 'one' ? 1 : 0)
  return place >= 0 && place < options.length ? place : -1
}

interface Sample {
  answer: unknown
  options: readonly GivenOption[]
}

/** Whether the answer of a record is a number that may be a place. */
const counts = ({ answer, options }: Sample) => asList(answer).length > 0 && asList(answer).every(isWhole) && !options.some((one) => one.right) && byLabel(answer, options) === null

/** Ways of counting that hold for every record of a file. */
export function countingsOf(samples: readonly Sample[]): Counting[] {
  const numbered = samples.filter(counts)
  const possible = COUNTINGS.filter((counting) => numbered.every(({ answer, options }) => asList(answer).every((value) => placeBy(counting, value, options) >= 0)))
  return possible.length > 0 ? possible : [...COUNTINGS]
}

/** Places of the labels that an answer names; letters in their order are left to the reader of letters. */
function byLabel(answer: unknown, options: readonly GivenOption[]): number[] | null {
  if (isLettered(options) || options.some((one) => one.label === null || one.label === '')) return null
  const wanted = asList(answer).flatMap((value) => valueText(value).split(/[\s,，;；、|]+/).filter(Boolean))
  const places = wanted.map((one) => options.findIndex((option) => option.label?.toLowerCase() === one.toLowerCase()))
  return wanted.length > 0 && places.every((place) => place >= 0) ? places : null
}

export interface RightPlaces {
  places: number[]
  /** Other readings of the same answer are as good. */
  doubtful: boolean
}

/** Places of the right options when the record does not name them by letters or words. */
export function rightPlaces(answer: unknown, options: readonly GivenOption[] | null, countings: readonly Counting[]): RightPlaces | null {
  if (!options) return null
  const marked = options.flatMap((one, index) => (one.right ? [index] : []))
  if (marked.length > 0) return { places: marked, doubtful: false }
  if (answer === undefined) return null
  const labelled = byLabel(answer, options)
  if (labelled) return { places: labelled, doubtful: false }
  if (!counts({ answer, options })) return null
  const found = countings.flatMap((counting) => {
    const places = asList(answer).map((value) => placeBy(counting, value, options))
    return places.every((place) => place >= 0) ? [places] : []
  })
  const [places] = found
  return places ? { places, doubtful: found.some((one) => one.join() !== places.join()) } : null
}
