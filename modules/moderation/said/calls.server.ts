import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../../core/error/error.ts'
import type { Resource } from '../../../core/resource/define.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { likeText, listCondition } from '../../../core/resource/where.server.ts'
import { COMMENT_STATE } from '../../comment/module.ts'
import { practiceFacts, proposeSolution, readCards, reportOfLearner } from '../../practice/door.server.ts'
import { answer, lockSaid } from '../answer/answer.server.ts'
import { muteUser } from '../mute.server.ts'
import { decide } from '../review/decide.server.ts'
import { REVIEW } from '../review/review.ts'
import { adoptSolution, answerComment, authorStory, commentTotals, muteAuthor, passOnReport, practiceBeside, talkedVideos, videoTalk, type PracticeBeside, type TotalRow, type TotalsBy, type VideoTalk } from './calls.ts'
import { storyOf } from './author.server.ts'
import { readSaid } from './read.server.ts'
import { practiceComment, PURPOSE, SAID, videoComment } from './said.ts'

const S = COMMENT_STATE
const VIDEO = videoComment
/** Bars of the density at most, and comments that are read at once. */
const BARS = 80
const MOST_SHOWN = 300
/** A bar is so many seconds wide. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200]

/** A question beside what is said of it. The caller has checked that the person may see the comment. */
export async function practiceOf(call: Pick<Call, 'db' | 'staff'>, id: number): Promise<PracticeBeside> {
  const [row] = await call.db.query<{ no: string }>(sql`select no from practice where id = ${id}`)
  if (!row) throw notFound('试题')
  const [[card], [facts]] = [await readCards(call.db, call.staff, [id]), await practiceFacts(call.db, [id])]
  return { id, no: row.no, path: facts?.path ?? null, content: card?.content ?? null }
}

/** A comment's own row, within the person's scope. @throws notFound */
async function seen(call: Pick<Call, 'db' | 'staff' | 'params'>, resource: Resource): Promise<{ id: number; target_id: number }> {
  const [row] = await call.db.query<{ id: number; target_id: number }>(sql`select id, target_id from ${sql.identifier(resource.table)} where id = ${idParam(call)} and ${listCondition(resource, call.staff, {})}`)
  if (!row) throw notFound(resource.label)
  return row
}

export async function videoOf(db: Queryable, id: number): Promise<VideoTalk['video']> {
  const [video] = await db.query<VideoTalk['video'] & Record<string, unknown>>(sql`select id, name, url, cover, seconds::float8 as seconds, coalesce(chapters, '[]') as chapters, coalesce(subtitles, '[]') as subtitles from asset where id = ${id} and kind = 'video'`)
  if (!video) throw notFound('视频')
  return video
}

const ORDERS: Readonly<Record<string, SQL>> = { sec: sql`at_sec, id`, new: sql`id desc`, likes: sql`likes desc nulls last, id desc` }

async function talk(call: Call<{ from?: number | undefined; to?: number | undefined; state?: number | undefined; order?: 'sec' | 'new' | 'likes' | undefined }>): Promise<VideoTalk> {
  const { db, staff, input } = call
  const id = idParam(call)
  const video = await videoOf(db, id)
  const own = listCondition(VIDEO, staff, { target_id: String(id) })
  const longest = video.seconds ?? 0
  const step = STEPS.find((one) => longest / one <= BARS) ?? 1800
  const density = await db.query<{ sec: number; n: number; waiting: number }>(sql`select (at_sec / ${step}::bigint) * ${step}::bigint as sec, count(*)::int as n, count(*) filter (where state = ${S.waiting})::int as waiting from comment where ${own} and at_sec is not null and coalesce(official, 0) = 0 group by 1 order by 1`)
  const [counts] = await db.query<VideoTalk['counts'] & Record<string, unknown>>(sql`select count(*)::int as all, count(*) filter (where state = ${S.shown})::int as shown, count(*) filter (where state = ${S.waiting})::int as waiting, count(*) filter (where state = ${S.hidden})::int as hidden,
    count(*) filter (where purpose = ${PURPOSE.ask} and answered_at is null and state = ${S.shown})::int as asks from comment where ${own}`)
  const asked = sql.join([own, ...(input.from === undefined ? [] : [sql`at_sec >= ${input.from}`]), ...(input.to === undefined ? [] : [sql`at_sec < ${input.to}`]), ...(input.state === undefined ? [] : [sql`state = ${input.state}`])], sql` and `)
  const [counted] = await db.query<{ n: number }>(sql`select count(*)::int as n from comment where ${asked}`)
  const heads = await db.query<{ id: number; root: number }>(sql`select id, coalesce(nullif(root_id, 0), id) as root from comment where ${asked} order by ${ORDERS[input.order ?? 'sec'] ?? sql`id`} limit ${MOST_SHOWN}`)
  // A thread is read whole: what stands at its head comes along.
  const roots = [...new Set(heads.map(({ root }) => root))]
  const whole = await db.query<{ id: number; root: number }>(sql`select id, coalesce(nullif(root_id, 0), id) as root from comment where ${own} and (id = any(${sql.param(roots)}::bigint[]) or root_id = any(${sql.param(roots)}::bigint[])) order by id limit 1000`)
  const byRoot = Map.groupBy(whole, ({ root }) => root)
  return { video, step, density, counts: counts ?? { all: 0, shown: 0, waiting: 0, hidden: 0, asks: 0 }, items: await readSaid(db, staff, roots.flatMap((root) => byRoot.get(root)?.map((one) => one.id) ?? [])), total: counted?.n ?? 0 }
}

const GROUPS: Readonly<Record<TotalsBy, { key: SQL; name: SQL; order: SQL }>> = {
  day: { key: sql`extract(epoch from (date_trunc('day', created_at at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'))::bigint`, name: sql`null::text`, order: sql`key desc` },
  course: { key: sql`course_id`, name: sql`(select title from offer o where o.id = x.key)`, order: sql`n desc, key` },
  teacher: { key: sql`teacher_id`, name: sql`(select name from staff s where s.id = x.key)`, order: sql`n desc, key` },
}
const COUNTS = sql`count(*)::int as n, count(*) filter (where state = ${sql.raw(String(S.waiting))})::int as waiting, count(*) filter (where state = ${sql.raw(String(S.hidden))})::int as hidden, count(*) filter (where jsonb_array_length(coalesce(hits, '[]')) > 0)::int as hit,
  count(*) filter (where purpose = ${sql.raw(String(PURPOSE.ask))})::int as asks, count(*) filter (where purpose = ${sql.raw(String(PURPOSE.ask))} and answered_at is not null)::int as answered, count(distinct user_id)::int as people`
const NONE = { n: 0, waiting: 0, hidden: 0, hit: 0, asks: 0, answered: 0, people: 0 }
const MOST_DAYS = 366

/** The calls of what is said, answered. */
export const saidCalls = (): Served[] => [
  handle(authorStory, ({ db, staff, params }) => storyOf(db, staff, idParam({ params }))),
  handle(practiceBeside, async (call) => practiceOf(call, (await seen(call, SAID.practice)).target_id)),
  handle(videoTalk, (call) => talk(call)),
  handle(talkedVideos, async ({ db, staff, input: { keyword } }) => {
    const items = await db.query<{ id: number; name: string; n: number; waiting: number; last_at: number }>(sql`select a.id, a.name, x.n, x.waiting, x.last_at from (select target_id, count(*)::int as n, count(*) filter (where state = ${S.waiting})::int as waiting, max(created_at) as last_at from comment where ${listCondition(VIDEO, staff, {})} group by target_id) x
      join asset a on a.id = x.target_id where ${keyword ? sql`a.name ilike ${`%${likeText(keyword)}%`}` : sql`true`} order by x.waiting desc, x.n desc, a.id limit 100`)
    return { items, total: items.length }
  }),
  handle(commentTotals, async ({ db, staff, input: { by, from, to } }) => {
    if (to < from) throw badRequest('结束时间不能早于开始时间')
    if (to - from > MOST_DAYS * 86_400) throw badRequest('一次最多汇总一年')
    const own = listCondition(VIDEO, staff, { created_at_start: String(from), created_at_end: String(to) })
    const { key, name, order } = GROUPS[by]
    const items = await db.query<TotalRow & Record<string, unknown>>(sql`select x.*, ${name} as name from (select ${key} as key, ${COUNTS} from comment where ${own} group by 1) x order by ${order} limit 400`)
    const [sum] = await db.query<TotalRow & Record<string, unknown>>(sql`select ${COUNTS} from comment where ${own}`)
    return { items, total: items.length, sum: sum ?? NONE }
  }),
  handle(answerComment, (call) => call.transaction((tx) => answer(tx, call.staff, idParam(call), call.input), { action: 'answer' })),
  handle(muteAuthor, (call) => call.transaction(async (tx) => {
    const { user_id, days, range, reason, review_id, hide_waiting } = call.input
    const waiting = hide_waiting ? await tx.query<{ id: number }>(sql`select id from comment_review where user_id = ${user_id} and state = ${REVIEW.open} and first_by is null and id <> ${review_id ?? 0} and deleted_at is null order by comment_id, id limit 200`) : []
    // What is decided with it comes first: somebody else may have it.
    if (review_id !== undefined) await decide(tx, call.staff, review_id, 'hide', reason)
    const hidden = review_id === undefined ? [] : [review_id]
    for (const { id } of waiting) {
      const [still] = await tx.query(sql`select 1 from comment_review where id = ${id} and state = ${REVIEW.open} and (claimed_by is null or claimed_by = ${call.staff.id} or claimed_until < now())`)
      if (!still) continue
      await decide(tx, call.staff, id, 'hide', reason)
      hidden.push(id)
    }
    return { ...await muteUser(tx, { userId: user_id, days, range, reason, reviewId: review_id ?? 0, staffId: call.staff.id }), hidden }
  }, { action: 'mute', reason: call.input.reason })),
  handle(adoptSolution, (call) => call.transaction(async (tx) => {
    const row = await lockSaid(tx, call.staff, idParam(call), 'practice')
    if (row.state !== S.shown) throw badRequest('评论通过审核后才能采纳')
    if (row.official === 1) throw badRequest('官方回复不用采纳，请直接修订试题')
    if (row.adopted_at !== null) throw badRequest('已经采纳过')
    const draft = await proposeSolution(tx, call.staff.id, { practiceId: row.target_id, words: row.content, from: '学员解法' })
    await touch(tx, practiceComment, { adopted_at: Math.floor(Date.now() / 1000) }, row.id)
    return { practice_id: draft.id, practice_no: draft.no, path: draft.path }
  }, { action: 'adopt' })),
  handle(passOnReport, (call) => call.transaction(async (tx) => {
    const row = await lockSaid(tx, call.staff, idParam(call), 'practice')
    const { note } = call.input
    const content = note === '' ? row.content : `${note}（学员评论：${row.content}）`
    if (!await reportOfLearner(tx, row.target_id, { content: content.slice(0, 500), user_id: row.user_id, staffId: call.staff.id })) throw notFound('试题')
    return {}
  }, { action: 'report_practice' })),
]
