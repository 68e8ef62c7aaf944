import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { startOfDay } from '../../core/field/time.ts'

/** Scans wait in memory for so long before they are written, in milliseconds: a crash loses no more. */
const GATHER = 1000
/** Characters of a visitor's hash: enough to tell those of a day from one another. */
const HASH_LENGTH = 16

interface Gathered { qr_id: number; day: number; n: number; visitors: Set<string> }

/** Counts scans after they were answered: gathered in memory, written together. */
export class Hits {
  private readonly db: Database
  private readonly key: Buffer
  private gathered = new Map<string, Gathered>()
  private timer: NodeJS.Timeout | undefined

  /** @param key hashes who scanned, with the day: nobody is known again the day after */
  constructor(db: Database, key: Buffer) {
    this.db = db
    this.key = key
  }

  /** Notes a scan. @param who address and browser, of which nothing is kept */
  add(qrId: number, who: string, now: number = Date.now() / 1000): void {
    const day = startOfDay(now)
    const key = `${qrId} ${day}`
    let one = this.gathered.get(key)
    if (!one) this.gathered.set(key, (one = { qr_id: qrId, day, n: 0, visitors: new Set() }))
    one.n++
    one.visitors.add(createHmac('sha256', this.key).update(`${day} ${who}`).digest('base64url').slice(0, HASH_LENGTH))
    this.timer ??= setTimeout(() => void this.write(), GATHER).unref()
  }

  /** Writes what was gathered; what cannot be written waits for the next time. */
  async write(): Promise<void> {
    this.timer = undefined
    const rows = [...this.gathered.values()]
    if (rows.length === 0) return
    this.gathered = new Map()
    try {
      await this.db.query(sql`with seen as (
          select qr_id, to_timestamp(day) as day, n, visitors from jsonb_to_recordset(${JSON.stringify(rows.map((row) => ({ ...row, visitors: [...row.visitors] })))}::jsonb) as r (qr_id bigint, day float8, n integer, visitors text[])
        ), fresh as (
          insert into qr_visitor (day, qr_id, visitor) select s.day, s.qr_id, v from seen s, unnest(s.visitors) v order by 1, 2, 3 on conflict do nothing returning qr_id, day
        )
        insert into qr_hit_day (qr_id, day, n, people) select s.qr_id, s.day, s.n, (select count(*) from fresh f where f.qr_id = s.qr_id and f.day = s.day) from seen s order by 1, 2
        on conflict (qr_id, day) do update set n = qr_hit_day.n + excluded.n, people = qr_hit_day.people + excluded.people`)
    } catch {
      for (const row of rows) this.putBack(row)
    }
  }

  private putBack(row: Gathered): void {
    const key = `${row.qr_id} ${row.day}`
    const later = this.gathered.get(key)
    this.gathered.set(key, later ? { ...row, n: row.n + later.n, visitors: new Set([...row.visitors, ...later.visitors]) } : row)
    this.timer ??= setTimeout(() => void this.write(), GATHER).unref()
  }
}

/** Hashes of visitors, which tell nothing any more once their day is over. */
export const visitorSweep = (db: Database): Sweep => ({ name: 'qr_visitor', run: () => db.query(sql`delete from qr_visitor where day < now() - interval '2 days'`) })
