import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choice } from '../core/field/choice.ts'
import { number } from '../core/field/number.ts'
import { reference } from '../core/field/reference.ts'
import { text } from '../core/field/text.ts'
import { registryOf } from '../core/module/assemble.server.ts'
import type { ServerModule } from '../core/module/serve.server.ts'
import { findAppendOnly, findResources } from '../core/module/schema.server.ts'
import { api, defineResource, type Resource } from '../core/resource/define.ts'
import { serve } from '../core/resource/serve.server.ts'
import { openTestDatabase, type TestDatabase } from '../core/testing/database.server.ts'
import { fillBefore, literal, startOf } from './fill.ts'
import { besideOf, migrationName, pendingMigration, triggerChanges } from './migration.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const define = (more: object = {}) => defineResource({
  name: 'probe', label: '样品', grant: 9901, api: api('/test', 'probes', 'probe'),
  fields: { name: text('名称', { required: true }), grade: number('等级', { required: true, initial: 3 }), tax: number('税率', { required: true }), sold: number('已售', { readonly: true, required: true }) },
  list: { columns: ['name'], filters: [] }, ...more,
}) as unknown as Resource

test('the migrations lead to the definitions of today: nothing is pending', async () => {
  const { statements } = await pendingMigration()
  expect(statements, 'run npm run migration').toEqual([])
})

test('no name is cut by the database, which keeps 63 bytes', () => {
  const snapshot = JSON.parse(readFileSync(join(import.meta.dirname, '../migrations/snapshot.json'), 'utf8')) as {
    tables: Record<string, { name: string; columns: object; indexes: object; compositePrimaryKeys: object }>
  }
  const names = Object.values(snapshot.tables).flatMap((table) => [table.name, ...[table.columns, table.indexes, table.compositePrimaryKeys].flatMap(Object.keys)])
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => Buffer.byteLength(name) > 63)).toEqual([])
})

test('a migration is named by its second, and comes after those that were numbered', () => {
  const name = migrationName('add_tags', new Date('2026-11-23T17:44:05Z'))
  expect(name).toBe('20261123174405_add_tags.sql')
  expect(['0001_business.sql', name].toSorted()).toEqual(['0001_business.sql', name])
})

test('a column that is required from now on is filled first, on a table with rows', async () => {
  const given = [
    'ALTER TABLE "probe" ADD COLUMN "grade" numeric NOT NULL;', 'ALTER TABLE "probe" ADD COLUMN "tax" numeric NOT NULL;', 'ALTER TABLE "probe" ALTER COLUMN "name" SET NOT NULL;',
    'ALTER TABLE "probe" ADD COLUMN "kind" text DEFAULT \'a\' NOT NULL;', 'CREATE TABLE "fresh" ("id" bigint);', 'ALTER TABLE "fresh" ADD COLUMN "name" text NOT NULL;',
  ]
  const begin = (table: string, column: string) => startOf([define()], table, column)
  expect(fillBefore(given, {}, begin).missing).toEqual(['probe.tax', 'probe.name'])
  const { statements, missing } = fillBefore(given, { 'probe.tax': 'id * 2', 'probe.name': "'无名' || id" }, begin)
  expect(missing).toEqual([])
  try {
    await db.script("create table probe (id bigint, name text); insert into probe values (1, null), (2, '有名')")
    await db.script(`begin; ${statements.join('\n')}; commit`)
    expect(await db.query(sql`select name, grade::float8 as grade, tax::float8 as tax, kind from probe order by id`))
      .toEqual([{ name: '无名1', grade: 3, tax: 2, kind: 'a' }, { name: '有名', grade: 3, tax: 4, kind: 'a' }])
    // The value was for those rows; new ones get theirs from the product.
    await expect(db.query(sql`insert into probe (id, name, tax) values (3, 'x', 1)`)).rejects.toThrow(/"grade"/)
  } finally {
    await db.script('drop table if exists probe, fresh')
  }
})

test.each([
  ['text', "it's", "'it''s'"], ['integer', 0, '0'], ['boolean', false, 'false'], ['jsonb', { a: "b'" }, `'{"a":"b''"}'::jsonb`],
  ['text[]', ["a'"], "array['a''']::text[]"], ['bigint[]', [], 'array[]::bigint[]'], ['timestamptz', 60, 'to_timestamp(60)'], ['text', null, undefined], ['numeric', undefined, undefined],
] as const)('a value of %s as SQL: %j', (type, value, expected) => {
  expect(literal(type, value)).toBe(expected)
})

test('resources that share a table and start with different values leave it to whoever writes the migration', () => {
  const grade = (initial: number) => define({ fields: { grade: number('等级', { required: true, initial }) } })
  expect(startOf([grade(1), grade(1)], 'probe', 'grade')).toBe('1')
  expect(startOf([grade(1), grade(2)], 'probe', 'grade')).toBeUndefined()
})

test('what the log leaves out makes a migration when it changes', () => {
  const leavingOut = (leftOut: boolean) => besideOf([define({ fields: { name: text('名称'), sold: number('已售', { audit: !leftOut }) } })], {})
  expect(triggerChanges(leavingOut(true), leavingOut(true))).toEqual([])
  expect(triggerChanges(leavingOut(false), leavingOut(true))).toEqual([
    'drop trigger audit_insert on "probe";', 'drop trigger audit_update on "probe";', 'drop trigger audit_delete on "probe";',
    `create trigger audit_insert after insert on "probe" referencing new table as new_rows for each statement execute function audit('sold');`,
    `create trigger audit_update after update on "probe" referencing old table as old_rows new table as new_rows for each statement execute function audit('sold');`,
    `create trigger audit_delete after delete on "probe" referencing old table as old_rows for each statement execute function audit('sold');`,
  ])
  const none = besideOf([], {})
  expect(triggerChanges(leavingOut(true), none)).toHaveLength(3)
  expect(triggerChanges(leavingOut(true), none, new Set(['probe']))).toEqual([])
  expect(triggerChanges({ kept: { probe: ['name'] } }, besideOf([], { probe: ['name', 'sold'] }))).toEqual(['drop trigger keep on "probe";', expect.stringContaining('"name", "sold"')])
})

test('a unique group holds where a member before its last is empty, and binds nobody who has no last', () => {
  const unique = (...group: string[]) => besideOf([define({ fields: { place: number('地点'), name: text('名称', { required: true }), no: text('编号') }, unique: [group] })], {}).equalNulls
  expect(unique('place', 'name')).toEqual({ probe_place_name_u: 'probe' })
  expect(unique('name', 'place')).toEqual({})
  expect(unique('name', 'no')).toEqual({})
})

const door = { name: 'probe', title: '样品', screens: [] }
const start = (...resources: Resource[]) => () => registryOf([{ door, services: resources.map((resource) => serve(resource)()) } as unknown as ServerModule])
const KIND = { kind: choice('种类', [{ value: 'a', label: '甲' }, { value: 'b', label: '乙' }], { required: true }), name: text('名称', { required: true }), no: number('编号') }

test.each([
  ['the type of a column', { fields: { ...KIND, no: text('编号') } }, 'share the table probe and disagree on the type of no'],
  ['the order of an index', { indexes: [['no', 'name']] }, 'disagree on indexes: name, no or no, name'],
  ['which records indexes hold', { indexesLiving: true }, 'disagree on whether indexes hold living records alone'],
  ['what is unique of a record that is of both', { unique: [['name', 'no']] }, 'disagree on whether name, no is unique'],
] as const)('two resources over one table that disagree on %s refuse to start', (_what, more, words) => {
  const [one, other] = [define({ table: 'probe', fields: KIND, indexes: [['name', 'no']] }), define({ name: 'probe_too', table: 'probe', fields: KIND, ...more })]
  expect(start(one)).not.toThrow()
  expect(start(one, other)).toThrow(words)
})

test('kinds that exclude each other are unique each for itself', () => {
  const of = (kind: string, unique: string[][]) => define({ name: `probe_${kind}`, table: 'probe', fields: KIND, where: { kind }, unique })
  expect(start(of('a', [['name', 'no']]), of('b', []))).not.toThrow()
})

test('a reference that asks for what cannot be done refuses to start', () => {
  const by = (options: object, more: object = {}) => define({ name: 'probe_by', fields: { probe_id: reference('样品', () => define(), options), name: text('名称') }, ...more })
  expect(start(define(), by({ onRemove: 'cascade' }, { audit: false }))).toThrow('only a logged record')
  expect(start(define(), by({ onRemove: 'keep', neededWhile: { name: ['a'] } }))).toThrow('but it never is')
  expect(start(define(), by({ neededWhile: { nothing: ['a'] } }))).toThrow('which is no column')
})

test('every change of every audited resource is logged by the database itself, but for what its definition leaves out', async () => {
  // Arguments stand one after the other, each ended by a zero byte.
  const triggers = await db.query<{ name: string; unlogged: string; events: number }>(sql`select c.relname as name, encode(g.tgargs, 'escape') as unlogged, count(*)::int as events from pg_trigger g
    join pg_class c on c.oid = g.tgrelid where g.tgname in ('audit_insert', 'audit_update', 'audit_delete') group by 1, 2`)
  const { audited, kept } = besideOf(await findResources(), await findAppendOnly())
  expect(Object.fromEntries(triggers.map((row) => [row.name, [row.events, row.unlogged.split('\\000').filter(Boolean).sort()]])))
    .toEqual(Object.fromEntries(Object.entries(audited).map(([table, unlogged]) => [table, [3, unlogged]])))
  const keeping = await db.query<{ name: string; columns: string[] }>(sql`select c.relname as name, array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(g.tgattr) order by a.attnum) as columns
    from pg_trigger g join pg_class c on c.oid = g.tgrelid where g.tgname = 'keep'`)
  expect(Object.fromEntries(keeping.map((row) => [row.name, row.columns.toSorted()]))).toEqual(Object.fromEntries(Object.entries(kept).map(([table, columns]) => [table, [...columns].sort()])))
})
