import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import type { RowType } from '../../core/resource/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { checkRev, checkScope, lockRow, updateRow } from '../../core/resource/write.server.ts'
import { activateCode } from '../code/door.server.ts'
import { CODE_STATUS, endAfterMonths } from '../code/module.ts'
import { activationCode, STUDY_ROOM_LINE } from './authorization-code.ts'
import { codes, holderOf } from './authorization-code.server.ts'
import { studentPlaces } from './same-school.server.ts'
import { SCHOOL_STATUS, school } from './school.ts'
import { schoolStudent, STUDENT_STATUS } from './school-student.ts'
import { changeCell, changeSchool, renewals, renewStudent, type Renewal } from './student-move.ts'

type Student = RowType<typeof schoolStudent>

/** Codes that a student uses or that are held back meanwhile. */
const IN_USE = sql.raw(`(${CODE_STATUS.used}, ${CODE_STATUS.frozen})`)

async function show(call: Pick<Call, 'db' | 'staff'>, id: number): Promise<WireRow> {
  const row = await readOne(call.db, schoolStudent, call.staff, id, {})
  if (!row) throw notFound(schoolStudent.label)
  return present(schoolStudent, call.staff, row)
}

/** Locks the class that a student comes to, and refuses one that is full. */
async function checkRoom(tx: Queryable, cellId: number | undefined): Promise<void> {
  if (cellId === undefined) return
  const [cell] = await tx.query<{ capacity: number | null }>(sql`select capacity from school_cell where id = ${cellId} and deleted_at is null for no key update`)
  const [taken] = await tx.query<{ n: number }>(sql`select count(*) as n from school_student where cell_id = ${cellId} and status <> ${STUDENT_STATUS.stopped} and deleted_at is null`)
  if (cell?.capacity && taken && taken.n >= cell.capacity) throw invalid({ cell_id: `该班级已满（${taken.n}/${cell.capacity} 人）` })
}

/** Moves a locked student to another class, and with `school_id` to another school. */
async function move(tx: Queryable, call: Pick<Call, 'staff'>, row: Student, values: Record<string, unknown> & { cell_id: number | null; teacher_id: number | null }): Promise<void> {
  await studentPlaces.before({ tx, values, row })
  await updateRow(tx, schoolStudent, row.id, values, {})
  await checkScope(tx, schoolStudent, call.staff, row.id)
}

/** The school that a student goes to, and refuses what its partner's codes do not allow. */
async function checkSchool(tx: Queryable, call: Pick<Call, 'staff'>, student: Pick<Student, 'id' | 'school_id'>, to: number): Promise<void> {
  if (to === student.school_id) throw invalid({ school_id: '学生已在该学校' })
  const target = await readOne(tx, school, call.staff, to, { student_cnt: sql`0`, teacher_cnt: sql`0` })
  if (!target) throw invalid({ school_id: '学校不存在或已被删除，请重新选择' })
  if (target.status === SCHOOL_STATUS.closed) throw invalid({ school_id: '该学校已关闭，请选择其他学校' })
  const [kept] = await tx.query<{ n: number; name: string }>(sql`select count(*) as n, max(p.name) as name from activation_code c join partner p on p.id = c.partner_id
    where c.student_id = ${student.id} and c.status in ${IN_USE} and c.partner_id <> ${target.partner_id} and c.deleted_at is null`)
  if (kept && kept.n > 0) throw badRequest(`该学生有 ${kept.n} 个使用中的授权码属于「${kept.name}」，请先解绑，再转到其他合伙人的学校`)
}

/** Unused codes of the student's partner by what they open, and until when the student has it. */
async function renewalsOf(tx: Queryable, studentId: number): Promise<Renewal[]> {
  return tx.query<Renewal & Record<string, unknown>>(sql`select u.id as unit_id, u.name, count(*)::int as left,
      (select max(e.expire_at) from entitlement e join app_user a on a.id = e.user_id and a.deleted_at is null where a.mobile = s.mobile and e.line = ${STUDY_ROOM_LINE} and e.offer_id = u.id and e.status = 1 and e.deleted_at is null) as until
    from school_student s join app_school o on o.id = s.school_id join activation_code c on c.partner_id = o.partner_id and c.status = ${CODE_STATUS.unused} and c.redeem_before >= now() and c.deleted_at is null
    join activation_code_group g on g.id = c.group_id and g.status = 1 and g.deleted_at is null join unit u on u.id = c.unit_id
    where s.id = ${studentId} group by u.id, u.name, s.mobile order by u.name, u.id`)
}

/** 转班, 转校 and 续期, answered. */
export function studentMoveCalls(): Served[] {
  return [
    handle(changeCell, async (call) => {
      const { cell_id, teacher_id, reason, rev } = call.input
      const id = await call.transaction(async (tx) => {
        await checkRoom(tx, cell_id)
        const row = await lockRow(tx, schoolStudent, call.staff, idParam(call))
        await checkRev(tx, row, rev, (stale) => present(schoolStudent, call.staff, stale))
        if (row.cell_id === cell_id) throw invalid({ cell_id: '学生已在该班级' })
        await move(tx, call, row, { cell_id, teacher_id: teacher_id ?? row.teacher_id })
        return row.id
      }, { action: 'change_cell', reason })
      return show(call, id)
    }),
    handle(changeSchool, async (call) => {
      const { school_id, cell_id, teacher_id, student_no, reason, rev } = call.input
      const id = await call.transaction(async (tx) => {
        // Codes before classes and students, as everybody locks them.
        await tx.query(sql`select id from activation_code where student_id = ${idParam(call)} and status in ${IN_USE} order by id for no key update`)
        await checkRoom(tx, cell_id)
        const row = await lockRow(tx, schoolStudent, call.staff, idParam(call))
        await checkRev(tx, row, rev, (stale) => present(schoolStudent, call.staff, stale))
        await checkSchool(tx, call, row, school_id)
        await move(tx, call, row, { school_id, cell_id: cell_id ?? null, teacher_id: teacher_id ?? null, ...(student_no !== undefined && { student_no: student_no === '' ? null : student_no }) })
        await touch(tx, activationCode, { school_id }, sql`t.student_id = ${row.id} and t.status in ${IN_USE} and t.deleted_at is null`)
        return row.id
      }, { action: 'change_school', reason })
      return show(call, id)
    }),
    handle(renewals, async (call) => {
      const row = await readOne(call.db, schoolStudent, call.staff, idParam(call), {})
      if (!row) throw notFound(schoolStudent.label)
      return { items: await renewalsOf(call.db, row.id) }
    }),
    handle(renewStudent, async (call) => {
      const { unit_id, reason, rev } = call.input
      const [id, now] = [idParam(call), Math.floor(Date.now() / 1000)]
      const done = await call.transaction(async (tx) => {
        const before = await readOne(tx, schoolStudent, call.staff, id, {})
        if (!before) throw notFound(schoolStudent.label)
        await checkRev(tx, before, rev, (stale) => present(schoolStudent, call.staff, stale))
        if (before.status === STUDENT_STATUS.stopped) throw badRequest('该学生已停用，请先恢复再续期')
        // The student before the code, as activating one locks them.
        const { holder } = await holderOf(tx, call, id, null)
        const offered = (await renewalsOf(tx, id)).find((one) => one.unit_id === unit_id)
        // What has to be used up first goes first; two who renew at once take two codes.
        const [code] = offered ? await tx.query<{ id: number; valid_months: number | null; valid_until: number | null }>(sql`select c.id, g.valid_months, g.valid_until
          from activation_code c join activation_code_group g on g.id = c.group_id and g.status = 1 and g.deleted_at is null join app_school o on o.id = ${before.school_id}
          where c.partner_id = o.partner_id and c.unit_id = ${unit_id} and c.status = ${CODE_STATUS.unused} and c.redeem_before >= now() and c.deleted_at is null
          order by c.redeem_before, c.id limit 1 for no key update of c skip locked`) : []
        if (!code) throw invalid({ unit_id: '该套餐没有可用的授权码，请先向合伙人发码' })
        // It goes on where the time for this unit ends; a batch that ends on a day for all ends there.
        const until = code.valid_until ?? endAfterMonths(Math.max(now, (offered?.until ?? 0) + 1), code.valid_months ?? 0)
        if (until <= (offered?.until ?? 0)) throw invalid({ unit_id: '该套餐的授权码都在学生现有的有效期之前结束，不能用来续期' })
        const { expire_at } = await activateCode(tx, codes.served(), call.staff.id, code.id, { ...holder, until }, now)
        return { expire_at }
      }, { action: 'renew_student', reason })
      return { ...done, student: await show(call, id) }
    }),
  ]
}
