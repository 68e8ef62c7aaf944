import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { compile } from './database.server.ts'

const date = new Date(0)
const inner = sql`select ${1} as ${sql.identifier('a"b')}`

test.each([
  ['text alone', sql`select 1`],
  ['values of every kind', sql`select ${1}, ${'x'}, ${null}, ${true}, ${date}, ${sql.param([1, 2])}`],
  ['statements within statements', sql`with t as (${inner}) select ${2} from t where ${sql.join([sql`a = ${3}`, sql`b = ${4}`], sql` and `)}`],
  ['a part that is left out', sql`select 1${undefined} from t`],
  ['a list that stands in brackets', sql`select 1 where 1 in ${[1, 2, 3]}`],
  ['raw text', sql`select ${sql.raw('now()')} limit ${5}`],
])('%s is written as the library writes it', (_name, statement) => {
  const { sql: text, params } = new PgDialect().sqlToQuery(statement)
  expect(compile(statement)).toEqual({ text, values: params })
})
