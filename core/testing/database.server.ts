import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Database } from '../database/database.server.ts'
import { openEmbedded } from '../database/embedded.server.ts'
import { openPostgres } from '../database/postgres.server.ts'

/** Set by the global set-up: a migrated embedded database to copy, or a server with a migrated template. */
const image = () => process.env['TEST_DATABASE_IMAGE']
const server = () => process.env['TEST_DATABASE_URL']

/** Name of the migrated database that each PostgreSQL test database is copied from. */
export const TEMPLATE = 'daoyuan_template'

/** A database of one test file. */
export interface TestDatabase extends Database {
  /** Address by which another process reaches it; undefined when it lives in this one. */
  url: string | undefined
}

/** A migrated, empty database for one test file: embedded, or on PostgreSQL when the suite runs there. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const url = server()
  if (!url) {
    const path = image()
    if (!path) throw new Error('tests run through npm test or npx vitest, whose set-up prepares the database')
    return { ...await openEmbedded(undefined, new Blob([await readFile(path)])), url: undefined }
  }
  return openOn(url, `template ${TEMPLATE}`)
}

/** A database that has never been migrated. */
export async function openEmptyDatabase(): Promise<TestDatabase> {
  const url = server()
  return url ? openOn(url, "encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0") : { ...await openEmbedded(undefined), url: undefined }
}

/** A database of its own on a server, made as `how` says and gone when it is closed. */
async function openOn(url: string, how: string): Promise<TestDatabase> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${name} ${how}`)
  await admin.end()
  const own = withDatabase(url, name)
  const db = await openPostgres(own)
  return {
    ...db,
    url: own,
    async close() {
      await db.close()
      const closer = new pg.Client({ connectionString: url })
      await closer.connect()
      await closer.query(`drop database ${name} with (force)`)
      await closer.end()
    },
  }
}

/** The same server, another database. */
export function withDatabase(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}
