import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { beginStatement, compile, countStatement, DatabaseGone, parseTime, sqlState, transactionFailed, transactionOver, type Database, type Queryable } from './database.server.ts'
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

/** Milliseconds within which a sound engine has undone a transaction, however large: it only marks it as undone. */
const UNDO_WITHIN = 10_000
/** Milliseconds between two attempts to open a folder again. */
const RAISE_EVERY = 2000
/** Room without which the engine cannot write its log on, in bytes: one segment of it. */
const SEGMENT = 16 * 1024 * 1024
/** Classes of errors that an engine may not survive: of itself, of its disk, and of a state that it cannot be in. */
const FALLEN = /^(XX|58|24|25|53)/

/** Whether a folder has no room for the log. */
async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize, blocks } = await statfs(folder)
  return blocks > 0 && bavail * bsize < SEGMENT
}

/**
 * What the engine keeps of its files in memory, where 128 MB is its own choice: the system keeps them too, and pages that
 * nobody reads any more would stay with this process.
 */
const ENGINE = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * Opens PostgreSQL inside this process.
 * @param folder data folder, held exclusively; undefined keeps everything in memory
 * @param image a prepared data folder to start from (tests)
 */
export async function openEmbedded(folder: string | undefined, image?: Blob): Promise<EmbeddedDatabase> {
  // PGlite has no lock of its own: two processes on one folder would corrupt it.
  const unlock = folder ? lockFolder(folder) : () => {}
  const start = async (from?: Blob): Promise<PGlite> => {
    const started = await PGlite.create({ ...(folder && { dataDir: join(folder, 'pg') }), ...(from && { loadDataDir: from }), parsers, startParams: ENGINE })
    await started.exec("set timezone = 'UTC'")
    return started
  }
  let engine = await start(image).catch((error: unknown) => {
    unlock()
    throw error
  })
  let statements = new PreparedStatements(engine)
  const handlers: { channel: string; handler: (payload: string) => void }[] = []

  /** Unix milliseconds before which it is not opened again; undefined while the engine works. */
  let fallenUntil: number | undefined

  /**
   * Leaves nothing of what failed behind. A server's process that finds no room for its log ends itself and is started again; here
   * the engine stays as it fell, and answers nothing more.
   */
  async function undo(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), UNDO_WITHIN)
    const isSound = await Promise.race([statements.simple('rollback').then(() => true, () => false), late])
    clearTimeout(timer)
    // What lies in memory alone could only be begun again.
    if (!isSound && folder) fallenUntil = 0
  }

  /**
   * Opens the folder again where the engine fell: the old one is left alone with what it had not written, the new one recovers what
   * was committed.
   * @throws while that does not succeed, and without trying at each request
   */
  async function raise(): Promise<void> {
    if (fallenUntil === undefined) return
    const failed = async (error: Error) => (folder && await isFull(folder) ? Object.assign(error, { code: 'ENOSPC' }) : new DatabaseGone(error))
    if (Date.now() < fallenUntil) throw await failed(new Error('the embedded database has stopped'))
    console.error('the embedded database has stopped and is opened anew')
    try {
      engine = await start()
    } catch (error) {
      fallenUntil = Date.now() + RAISE_EVERY
      throw await failed(error as Error)
    }
    fallenUntil = undefined
    statements = new PreparedStatements(engine)
    for (const { channel, handler } of handlers) await engine.listen(channel, handler)
  }
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
    const mine = last.then(breathe).then(raise).then(work).catch(async (error: unknown) => {
      if (fallenUntil === undefined && FALLEN.test(sqlState(error) ?? 'XX')) await undo()
      throw error
    })
    last = mine.catch(() => {}).then(() => statements.tidy()).catch(() => {})
    return mine
  }

  const on = (run: typeof turn, onCommit: Queryable['onCommit']): Queryable => ({
    query<Row extends object>(statement: Parameters<Queryable['query']>[0]) {
      countStatement()
      const { text, values } = compile(statement)
      return run(() => statements.query<Row>(text, values))
    },
    async notify(channel, payload) {
      await run(() => statements.query('select pg_notify($1, $2)', [channel, payload]))
    },
    onCommit,
  })

  return {
    kind: 'embedded',
    ...on(turn, (work) => work()),
    transaction: (actor, work, seal) => turn(async () => {
      const committed: (() => void)[] = []
      let over = false
      try {
        countStatement()
        await statements.simple(beginStatement(actor, quote))
        // In the order in which they were asked for: one that must be prepared first is not overtaken by one behind it.
        let before: Promise<unknown> = Promise.resolve()
        const result = await work(on((statement) => {
          const mine = before.then(() => (over ? Promise.reject(transactionOver()) : statement()))
          // The caller hears of a failure; the next one has its turn all the same.
          before = mine.catch(() => {})
          return mine
        }, (then) => committed.push(then)))
        await before
        if (await statements.simple(seal ? `${seal(result, quote)}; commit` : 'commit') === 'ROLLBACK') throw transactionFailed()
        for (const then of committed) then()
        return result
      } catch (error) {
        await undo()
        throw error
      } finally {
        over = true
      }
    }),
    async listen(channel, handler) {
      handlers.push({ channel, handler })
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
      if (fallenUntil === undefined) await turn(() => engine.close())
      unlock()
    },
  }
}
