import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, duplicate, invalid } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { keepUndo } from '../../core/resource/keep-undo.server.ts'
import { change, type Done, type Pipeline } from '../../core/resource/operations.server.ts'
import { serve, type ResourceService, type RulesOf } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { userOfMobile } from '../user/door.server.ts'
import { companionEndpoints } from './calls.ts'
import type { Companion } from './companion.ts'
import { FINISHED, PROGRESS } from './progress.ts'
import { CUT, LIVING, PAUSES, type StudentResource } from './student.ts'
import { TEACHER_STATUS } from './teacher.ts'

const finished = sql.raw(`(${FINISHED.join(', ')})`)
const living = sql.raw(`(${LIVING.join(', ')})`)

export const STUDENT_COMPUTED = {
  done: sql`select count(*) filter (where p.status in ${finished}) || ' / ' || count(*) from task_student p where p.student_id = t.id`,
  unread: sql`select coalesce(sum(p.unread), 0)::int from task_student p where p.student_id = t.id`,
}

/** Who looks after a learner changes: the open row ends, another begins, and what is not marked yet goes along. */
async function follow(tx: Queryable, studentId: number, teacherId: number | null, staffId: number): Promise<void> {
  await tx.query(sql`update companion_assign set to_at = now() where student_id = ${studentId} and to_at is null and teacher_id is distinct from ${teacherId}::bigint`)
  if (teacherId !== null) {
    await tx.query(sql`insert into companion_assign (student_id, teacher_id, staff_id) select ${studentId}, ${teacherId}::bigint, ${staffId}
      where not exists (select 1 from companion_assign where student_id = ${studentId} and to_at is null)`)
  }
  await tx.query(sql`update task_student set teacher_id = ${teacherId}::bigint where student_id = ${studentId} and status <> ${PROGRESS.marked}`)
}

/** @throws AppError when a teacher takes nobody any more */
async function checkTeacher(tx: Queryable, kind: string, teacherId: number): Promise<void> {
  const [teacher] = await tx.query<{ status: number; fits: boolean }>(sql`select status, ${kind} = any(kinds) as fits from companion_teacher where id = ${teacherId} and deleted_at is null`)
  if (teacher?.status === TEACHER_STATUS.left) throw invalid({ teacher_id: '该教师已离职，请选择其他教师' })
  if (teacher?.status === TEACHER_STATUS.paused) throw invalid({ teacher_id: '该教师已暂停接收学生，请选择其他教师' })
}

/** Serves the learners of a business. */
export function serveStudents({ kind, students }: Companion): ResourceService {
  const rules: RulesOf<StudentResource> = {
    computed: STUDENT_COMPUTED,
    async before({ tx, staff, values, row }) {
      const { mobile, name } = values as { mobile?: string; name?: string }
      if (!row && mobile !== undefined) {
        const [other] = await tx.query<{ id: number }>(sql`select id from companion_student where kind = ${kind.value} and mobile = ${mobile} and status in ${living} and deleted_at is null`)
        if (other) throw duplicate('手机号', mobile, 'mobile')
        values['user_id'] = await userOfMobile(tx, staff.id, { mobile, name: name ?? '学员', grade: values['grade'] as number })
      }
      const [start, end] = [values['start_at'] ?? row?.['start_at'], values['end_at'] ?? row?.['end_at']] as (number | null | undefined)[]
      if (start && end && end < start) throw invalid({ end_at: '结束日期应晚于开始日期' })
      const teacher = values['teacher_id'] as number | null | undefined
      if (typeof teacher === 'number' && teacher !== row?.['teacher_id']) await checkTeacher(tx, kind.value, teacher)
      const next = values['next_class_id'] as number | null | undefined
      if (next !== undefined && next !== (row?.['next_class_id'] ?? null)) values['cut'] = next === null ? CUT.open : CUT.up
    },
    async after({ tx, staff, row, saved }) {
      const teacher = (saved['teacher_id'] as number | null) ?? null
      if (teacher !== ((row?.['teacher_id'] as number | null | undefined) ?? null)) await follow(tx, saved.id, teacher, staff.id)
      const [was, is] = [row?.['next_class_id'] ?? null, saved['next_class_id'] ?? null]
      // A selection that is taken back holds for nobody: those below its line are open again.
      if (is === null && was !== null) await setDerived(tx, students, { cut: CUT.open } as object, sql`t.class_id = ${saved['class_id'] as number | null} and t.cut = ${CUT.out}`)
    },
    effects: {
      async pause({ tx, row }) {
        if (Number(row['pause_cnt']) >= PAUSES.times) throw badRequest(`最多停课 ${PAUSES.times} 次，该学生已停课 ${String(row['pause_cnt'])} 次`)
        await setDerived(tx, students, { paused_at: sql`now()`, pause_cnt: sql`t.pause_cnt + 1` } as object, row.id)
      },
      async resume({ tx, row }) {
        // What somebody paused for they get back: tasks that were open are due as much later, the end of their time too.
        const [gone] = await tx.query<{ days: number }>(sql`select least(${PAUSES.days}, greatest(0, floor(extract(epoch from now() - paused_at) / 86400)))::int as days from companion_student where id = ${row.id}`)
        await touch(tx, students, { paused_at: null, end_at: sql`t.end_at + make_interval(days => ${gone?.days ?? 0})` } as object, row.id)
      },
      async finish({ tx, row }) {
        await tx.query(sql`update companion_assign set to_at = now() where student_id = ${row.id} and to_at is null`)
      },
    },
  }
  return serve(students)(rules)
}

/** The pipeline of a resource, in the name of a member of the staff. */
export function pipelineOf({ registry }: Pick<Kernel, 'registry'>, resource: Pick<Resource, 'name'>, staff: Staff): Pipeline {
  const service = registry.get(resource.name)
  if (!service) throw new Error(`${resource.name} is not served`)
  return { service, registry, targets: new Map([...registry].map(([name, known]) => [name, known.resource])), staff }
}

/** 分配教师: many learners to one teacher, taken back as one. */
export function studentCalls(kernel: Kernel, companion: Companion): Served[] {
  const { assign } = companionEndpoints(companion)
  const { students, kind } = companion
  return [
    handle(assign, (call) => call.transaction(async (tx) => {
      const { ids, teacher_id } = call.input
      await checkTeacher(tx, kind.value, teacher_id)
      const staff = { ...call.staff, modules: new Set([...call.staff.modules, students.actions.edit ?? 0]) }
      const pipeline = pipelineOf(kernel, students, staff)
      const done: Done[] = []
      for (const id of [...new Set(ids)].sort((a, b) => a - b)) done.push(await change(tx, pipeline, id, { teacher_id }))
      const undo = await keepUndo(tx, { resource: students, staff: call.staff, action: 'assign' }, done)
      return { assigned: done.length, ...(undo !== undefined && { undo }) }
    }, { action: 'assign', reason: call.input.reason })),
  ]
}
