import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { formatTime } from '../../core/field/time.ts'
import type { Span } from './schedule.ts'
import { CLASS_STATE as C, MEMBER_STATE as M } from './state.ts'

/** A meeting as it would be. */
export interface Wanted extends Span {
  readonly class_id: number
  readonly teacher_id: number | null
  readonly room: string | null
  /** The meeting that it would take the place of. */
  readonly id?: number | undefined
}

interface Found { nth: number; what: string; teacher: string | null; room: string | null; own: boolean; students: number; start_at: number }

/** Whoever writes meetings looks for what they take twice one after another: two who write at once would both find nothing. Until the transaction ends, behind the lock of a class. */
export async function holdTimetables(tx: Queryable): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('vacation timetables'))`)
}

/**
 * Whom or what meetings would take twice: the teacher, the room, students of another class, or the class itself.
 * @returns sentences for each of them, in their order
 */
export async function findConflicts(db: Queryable, wanted: readonly Wanted[]): Promise<string[][]> {
  const rows = await db.query<Found & Record<string, unknown>>(sql`select w.nth, c.name || ' ' || o.name as what, o.start_at, o.class_id = w.class_id as own,
      case when o.teacher_id = w.teacher_id then s.name end as teacher, case when o.room = w.room then o.room end as room,
      case when o.class_id = w.class_id then 0 else (select count(*)::int from vacation_member a join vacation_member b on b.user_id = a.user_id and b.class_id = o.class_id and b.state = ${M.in} and b.deleted_at is null
        where a.class_id = w.class_id and a.state = ${M.in} and a.deleted_at is null) end as students
    from jsonb_to_recordset(${JSON.stringify(wanted.map((one, nth) => ({ ...one, nth })))}::jsonb) as w (nth integer, id bigint, class_id bigint, teacher_id bigint, room text, start_at float8, end_at float8)
    join vacation_meeting o on o.start_at < to_timestamp(w.end_at) and o.end_at > to_timestamp(w.start_at) and o.deleted_at is null and o.id is distinct from w.id
    join vacation_class c on c.id = o.class_id and c.deleted_at is null and c.state <> ${C.cancelled} left join staff s on s.id = o.teacher_id order by o.start_at, o.id`)
  const sentences = wanted.map((): string[] => [])
  for (const { nth, what, teacher, room, own, students, start_at } of rows) {
    const twice = [...(own ? ['本班'] : []), ...(teacher === null ? [] : [`教师${teacher}`]), ...(room === null ? [] : [`教室${room}`]), ...(students > 0 ? [`${students} 名学员`] : [])]
    if (twice.length > 0) sentences[nth]?.push(`${twice.join('、')}此时在上「${what}」（${formatTime(start_at).slice(5, 16)}）`)
  }
  return sentences
}
