import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { openEmptyDatabase, type TestDatabase } from '../testing/database.server.ts'
import { schemaOf } from '../testing/schema.server.ts'
import { migrate } from './migrate.server.ts'

const FILE = join(import.meta.dirname, '../../migrations/previous.sql.gz')

let db: TestDatabase
let app: TestApp | undefined
/** Whose the place of each order was, as the release kept it: beside the order, where it now has a row of its own. */
let places: { id: number; school_id: number | null; partner_id: number | null }[]
/** Rows of each table as the release left them. */
const before = new Map<string, number>()

async function countRows(): Promise<Map<string, number>> {
  const tables = await db.query<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migration'`)
  const counts = new Map<string, number>()
  for (const { name } of tables) counts.set(name, (await db.query<{ n: number }>(sql`select count(*)::int as n from ${sql.identifier(name)}`))[0]?.n ?? 0)
  return counts
}

beforeAll(async () => {
  db = await openEmptyDatabase()
  await db.script(gunzipSync(readFileSync(FILE)).toString('utf8'))
  for (const [name, count] of await countRows()) before.set(name, count)
  places = await db.query(sql`select id, school_id, partner_id from orders where line in ('school', 'room', 'member') order by id`)
  await migrate(db)
})
afterAll(() => app?.close() ?? db.close())

test('the demo of the previous release is small and has rows of nearly everything', () => {
  expect(readFileSync(FILE).length).toBeLessThanOrEqual(500_000)
  expect([...before.values()].filter((count) => count > 0).length).toBeGreaterThan(60)
})

test('it has today’s schema after the migrations', async () => {
  const { defined, stored } = await schemaOf(db)
  expect(stored).toEqual(defined)
  expect(await migrate(db)).toEqual([])
})

test('no row was lost', async () => {
  const now = await countRows()
  expect([...before].filter(([name, count]) => (now.get(name) ?? 0) < count)).toEqual([])
})

test('whose the place of an order was is still known', async () => {
  expect(places.filter(({ school_id }) => school_id !== null).length).toBeGreaterThan(10)
  expect(await db.query(sql`select o.id, p.school_id, p.partner_id from orders o join order_place p on p.id = o.side_id where o.line in ('school', 'room', 'member') order by o.id`)).toEqual(places)
})

test('the product starts on it, and every list and every form’s choices answer', async () => {
  app = await openTestApp({}, db)
  const holder = await app.staff(app.servedGrants)
  const refused: string[] = []
  let rows = 0
  for (const { resource } of app.kernel.registry.values()) {
    for (const path of [resource.api.list, resource.optionsPath, `${resource.api.list}/summary`]) {
      const { status, body } = await holder.get(path)
      if (status !== 200) refused.push(`${path} ${status} ${JSON.stringify(body)}`)
      const items = body[resource.api.reply.items]
      if (path === resource.api.list && Array.isArray(items)) rows += items.length
    }
  }
  expect(refused).toEqual([])
  expect(rows).toBeGreaterThan(200)
})
