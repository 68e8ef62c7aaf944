import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrationName, pendingMigration } from './migration.ts'

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
