import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { formatTime, startOfDay } from '../../core/field/time.ts'
import { SUPER_ROLE } from '../../core/session/session.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { findJob } from '../../core/job/queue.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { readBreakdown, readFunnel } from './breakdown.server.ts'
import { addNote, dropNote, dropSubscription, exportStats, keepSubscription, listSummaries, readSubscription, readSummary, rebuildStats, statBreakdown, statFunnel, statTiles, type Note, type StatAnswer, type StretchInfo } from './calls.ts'
import { askedStretch, checkLine, linesFor } from './asked.server.ts'
import { PAST_DAYS } from './compute.server.ts'
import { isNarrowed, shownFigures } from './figures.server.ts'
import { EXPORT_JOB, REBUILD_JOB } from './jobs.server.ts'
import { readTiles } from './read.server.ts'
import type { Stretch } from './stretch.ts'
import { summariesOf } from './summary.server.ts'

const DAY = 86_400

const infoOf = ({ from, to, before, days }: Stretch): StretchInfo => ({ from, to, before_from: before.from, before_to: before.to, days })

async function notesOf(db: Queryable, staff: Staff, from: number, to: number): Promise<Note[]> {
  const rows = await db.query<{ id: number; day: number; body: string; bad: boolean; staff_id: number | null; staff_name: string | null }>(sql`select n.id, n.day::float8 as day, n.body, n.bad, n.staff_id, s.name as staff_name from stat_note n left join staff s on s.id = n.staff_id
    where n.day >= ${from} and n.day < ${to} order by n.day, n.id`)
  return rows.map(({ staff_id, ...row }) => ({ ...row, mine: staff_id === staff.id || staff.role === SUPER_ROLE }))
}

/** The calls of the data center. */
export function statCalls({ jobs }: Kernel): Served[] {
  const startJob = (call: Call, tx: Queryable, kind: string, title: string, input: unknown) => jobs.add(tx, { staff: call.staff, ip: call.ip, requestId: call.requestId }, { kind, title, input })
  return [
    handle(statTiles, async ({ db, staff, input }): Promise<StatAnswer> => {
      checkLine(staff, input.line)
      const { stretch, counted_at } = await askedStretch(db, input)
      const [{ tiles, forecast }, notes, channels] = await Promise.all([
        readTiles(db, staff, stretch, input), notesOf(db, staff, stretch.from, stretch.from + stretch.days * DAY),
        db.query<{ id: number; name: string }>(sql`select id, name from channel where deleted_at is null order by id`),
      ])
      return {
        counted_at, stretch: infoOf(stretch), tiles, forecast, notes, lines: linesFor(staff), channels: channels.map(({ id, name }) => ({ key: String(id), title: name })),
        narrowed: shownFigures().some((figure) => figure.lists().some(({ resource }) => staff.modules.has(resource.grant) && isNarrowed(resource, staff))),
      }
    }),
    handle(statBreakdown, async ({ db, staff, input }) => {
      checkLine(staff, input.line)
      return readBreakdown(db, staff, (await askedStretch(db, input)).stretch, input.by, input.line)
    }),
    handle(statFunnel, async ({ db, staff, input }) => readFunnel(db, staff, (await askedStretch(db, input)).stretch)),
    handle(addNote, (call) => call.transaction(async (tx) => {
      const day = startOfDay(call.input.day)
      if (day > startOfDay(Date.now() / 1000)) throw invalid({ day: '日期不能晚于今天' })
      const [same] = await tx.query(sql`select 1 from stat_note where day = ${day} and body = ${call.input.body}`)
      if (same) throw invalid({ body: '这一天已有相同的记录' })
      const [made] = await tx.query<{ id: number }>(sql`insert into stat_note (day, body, bad, staff_id) values (${day}, ${call.input.body}, ${call.input.bad}, ${call.staff.id}) returning id`)
      return { id: made?.id ?? 0 }
    })),
    handle(dropNote, (call) => call.transaction(async (tx) => {
      const [note] = await tx.query<{ staff_id: number | null }>(sql`select staff_id from stat_note where id = ${idParam(call)} for no key update`)
      if (!note) throw notFound('记录')
      if (note.staff_id !== call.staff.id && call.staff.role !== SUPER_ROLE) throw badRequest('只能删除自己的记录')
      await tx.query(sql`delete from stat_note where id = ${idParam(call)}`)
      return {}
    })),
    handle(rebuildStats, (call) => call.transaction(async (tx) => {
      const today = startOfDay(Date.now() / 1000)
      const [from, to] = [startOfDay(call.input.from), startOfDay(call.input.to)]
      if (to < from) throw invalid({ to: '结束日期不能早于开始日期' })
      if (to > today) throw invalid({ to: '结束日期不能晚于今天' })
      if (from < today - PAST_DAYS * DAY) throw invalid({ from: `最早从 ${formatTime(today - (PAST_DAYS - 1) * DAY).slice(0, 10)} 起` })
      return { job_id: await startJob(call, tx, REBUILD_JOB, `重新计算指标 ${formatTime(from).slice(0, 10)} 至 ${formatTime(to).slice(0, 10)}`, { from, to: to + DAY }) }
    })),
    handle(exportStats, (call) => call.transaction(async (tx) => {
      checkLine(call.staff, call.input.line)
      await askedStretch(tx, call.input)
      const id = await startJob(call, tx, EXPORT_JOB, '导出数据中心指标', call.input)
      const job = await findJob(tx, id, call.staff.id)
      if (!job) throw notFound('任务')
      return job
    })),
    handle(readSubscription, async ({ db, staff }) => {
      const [row] = await db.query<{ hour: number; line: string }>(sql`select hour, line from stat_subscription where staff_id = ${staff.id}`)
      return { subscription: row ?? null }
    }),
    handle(keepSubscription, (call) => call.transaction(async (tx) => {
      checkLine(call.staff, call.input.line)
      // Somebody who subscribes hears of yesterday tomorrow, unless the hour is still to come.
      const now = Math.floor(Date.now() / 1000)
      const today = startOfDay(now)
      const sent = now >= today + call.input.hour * 3600 ? today : 0
      await tx.query(sql`insert into stat_subscription (staff_id, hour, line, sent_day) values (${call.staff.id}, ${call.input.hour}, ${call.input.line}, ${sent}) on conflict (staff_id) do update set hour = excluded.hour, line = excluded.line`)
      return {}
    })),
    handle(dropSubscription, (call) => call.transaction(async (tx) => {
      await tx.query(sql`delete from stat_subscription where staff_id = ${call.staff.id}`)
      return {}
    })),
    handle(listSummaries, async ({ db, staff }) => {
      const items = await summariesOf(db, staff.id)
      return { items, total: items.length }
    }),
    handle(readSummary, (call) => call.transaction(async (tx) => {
      const [row] = await tx.query(sql`update stat_summary set read_at = coalesce(read_at, now()) where id = ${idParam(call)} and staff_id = ${call.staff.id} returning id`)
      if (!row) throw notFound('日报')
      return {}
    })),
  ]
}
