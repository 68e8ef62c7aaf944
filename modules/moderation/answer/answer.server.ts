import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { badRequest, notFound, notGranted } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { lockRow } from '../../../core/resource/write.server.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import { COMMENT_STATE } from '../../comment/module.ts'
import { MANAGE_RIGHTS, TEACHER_RIGHTS } from '../rights.ts'
import { closeReviews } from '../review/open.server.ts'
import { holdComment, type HeldComment } from '../said/publish.server.ts'
import { ANSWERS, SAID, type SaidTarget } from '../said/said.ts'

/** A comment within the person's scope, locked; of what is spoken of, where only that will do. @throws notFound */
export async function lockSaid(tx: Queryable, staff: Staff, id: number, target?: SaidTarget): Promise<HeldComment> {
  const row = await holdComment(tx, id)
  if (!row || row.deleted_at !== null || (target && row.target !== target)) throw notFound(target ? SAID[target].label : '评论')
  await lockRow(tx, SAID[row.target], staff, id)
  return row
}

/** Whether somebody may let through what waits. */
const mayReview = ({ modules }: Staff, { target }: Pick<HeldComment, 'target'>) => modules.has(MANAGE_RIGHTS.id('review')) || modules.has(SAID[target].rights.id('review'))

/**
 * Answers a comment in the name of the house. The answer stands in the thread for learners; the first one stops the clock.
 * @returns the answer's id; of one that was sent before under the same key that one's
 */
export async function answer(tx: Queryable, staff: Staff, id: number, { text, client_key }: { text: string; client_key: string }): Promise<{ id: number }> {
  const row = await lockSaid(tx, staff, id)
  const own = staff.modules.has(TEACHER_RIGHTS.id('answer')) && row.assignee_id === staff.id
  if (!own && ![ANSWERS[row.target], MANAGE_RIGHTS.id('review')].some((grant) => staff.modules.has(grant))) throw notGranted(`${SAID[row.target].label} · 官方回复`)
  const [sent] = await tx.query<{ id: number }>(sql`select id from comment where official = 1 and created_by = ${staff.id} and client_key = ${client_key} limit 1`)
  if (sent) return sent
  if (row.official === 1) throw badRequest('不能回复官方回复')
  if (row.state === COMMENT_STATE.hidden) throw badRequest('评论已屏蔽，通过后才能回复')
  const waits = row.state === COMMENT_STATE.waiting
  if (waits && !mayReview(staff, row)) throw badRequest('评论还没有通过审核，不能回复')
  const now = Math.floor(Date.now() / 1000)
  const first = row.answered_at === null ? { answered_at: now, answerer_id: staff.id } : {}
  if (waits) await closeReviews(tx, row.id, `${staff.name}回复并通过`)
  if (waits || row.answered_at === null) await touch(tx, SAID[row.target], { ...first, ...(waits && { state: COMMENT_STATE.shown }) } as object, row.id)
  // Where in the video it was asked, and in which course: an answer belongs to the same totals.
  const [place] = row.target === 'video' ? await tx.query<{ at_sec: number; course_id: number | null; teacher_id: number | null }>(sql`select at_sec, course_id, teacher_id from comment where id = ${row.id}`) : await tx.query<{ practice_no: string }>(sql`select practice_no from comment where id = ${row.id}`)
  const [made = 0] = await insertMany(tx, SAID[row.target], [{
    target: row.target, target_id: row.target_id, subject_id: row.subject_id, user_id: null, nickname: '官方', content: text, purpose: 1, root_id: row.root_id === 0 ? row.id : row.root_id, parent_id: row.id, official: 1, likes: 0, top: 0,
    answerer_id: staff.id, client_key, state: COMMENT_STATE.shown, created_by: staff.id, hits: [], ...place,
  } as object])
  return { id: made }
}
