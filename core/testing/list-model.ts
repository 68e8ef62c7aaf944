import type { AnyField } from '../field/any-field.ts'
import { foldText } from '../field/field.ts'
import { askKey, asksOf } from '../query/asks.ts'
import { stretchOf } from '../query/days.ts'
import { parseSort } from '../query/sort.ts'
import type { Resource } from '../resource/define.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { isEmpty } from '../field/check.ts'

/** What a list should answer, worked out in memory over all records: the tests compare the database's answer with it. */
export type ModelRow = Readonly<Record<string, unknown>> & { readonly id: number }

/** Compares as PostgreSQL does under the C locale, empty values last. */
function compareValues(a: unknown, b: unknown): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

/**
 * Ids in the order of a sort, which the id settles where values are equal.
 * @param reference key that comes before the id: a value behind it is the same for all that refer to one record
 */
export function sortedIds(rows: readonly ModelRow[], sort: string, reference?: string): number[] {
  const asked = parseSort(sort)
  const keys = [...asked, ...[...(reference ? [reference] : []), 'id'].map((key) => ({ key, descending: asked.at(-1)?.descending ?? false }))]
  const compare = (a: ModelRow, b: ModelRow) => keys.reduce((order, { key, descending }) => order || (descending ? -1 : 1) * compareValues(a[key] ?? null, b[key] ?? null), 0)
  return [...rows].sort(compare).map((row) => row.id)
}

/** Fields that the keyword looks through as one text. */
export function searchedKeys(resource: Resource): string[] {
  return Object.keys(resource.fields).filter((key) => resource.fields[key]?.search && !resource.fields[key].behind && !resource.fields[key].hidden?.whole)
}

/** Whether the keyword search finds a record. */
export function hasKeyword(resource: Resource, row: ModelRow, keyword: string): boolean {
  const word = foldText(keyword).toLowerCase()
  const isName = (key: string) => resource.fields[key]?.hidden?.from === 'strangers'
  const searched = searchedKeys(resource)
  const text = searched.filter((key) => !isName(key)).map((key) => String(row[key] ?? '')).join(' ').toLowerCase()
  // What is hidden is found by the whole of it.
  const behind = Object.entries(resource.fields).filter(([, field]) => field.behind && field.search && !field.hidden)
  const whole = Object.keys(resource.fields).filter((key) => resource.fields[key]?.hidden?.whole || (resource.fields[key]?.search && isName(key)))
  return (searched.some((key) => !isName(key)) && text.includes(word)) || behind.some(([key]) => textOf(row[key]).includes(word)) || whole.some((key) => row[key] === foldText(keyword))
}

export interface FilterCase {
  query: Record<string, unknown>
  keeps: (row: ModelRow) => boolean
}

type Cases = (key: string, values: readonly unknown[], field: AnyField, rows: readonly ModelRow[]) => FilterCase[]

const textOf = (value: unknown) => String(value ?? '').toLowerCase()

/** For each operator: queries built from values that exist, and which records each keeps. */
const cases: Record<NonNullable<AnyField['filter']>, Cases> = {
  contains: (key, values) => values.slice(0, 2).map((value) => {
    const part = String(value).slice(0, 2)
    return { query: { [key]: part }, keeps: (row) => textOf(row[key]).includes(part.toLowerCase()) }
  }),
  equals: (key, values) => values.slice(0, 1).map((value) => ({ query: { [key]: value }, keeps: (row) => row[key] === value })),
  in: (key, values) => [values.slice(0, 1), values.slice(0, 2)].map((list) => ({ query: { [key]: list }, keeps: (row) => list.includes(row[key]) })),
  overlap: (key, values) => {
    const [one] = values.flat()
    return [{ query: { [key]: one }, keeps: (row) => ((row[key] as unknown[] | null) ?? []).includes(one) }]
  },
  prefix: (key, values) => values.slice(0, 1).flatMap((value) => [String(value), String(value).slice(0, 2)]).map((part) => {
    return { query: { [key]: part }, keeps: (row) => String(row[key] ?? '').startsWith(part) }
  }),
  range: (key, values) => {
    const sorted = values.map(Number).sort((a, b) => a - b)
    const [low = 0, high = 0] = [sorted[Math.floor(sorted.length / 3)], sorted[Math.floor((2 * sorted.length) / 3)]]
    const number = (row: ModelRow) => (row[key] === null || row[key] === undefined ? Number.NaN : Number(row[key]))
    return [
      { query: { [`${key}_start`]: low }, keeps: (row) => number(row) >= low },
      { query: { [`${key}_end`]: high }, keeps: (row) => number(row) <= high },
      { query: { [`${key}_start`]: low, [`${key}_end`]: high }, keeps: (row) => number(row) >= low && number(row) <= high },
    ]
  },
  // What a group means its own module knows and tests.
  segment: () => [],
  subtree: (key, values, _field, rows) => {
    const [top] = values
    const below = new Set([top])
    for (let size = 0; size < below.size;) {
      size = below.size
      for (const row of rows) if (below.has(row['parent_id'])) below.add(row.id)
    }
    return [{ query: { [key]: top }, keeps: (row) => below.has(row[key]) }]
  },
}

/** Queries that narrow a list by one filter, with what each should keep; values come from the records themselves. */
export function filterCases(resource: Resource, key: string, rows: readonly ModelRow[]): FilterCase[] {
  const field = fieldOf(resource, key)
  if (!field.filter) return []
  const values = [...new Set(rows.map((row) => row[key]))].filter((value) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
  return values.length === 0 ? [] : cases[field.filter](key, values, field, rows)
}

/** Queries that ask of a field in words, with what each should keep. @param now unix seconds */
export function askCases(resource: Resource, key: string, now: number): (FilterCase & { word: string })[] {
  return asksOf(fieldOf(resource, key)).map(({ value: word }) => {
    const { from = -Infinity, to = Infinity } = stretchOf(word, now) ?? {}
    const keeps = (row: ModelRow) => {
      const value = row[key] ?? null
      if (word === 'empty' || word === 'filled') return isEmpty(value) === (word === 'empty')
      return value !== null && Number(value) >= from && Number(value) <= to
    }
    return { word, query: { [askKey(key)]: word }, keeps }
  })
}
