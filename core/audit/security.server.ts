import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.server.ts'
import { ALERTS, SECURITY_KINDS, type SecurityKind } from './security.ts'

/** Something that an attack looks like. Texts may be what a stranger sent: they are cut to what their columns hold. */
export interface SecurityEvent {
  kind: SecurityKind
  /** One Chinese sentence. */
  detail: string
  /** Who, where that is known. */
  staffId?: number | undefined
  /** As it was typed, where nobody is known. */
  account?: string | undefined
  ip?: string | undefined
  /** The call or what else it was about, such as `POST /daoyuan/api/end_access_token`. */
  target?: string | undefined
  requestId?: string | undefined
}

/** How the log of an installation is kept. */
export interface SecurityOptions {
  /** Whether each event is also a line of JSON on standard output. */
  json: boolean
  /** Told once a minute of each alert. */
  alert?: ((event: SecurityEvent) => Promise<void>) | undefined
}

/** Events are gathered for so long before they are written, in milliseconds. */
const GATHER = 1000
const MINUTE = 60_000
/** Different events of a kind that a process keeps in a minute; what goes beyond is counted alone. */
const MOST = 100
/** Days that an event is kept (网络安全法 21: six months at least), and how many are kept at all. */
const KEPT_DAYS = 190
const KEPT_ROWS = 1_000_000

interface Entry {
  event: SecurityEvent
  minute: number
  /** Row that counts it; undefined before the first time it was written. */
  id: number | undefined
  /** How often it happened since it was written, and since it was told. */
  unwritten: number
  untold: number
}

const cut = (text: string | undefined, length: number) => (text === undefined ? null : text.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, length))

/** Gathers events and writes them: equal ones of a minute are one row with a number, and nobody waits for it. */
class SecurityLog {
  options: SecurityOptions = { json: false }
  private readonly db: Database
  private readonly entries = new Map<string, Entry>()
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()

  constructor(db: Database) {
    this.db = db
  }

  add(event: SecurityEvent): void {
    const minute = Math.floor(Date.now() / MINUTE)
    const { kind, detail, staffId, account, ip, target } = event
    let key = JSON.stringify([minute, kind, staffId, account, ip, target, detail])
    let kept = event
    if (!this.entries.has(key) && this.sameKind(minute, kind) >= MOST) {
      key = JSON.stringify([minute, kind])
      kept = { kind, detail: `同一分钟内其余的${SECURITY_KINDS.find(({ value }) => value === kind)?.label ?? ''}` }
    }
    const entry = this.entries.get(key) ?? { event: kept, minute, id: undefined, unwritten: 0, untold: 0 }
    entry.unwritten++
    entry.untold++
    this.entries.set(key, entry)
    this.timer ??= setTimeout(() => void this.flush(), GATHER).unref()
  }

  private sameKind(minute: number, kind: SecurityKind): number {
    let count = 0
    for (const entry of this.entries.values()) if (entry.minute === minute && entry.event.kind === kind) count++
    return count
  }

  /** Writes what was gathered; never fails. */
  flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.writing = this.writing.then(() => this.write()).catch((error: unknown) => console.error('security log:', error))
    return this.writing
  }

  private async write(): Promise<void> {
    const due = [...this.entries.values()].filter(({ unwritten }) => unwritten > 0)
    if (this.options.json) for (const entry of due) tell(entry)
    const counts = new Map(due.map((entry) => [entry, entry.unwritten]))
    const counted = new Set(await this.count(due.filter((entry) => entry.id !== undefined)))
    for (const entry of due) {
      // Of a record that is gone meanwhile another is made.
      if (entry.id === undefined || !counted.has(entry.id)) entry.id = await this.insert(entry)
      entry.unwritten -= counts.get(entry) ?? 0
    }
    const minute = Math.floor(Date.now() / MINUTE)
    for (const [key, entry] of this.entries) if (entry.minute < minute && entry.unwritten === 0) this.entries.delete(key)
  }

  /** Adds to records that are there; gives the ids of those that were. */
  private async count(entries: readonly Entry[]): Promise<number[]> {
    if (entries.length === 0) return []
    const rows = await this.db.query<{ id: number }>(sql`update security_log s set times = s.times + u.n, last_at = now(), updated_at = now()
      from unnest(${sql.param(entries.map(({ id }) => id))}::bigint[], ${sql.param(entries.map(({ unwritten }) => unwritten))}::int[]) u (id, n) where s.id = u.id returning s.id`)
    return rows.map(({ id }) => id)
  }

  private async insert({ event, unwritten }: Entry): Promise<number | undefined> {
    const { kind, detail, staffId, account, ip, target, requestId } = event
    const [row] = await this.db.query<{ id: number }>(sql`insert into security_log (kind, detail, staff_id, account, ip, target, request_id, times, last_at)
      values (${kind}, ${cut(detail, 200)}, ${staffId ?? null}, ${cut(account, 60)}, ${cut(ip, 45)}, ${cut(target, 200)}, ${cut(requestId, 60)}, ${unwritten}, now()) returning id`)
    // The event is written; that nobody could be told must not write it again.
    if (ALERTS.has(kind)) await this.options.alert?.(event).catch((error: unknown) => console.error('security alert:', error))
    return row?.id
  }
}

/** A line of JSON for whatever collects the output of the process. */
function tell(entry: Entry): void {
  const { kind, detail, staffId, account, ip, target, requestId } = entry.event
  logLine({ type: 'security', level: 'warn', kind, detail, times: entry.untold, staff_id: staffId, account: cut(account, 60) ?? undefined, ip, target, request_id: requestId })
  entry.untold = 0
}

/** Writes a line of JSON with the time in it to standard output. */
export function logLine(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`)
}

const logs = new WeakMap<Database, SecurityLog>()

function logOf(db: Database): SecurityLog {
  let log = logs.get(db)
  if (!log) logs.set(db, (log = new SecurityLog(db)))
  return log
}

/** Says how the log of a database is kept; what is not named stays as it was. */
export function keepSecurityLog(db: Database, options: Partial<SecurityOptions>): void {
  const log = logOf(db)
  log.options = { ...log.options, ...options }
}

/**
 * Puts something into the security log. Returns at once, waits for nothing and never fails: it may be called from anywhere,
 * also while a transaction is open, and stands whatever becomes of that.
 * @param db the database itself, no transaction
 * @example securityEvent(call.db, { kind: 'lockout', detail: '连续 5 次密码错误', account, ip: call.ip })
 */
export function securityEvent(db: Database, event: SecurityEvent): void {
  logOf(db).add(event)
}

/** Waits until everything that was put into the log so far is written: for tests and for a process that stops. */
export function flushSecurityLog(db: Database): Promise<void> {
  return logOf(db).flush()
}

/** Forgets events that are old, and the oldest of too many; run from time to time. */
export async function sweepSecurityLog(db: Database): Promise<void> {
  await db.query(sql`delete from security_log where created_at < now() - make_interval(days => ${KEPT_DAYS})
    or id <= (select max(id) from security_log) - ${KEPT_ROWS}::bigint`)
}
