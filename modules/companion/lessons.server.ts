import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import type { StudentResource } from './student.ts'

/** Why lessons come or go. With its reference each cause happens once. */
export type LessonCause = 'order' | 'refund' | 'task' | 'back' | 'adjust'

/** A lesson that was taken, or given back. */
export interface LessonEntry {
  readonly id: number
  readonly student_id: number
  /** Who looked after the learner then; null where nobody did. */
  readonly teacher_id: number | null
  readonly delta: number
  readonly cause: LessonCause
  readonly ref: string
}

/** A module that books what teachers get: told of every entry in its transaction, after the learner is locked. */
export type LessonWatcher = (tx: Queryable, entry: LessonEntry) => Promise<void>

const watchers = new Set<LessonWatcher>()

/**
 * Adds a watcher of lessons, such as one that books fees. What it throws undoes the entry.
 * @returns what takes it away again
 */
export function addLessonWatcher(watcher: LessonWatcher): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/**
 * Writes lessons down and keeps the learner's sum; a cause that was written before changes nothing.
 * @param wanted lessons: bought and given back are positive, taken are negative; a task takes no more than there are
 * @returns whether it was new
 * @throws AppError when fewer lessons are left than are taken back by a refund
 */
export async function writeLessons(
  tx: Queryable, students: StudentResource, studentId: number, wanted: number, { cause, ref, note = null, staffId = null }: { cause: LessonCause; ref: string; note?: string | null; staffId?: number | null },
): Promise<boolean> {
  const [student] = await tx.query<{ teacher_id: number | null; lessons_left: number }>(sql`select teacher_id, lessons_left from companion_student where id = ${studentId} for no key update`)
  if (!student) throw notFound('学生')
  const delta = cause === 'task' ? -Math.min(-wanted, student.lessons_left) : wanted
  if (delta === 0) return false
  if (student.lessons_left + delta < 0) throw badRequest(`剩余课时只有 ${student.lessons_left} 节，不能减 ${-delta} 节`)
  const [entry] = await tx.query<{ id: number }>(sql`insert into lesson_entry (student_id, teacher_id, delta, cause, ref, note, staff_id)
    values (${studentId}, ${student.teacher_id}::bigint, ${delta}, ${cause}, ${ref}, ${note}::text, ${staffId}::bigint) on conflict (cause, ref) do nothing returning id`)
  if (!entry) return false
  const bought = cause === 'order' || cause === 'refund' ? sql`t.lessons_bought + ${delta}` : sql`t.lessons_bought`
  await setDerived(tx, students, { lessons_left: sql`t.lessons_left + ${delta}`, lessons_bought: bought } as object, studentId)
  for (const watcher of watchers) await watcher(tx, { id: entry.id, student_id: studentId, teacher_id: student.teacher_id, delta, cause, ref })
  return true
}

/**
 * What a teacher got for a lesson, or for a learner and month, at a moment.
 * @param at unix seconds
 * @returns fen; undefined when no rate held yet
 */
export async function rateAt(db: Queryable, teacherId: number, mode: 'lesson' | 'month', at: number): Promise<{ id: number; rate: number } | undefined> {
  const [row] = await db.query<{ id: number; rate: number }>(sql`select id, rate from companion_rate where teacher_id = ${teacherId} and mode = ${mode} and valid_from <= to_timestamp(${at}) order by valid_from desc limit 1`)
  return row
}
