import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../core/testing/database.server.ts'
import { contract, contractLater } from './contract.ts'

const GOING = ['ALTER TABLE "probe" DROP COLUMN "old";', 'DROP TABLE "gone" CASCADE;', 'ALTER TABLE "probe" ADD COLUMN "new" text;']

test('what goes is retired in this release and ended in the next', () => {
  const { statements, retired } = contractLater(GOING, {}, '1.0.0')
  expect(statements).toEqual(['ALTER TABLE "probe" ALTER COLUMN "old" DROP NOT NULL;', 'ALTER TABLE "probe" ADD COLUMN "new" text;'])
  expect(retired).toEqual({ 'probe.old': '1.0.0', gone: '1.0.0' })
  expect(contract(retired, '1.0.0')).toEqual({ statements: [], retired })
  expect(contract({ ...retired, 'probe.later': '1.1.0' }, '1.1.0')).toEqual({
    statements: ['DROP TABLE "gone" CASCADE;', 'ALTER TABLE "probe" DROP COLUMN "old";'], retired: { 'probe.later': '1.1.0' },
  })
})

test('a name that is retired is not taken again before its end', () => {
  expect(() => contractLater(['ALTER TABLE "probe" ADD COLUMN "old" text NOT NULL;'], { 'probe.old': '1.0.0' }, '1.0.0')).toThrow('probe.old is retired')
  expect(() => contractLater(['CREATE TABLE "gone" ("id" bigint);'], { gone: '1.0.0' }, '1.0.0')).toThrow('gone is retired')
})

test('both releases write while one follows the other', async () => {
  const db = await openTestDatabase()
  try {
    await db.script('create table probe (id bigint, old text not null); create table gone (id bigint)')
    const { statements, retired } = contractLater(GOING, {}, '1.0.0')
    await db.script(statements.join('\n'))
    await db.query(sql`insert into probe (id, old) values (1, 'a')`)
    await db.query(sql`insert into probe (id, new) values (2, 'b')`)
    await db.query(sql`insert into gone (id) values (1)`)
    await db.script(contract(retired, '1.1.0').statements.join('\n'))
    expect(await db.query(sql`select * from probe order by id`)).toEqual([{ id: 1, new: null }, { id: 2, new: 'b' }])
  } finally {
    await db.script('drop table if exists probe, gone')
    await db.close()
  }
})

test('nothing is retired that the definitions still have', () => {
  const { retired = {}, tables } = JSON.parse(readFileSync(join(import.meta.dirname, '../migrations/snapshot.json'), 'utf8')) as { retired?: Record<string, string>; tables: Record<string, { columns: object }> }
  expect(Object.keys(retired).filter((name) => {
    const [table = '', column] = name.split('.')
    const known = tables[`public.${table}`]
    return known !== undefined && (column === undefined || column in known.columns)
  })).toEqual([])
})
