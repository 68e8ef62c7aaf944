import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { maskName } from '../../../core/field/person-name.ts'
import { setDerived, touch } from '../../../core/resource/touch.server.ts'
import { COMMENT_STATE } from '../../comment/module.ts'
import { openReview } from '../review/open.server.ts'
import { CAUSE } from '../review/review.ts'
import { acceptAnswer, likeComment, readComments, REPORT_CAUSES, reportComment, sayOfPractice, sayOfVideo, type ShownComment } from './device-calls.ts'
import { holdComment, isShown } from './publish.server.ts'
import { SAID } from './said.ts'
import { sayOnce } from './say.server.ts'

const PAGE = 50

async function checkUser(db: Queryable, id: number): Promise<void> {
  const [user] = await db.query(sql`select 1 from app_user where id = ${id} and deleted_at is null and status <> 4`)
  if (!user) throw notFound('用户')
}

/** A comment that others see, locked. @throws notFound */
async function shown(tx: Queryable, id: number) {
  const row = await holdComment(tx, id)
  if (!row || !isShown(row)) throw notFound('评论')
  return row
}

/** The calls of learners' apps. */
export const deviceCalls = (): Served[] => [
  handle(sayOfVideo, (call) => {
    const { user_id, video_id, course_id, at_sec, text, purpose, parent_id, client_key } = call.input
    return sayOnce(call.db, { target: 'video', targetId: video_id, userId: user_id, text, purpose, clientKey: client_key, parentId: parent_id, atSec: at_sec, courseId: course_id }, (work) => call.transaction(work, { action: 'say' }))
  }),
  handle(sayOfPractice, (call) => {
    const { user_id, practice_id, text, purpose, parent_id, client_key } = call.input
    return sayOnce(call.db, { target: 'practice', targetId: practice_id, userId: user_id, text, purpose, clientKey: client_key, parentId: parent_id }, (work) => call.transaction(work, { action: 'say' }))
  }),
  handle(readComments, async ({ db, input: { user_id, target, target_id, page = 0 } }) => {
    await checkUser(db, user_id)
    const seen = sql`c.target = ${target} and c.target_id = ${target_id} and c.deleted_at is null and (c.state = ${COMMENT_STATE.shown} or (c.user_id = ${user_id} and c.state = ${COMMENT_STATE.waiting}))
      and (coalesce(c.root_id, 0) = 0 or exists (select 1 from comment r where r.id = c.root_id and r.deleted_at is null and r.state = ${COMMENT_STATE.shown}))`
    const [counted] = await db.query<{ n: number }>(sql`select count(*)::int as n from comment c where ${seen}`)
    const items = await db.query<ShownComment & Record<string, unknown>>(sql`select c.id, coalesce(c.parent_id, 0) as parent_id, coalesce(c.root_id, 0) as root_id, c.nickname, c.content, coalesce(c.official, 0) as official, coalesce(c.top, 0) as top, coalesce(c.likes, 0) as likes,
      exists (select 1 from comment_like l where l.comment_id = c.id and l.user_id = ${user_id}) as liked, coalesce(c.purpose, 1) as purpose, ${target === 'video' ? sql`c.at_sec` : sql`null`} as at_sec, c.adopted_at is not null as adopted, c.state = ${COMMENT_STATE.waiting} as waiting, c.created_at as at
      from comment c where ${seen} order by coalesce(c.top, 0) desc, c.id desc limit ${PAGE} offset ${page * PAGE}`)
    return { items: items.map((one) => ({ ...one, nickname: one.official === 1 ? one.nickname : maskName(one.nickname) })), total: counted?.n ?? 0 }
  }),
  handle(likeComment, (call) => call.transaction(async (tx) => {
    await checkUser(tx, call.input.user_id)
    const row = await shown(tx, idParam(call))
    if (call.input.on) await tx.query(sql`insert into comment_like (comment_id, user_id) values (${row.id}, ${call.input.user_id}) on conflict do nothing`)
    else await tx.query(sql`delete from comment_like where comment_id = ${row.id} and user_id = ${call.input.user_id}`)
    const [counted] = await tx.query<{ n: number }>(sql`select count(*)::int as n from comment_like where comment_id = ${row.id}`)
    await setDerived(tx, SAID[row.target], { likes: counted?.n ?? 0 } as object, row.id)
    return { likes: counted?.n ?? 0 }
  }, { action: 'like' })),
  handle(reportComment, (call) => call.transaction(async (tx) => {
    const { user_id, cause, note, client_key } = call.input
    await checkUser(tx, user_id)
    const row = await shown(tx, idParam(call))
    if (row.user_id === user_id) throw badRequest('不能举报自己的评论')
    const [kept] = await tx.query(sql`insert into comment_report (comment_id, user_id, cause, note, client_key) select ${row.id}, ${user_id}, ${cause}, ${note}, ${client_key}
      where not exists (select 1 from comment_report r where r.comment_id = ${row.id} and r.user_id = ${user_id} and r.at > now() - interval '1 day') on conflict (user_id, client_key) do nothing returning id`)
    // Complaining again on the same day adds nothing.
    if (kept) await openReview(tx, row, { cause: CAUSE.report, reasons: [{ why: `举报：${choiceLabel(REPORT_CAUSES, cause)}`, ...(note !== '' && { words: [note] }) }], score: 60 })
    return {}
  }, { action: 'learner_report' })),
  handle(acceptAnswer, (call) => call.transaction(async (tx) => {
    const row = await shown(tx, idParam(call))
    if (row.user_id !== call.input.user_id) throw badRequest('只有提问的人可以采纳')
    const answer = await holdComment(tx, call.input.answer_id)
    if (!answer || !isShown(answer) || answer.official !== 1 || answer.root_id !== (row.root_id === 0 ? row.id : row.root_id)) throw notFound('回答')
    if (answer.adopted_at === null) await touch(tx, SAID[answer.target], { adopted_at: Math.floor(Date.now() / 1000) } as object, answer.id)
    return {}
  }, { action: 'accept_answer' })),
]
