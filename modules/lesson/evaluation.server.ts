import { sql } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import { checkSpeech } from '../comment/door.server.ts'
import { COMMENT_STATE } from '../comment/module.ts'
import { saidOfLesson } from './calls.ts'
import { evaluation, LESSON_TARGET } from './evaluation.ts'
import { LESSON_LINE } from './row.ts'

/** A name as others see it. */
const shownName = (name: string | null): string => `${(name ?? '学员').slice(0, 1)}**`

/** What learners' apps say of courses, answered. */
export const evaluationCalls: readonly Served[] = [
  handle(saidOfLesson, async (call) => {
    const { user_id, lesson_id, star } = call.input
    const content = await checkSpeech(call.db, { userId: user_id, target: LESSON_TARGET, targetId: lesson_id, text: call.input.content })
    return call.transaction(async (tx) => {
      const [user] = await tx.query<{ id: number; name: string | null }>(sql`select id, nickname as name from app_user where id = ${user_id} and deleted_at is null for no key update`)
      if (!user) throw notFound('用户')
      const [own] = await tx.query<{ subject_id: number }>(sql`select o.subject_id from offer o where o.id = ${lesson_id} and o.line = ${LESSON_LINE.code} and o.deleted_at is null
        and exists (select 1 from entitlement e where e.line = o.line and e.offer_id = o.id and e.user_id = ${user_id} and e.status = 1 and e.start_at <= now() and e.deleted_at is null)`)
      if (!own) throw badRequest('学习过该课程才能评价')
      const [before] = await tx.query(sql`select 1 from comment where target = ${LESSON_TARGET} and target_id = ${lesson_id} and user_id = ${user_id} and deleted_at is null`)
      if (before) throw badRequest('已经评价过该课程')
      const { id } = await insertRow(tx, evaluation, null, {
        subject_id: own.subject_id, target_id: lesson_id, user_id, nickname: shownName(user.name), star, content, virtual: 0, top: 0, state: COMMENT_STATE.waiting, evaluated_at: Math.floor(Date.now() / 1000),
      }, {})
      return { id }
    })
  }),
]
