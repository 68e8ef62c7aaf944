import { sql, type SQL } from 'drizzle-orm'
import { badRequest } from '../error/error.ts'
import type { AnyField } from '../field/any-field.ts'
import type { BehindPath } from '../field/behind.ts'
import { stretchOf } from '../query/days.ts'
import { endOf } from './behind.ts'
import type { Resource } from './define.ts'
import { fieldOf } from './meta-fields.ts'

/** Whether a column has no value: an empty text or list is none either (rules.ts). */
function lacks(column: SQL, field: AnyField): SQL {
  if (field.column === 'text' || field.column === 'ordered_text') return sql`(${column} is null or ${column} = '')`
  return field.column?.endsWith('[]') ? sql`(${column} is null or cardinality(${column}) = 0)` : sql`${column} is null`
}

/**
 * How a word narrows a column: `empty`, `filled`, or days such as `past_30`.
 * @throws AppError when it is no such word
 */
export function askedCondition(column: SQL, field: AnyField, word: string): SQL {
  if (word === 'empty') return lacks(column, field)
  if (word === 'filled') return sql`not ${lacks(column, field)}`
  const stretch = stretchOf(word, Date.now() / 1000)
  if (!stretch) throw badRequest(`筛选条件「${field.label}」有误`)
  const { from, to } = stretch
  return sql.join([...(from === undefined ? [] : [sql`${column} >= to_timestamp(${from})`]), ...(to === undefined ? [] : [sql`${column} <= to_timestamp(${to})`])], sql` and `)
}

/** Whether there is no value behind references: one of them leads to nothing, or what is at their end has none. Over the bare table. */
export function lacksBehind(resource: Resource, { path: [step, ...path], key }: BehindPath): SQL {
  if (step === undefined) return lacks(sql`${sql.identifier(key)}`, fieldOf(resource, key))
  const reference = sql.identifier(step)
  const target = endOf(resource, [step])
  return sql`(${reference} is null or ${reference} in (select id from ${sql.identifier(target.table)} where ${lacksBehind(target, { path, key })}))`
}
