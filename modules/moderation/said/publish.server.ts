import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { COMMENT_STATE } from '../../comment/module.ts'
import { assignAsk } from '../answer/assign.server.ts'
import { PURPOSE, type SaidTarget } from './said.ts'

/** A comment as far as deciding and answering need it. */
export interface HeldComment extends Record<string, unknown> {
  id: number
  target: SaidTarget
  target_id: number
  subject_id: number | null
  user_id: number | null
  purpose: number
  root_id: number
  state: number
  content: string
  official: number
  assignee_id: number | null
  answered_at: number | null
  adopted_at: number | null
  deleted_at: number | null
}

/** Locks a comment of a video or a question, removed or not; the caller has checked who may. */
export async function holdComment(tx: Queryable, id: number): Promise<HeldComment | undefined> {
  const [row] = await tx.query<HeldComment>(sql`select id, target, target_id, subject_id, user_id, coalesce(purpose, 1) as purpose, coalesce(root_id, 0) as root_id, state, content, coalesce(official, 0) as official, assignee_id, answered_at, adopted_at, deleted_at
    from comment where id = ${id} and target in ('video', 'practice') for no key update`)
  return row
}

/** What follows when learners see a comment from now on: a question gets somebody who answers it, once. The row is locked. */
export async function published(tx: Queryable, row: Pick<HeldComment, 'id' | 'target' | 'subject_id' | 'purpose' | 'assignee_id' | 'answered_at'>): Promise<void> {
  if (row.purpose === PURPOSE.ask && row.answered_at === null && row.assignee_id === null) await assignAsk(tx, row)
}

export const isShown = (row: Pick<HeldComment, 'state' | 'deleted_at'>): boolean => row.state === COMMENT_STATE.shown && row.deleted_at === null
