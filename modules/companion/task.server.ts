import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { publishRecords } from '../../core/live/live.server.ts'
import { serve, type ResourceService, type RulesOf } from '../../core/resource/serve.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import type { Companion } from './companion.ts'
import { threadMoved } from './live.ts'
import { FINISHED, PROGRESS } from './progress.ts'
import { STUDENT_STATUS } from './student.ts'
import { MOST_LEARNERS, type TaskResource } from './task.ts'

const P = PROGRESS
const finished = sql.raw(`(${FINISHED.join(', ')})`)

export const TASK_COMPUTED = {
  done: sql`select count(*) filter (where p.status in ${finished}) || ' / ' || count(*) from task_student p where p.task_id = t.id`,
  late_cnt: sql`select count(*)::int from task_student p where p.task_id = t.id and (p.late = 1 or (p.status not in ${finished} and t.due_at < now()))`,
  marking_cnt: sql`select count(*)::int from task_student p where p.task_id = t.id and p.status = ${sql.raw(String(P.marking))}`,
  unread: sql`select coalesce(sum(p.unread), 0)::int from task_student p where p.task_id = t.id`,
  mean: sql`select round(avg(p.score), 1)::float8 from task_student p where p.task_id = t.id and p.score is not null`,
}

interface TaskRow { id: number; class_id: number | null; student_ids: number[] | null; due_at: number; pack_id: number | null; paper_id: number | null }

/** Gives a task to its learners: those that it names, and those of its class who learn now. */
async function give(tx: Queryable, { kind, tasks }: Companion, task: TaskRow): Promise<number[]> {
  const found = await tx.query<{ id: number; teacher_id: number | null }>(sql`select id, teacher_id from companion_student where kind = ${kind.value} and deleted_at is null and status in (${STUDENT_STATUS.trial}, ${STUDENT_STATUS.reading})
    and (id = any(${sql.param(task.student_ids ?? [])}::bigint[])${task.class_id === null ? sql`` : kind.screens.classes.length > 1 ? sql` or class_id = ${task.class_id} or next_class_id = ${task.class_id}` : sql` or class_id = ${task.class_id}`}) order by id`)
  if (found.length === 0) throw badRequest('请选择学生')
  if (found.length > MOST_LEARNERS) throw badRequest(`一次最多 ${MOST_LEARNERS.toLocaleString('zh-CN')} 人`)
  await tx.query(sql`insert into task_student (task_id, student_id, teacher_id) select ${task.id}, r.id, r.teacher_id from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as r (id bigint, teacher_id bigint) on conflict do nothing`)
  // Tasks keep the version of what they were made from.
  const [pack] = task.pack_id === null ? [] : await tx.query<{ version: number }>(sql`select version from lesson_pack where id = ${task.pack_id}`)
  const [paper] = task.paper_id === null ? [] : await tx.query<{ version_no: number }>(sql`select version_no from paper where id = ${task.paper_id}`)
  if (pack && pack.version === 0) throw badRequest('资料包还没有上架，不能用来布置任务')
  if (paper && paper.version_no === 0) throw badRequest('试卷还没有上架，不能用来布置任务')
  await setDerived(tx, tasks, { pack_version: pack?.version ?? null, paper_version: paper?.version_no ?? null } as object, task.id)
  return found.flatMap(({ teacher_id }) => teacher_id ?? [])
}

/** Serves the tasks of a business. */
export function serveTasks(companion: Companion): ResourceService {
  const rules: RulesOf<TaskResource> = {
    computed: TASK_COMPUTED,
    before({ values, row }) {
      const due = (values['due_at'] ?? row?.['due_at']) as number | undefined
      const start = (values['start_at'] ?? row?.['start_at']) as number | null | undefined
      if (values['due_at'] !== undefined && values['due_at'] !== row?.['due_at'] && Number(due) * 1000 <= Date.now()) throw invalid({ due_at: '截止时间应晚于现在' })
      if (start && due && start >= due) throw invalid({ due_at: '截止时间应晚于开始时间' })
      if (values['student_ids'] && (values['student_ids'] as number[]).length > MOST_LEARNERS) throw invalid({ student_ids: `一次最多 ${MOST_LEARNERS.toLocaleString('zh-CN')} 人` })
    },
    beforeOnlyReads: true,
    effects: {
      async publish({ tx, row }) {
        if (row.due_at * 1000 <= Date.now()) throw badRequest('截止时间应晚于现在')
        const teachers = await give(tx, companion, row)
        const people = await tx.query<{ staff_id: number }>(sql`select distinct staff_id from companion_teacher where id = any(${sql.param(teachers)}::bigint[])`)
        await publishRecords(tx, people.map(({ staff_id }) => staff_id), threadMoved, [])
      },
      async withdraw({ tx, row }) {
        const [handed] = await tx.query<{ n: number }>(sql`select count(*)::int as n from task_student where task_id = ${row.id} and submitted_at is not null`)
        if (handed && handed.n > 0) throw badRequest(`已有 ${handed.n} 人提交，不能撤回；可以修改截止时间或归档`)
      },
    },
  }
  return serve(companion.tasks)(rules)
}
