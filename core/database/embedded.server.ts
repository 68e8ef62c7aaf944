import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { beginStatement, compile, countStatement, parseTime, type Database, type Queryable } from './database.server.ts'
import { lockFolder } from './lock.server.ts'

const parsers = {
  [types.INT8]: Number,
  [types.NUMERIC]: Number,
  [types.TIMESTAMPTZ]: parseTime,
  [types.DATE]: (text: string) => text,
}

/** The embedded database can be copied whole: backups, and tests that start from a prepared one. */
export interface EmbeddedDatabase extends Database {
  /** A tar archive of the data folder. */
  dump(): Promise<Blob>
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * Opens PostgreSQL inside this process.
 * @param folder data folder, held exclusively; undefined keeps everything in memory
 * @param image a prepared data folder to start from (tests)
 */
export async function openEmbedded(folder: string | undefined, image?: Blob): Promise<EmbeddedDatabase> {
  // PGlite has no lock of its own: two processes on one folder would corrupt it.
  const unlock = folder ? lockFolder(folder) : () => {}
  const engine = await PGlite.create({
    ...(folder && { dataDir: join(folder, 'pg') }),
    ...(image && { loadDataDir: image }),
    parsers,
  }).catch((error: unknown) => {
    unlock()
    throw error
  })
  await engine.exec("set timezone = 'UTC'")

  type Engine = Pick<PGlite, 'query'>
  const on = (target: Engine): Queryable => ({
    async query<Row extends object>(statement: Parameters<Queryable['query']>[0]) {
      countStatement()
      const { text, values } = compile(statement)
      return (await target.query<Row>(text, values)).rows
    },
    async notify(channel, payload) {
      await target.query('select pg_notify($1, $2)', [channel, payload])
    },
  })

  return {
    kind: 'embedded',
    ...on(engine),
    async transaction(actor, work, seal) {
      return engine.transaction(async (tx) => {
        countStatement()
        await tx.exec(beginStatement(actor, quote).replace('begin; ', ''))
        const result = await work(on(tx))
        if (seal) await tx.exec(seal(result, quote))
        return result
      })
    },
    async listen(channel, handler) {
      await engine.listen(channel, handler)
    },
    // One process holds the folder, and it hears its own messages.
    isLive: () => true,
    async script(text) {
      await engine.exec(text)
    },
    exclusive: (_name, work) => work(),
    dump: () => engine.dumpDataDir('none'),
    async raw(text, values) {
      if (values?.length) return { rows: (await engine.query<Record<string, unknown>>(text, values)).rows }
      return { rows: (await engine.exec(text)).at(-1)?.rows ?? [] }
    },
    async close() {
      await engine.close()
      unlock()
    },
  }
}
