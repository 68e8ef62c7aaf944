import { createHash } from 'node:crypto'
import pg from 'pg'
import { beginStatement, compile, countStatement, DatabaseGone, parseTime, sqlState, saysByValues, transactionFailed, transactionOver, type Database, type Queryable } from './database.server.ts'

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    switch (Number(oid)) {
      case pg.types.builtins.INT8:
      case pg.types.builtins.NUMERIC:
        return Number
      case pg.types.builtins.TIMESTAMPTZ:
        return parseTime
      case pg.types.builtins.DATE:
        return (text: string) => text
      case INT8_ARRAY:
        return (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))
      default:
        return pg.types.getTypeParser(oid, format)
    }
  },
}
const INT8_ARRAY = 1016

const names = new Map<string, string>()

/** Longer statements are made for one occasion. */
const LONG = 8000

/**
 * A statement's name lets PostgreSQL parse it once a connection; shapes are few, values are parameters.
 * @returns undefined where none is of use
 */
function nameOf(text: string): string | undefined {
  if (text.length >= LONG || saysByValues(text)) return undefined
  let name = names.get(text)
  if (!name) {
    name = createHash('md5').update(text).digest('hex')
    if (names.size > 5000) names.clear()
    names.set(text, name)
  }
  return name
}

/** Why a server cannot be reached, in words of an administrator. */
const CONNECT_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: '那里没有数据库在运行',
  ENOTFOUND: '找不到这台主机',
  EAI_AGAIN: '找不到这台主机',
  ETIMEDOUT: '主机没有应答',
  '28P01': '用户名或密码错误',
  '28000': '不允许从这里登录',
  '3D000': '没有这个数据库',
  '53300': '连接数已满',
}

/** How long a request waits for a connection, be it that all are busy or that the server does not answer, in milliseconds. */
const CONNECT_WITHIN = 30_000

/** Sends what is written until the process turns to something else in one piece: each piece wakes the server. */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = client.connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

interface Message {
  channel: string
  payload: string
}

/** What the library says, without a code, of a connection that broke or could not be had. */
const BROKEN = /connection terminated|not queryable|timeout exceeded when trying to connect|query read timeout/i

/**
 * Tells a failure of the library the way the rest of the product knows it.
 * @throws what the server said as it is, and anything about the way to it as {@link DatabaseGone}
 */
function rethrow(error: Error): never {
  if (sqlState(error)) throw error
  throw 'syscall' in error || /^E[A-Z]+$/.test(codeOf(error)) || BROKEN.test(error.message) ? new DatabaseGone(error) : error
}

const codeOf = (error: Error) => ('code' in error ? String(error.code) : '')

/**
 * Connects to a PostgreSQL server (15 or newer).
 * @throws Error with a sentence for the administrator, when the server cannot be reached or is too old
 */
export async function openPostgres(url: string): Promise<Database> {
  let closing = false
  // In a transaction, statements that do not wait for each other travel together. A connection keeps its prepared
  // statements, so that an idle one is worth keeping for some minutes.
  const settings: pg.PoolConfig & { pipeline: true } = {
    connectionString: url, max: 16, types, options: '-c timezone=UTC', pipeline: true, idleTimeoutMillis: 300_000, connectionTimeoutMillis: CONNECT_WITHIN, keepAlive: true,
  }
  const pool = new pg.Pool(settings)
  // An idle connection that breaks is replaced by the pool; without a listener Node would exit.
  pool.on('error', (error) => {
    if (!closing) console.error('database connection lost:', error.message)
  })
  // One that breaks in a transaction while no statement is under way tells nobody but Node, which would exit as well: the next
  // statement says it again.
  pool.on('connect', (client) => client.on('error', () => {}))
  const version = await pool.query<{ v: string }>("select current_setting('server_version_num') as v").catch(async (error: Error) => {
    await pool.end()
    throw new Error(`无法连接数据库 ${new URL(url).host}，请检查 DATABASE_URL：${CONNECT_REASONS[codeOf(error)] ?? error.message}`, { cause: error })
  })
  if (Number(version.rows[0]?.v) < 150000) {
    await pool.end()
    throw new Error('需要 PostgreSQL 15 或更新的版本')
  }

  const handlers = new Map<string, Set<(payload: string) => void>>()
  const onMissed = new Set<() => void>()
  let listener: pg.Client | undefined
  let live = false

  function deliver({ channel, payload }: Message): void {
    for (const handler of handlers.get(channel) ?? []) handler(payload)
  }

  async function connectListener(): Promise<void> {
    const client = new pg.Client({ connectionString: url, keepAlive: true, keepAliveInitialDelayMillis: 10_000 })
    const lost = () => {
      if (listener !== client) return
      listener = undefined
      live = false
      if (!closing) setTimeout(() => connectListener().catch(() => retryLater()), 500)
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ channel, payload = '' }) => deliver({ channel, payload }))
    await client.connect()
    for (const channel of handlers.keys()) await client.query(`listen ${client.escapeIdentifier(channel)}`)
    listener = client
    live = true
    for (const missed of onMissed) missed()
  }
  function retryLater(): void {
    if (!closing) setTimeout(() => connectListener().catch(() => retryLater()), 2000).unref()
  }

  const on = (client: pg.Pool | pg.PoolClient, onCommit: Queryable['onCommit'], isOver = () => false): Queryable => ({
    async query<Row extends object>(statement: Parameters<Queryable['query']>[0]) {
      if (isOver()) throw transactionOver()
      countStatement()
      const { text, values } = compile(statement)
      const name = nameOf(text)
      const result = await client.query<Row>({ text, values, ...(name && { name }) }).catch(rethrow)
      return result.rows
    },
    async notify(channel, payload) {
      countStatement()
      await client.query('select pg_notify($1, $2)', [channel, payload]).catch(rethrow)
      // The listening connection hears of it a moment later; the next caller must not be answered from before.
      onCommit(() => deliver({ channel, payload }))
    },
    onCommit,
  })

  return {
    kind: 'postgres',
    ...on(pool, (work) => work()),
    async transaction(actor, work, seal) {
      const client = await pool.connect().catch(rethrow)
      let broken: Error | undefined
      const committed: (() => void)[] = []
      let over = false
      try {
        countStatement()
        sendTogether(client)
        const begun = client.query(beginStatement(actor, pg.escapeLiteral)).catch(rethrow)
        // Should it fail, so does everything behind it; who waits for that is told, and then for this.
        begun.catch(() => {})
        const result = await work(on(client, (then) => committed.push(then), () => over))
        await begun
        if (seal) countStatement()
        const answers = await client.query(seal ? `${seal(result, pg.escapeLiteral)}; commit` : 'commit').catch(rethrow) as pg.QueryResult | pg.QueryResult[]
        if ([answers].flat().at(-1)?.command === 'ROLLBACK') throw transactionFailed()
        for (const then of committed) then()
        return result
      } catch (error) {
        await client.query('rollback').catch((failure: Error) => (broken = failure))
        throw error
      } finally {
        over = true
        client.release(broken)
      }
    },
    async listen(channel, handler, missed) {
      if (missed) onMissed.add(missed)
      const known = handlers.get(channel)
      handlers.set(channel, (known ?? new Set()).add(handler))
      if (!listener) await connectListener()
      else if (!known) await listener.query(`listen ${listener.escapeIdentifier(channel)}`)
    },
    isLive: () => live,
    async script(text) {
      await pool.query(text).catch(rethrow)
    },
    async exclusive(name, work) {
      const client = await pool.connect().catch(rethrow)
      let broken: Error | undefined
      try {
        await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]).catch(rethrow)
        return await work()
      } finally {
        await client.query('select pg_advisory_unlock_all()').catch((failure: Error) => (broken = failure))
        client.release(broken)
      }
    },
    async raw(text, values) {
      const result = await pool.query<Record<string, unknown>>(text, values).catch(rethrow)
      // Several statements in one text give a list of results; callers want the last.
      const last = Array.isArray(result) ? (result.at(-1) as typeof result) : result
      return { rows: last.rows }
    },
    async close() {
      closing = true
      await listener?.end()
      await pool.end()
    },
  }
}
