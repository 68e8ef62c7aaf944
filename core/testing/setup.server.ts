import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbedded } from '../database/embedded.server.ts'
import { migrate } from '../database/migrate.server.ts'
import { openPostgres } from '../database/postgres.server.ts'
import { TEMPLATE, withDatabase } from './database.server.ts'

/**
 * Migrates once for all test files: they start from a copy.
 * @returns removes the copy when all is done
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const url = process.env['TEST_DATABASE_URL']
  if (url) {
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`drop database if exists ${TEMPLATE} with (force)`)
    await admin.query(`create database ${TEMPLATE} encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0`)
    await admin.end()
    const db = await openPostgres(withDatabase(url, TEMPLATE))
    await migrate(db)
    await db.close()
    return undefined
  }
  const folder = join(import.meta.dirname, '../../node_modules/.cache/daoyuan-test')
  await mkdir(folder, { recursive: true })
  const db = await openEmbedded(undefined)
  await migrate(db)
  const file = join(folder, `image-${process.pid}.tar`)
  await writeFile(file, Buffer.from(await (await db.dump()).arrayBuffer()))
  await db.close()
  process.env['TEST_DATABASE_IMAGE'] = file
  return () => rm(file, { force: true })
}
