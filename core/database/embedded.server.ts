import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { beginStatement, compile, countStatement, parseTime, transactionFailed, transactionOver, type Database, type Queryable } from './database.server.ts'
import { lockFolder } from './lock.server.ts'
import { PreparedStatements } from './prepared.server.ts'

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

/** Milliseconds after which the process looks at what else is to do. */
const BREATH = 15

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

  const statements = new PreparedStatements(engine)
  let breathed = performance.now()
  /**
   * The engine works in this thread and answers without ever waiting for anything. A job that only talks to the database
   * would keep the process from hearing of requests until its end.
   */
  const breathe = async () => {
    if (performance.now() - breathed < BREATH) return
    await new Promise((resolve) => setImmediate(resolve))
    breathed = performance.now()
  }
  // There is one connection: whole transactions and single statements take turns.
  let last: Promise<unknown> = Promise.resolve()
  function turn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = last.then(breathe).then(work)
    last = mine.catch(() => {}).then(() => statements.tidy()).catch(() => {})
    return mine
  }

  const on = (run: typeof turn): Queryable => ({
    query<Row extends object>(statement: Parameters<Queryable['query']>[0]) {
      countStatement()
      const { text, values } = compile(statement)
      return run(() => statements.query<Row>(text, values))
    },
    async notify(channel, payload) {
      await run(() => statements.query('select pg_notify($1, $2)', [channel, payload]))
    },
  })

  return {
    kind: 'embedded',
    ...on(turn),
    transaction: (actor, work, seal) => turn(async () => {
      let over = false
      try {
        countStatement()
        await statements.simple(beginStatement(actor, quote))
        // In the order in which they were asked for: one that must be prepared first is not overtaken by one behind it.
        let before: Promise<unknown> = Promise.resolve()
        const result = await work(on((statement) => {
          const mine = before.then(() => (over ? Promise.reject(transactionOver()) : statement()))
          // Whoever asked is told of a failure; the next one has its turn all the same.
          before = mine.catch(() => {})
          return mine
        }))
        await before
        if (await statements.simple(seal ? `${seal(result, quote)}; commit` : 'commit') === 'ROLLBACK') throw transactionFailed()
        return result
      } catch (error) {
        await statements.simple('rollback')
        throw error
      } finally {
        over = true
      }
    }),
    async listen(channel, handler) {
      await turn(() => engine.listen(channel, handler))
    },
    // One process holds the folder, and it hears its own messages.
    isLive: () => true,
    async script(text) {
      await turn(async () => {
        await engine.exec(text)
        await statements.forget()
      })
    },
    exclusive: (_name, work) => work(),
    dump: () => turn(() => engine.dumpDataDir('none')),
    raw: (text, values) => turn(async () => {
      if (values?.length) return { rows: (await engine.query<Record<string, unknown>>(text, values)).rows }
      return { rows: (await engine.exec(text)).at(-1)?.rows ?? [] }
    }),
    async close() {
      await turn(() => engine.close())
      unlock()
    },
  }
}
