import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/database.server.ts'
import { schemaOf } from '../testing/schema.server.ts'
import { migrate } from './migrate.server.ts'
import { openPostgres } from './postgres.server.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test('a migrated database has exactly the columns and indexes that the definitions name', async () => {
  const { defined, stored } = await schemaOf(db)
  expect(defined.columns.length).toBeGreaterThan(200)
  expect(stored).toEqual(defined)
})

test('a database that is up to date stays as it is', async () => {
  expect(await migrate(db)).toEqual([])
})

test('several processes that start at once migrate once', async (context) => {
  if (!db.url) return context.skip('the embedded database belongs to one process')
  await db.query(sql`create database ${sql.identifier(`${new URL(db.url).pathname.slice(1)}_fresh`)} template template0`)
  const url = `${db.url}_fresh`
  const processes = await Promise.all([openPostgres(url), openPostgres(url), openPostgres(url)])
  try {
    const done = await Promise.all(processes.map((one) => migrate(one)))
    expect(done.filter((names) => names.length > 0).length).toBe(1)
  } finally {
    await Promise.all(processes.map((one) => one.close()))
    await db.query(sql`drop database ${sql.identifier(new URL(url).pathname.slice(1))} with (force)`)
  }
})

test.each([
  ['王小明', ['王小', '小明']],
  ['ABc', ['ab', 'bc']],
  ['abab', ['ab', 'ba']],
  ['王 明', []],
  ['明', []],
  ['', []],
  ['100%_\\', ['0%', '00', '10', '100', '%_', '_\\']],
  ['A12b345', ['a1', '12', '2b', 'b3', '34', '45', '345']],
  ['12 34', ['12', '34']],
  ['2026', ['20', '02', '26', '202', '026']],
  ['𠮷野家', ['𠮷野', '野家']],
])('grams(%s)', async (text, expected) => {
  const [row] = await db.query<{ pieces: string[] }>(sql`select grams(${text}::text) as pieces`)
  expect([...new Set(row?.pieces)].sort()).toEqual(expected.toSorted())
})

test('when words come to be cut in another way, what is stored already is found all the same', async () => {
  await db.script(`create or replace function grams(value text) returns text[] language sql immutable as $$ select array[]::text[] $$;
    create table probe (name text); create index probe_i on probe using gin (grams(name)); insert into probe values ('订单20261123')`)
  try {
    await migrate(db)
    const found = await db.transaction({ staff_id: null }, async (tx) => {
      await tx.query(sql`set local enable_seqscan = off`)
      return tx.query(sql`select name from probe where grams(name) @> grams('61123')`)
    })
    expect(found).toEqual([{ name: '订单20261123' }])
  } finally {
    await db.script('drop table probe')
  }
})
