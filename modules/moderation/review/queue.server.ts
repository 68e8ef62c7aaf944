import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { AppError, notFound } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { listWaiting } from '../../../core/inbox/waiting.server.ts'
import { shownName } from '../../../core/resource/names.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { listCondition } from '../../../core/resource/where.server.ts'
import { appUser } from '../../user/module.ts'
import { MANAGE_RIGHTS } from '../rights.ts'
import { storyOf } from '../said/author.server.ts'
import { practiceOf, videoOf } from '../said/calls.server.ts'
import { readSaid, seenComments } from '../said/read.server.ts'
import { claimReview, decideReviews, releaseReview, reviewCase, reviewQueue, undoReviews, type Queue, type Queued, type ReviewCase } from './calls.ts'
import { claim, decide, release, undo } from './decide.server.ts'
import { CAUSE, commentReview, REVIEW } from './review.ts'

const SHOWN = 60
const REVIEW_DAYS = 1

export const reviews = serve(commentReview)({
  segments: {
    check: {
      agreed: sql`(comment_review.cause = ${sql.raw(String(CAUSE.recheck))} and comment_review.state in (1, 2, 3) and comment_review.state = comment_review.first_state)`,
      differed: sql`(comment_review.cause = ${sql.raw(String(CAUSE.recheck))} and comment_review.state in (1, 2, 3) and comment_review.state <> comment_review.first_state)`,
    },
  },
})

export const reviewWaiting = listWaiting(commentReview, {
  name: 'comment_review', title: '待审的评论', group: 'decide', verb: '审核', path: '/comment/manage', query: () => ({ state: String(REVIEW.open), cause: [String(CAUSE.before), String(CAUSE.report), String(CAUSE.recheck), String(CAUSE.undone)] }),
  grant: MANAGE_RIGHTS.id('review'), due: { days: REVIEW_DAYS }, notes: ['cause', 'user_id'],
})

/** Rows that this person may decide about: second looks are for others than whoever decided first. */
const openFor = (staff: Staff, query: Record<string, string> = {}) => sql`${listCondition(commentReview, staff, { state: String(REVIEW.open), ...query })} and first_by is distinct from ${staff.id}::bigint`

const COLUMNS = sql`r.id, r.comment_id, r.target, r.content, coalesce(c.hits, '[]') as hits, r.cause, coalesce(r.reasons, '[]') as reasons, r.score, r.created_at as at, r.user_id, coalesce(u.nickname, '官方') as name,
  case when r.claimed_until > now() then r.claimed_by end as claimed_by, case when r.claimed_until > now() then k.name end as claimed_name, case when r.claimed_until > now() then r.claimed_until end as claimed_until`
const JOINS = sql`left join comment c on c.id = r.comment_id left join app_user u on u.id = r.user_id left join staff k on k.id = r.claimed_by`

const masked = <Row extends Queued>(staff: Staff, row: Row): Row => ({ ...row, name: shownName(appUser, staff, row.name) })

async function queue(db: Queryable, staff: Staff, { cause, target }: { cause?: number | undefined; target?: string | undefined }): Promise<Queue> {
  const query = { ...(cause !== undefined && { cause: String(cause) }), ...(target !== undefined && { target }) }
  const rows = await db.query<Queued & Record<string, unknown>>(sql`select ${COLUMNS} from (select * from comment_review where ${openFor(staff, query)} order by score desc, id limit ${SHOWN}) r ${JOINS} order by r.score desc, r.id`)
  const causes = await db.query<{ cause: number; n: number }>(sql`select cause, count(*)::int as n from comment_review where ${openFor(staff, target === undefined ? {} : { target })} group by cause`)
  const [sums] = await db.query<{ decided_today: number; n: number; agreed: number }>(sql`select count(*) filter (where decided_by = ${staff.id} and decided_at >= date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai')::int as decided_today,
    count(*) filter (where cause = ${CAUSE.recheck} and state in (1, 2, 3))::int as n, count(*) filter (where cause = ${CAUSE.recheck} and state in (1, 2, 3) and state = first_state)::int as agreed
    from comment_review where ${listCondition(commentReview, staff, {})} and decided_at > now() - interval '30 days'`)
  const asked = cause === undefined ? causes : causes.filter((one) => one.cause === cause)
  return { items: rows.map((row) => masked(staff, row)), total: asked.reduce((sum, { n }) => sum + n, 0), causes, decided_today: sums?.decided_today ?? 0, checked: { n: sums?.n ?? 0, agreed: sums?.agreed ?? 0 } }
}

async function caseOf(call: Call): Promise<ReviewCase> {
  const { db, staff } = call
  const [row] = await db.query<ReviewCase['row'] & { target_id: number; root: number | null } & Record<string, unknown>>(sql`select ${COLUMNS}, r.state, d.name as decided_name, r.decided_at, r.first_by, c.target_id, coalesce(nullif(c.root_id, 0), c.id) as root
    from (select * from comment_review where id = ${idParam(call)} and ${listCondition(commentReview, staff, {})}) r ${JOINS} left join staff d on d.id = r.decided_by`)
  if (!row) throw notFound('待审评论')
  const { target_id, root, ...shown } = row
  const [comment = null] = await readSaid(db, staff, [row.comment_id])
  const around = await db.query<{ id: number }>(sql`select id from comment where (id = ${root} or root_id = ${root}) and id <> ${row.comment_id} and ${seenComments(staff)} order by id limit 12`)
  const others = (condition: ReturnType<typeof sql>) => db.query<{ id: number }>(sql`select id from comment_review where ${openFor(staff)} and id <> ${row.id} and ${condition} order by id limit 199`)
  return {
    row: masked(staff, shown), comment, thread: await readSaid(db, staff, around.map(({ id }) => id)), author: row.user_id === null ? null : await storyOf(db, staff, row.user_id),
    video: row.target === 'video' && target_id ? await videoOf(db, target_id) : null, practice: row.target === 'practice' && target_id ? await practiceOf(call, target_id) : null,
    same_author: row.user_id === null ? [] : (await others(sql`user_id = ${row.user_id}`)).map(({ id }) => id), same_text: (await others(sql`content = ${row.content}`)).map(({ id }) => id),
  }
}

/** The calls of the queue beside those of its list. */
export const reviewCalls = (): Served[] => [
  handle(reviewQueue, ({ db, staff, input }) => queue(db, staff, input)),
  handle(reviewCase, caseOf),
  handle(claimReview, (call) => call.transaction((tx) => claim(tx, call.staff, idParam(call)), { action: 'claim' })),
  handle(releaseReview, (call) => call.transaction(async (tx) => {
    await release(tx, call.staff, idParam(call))
    return {}
  }, { action: 'release' })),
  handle(decideReviews, (call) => call.transaction(async (tx) => {
    const { verdict } = call.input
    const wanted = [...new Set(call.input.ids)]
    const order = await tx.query<{ id: number }>(sql`select id from comment_review where id = any(${sql.param(wanted)}::bigint[]) order by comment_id, id`)
    if (order.length === 0) throw notFound('待审评论')
    const decided: number[] = []
    const left_alone: { id: number; why: string }[] = []
    for (const { id } of order) {
      try {
        await decide(tx, call.staff, id, verdict)
        decided.push(id)
      } catch (error) {
        // One alone is refused; of many those that somebody else has stay. Nothing was written before the refusal.
        if (!(error instanceof AppError) || wanted.length === 1) throw error
        left_alone.push({ id, why: error.message })
      }
    }
    return { decided, left_alone }
  }, { action: 'review' })),
  handle(undoReviews, (call) => call.transaction(async (tx) => ({ ids: await undo(tx, call.staff, call.input.ids) }), { action: 'undo_review' })),
]
