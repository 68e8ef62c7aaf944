/** A benchmark over much data on PostgreSQL: a database of its own, filled, with the product and the bare handler before it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '../core/database/database.server.ts'
import { migrate } from '../core/database/migrate.server.ts'
import { openPostgres } from '../core/database/postgres.server.ts'
import { withPostgres } from '../scripts/postgres.ts'
import { CLIENTS } from './measure.ts'
import { login, withServers } from './servers.ts'

export interface Volume {
  readonly db: Database
  /** Of the first administrator. */
  readonly headers: Record<string, string>
  /** For files; the database server may write into it. */
  readonly folder: string
}

/**
 * A server to keep the filled databases on, instead of one that is thrown away: a person who measures again does not load again.
 * They are the ones of the definitions with which they were loaded; drop them after a change.
 */
const KEPT = process.env['BENCH_SERVER']

/** Shows that data is there: it was loaded, what of it and in how many seconds. */
export async function loaded(db: Database, what: string, load: () => Promise<void>): Promise<void> {
  const began = Date.now()
  const [known] = await db.query(sql`select from pg_tables where tablename = 'bench_loaded'`)
  if (!known) {
    await load()
    await db.query(sql`vacuum analyze`)
    await db.script('create table bench_loaded ()')
  }
  const how = known ? 'kept' : `loaded in ${((Date.now() - began) / 1000).toFixed(0)} s`
  console.log(`PostgreSQL, ${what} (${how}), ${CLIENTS} clients, ${availableParallelism()} cores for all, load ${loadavg()[0]?.toFixed(1)} before`)
}

/**
 * Measures on a migrated database; skipped where there is no PostgreSQL.
 * @param before fills the database before the product opens it
 */
export async function onVolume(before: (db: Database) => Promise<void>, measure: (volume: Volume) => Promise<void>): Promise<void> {
  const work = async (url: string) => {
    const name = `bench_${basename(process.argv[1] ?? '', '.ts')}`
    const server = await openPostgres(url)
    const [known] = await server.query(sql`select from pg_database where datname = ${name}`)
    if (!known) await server.script(`create database ${name}`)
    await server.close()
    const own = url.replace(/\/postgres$/, `/${name}`)
    const db = await openPostgres(own)
    const folder = mkdtempSync(join(tmpdir(), 'daoyuan-bench-'))
    // The database server writes and reads files of `COPY` as its own user.
    chmodSync(folder, 0o777)
    try {
      await migrate(db)
      await before(db)
      await withServers({ DATABASE_URL: own, DATA_DIR: folder }, ['postgres', own], async () => measure({ db, headers: await login(), folder }))
    } finally {
      await db.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  if (KEPT) return work(KEPT)
  await withPostgres(work, (reason) => console.log(`skipped, ${reason}`), ['fsync=on', 'synchronous_commit=on', 'shared_buffers=1GB', 'max_wal_size=4GB'])
}
