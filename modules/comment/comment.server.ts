import { sql, type SQL } from 'drizzle-orm'
import { listWaiting, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import { invalid } from '../../core/error/error.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { COMMENT_STATE, type CommentResource } from './comment.ts'

/** Days in which somebody looks at what a learner said. */
const REVIEW_DAYS = 2

/** What staff may still set of what a learner said: their words stay theirs. */
const OURS = ['reply', 'top', 'answerer_id', 'answered_at']

const shown = (target: string, id: SQL) => sql`c.target = ${sql.raw(`'${target}'`)} and c.target_id = ${id} and c.state = ${sql.raw(String(COMMENT_STATE.shown))} and c.deleted_at is null`

/** Stars that learners gave on average, to one place; what staff wrote themselves never counts. */
export const averageStar = (target: string, id: SQL): SQL => sql`(select round(avg(c.star), 1)::float8 from comment c where ${shown(target, id)} and c.virtual = 0)`
/** How many are shown, of learners and of staff. */
export const shownComments = (target: string, id: SQL): SQL => sql`(select count(*)::int from comment c where ${shown(target, id)})`

/** Serves what learners say of a kind of thing. */
export const serveComments = (comments: CommentResource): ResourceService => serve(comments)({
  before({ staff, values, row }) {
    const change = values as Record<string, unknown>
    if (row?.virtual === 0) {
      const other = Object.keys(change).find((key) => !OURS.includes(key) && JSON.stringify(change[key]) !== JSON.stringify((row as Record<string, unknown>)[key]))
      if (other !== undefined) throw invalid({ [other]: '学员写的评价只能回复和置顶，不能改写' })
    }
    const now = Math.floor(Date.now() / 1000)
    if (!row) change['evaluated_at'] ??= now
    if ('reply' in change && (change['reply'] ?? null) !== (row?.reply ?? null)) Object.assign(change, change['reply'] ? { answerer_id: staff.id, answered_at: now } : { answerer_id: null, answered_at: null })
  },
  beforeOnlyReads: true,
})

/** What learners said and nobody has looked at. @param path of the screen that shows it */
export const waitingComments = (comments: CommentResource, path: string): WaitingKind => listWaiting(comments, {
  name: `${comments.name}_waiting`, title: `待审的${comments.label}`, group: 'decide', verb: '审核', path, query: () => ({ state: String(COMMENT_STATE.waiting) }),
  grant: comments.rights.id('review'), due: { days: REVIEW_DAYS }, since: sql`created_at`, notes: ['target_id', 'star'], pass: 'show', refuse: 'hide',
})
