import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { formatTime, startOfDay } from '../../core/field/time.ts'
import { urgencyOf, type WaitingCount, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import { publishLive } from '../../core/live/live.server.ts'
import type { Sessions } from '../../core/session/session.server.ts'
import type { Summary } from './calls.ts'
import { allFigures } from './figures.server.ts'
import { readTiles } from './read.server.ts'
import { DATA_PATH, DATA_RIGHTS } from './rights.ts'
import { stretchOf } from './stretch.ts'

const DAY = 86_400
/** Days after which a summary that nobody read is put away. */
const KEPT_DAYS = 60
/** Days in which it should be read. */
const READ_DAYS = 1

const lineTitle = (line: string): string | null => (line === '' ? null : allFigures().flatMap((figure) => figure.lists()).find((list) => list.line === line)?.title ?? line)

/** The last summaries that somebody got. */
export async function summariesOf(db: Queryable, staffId: number): Promise<Summary[]> {
  const rows = await db.query<{ id: number; day: number; at: number; line: string; read: boolean; rows: Summary['rows'] }>(sql`select id, day::float8 as day, extract(epoch from at)::float8 as at, line, read_at is not null as read, rows from stat_summary where staff_id = ${staffId} order by day desc limit 30`)
  return rows.map((row) => ({ ...row, line: lineTitle(row.line) }))
}

/** What a summary of a day says: that day beside the same weekday a week before. @returns undefined where the person may see nothing */
export async function rowsFor(db: Queryable, staff: Parameters<typeof readTiles>[1], day: number, line: string): Promise<Summary['rows'] | undefined> {
  const stretch = { ...stretchOf('custom', day + DAY, { from: day, to: day }), before: { from: day - 7 * DAY, to: day - 6 * DAY } }
  const { tiles } = await readTiles(db, staff, stretch, { range: 'custom', line, channel: '' })
  return tiles.length === 0 ? undefined : tiles.map(({ name, title, as, value, before, up }) => ({ name, title, as, value, before, up }))
}

/** Writes the summary of yesterday for everybody whose hour has come. */
export async function sendSummaries(db: Database, sessions: Pick<Sessions, 'staff'>, now = Math.floor(Date.now() / 1000)): Promise<void> {
  const today = startOfDay(now)
  const hour = Math.floor((now - today) / 3600)
  const due = await db.query<{ staff_id: number; line: string }>(sql`select staff_id, line from stat_subscription where hour <= ${hour} and sent_day < ${today}`)
  for (const { staff_id, line } of due) {
    const staff = await sessions.staff(db, staff_id)
    const rows = staff?.modules.has(DATA_RIGHTS.screen) ? await rowsFor(db, staff, today - DAY, line) : undefined
    await db.transaction({ staff_id: null, action: 'summary' }, async (tx) => {
      await tx.query(sql`update stat_subscription set sent_day = ${today} where staff_id = ${staff_id}`)
      if (!rows) return
      const made = await tx.query(sql`insert into stat_summary (staff_id, day, line, rows) values (${staff_id}, ${today - DAY}, ${line}, ${JSON.stringify(rows)}::jsonb) on conflict (staff_id, day) do nothing returning id`)
      if (made.length > 0) await publishLive(tx, staff_id, { type: 'notice', title: `${formatTime(today - DAY).slice(5, 10)} 日报`, to: `${DATA_PATH}?summary=1` })
    })
  }
  await db.query(sql`delete from stat_summary where at < now() - make_interval(days => ${KEPT_DAYS})`)
}

const unread = (staffId: number) => sql`stat_summary where staff_id = ${staffId} and read_at is null`

/** Summaries that wait until their reader has read them. */
export const summaryWaiting: WaitingKind = {
  name: 'stat_summary', title: '数据日报', group: 'act', verb: '查看', grants: [DATA_RIGHTS.screen],
  to: () => `${DATA_PATH}?summary=1`,
  async count({ db, staff, now }) {
    const [row] = await db.query<WaitingCount>(urgencyOf(sql`at`, unread(staff.id), now, READ_DAYS))
    return row ?? { count: 0, late: 0, today: 0 }
  },
  async items({ db, staff }, limit) {
    const rows = await db.query<{ id: number; day: number; at: number; line: string }>(sql`select id, day::float8 as day, extract(epoch from at)::float8 as at, line from ${unread(staff.id)} order by at limit ${limit}`)
    return rows.map(({ id, day, at, line }) => ({
      id, title: `${formatTime(day).slice(0, 10)} 日报`, note: `${lineTitle(line) ?? '全部产品线'} · 北京时间`, amount: null, since: Math.floor(at), due: startOfDay(at) + (READ_DAYS + 1) * DAY,
      to: `${DATA_PATH}?summary=${id}`, resource: null, record: id, done: `/daoyuan/api/end/monitor/stats/summaries/${id}/read`, pass: null, refuse: null,
    }))
  },
}
