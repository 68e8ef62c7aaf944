import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmptyDatabase, type TestDatabase } from '../testing/database.server.ts'
import { migrate } from './migrate.server.ts'

/** The migration that the previous release consists of. */
const PREVIOUS = '0000_foundation.sql'
const ROWS = 3

interface Column {
  table: string
  name: string
  type: string
  generated: boolean
}

/** Values that a migration moves on purpose, by their table: what must be left of them all the same. */
const MOVED: Readonly<Record<string, { readonly keys: readonly string[]; readonly keeps: (row: Record<string, unknown>) => unknown }>> = {
  // Nothing had ever been asked for, so that nothing is on its way to an agent: it is theirs again.
  agent: { keys: ['balance', 'frozen'], keeps: ({ balance, frozen }) => Number(balance) + Number(frozen) },
}

let db: TestDatabase
/** Every row of every table as the previous release left it. */
const before = new Map<string, Record<string, unknown>[]>()

/** A value of a column's type that differs from row to row. */
function valueOf({ type, name }: Column, n: number): string {
  if (type === 'boolean') return 'true'
  if (type === 'jsonb') return `{"n":${n}}`
  if (type === 'uuid') return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  if (type === 'ARRAY') return '{}'
  if (type.startsWith('timestamp')) return `2026-01-0${n} 08:00:00+00`
  if (/int|numeric|double/.test(type)) return String(n)
  return `${name} 旧${n}`
}

const contents = (table: string) => db.query<{ row: Record<string, unknown> }>(sql`select to_jsonb(t) as row from ${sql.identifier(table)} t order by to_jsonb(t)::text`)

beforeAll(async () => {
  db = await openEmptyDatabase()
  const text = (path: string) => readFile(join(import.meta.dirname, path), 'utf8')
  await db.script('create table migration (name text primary key, at timestamptz not null default now())')
  await db.script(await text('base.sql'))
  await db.script(`begin; ${await text(`../../migrations/${PREVIOUS}`)}; insert into migration (name) values ('${PREVIOUS}'); commit`)
  const columns = await db.query<Column>(sql`select table_name as "table", column_name as name, data_type as type, is_identity = 'YES' as generated
    from information_schema.columns where table_schema = 'public' and table_name <> 'migration' order by table_name, ordinal_position`)
  for (const table of new Set(columns.map((column) => column.table))) {
    // Deleted records lie outside the unique indexes; some of them must be living.
    const own = columns.filter((column) => column.table === table && !column.generated && column.name !== 'deleted_at')
    for (let n = 1; n <= ROWS; n++) {
      const values = own.map((column) => sql`${valueOf(column, n)}${sql.raw(column.type === 'ARRAY' ? '' : `::${column.type}`)}`)
      await db.query(sql`insert into ${sql.identifier(table)} (${sql.join(own.map(({ name }) => sql.identifier(name)), sql`, `)}) values (${sql.join(values, sql`, `)})`)
    }
  }
  for (const table of new Set(columns.map((column) => column.table))) before.set(table, (await contents(table)).map(({ row }) => row))
})
afterAll(() => db.close())

test('the next release keeps every value of every row of the previous one', async () => {
  expect((await migrate(db)).length).toBeGreaterThan(0)
  expect(before.size).toBeGreaterThan(20)
  const lost: string[] = []
  for (const [table, rows] of before) {
    expect(rows.length, table).toBeGreaterThanOrEqual(ROWS)
    const now = (await contents(table)).map(({ row }) => row)
    for (const row of rows) {
      const moved = MOVED[table]
      const whole = now.some((one) => (!moved || moved.keeps(one) === moved.keeps(row))
        && Object.entries(row).every(([key, value]) => moved?.keys.includes(key) || JSON.stringify(one[key]) === JSON.stringify(value)))
      if (!whole) lost.push(`${table} ${JSON.stringify(row)}`)
    }
  }
  expect(lost).toEqual([])
})

test('records of the previous release are changed, logged and found as those of this one', async () => {
  const [student] = await db.query<{ id: number }>(sql`select id from school_student order by id limit 1`)
  const id = student?.id ?? 0
  await db.transaction({ staff_id: 1, action: 'update' }, (tx) => tx.query(sql`update school_student set name = '升级后改名' where id = ${id}`))
  const log = await db.query(sql`select staff_id, action, before->>'name' as before, after->>'name' as after from audit_log
    where entity = 'school_student' and entity_id = ${id} order by audit_log.id desc limit 1`)
  expect(log).toEqual([{ staff_id: 1, action: 'update', before: 'name 旧1', after: '升级后改名' }])
  const found = await db.query<{ id: number }>(sql`select id from school_student where grams((coalesce("name", '') || ' ' || coalesce("student_no", ''))) @> grams('后改')`)
  expect(found.map((row) => row.id)).toEqual([id])
})

test('a second start finds nothing left to do', async () => {
  expect(await migrate(db)).toEqual([])
})
