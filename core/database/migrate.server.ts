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
    await database.script(withSearchRebuilt(await readFile(join(here, 'base.sql'), 'utf8')))
    for (const name of pending) {
      report(name)
      const text = await readFile(join(folder, name), 'utf8')
      // A waiting lock would stop every reader behind it: give up early instead, the next start tries again.
      await database.script(`begin; set local lock_timeout = '5s'; ${text}; insert into migration (name) values ('${name}'); commit`)
    }
    return pending
  })
}

const PIECES = "coalesce((select prosrc from pg_proc where proname = 'grams' and pronamespace = current_schema()::regnamespace), '')"

/**
 * Replaces functions, and with them what was made by an earlier `grams`: the indexes of words hold the pieces that it gave when
 * a row was written. All or nothing, so that a start that is broken off leaves nothing half done for the next.
 */
const withSearchRebuilt = (functions: string): string => `begin;
  select set_config('daoyuan.pieces', ${PIECES}, true);
  ${functions}
  do $rebuild$ declare name text; begin
    if current_setting('daoyuan.pieces') not in ('', ${PIECES}) then
      for name in select indexname from pg_indexes where schemaname = current_schema() and indexdef like '%grams(%' loop
        execute format('reindex index %I', name);
      end loop;
    end if;
  end $rebuild$;
  commit`
