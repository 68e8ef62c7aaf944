import type { ApiDescription, Operation, Schema } from '../../core/openapi/description.ts'

/** One call in the page's table. */
export interface CallRow {
  /** Method and path. */
  readonly key: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** One value that a call takes. */
export interface ValueRow {
  /** Where it stands: `name`, `items[].price`. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly words: string
}

const TYPES: Readonly<Record<string, string>> = { string: '文字', integer: '整数', number: '数字', boolean: '是否', object: '对象', array: '数组', null: '空' }

/** Deeper than this a value is only named: descriptions may contain themselves. */
const DEEPEST = 4

/** What kind of value a schema asks for, in words. */
export function typeWords(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeWords))].join(' / ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' / ')
  if (schema.type === 'array') return schema.items ? `数组（${typeWords(schema.items)}）` : '数组'
  if (schema.format === 'binary') return '文件'
  return TYPES[schema.type ?? ''] ?? '任意'
}

/** What a schema says of a value beside its kind: what it is, how long, how large. */
function limits(schema: Schema): string {
  const number = (keyword: string) => (typeof schema[keyword] === 'number' && Math.abs(schema[keyword]) < Number.MAX_SAFE_INTEGER ? schema[keyword] : undefined)
  const between = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least !== undefined && most !== undefined) return least === most ? `${least}${unit}` : `${least}–${most}${unit}`
    return most !== undefined ? `不超过 ${most}${unit}` : least === undefined ? '' : `至少 ${least}${unit}`
  }
  return [
    schema.title, schema.description,
    between(number('minLength'), number('maxLength'), ' 字'), between(number('minItems'), number('maxItems'), ' 项'), between(number('minimum'), number('maximum'), ''),
  ].filter(Boolean).join('，')
}

/** Every value inside a schema, those of objects and lists below their own. */
export function valueRows(schema: Schema, before = '', depth = 0): ValueRow[] {
  const inner = schema.type === 'array' && schema.items ? { schema: schema.items, before: `${before}[].` } : { schema, before: before && `${before}.` }
  if (depth >= DEEPEST) return []
  return Object.entries(inner.schema.properties ?? {}).flatMap(([key, value]) => {
    const name = inner.before + key
    return [{ name, type: typeWords(value), required: inner.schema.required?.includes(key) ?? false, words: limits(value) }, ...valueRows(value, name, depth + 1)]
  })
}

/** All calls, in the order of their paths. */
export function callRows({ paths }: ApiDescription): CallRow[] {
  return Object.entries(paths)
    .flatMap(([path, calls]) => Object.entries(calls).map(([method, operation]) => ({ key: `${method} ${path}`, method: method.toUpperCase(), path, operation })))
    .toSorted((a, b) => a.path.localeCompare(b.path))
}

/**
 * The calls that somebody looks for.
 * @param keyword words of which every one stands in path, summary, screen or rights; large and small letters are the same
 * @param tag a screen; empty: any
 */
export function findCalls(rows: readonly CallRow[], keyword: string, tag: string): CallRow[] {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ method, path, operation }) => {
    if (tag && !operation.tags.includes(tag)) return false
    const text = [method, path, operation.summary, operation.description, ...operation.tags].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
