/** What is known about a question as named lines of text: rows of a sheet, tags of a document, comments. Nothing is lost on the way. */
import { EXERCISE_TYPES, GAOKAO_TYPES, NO_FACTS, SOURCES, type QuestionFacts } from '../content/question.ts'

type Key = keyof QuestionFacts

interface Fact<Value> {
  name: string
  write: (value: Value) => string
  /** undefined for a text that says nothing. */
  read: (text: string) => Value | undefined
}

const words: Fact<string | null>['read'] = (text) => text || undefined
const text = (name: string): Fact<string | null> => ({ name, write: (value) => value ?? '', read: words })
const number = (name: string): Fact<number | null> => ({ name, write: (value) => (value === null ? '' : String(value)), read: (source) => (source !== '' && Number.isFinite(Number(source)) ? Number(source) : undefined) })
const named = <Value extends string | number>(name: string, list: readonly { value: Value; label: string }[]): Fact<Value | null> => ({
  name,
  write: (value) => list.find((one) => one.value === value)?.label ?? '',
  read: (source) => list.find((one) => one.label === source || String(one.value) === source)?.value,
})

/** Texts that would be read as something else are kept as JSON. */
const isPlain = (part: string, parting: RegExp) => part !== '' && part.trim() === part && !parting.test(part) && !part.startsWith('[')

const list = (name: string): Fact<string[]> => ({
  name,
  write: (value) => (value.every((one) => isPlain(one, /[；\n]/)) ? value.join('；') : JSON.stringify(value)),
  read: (source) => (source === '' ? undefined : (readJson(source) as string[] | null) ?? source.split('；')),
})
const paths = (name: string): Fact<string[][]> => ({
  name,
  write: (value) => (value.every((path) => path.length > 0 && path.every((one) => isPlain(one, /[；\n]|->/))) ? value.map((path) => path.join('->')).join('；') : JSON.stringify(value)),
  read: (source) => (source === '' ? undefined : (readJson(source) as string[][] | null) ?? source.split('；').map((path) => path.split('->'))),
})
const numbers = (name: string): Fact<number[]> => ({
  name,
  write: (value) => value.join('；'),
  read: (source) => (source === '' ? undefined : source.split(/[；;,，、]/).map(Number).filter((one) => Number.isInteger(one))),
})

function readJson(source: string): unknown {
  if (!source.startsWith('[')) return null
  try {
    const value: unknown = JSON.parse(source)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** In the order in which they are written. */
const FACTS: { readonly [K in Key]: Fact<QuestionFacts[K]> } = {
  no: text('题号'), subject: text('学科'), difficulty: number('难度'), coef: number('难度系数'), labels: paths('知识点'), chapters: paths('章节'), tags: list('标签'), source: named('来源', SOURCES), source_paper: text('来源试卷'),
  source_order: number('卷内题序'), source_years: numbers('年份'), exam_region: text('卷区'), gaokao_type: named<number>('高考类型', GAOKAO_TYPES), exercise_type: named<number>('习题类型', EXERCISE_TYPES), cognitive: text('认知层次'), competence: list('核心素养'),
  est_seconds: number('预计用时'), copyright: text('版权'),
}
const ENTRIES = Object.entries(FACTS) as [Key, Fact<unknown>][]

/** @public Names of all facts, in their order. */
export const FACT_NAMES: readonly string[] = ENTRIES.map(([, fact]) => fact.name)

/** What is known, named in Chinese; nothing for what is not known. */
export function factRows(facts: QuestionFacts): [name: string, value: string][] {
  return ENTRIES.flatMap(([key, fact]): [string, string][] => {
    const value = facts[key]
    if (value === null || (Array.isArray(value) && value.length === 0)) return []
    return [[fact.name, fact.write(value)]]
  })
}

/** @public The inverse of `factRows`; names that are not facts are left out. */
export function readFacts(rows: Iterable<readonly [name: string, value: string]>): QuestionFacts {
  const facts: Record<string, unknown> = { ...NO_FACTS }
  for (const [name, value] of rows) {
    const entry = ENTRIES.find(([, fact]) => fact.name === name)
    const read = entry?.[1].read(value)
    if (entry && read !== undefined) facts[entry[0]] = read
  }
  return facts as unknown as QuestionFacts
}
