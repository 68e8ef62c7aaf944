import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { lesson } from './lesson.ts'

/** A course within a person's scopes. @throws AppError when there is none */
export async function findLesson(db: Queryable, staff: Staff, id: number): Promise<{ id: number; title: string; subject_id: number; state: number }> {
  const [row] = await db.query<{ id: number; title: string; subject_id: number; state: number }>(sql`select id, title, subject_id, state from offer where ${listCondition(lesson, staff, {})} and id = ${id}`)
  if (!row) throw notFound(lesson.label)
  return row
}

/** A course whose content a person wants to change. @throws AppError when it is put away */
export async function lessonToEdit(db: Queryable, staff: Staff, id: number): Promise<{ id: number; title: string; subject_id: number }> {
  const row = await findLesson(db, staff, id)
  if (row.state === OFFER_STATE.archived) throw badRequest('课程已归档，不能修改')
  return row
}
