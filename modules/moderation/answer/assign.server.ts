import { sql, type SQL } from 'drizzle-orm'
import type { Database, Queryable } from '../../../core/database/database.server.ts'
import type { Sweep } from '../../../core/job/sweep.server.ts'
import { publishLive } from '../../../core/live/live.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { COMMENT_STATE } from '../../comment/module.ts'
import { ANSWER_HOURS, PURPOSE, SAID, videoComment, type SaidTarget } from '../said/said.ts'

/** Questions that wait for an answer, over the bare table. */
export const OPEN_ASKS = sql.raw(`(comment.purpose = ${PURPOSE.ask} and comment.state = ${COMMENT_STATE.shown} and comment.answered_at is null and comment.deleted_at is null)`)

const SHANGHAI_DAY = sql.raw(`((now() at time zone 'Asia/Shanghai')::date)`)
const dayOf = (column: string) => sql.raw(`((${column} at time zone 'Asia/Shanghai')::date)`)

/** Whether a teacher, the row `t`, is away today. Both days of a leave belong to it. */
export const onLeave = (t = 't'): SQL => sql`coalesce(${dayOf(`${t}.leave_from`)} <= ${SHANGHAI_DAY} and coalesce(${dayOf(`${t}.leave_until`)} >= ${SHANGHAI_DAY}, true), false)`

/** How many questions a teacher, the row `t`, has open. */
export const openOf = (t = 't'): SQL => sql`(select count(*)::int from comment where comment.assignee_id = ${sql.raw(`${t}.staff_id`)} and ${OPEN_ASKS})`

interface Ask { readonly id: number; readonly target: SaidTarget; readonly subject_id: number | null }

/** Who answers a question: of those who answer the subject and are there, whoever has the fewest. */
async function pick(tx: Queryable, { target, subject_id }: Ask, except: number | null): Promise<number | null> {
  const [found] = await tx.query<{ staff_id: number }>(sql`select t.staff_id from (select t.*, ${openOf()} as open_n from comment_teacher t) t join staff s on s.id = t.staff_id and s.status = 1 and s.deleted_at is null
    where t.status = 1 and t.deleted_at is null and (cardinality(coalesce(t.subject_ids, '{}')) = 0 or ${subject_id} = any(t.subject_ids)) and (cardinality(coalesce(t.targets, '{}')) = 0 or ${target} = any(t.targets)) and not ${onLeave()} and t.open_n < t.most_open and t.staff_id is distinct from ${except}::bigint
    order by t.open_n, t.id limit 1`)
  return found?.staff_id ?? null
}

/** Gives a question that learners see from now on to somebody, if there is anybody. The comment is locked. */
export async function assignAsk(tx: Queryable, ask: Ask): Promise<void> {
  // Two questions at once do not both go to whoever has room for one.
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('comment answers'))`)
  const assignee_id = await pick(tx, ask, null)
  await touch(tx, SAID[ask.target], { assignee_id, due_at: Math.floor(Date.now() / 1000) + ANSWER_HOURS * 3600 } as object, ask.id)
  if (assignee_id !== null) await publishLive(tx, assignee_id, { type: 'notice', title: '有新的提问等待回答', to: '/comment/teacher?show=queue' })
}

/** What somebody has open goes to others who answer the subject; what nobody takes is nobody's. @returns how many moved */
export async function handOn(tx: Queryable, staffId: number): Promise<number> {
  const asks = await tx.query<Ask & Record<string, unknown>>(sql`select id, target, subject_id from comment where assignee_id = ${staffId} and ${OPEN_ASKS} order by id for no key update`)
  if (asks.length === 0) return 0
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('comment answers'))`)
  for (const ask of asks) await touch(tx, SAID[ask.target], { assignee_id: await pick(tx, ask, staffId) } as object, ask.id)
  return asks.length
}

/** Whose leave has begun has nothing open; what nobody had goes to whoever has room again. */
export const leaveSweep = (db: Database): Sweep => ({
  name: 'comment_leave', every: 600,
  async run() {
    const away = await db.query<{ staff_id: number }>(sql`select t.staff_id from comment_teacher t where t.deleted_at is null and (t.status = 0 or ${onLeave()}) and exists (select 1 from comment where comment.assignee_id = t.staff_id and ${OPEN_ASKS})`)
    for (const { staff_id } of away) await db.transaction({ staff_id: null, action: 'reassign' }, (tx) => handOn(tx, staff_id))
    const free = await db.query<Ask & Record<string, unknown>>(sql`select id, target, subject_id from comment where assignee_id is null and target in ('video', 'practice') and ${OPEN_ASKS} order by due_at limit 200`)
    for (const { id } of free) {
      await db.transaction({ staff_id: null, action: 'assign' }, async (tx) => {
        const [ask] = await tx.query<Ask & Record<string, unknown>>(sql`select id, target, subject_id from comment where id = ${id} and assignee_id is null and ${OPEN_ASKS} for no key update`)
        if (!ask) return
        await tx.query(sql`select pg_advisory_xact_lock(hashtext('comment answers'))`)
        const assignee_id = await pick(tx, ask, null)
        if (assignee_id !== null) await touch(tx, videoComment, { assignee_id }, id)
      })
    }
  },
})
