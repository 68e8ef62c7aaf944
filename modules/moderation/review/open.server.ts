import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { publishRecords } from '../../../core/live/live.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import { reviewMoved } from '../live.ts'
import type { HeldComment } from '../said/publish.server.ts'
import { commentReview, REVIEW, type ReviewReason } from './review.ts'

export const openKey = (commentId: number, cause: number): string => `${commentId}:${cause}`

interface Opening {
  readonly cause: number
  readonly reasons: readonly ReviewReason[]
  readonly score: number
  readonly claimedBy?: { readonly id: number; readonly until: number }
  readonly first?: { readonly by: number; readonly state: number }
}

/**
 * Puts a comment before somebody. While a row of the same cause waits, that one learns the new reasons; one that was decided
 * stays as it is, and what comes later is another row. The comment is locked.
 * @returns the row's id
 */
export async function openReview(tx: Queryable, comment: Pick<HeldComment, 'id' | 'target' | 'subject_id' | 'user_id' | 'content'>, { cause, reasons, score, claimedBy, first }: Opening): Promise<number> {
  const [open] = await tx.query<{ id: number; reasons: ReviewReason[] | null; score: number }>(sql`select id, reasons, score from comment_review where open_key = ${openKey(comment.id, cause)} and deleted_at is null for no key update`)
  if (open) {
    await touch(tx, commentReview, { reasons: [...open.reasons ?? [], ...reasons].slice(-20), score: Math.min(1000, open.score + score) }, open.id)
    await publishRecords(tx, 'all', reviewMoved, [open.id])
    return open.id
  }
  const [id = 0] = await insertMany(tx, commentReview, [{
    content: comment.content, target: comment.target, comment_id: comment.id, user_id: comment.user_id, subject_id: comment.subject_id, cause: cause as 1, reasons: [...reasons], score, state: REVIEW.open,
    open_key: openKey(comment.id, cause), claimed_by: claimedBy?.id ?? null, claimed_until: claimedBy?.until ?? null, first_by: first?.by ?? null, first_state: (first?.state ?? null) as 1 | null,
  }])
  await publishRecords(tx, 'all', reviewMoved, [id])
  return id
}

/** Rows of a comment that wait are void: it was decided elsewhere. Second looks stay, because they are about whoever decided. */
export async function closeReviews(tx: Queryable, commentId: number, note: string, except = 0): Promise<void> {
  const closed = await touch(tx, commentReview, { state: REVIEW.void, open_key: null, claimed_by: null, claimed_until: null, note, decided_at: sql`now()` }, sql`t.comment_id = ${commentId} and t.state = ${REVIEW.open} and t.first_by is null and t.id <> ${except} and t.deleted_at is null`)
  if (closed.length > 0) await publishRecords(tx, 'all', reviewMoved, closed.map(({ id }) => id))
}
