import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from './database.server.ts'

const here = import.meta.dirname
const folder = join(here, '../../migrations')

/**
 * Brings the database to this release: runs each migration that it has not seen, in order, each in one transaction.
 * Several processes may start at once; one works, the others wait.
 * @returns names of the migrations that were run
 */
export async function migrate(database: Database, report: (name: string) => void = () => {}): Promise<string[]> {
  return database.exclusive('migrate', async () => {
    await database.script('create table if not exists migration (name text primary key, at timestamptz not null default now())')
    const known = new Set((await database.query<{ name: string }>(sql`select name from migration`)).map((row) => row.name))
    const pending = (await readdir(folder)).filter((name) => name.endsWith('.sql') && !known.has(name)).sort()
    // Each time: a release may change a function without changing a table.
    const before = await piecesFunction(database)
    await database.script(await readFile(join(here, 'base.sql'), 'utf8'))
    if (before !== undefined && before !== await piecesFunction(database)) await rebuildSearch(database, report)
    for (const name of pending) {
      report(name)
      const text = await readFile(join(folder, name), 'utf8')
      // A waiting lock would stop every reader behind it: give up early instead, the next start tries again.
      await database.script(`begin; set local lock_timeout = '5s'; ${text}; insert into migration (name) values ('${name}'); commit`)
    }
    return pending
  })
}

/** Text of the function that cuts what is searched into pieces; undefined in a new database. */
async function piecesFunction(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ text: string }>(sql`select prosrc as text from pg_proc where proname = 'grams' and pronamespace = current_schema()::regnamespace`)
  return row?.text
}

/** The indexes of words hold what the function gave when a row was written: another function needs them anew. */
async function rebuildSearch(database: Database, report: (name: string) => void): Promise<void> {
  const indexes = await database.query<{ name: string }>(sql`select indexname as name from pg_indexes where schemaname = current_schema() and indexdef like '%grams(%' order by 1`)
  if (indexes.length > 0) report('搜索索引')
  for (const { name } of indexes) await database.script(`reindex index "${name}"`)
}
