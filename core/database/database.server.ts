import { Name, Param, SQL, sql, StringChunk } from 'drizzle-orm'

/** Something that runs SQL: the database itself or a transaction on it. */
export interface Queryable {
  /** Runs one statement and returns its rows. Times come back as unix seconds, bigint and numeric as numbers. */
  query<Row extends object = Record<string, unknown>>(statement: SQL): Promise<Row[]>
  /**
   * Sends `payload` (under 8000 bytes) to every process that listens; in a transaction when that commits, and never when
   * it does not. This process has heard it before the call, or the transaction, is over, and may hear it once more.
   */
  notify(channel: string, payload: string): Promise<void>
  /** Calls `work` once what was written counts: in a transaction when that has committed, never when it does not; at once outside of one. */
  onCommit(work: () => void): void
}

/** Who is writing, put into the transaction so that the audit triggers can record it. */
export interface Actor {
  staff_id: number | null
  ip?: string
  request_id?: string
  /** What the person did, when a plain insert/update/delete does not say it (`import`, `freeze`, …). */
  action?: string
  reason?: string
  /** The job that writes, so that everything it changed can be found. */
  job_id?: number
  /** What is written is not logged: only for data that the product itself sets up. */
  silent?: true
}

/** The one SQL database of the product: PostgreSQL, or PostgreSQL in WebAssembly inside this process. */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgres'
  /**
   * Runs `work` in one transaction; anything it throws rolls everything back.
   * @param seal a last statement, sent together with the commit to save a round trip; `quote` makes text safe in it
   */
  transaction<Result>(actor: Actor, work: (tx: Queryable) => Promise<Result>, seal?: (result: Result, quote: (text: string) => string) => string): Promise<Result>
  /**
   * Calls `handler` for each message that any process sends on `channel`; resolves when listening has begun.
   * @param missed called when messages may have been lost, once they arrive again
   */
  listen(channel: string, handler: (payload: string) => void, missed?: () => void): Promise<void>
  /** True while messages of other processes reach this one, so that caches may be trusted. */
  isLive(): boolean
  /** Runs SQL text without parameters, several statements allowed: for migrations. */
  script(text: string): Promise<void>
  /** Holds a cluster-wide lock while `work` runs. */
  exclusive<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** For libraries that bring their own SQL. */
  raw(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  close(): Promise<void>
}

const MARK = '/* by values */'
/**
 * Stands in a statement whose plan depends on its values: on how often a word occurs, on how many records a label has. It is
 * planned each time with them. A plan for any values takes the index of words for words that stand in every tenth record, and
 * gathers all questions of two large topics instead of walking along the newest.
 */
export const CUSTOM_PLAN = sql.raw(`${MARK} `)
/** Whether a text of SQL has {@link CUSTOM_PLAN} in it. */
export const saysByValues = (text: string): boolean => text.includes(MARK)
/** Whether a piece of SQL has {@link CUSTOM_PLAN} in it. */
export const hasCustomPlan = (piece: SQL): boolean => saysByValues(compile(piece).text)

/** Turns a statement into text and parameters. */
export function compile(statement: SQL): { text: string; values: unknown[] } {
  const out = { text: '', values: [] as unknown[] }
  append(out, statement)
  return out
}

/** A part of a statement that is worked out when the statement is made: it holds what modules that are loaded later hand over. */
export class Late {
  readonly write: () => SQL

  constructor(write: () => SQL) {
    this.write = write
  }
}

/**
 * What `sql` templates hold, written out. Every call makes its statements again, and the library's own writer, which also
 * knows tables, columns and views, takes ten times as long.
 * @throws Error at a table or column of the library, which no template of ours holds
 */
function append(out: { text: string; values: unknown[] }, piece: unknown): void {
  if (piece instanceof SQL) for (const chunk of piece.queryChunks) append(out, chunk)
  else if (piece instanceof StringChunk) out.text += piece.value.length === 1 ? piece.value[0] : piece.value.join('')
  else if (piece instanceof Name) out.text += `"${piece.value.replaceAll('"', '""')}"`
  else if (piece instanceof Param) out.text += `$${out.values.push(piece.value)}`
  else if (piece instanceof Late) append(out, piece.write())
  else if (piece === undefined) return
  else if (Array.isArray(piece)) append(out, sql`(${sql.join(piece.map((one) => sql`${one}`), sql`, `)})`)
  else if (piece !== null && typeof piece === 'object' && 'getSQL' in piece) throw new Error('a statement holds a table or column of the library: name it by sql.identifier')
  else out.text += `$${out.values.push(piece)}`
}

let statements = 0

/** Number of statements that this process has run; the N+1 tests and the metrics read it. */
export function statementCount(): number {
  return statements
}

/** Counts one statement; drivers call it. */
export function countStatement(): void {
  statements++
}

/** Text of the statements that begin a transaction and name its actor. */
export function beginStatement(actor: Actor, quote: (text: string) => string): string {
  return `begin; set local app.actor = ${quote(JSON.stringify(actor))}`
}

/** A statement of a transaction had failed and was taken for nothing: the database has undone the whole. */
export const transactionFailed = () => new Error('the transaction went on after one of its statements had failed; nothing of it was kept')
/** A statement that nobody waited for came after its transaction. */
export const transactionOver = () => new Error('the transaction is over; was one of its statements not waited for?')

/** The connection to the database was lost, or there was none to be had. Whether a commit that was under way counts is not known. */
export class DatabaseGone extends Error {
  override readonly name = 'DatabaseGone'

  constructor(cause: Error) {
    super(`the database is gone: ${cause.message}`, { cause })
  }
}

/** A PostgreSQL error code (SQLSTATE), if `error` came from the database. All of them have a digit; EPIPE has none. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Name of the violated constraint, if `error` is a constraint violation. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined
}

const digits = (text: string, from: number, to: number) => Number(text.slice(from, to))

/** Reads PostgreSQL's text form of timestamptz, as both drivers deliver it, into unix seconds. */
export function parseTime(text: string): number {
  // Nearly all of them: years of four digits, on connections whose clock is UTC's.
  if (text.length >= 22 && text[4] === '-' && text.endsWith('+00')) {
    return Date.UTC(digits(text, 0, 4), digits(text, 5, 7) - 1, digits(text, 8, 10), digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19)) / 1000
  }
  return Math.floor(Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')) / 1000)
}
