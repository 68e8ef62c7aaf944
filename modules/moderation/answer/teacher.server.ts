import { sql, type SQL } from 'drizzle-orm'
import { handle, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../../core/error/error.ts'
import { publishLive } from '../../../core/live/live.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { readSaid, seenComments } from '../said/read.server.ts'
import { detailPath, SAID, type SaidTarget } from '../said/said.ts'
import { handOn, onLeave, OPEN_ASKS, openOf } from './assign.server.ts'
import { lockSaid } from './answer.server.ts'
import { ASK_QUEUES, assignAsks, openAsks, type AskQueue } from './calls.ts'
import { commentTeacher } from './teacher.ts'

const SHOWN = 100
const LATELY = sql.raw(`comment.target in ('video', 'practice') and comment.answered_at > now() - interval '30 days' and comment.deleted_at is null`)

export const teachers = serve(commentTeacher)({
  computed: {
    open_n: openOf(),
    late_n: sql`(select count(*)::int from comment where comment.assignee_id = t.staff_id and ${OPEN_ASKS} and comment.due_at < now())`,
    answered_n: sql`(select count(*)::int from comment where comment.answerer_id = t.staff_id and comment.official = 0 and ${LATELY})`,
    minutes: sql`(select round(percentile_cont(0.5) within group (order by extract(epoch from comment.answered_at - comment.created_at) / 60))::int from comment where comment.answerer_id = t.staff_id and comment.official = 0 and ${LATELY})`,
    adopted: sql`(select count(*) filter (where a.adopted_at is not null)::float8 / nullif(count(*), 0) from comment a where a.answerer_id = t.staff_id and a.official = 1 and a.created_at > now() - interval '30 days' and a.deleted_at is null)`,
  },
  segments: {
    on_duty: {
      on: sql`(comment_teacher.status = 1 and not ${onLeave('comment_teacher')} and ${openOf('comment_teacher')} < comment_teacher.most_open)`,
      leave: onLeave('comment_teacher'), full: sql`(comment_teacher.status = 1 and ${openOf('comment_teacher')} >= comment_teacher.most_open)`,
    },
  },
  before({ values, row }) {
    const [from, until] = [values.leave_from ?? ('leave_from' in values ? null : row?.leave_from) ?? null, values.leave_until ?? ('leave_until' in values ? null : row?.leave_until) ?? null]
    if (until !== null && from === null) throw invalid({ leave_from: '请填写请假开始日期' })
    if (from !== null && until !== null && until < from) throw invalid({ leave_until: '结束日期不能早于开始日期' })
  },
  // Who is away, or answers nothing any more, has nothing open: others take it at once.
  async after({ tx, saved }) {
    const [away] = await tx.query<{ away: boolean }>(sql`select t.status = 0 or ${onLeave()} as away from comment_teacher t where t.id = ${saved.id}`)
    if (away?.away) await handOn(tx, saved.staff_id)
  },
  async beforeRemove({ tx, row }) {
    await handOn(tx, row.staff_id)
  },
})

const queueOf = (queue: AskQueue, staffId: number): SQL => ({
  mine: sql`assignee_id = ${staffId}`, free: sql`assignee_id is null`, late: sql`due_at < now()`, all: sql`true`,
} satisfies Record<AskQueue, SQL>)[queue]

interface About extends Record<string, unknown> { id: number; target: SaidTarget; target_id: number; due_at: number | null; assignee_id: number | null; about: string | null; subject: string | null }

/** The calls of who answers, beside those of their list. */
export const answerCalls = (): Served[] => [
  handle(openAsks, async ({ db, staff, input: { queue, staff_id } }) => {
    const own = sql`${seenComments(staff)} and ${OPEN_ASKS}${staff_id === undefined ? sql`` : sql` and assignee_id = ${staff_id}`}`
    const [counts] = await db.query<Record<AskQueue, number>>(sql`select ${sql.join(ASK_QUEUES.map((one) => sql`count(*) filter (where ${queueOf(one, staff.id)})::int as ${sql.identifier(one)}`), sql`, `)} from comment where ${own}`)
    const rows = await db.query<About>(sql`select c.id, c.target, c.target_id, c.due_at, c.assignee_id, case c.target when 'video' then (select name from asset a where a.id = c.target_id) else c.practice_no end as about, s.name as subject
      from (select * from comment where ${own} and ${queueOf(queue, staff.id)} order by due_at nulls last, id limit ${SHOWN}) c left join subject s on s.id = c.subject_id order by c.due_at nulls last, c.id`)
    const said = new Map((await readSaid(db, staff, rows.map(({ id }) => id))).map((one) => [one.id, one]))
    const items = rows.flatMap(({ id, target, target_id, due_at, assignee_id, about, subject }) => {
      const one = said.get(id)
      return one ? [{ ...one, due_at, assignee_id, about: about ?? '', subject, to: target === 'video' ? detailPath(target_id, id) : `/comment/exercises?open=${id}` }] : []
    })
    return { items, total: counts?.[queue] ?? 0, counts: counts ?? { mine: 0, free: 0, late: 0, all: 0 } }
  }),
  handle(assignAsks, (call) => call.transaction(async (tx) => {
    const { staff_id } = call.input
    const [teacher] = await tx.query<{ name: string; away: boolean; subject_ids: number[]; targets: string[] }>(sql`select s.name, t.status = 0 or ${onLeave()} as away, coalesce(t.subject_ids, '{}') as subject_ids, coalesce(t.targets, '{}') as targets from comment_teacher t join staff s on s.id = t.staff_id and s.status = 1 where t.staff_id = ${staff_id} and t.deleted_at is null for key share of t`)
    if (!teacher) throw notFound(commentTeacher.label)
    if (teacher.away) throw badRequest(`${teacher.name}正在请假或停止了分配，请换一位教师`)
    const left_alone: { id: number; why: string }[] = []
    let assigned = 0
    for (const id of [...new Set(call.input.ids)].sort((a, b) => a - b)) {
      const row = await lockSaid(tx, call.staff, id)
      const [open] = await tx.query(sql`select 1 from comment where id = ${id} and ${OPEN_ASKS}`)
      const why = !open ? '已经回答或不再显示' : row.assignee_id === staff_id ? '已由该教师负责' : row.subject_id !== null && teacher.subject_ids.length > 0 && !teacher.subject_ids.includes(row.subject_id) ? '不是该教师负责的学科' : teacher.targets.length > 0 && !teacher.targets.includes(row.target) ? '不在该教师的应答范围' : undefined
      if (why !== undefined) { left_alone.push({ id, why }); continue }
      await touch(tx, SAID[row.target], { assignee_id: staff_id } as object, id)
      assigned++
    }
    if (assigned > 0 && staff_id !== call.staff.id) await publishLive(tx, staff_id, { type: 'notice', title: `有 ${assigned} 条提问分配给您`, to: '/comment/teacher?show=queue' })
    return { assigned, left_alone }
  }, { action: 'assign' })),
]
