import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { AppError, badRequest, notFound } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { briefTime } from '../../../core/field/time.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { publishRecords } from '../../../core/live/live.server.ts'
import { refused } from '../../../core/resource/refusal.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { lockRow } from '../../../core/resource/write.server.ts'
import { COMMENT_STATE } from '../../comment/module.ts'
import { reviewMoved } from '../live.ts'
import { MUTE_STATE, userMute } from '../mute.ts'
import { holdComment, isShown, published, type HeldComment } from '../said/publish.server.ts'
import { SAID } from '../said/said.ts'
import { closeReviews, openReview } from './open.server.ts'
import { CAUSE, CLAIM_MINUTES, commentReview, RECHECKED, REVIEW, REVIEWS, UNDO_SECONDS, type ReviewReason } from './review.ts'

/** What can be decided. */
export type Verdict = 'pass' | 'hide' | 'remove'
const RESULT = { pass: REVIEW.passed, hide: REVIEW.hidden, remove: REVIEW.removed } as const satisfies Record<Verdict, number>

export interface HeldReview extends Record<string, unknown> {
  id: number
  comment_id: number
  cause: number
  reasons: ReviewReason[] | null
  state: number
  claimed_by: number | null
  claimed_until: number | null
  decided_by: number | null
  decided_at: number | null
  undone_at: number | null
  was_state: number
  first_by: number | null
}

const nameOf = async (tx: Queryable, id: number | null) => (await tx.query<{ name: string }>(sql`select name from staff where id = ${id}`))[0]?.name ?? '系统'

/** Locks what waits within the person's scope: the comment first, then the row. @throws notFound */
export async function holdReview(tx: Queryable, staff: Staff, id: number): Promise<{ row: HeldReview; comment: HeldComment }> {
  const [seen] = await tx.query<{ comment_id: number }>(sql`select comment_id from comment_review where id = ${id} and deleted_at is null`)
  const comment = seen && await holdComment(tx, seen.comment_id)
  if (!comment) throw notFound('待审评论')
  await lockRow(tx, commentReview, staff, id)
  const [row] = await tx.query<HeldReview>(sql`select id, comment_id, cause, reasons, state, claimed_by, claimed_until, decided_by, decided_at, undone_at, was_state, first_by from comment_review where id = ${id}`)
  if (!row) throw notFound('待审评论')
  return { row, comment }
}

/** Refuses what somebody else decided, or is just looking at. @throws AppError that says who */
async function refuseTaken(tx: Queryable, staff: Staff, row: HeldReview): Promise<void> {
  if (row.state === REVIEW.void) throw new AppError('decided', 409, '这条评论已在别处处理', { extra: { decided: true } })
  if (row.state !== REVIEW.open) throw new AppError('decided', 409, `已由 ${await nameOf(tx, row.decided_by)} 于 ${briefTime(row.decided_at ?? 0)} 处理为「${choiceLabel(REVIEWS, row.state)}」`, { extra: { decided: true } })
  if (row.claimed_by !== null && row.claimed_by !== staff.id && (row.claimed_until ?? 0) > Date.now() / 1000) throw new AppError('claimed', 409, `已被 ${await nameOf(tx, row.claimed_by)} 领取`, { extra: { claimed: true } })
  if (row.first_by === staff.id) throw refused('抽查须由另一人复核')
}

/** Lets one person have a row for some minutes. Taking it again takes it longer. */
export async function claim(tx: Queryable, staff: Staff, id: number): Promise<{ until: number }> {
  const { row } = await holdReview(tx, staff, id)
  await refuseTaken(tx, staff, row)
  const until = Math.floor(Date.now() / 1000) + CLAIM_MINUTES * 60
  await touch(tx, commentReview, { claimed_by: staff.id, claimed_until: until }, id)
  await publishRecords(tx, 'all', reviewMoved, [id])
  return { until }
}

/** Gives a row back; somebody else's stays theirs. */
export async function release(tx: Queryable, staff: Staff, id: number): Promise<void> {
  const { row } = await holdReview(tx, staff, id)
  if (row.claimed_by !== staff.id || row.state !== REVIEW.open) return
  await touch(tx, commentReview, { claimed_by: null, claimed_until: null }, id)
  await publishRecords(tx, 'all', reviewMoved, [id])
}

/** Whether another person looks at a decision again. It follows from the row's number, which says nothing to whoever decides. */
export const isRechecked = (id: number): boolean => (Math.imul(id ^ (id >>> 15), 0x2c1b3c6d) >>> 0) / 4_294_967_296 < RECHECKED

/** Puts a comment into the state that was decided. */
async function apply(tx: Queryable, comment: HeldComment, verdict: Verdict): Promise<void> {
  const gone = comment.deleted_at !== null
  if (verdict === 'remove') {
    if (!gone) await touch(tx, SAID[comment.target], { deleted_at: sql`now()` }, comment.id)
    return
  }
  // What a colleague removed is not brought back by looking at it: that is done in the recycle bin.
  if (gone) throw badRequest('这条评论已被删除，要恢复请到回收站')
  const state = verdict === 'pass' ? COMMENT_STATE.shown : COMMENT_STATE.hidden
  if (comment.state === state) return
  await touch(tx, SAID[comment.target], { state } as object, comment.id)
  if (verdict === 'pass') await published(tx, comment)
}

/**
 * Decides about a row once and for all.
 * @throws AppError when somebody else did, or has it
 */
export async function decide(tx: Queryable, staff: Staff, id: number, verdict: Verdict, note?: string): Promise<void> {
  const { row, comment } = await holdReview(tx, staff, id)
  await refuseTaken(tx, staff, row)
  await apply(tx, comment, verdict)
  const state = RESULT[verdict]
  await touch(tx, commentReview, { state, decided_by: staff.id, decided_at: Math.floor(Date.now() / 1000), claimed_by: null, claimed_until: null, open_key: null, was_state: comment.state, note: note ?? null }, id)
  await closeReviews(tx, comment.id, `随审核 #${id} 处理`, id)
  if (row.cause !== CAUSE.recheck && verdict !== 'remove' && isRechecked(id)) await openReview(tx, comment, { cause: CAUSE.recheck, reasons: [{ why: '抽查复核' }], score: 5, first: { by: staff.id, state } })
  await publishRecords(tx, 'all', reviewMoved, [id])
}

/**
 * Takes decisions back. The rows stay decided; each comment comes before the same person again as a row of its own.
 * @returns the new rows
 * @throws AppError when it is too late, or somebody went on from there
 */
export async function undo(tx: Queryable, staff: Staff, ids: readonly number[]): Promise<number[]> {
  const now = Math.floor(Date.now() / 1000)
  const made: number[] = []
  const order = await tx.query<{ id: number }>(sql`select id from comment_review where id = any(${sql.param([...new Set(ids)])}::bigint[]) order by comment_id, id`)
  for (const { id } of order) {
    const { row, comment } = await holdReview(tx, staff, id)
    if (row.decided_by !== staff.id || row.decided_at === null) throw refused('只能撤销自己刚刚的处理')
    if (row.undone_at !== null) throw badRequest('已经撤销过')
    if (now - row.decided_at > UNDO_SECONDS) throw badRequest('已超过撤销时间，可在评论查询中改回')
    const [later] = await tx.query<{ decided_by: number | null }>(sql`select decided_by from comment_review where comment_id = ${comment.id} and id > ${id} and state not in (${REVIEW.open}, ${REVIEW.void}) limit 1`)
    const stands = row.state === REVIEW.removed ? comment.deleted_at !== null : comment.state === (row.state === REVIEW.passed ? COMMENT_STATE.shown : COMMENT_STATE.hidden)
    if (later || !stands) throw badRequest(`之后又被${await nameOf(tx, later?.decided_by ?? null)}处理过，不能撤销`)
    if (row.state === REVIEW.removed) await touch(tx, SAID[comment.target], { deleted_at: sql`null` }, comment.id)
    else if (comment.state !== row.was_state) await touch(tx, SAID[comment.target], { state: row.was_state } as object, comment.id)
    await touch(tx, commentReview, { undone_at: now }, id)
    await touch(tx, commentReview, { state: REVIEW.void, open_key: null, note: '初审已撤销' }, sql`t.comment_id = ${comment.id} and t.cause = ${CAUSE.recheck} and t.first_by = ${staff.id} and t.state = ${REVIEW.open}`)
    await touch(tx, userMute, { state: MUTE_STATE.lifted }, sql`t.review_id = ${id} and t.state = ${MUTE_STATE.on} and t.deleted_at is null`)
    made.push(await openReview(tx, comment, { cause: CAUSE.undone, reasons: row.reasons ?? [], score: 20, claimedBy: { id: staff.id, until: now + CLAIM_MINUTES * 60 } }))
  }
  return made
}

/** What is said of a comment by its own screen: rows that wait are closed with it. */
export async function decidedElsewhere(tx: Queryable, commentId: number, words: string, staffId: number): Promise<void> {
  const comment = await holdComment(tx, commentId)
  if (!comment) return
  await closeReviews(tx, commentId, `${await nameOf(tx, staffId)}在评论列表${words}`)
  if (isShown(comment)) await published(tx, comment)
}
