import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbedded } from '../database/embedded.server.ts'
import { migrate } from '../database/migrate.server.ts'
import { openPostgres } from '../database/postgres.server.ts'
import { TEMPLATE, withDatabase } from './database.server.ts'

const root = join(import.meta.dirname, '../..')
/** Milliseconds after which an image of other migrations belongs to no run any more. */
const OLD = 3_600_000

/** What the image follows from: the migrations, what runs them, and the engine. */
async function imageHash(): Promise<string> {
  const files = ['core/database/base.sql', 'core/database/migrate.server.ts', 'node_modules/@electric-sql/pglite/package.json']
  for await (const file of glob('migrations/*.sql', { cwd: root })) files.push(file)
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(await readFile(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

/** The migrated embedded database, made when the migrations have changed since the last run. */
async function ensureImage(): Promise<string> {
  const folder = join(root, 'node_modules/.cache/daoyuan-test')
  const file = join(folder, `image-${await imageHash()}.tar`)
  if (existsSync(file)) return file
  await mkdir(folder, { recursive: true })
  for await (const name of glob('image-*', { cwd: folder })) {
    // Another run may take it away first.
    const made = await stat(join(folder, name)).catch(() => undefined)
    if (made && Date.now() - made.mtimeMs > OLD) await rm(join(folder, name), { force: true })
  }
  const db = await openEmbedded(undefined)
  await migrate(db)
  // Another run may make the same: each writes its own and puts it in place whole.
  await writeFile(`${file}.${process.pid}`, Buffer.from(await (await db.dump()).arrayBuffer()))
  await db.close()
  await rename(`${file}.${process.pid}`, file)
  return file
}

/** Migrates once for all test files: they start from a copy. */
export default async function setup(): Promise<void> {
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
    return
  }
  process.env['TEST_DATABASE_IMAGE'] = await ensureImage()
}
