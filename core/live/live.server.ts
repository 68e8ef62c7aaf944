import { PassThrough } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'
import { ABSOLUTE_SECONDS, IDLE_SECONDS } from '../session/session.server.ts'
import type { LiveEvent, LiveKind } from './event.ts'
import { RELEASE } from './release.server.ts'

/** Proxies cut connections that are silent for a minute or less, in milliseconds. */
const HEARTBEAT = 25_000
/** Streams that one session may hold open; the oldest makes room. */
export const MAX_STREAMS = 8
/** A browser that reads nothing while this much waits for it is cut off, in bytes. */
const MAX_WAITING = 256 * 1024
/** PostgreSQL carries less than 8000 bytes in one message. */
const MAX_MESSAGE = 7900

const CHANNEL = 'live'

/** Ids that one event names, and people that one message is for: both fit into a message together. */
const MOST_IDS = 200

/** A person, several, or everybody. */
export type Recipients = number | readonly number[] | 'all'

/** Sends an event with a transaction, for rules that are given nothing else; see {@link Live.publish}. */
export async function publishLive(on: Queryable, to: Recipients, event: LiveEvent): Promise<void> {
  const people = typeof to === 'object' ? [...new Set(to)] : undefined
  const groups = people ? Array.from({ length: Math.ceil(people.length / MOST_IDS) }, (_, i) => people.slice(i * MOST_IDS, (i + 1) * MOST_IDS)) : [to]
  for (const group of groups) {
    const payload = JSON.stringify({ to: group, event })
    if (Buffer.byteLength(payload) > MAX_MESSAGE) throw new Error(`live event ${event.type} is too long: send an id and let the console ask`)
    await on.query(sql`select pg_notify(${CHANNEL}, ${payload})`)
  }
}

/**
 * Says with a transaction that records of a kind changed. Ids alone travel: each console reads what it may by the ordinary calls.
 * @param ids of the records; where they are too many to name, listeners hear that any may have changed
 */
export function publishRecords(on: Queryable, to: Recipients, kind: LiveKind, ids: readonly number[]): Promise<void> {
  return publishLive(on, to, { type: 'record', kind: kind.name, ids: ids.length > MOST_IDS ? 'all' : [...new Set(ids)] })
}

interface Open {
  stream: PassThrough
  staffId: number
  sessionHash: string
}

/**
 * Tells open consoles what happens. Messages travel through the database, so that it does not matter which process
 * a browser is connected to. Nothing is kept: a console that was away reads afresh when it comes back.
 */
export class Live {
  private readonly db: Database
  private readonly streams = new Set<Open>()
  private timer: NodeJS.Timeout | undefined

  constructor(db: Database) {
    this.db = db
  }

  /** Begins to hear what this and other processes say. */
  async start(): Promise<void> {
    await this.db.listen(CHANNEL, (payload) => {
      const { to, event } = JSON.parse(payload) as { to: Recipients; event: LiveEvent }
      this.deliver(to, event)
    })
    // A console that missed events for a moment reads again.
    await this.db.listen('grants', (staffId) => this.end(staffId === '*' ? 'all' : Number(staffId), { type: 'grants' }), () => this.end('all'))
    this.timer = setInterval(() => void this.beat().catch(() => this.end('all')), HEARTBEAT).unref()
  }

  /**
   * Sends an event to every open console of a person, of several, or of everybody.
   * @param on the transaction that the event belongs to: it is sent when that commits, and never when it does not.
   *   Inside a transaction it has to be given, because the embedded database would wait for ever otherwise.
   */
  async publish(to: Recipients, event: LiveEvent, on: Queryable = this.db): Promise<void> {
    await publishLive(on, to, event)
  }

  /** Opens a stream for a session. It ends by itself with the session. */
  open(staffId: number, sessionHash: string): PassThrough {
    const own = [...this.streams].filter((open) => open.sessionHash === sessionHash)
    for (const oldest of own.slice(0, Math.max(0, own.length - MAX_STREAMS + 1))) this.finish(oldest, { type: 'displaced' })
    const stream = new PassThrough()
    const open: Open = { stream, staffId, sessionHash }
    this.streams.add(open)
    stream.on('close', () => this.streams.delete(open))
    // The browser waits two seconds before it opens a broken stream again.
    stream.write('retry: 2000\n\n')
    stream.write(message({ type: 'release', release: RELEASE }))
    return stream
  }

  /** Number of open streams of this process. */
  get size(): number {
    return this.streams.size
  }

  /** Keeps connections alive and ends those whose session is over. */
  async beat(): Promise<void> {
    // While messages of other processes are lost, nobody may believe that they hear everything.
    if (!this.db.isLive()) return this.end('all')
    const hashes = [...new Set([...this.streams].map((open) => open.sessionHash))]
    if (hashes.length === 0) return
    const rows = await this.db.query<{ hash: string }>(sql`select hash from session where hash = any(${sql.param(hashes)}::text[])
      and created_at > now() - make_interval(secs => ${ABSOLUTE_SECONDS}) and seen_at > now() - make_interval(secs => ${IDLE_SECONDS})`)
    const living = new Set(rows.map((row) => row.hash))
    for (const open of this.streams) {
      if (!living.has(open.sessionHash)) this.finish(open)
      else this.write(open, ': \n\n')
    }
  }

  /** Ends every stream; the process is about to stop. */
  close(): void {
    clearInterval(this.timer)
    this.end('all')
  }

  private deliver(to: Recipients, event: LiveEvent): void {
    const text = message(event)
    const people = to === 'all' ? undefined : new Set(typeof to === 'number' ? [to] : to)
    for (const open of this.streams) if (!people || people.has(open.staffId)) this.write(open, text)
  }

  private end(to: number | 'all', last?: LiveEvent): void {
    for (const open of this.streams) if (to === 'all' || open.staffId === to) this.finish(open, last)
  }

  private finish(open: Open, last?: LiveEvent): void {
    this.streams.delete(open)
    open.stream.end(last && message(last))
  }

  private write(open: Open, text: string): void {
    if (open.stream.writableLength + open.stream.readableLength > MAX_WAITING) {
      this.streams.delete(open)
      open.stream.destroy()
    } else {
      open.stream.write(text)
    }
  }
}

function message(event: LiveEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
