import { randomInt } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notGranted, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { keepUndo } from '../../core/resource/keep-undo.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { change, transition, type Done, type Pipeline } from '../../core/resource/operations.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { appUser } from '../user/module.ts'
import { classStory, expelMember, graduateClasses, previewGraduation, recodeClass, transferClasses, type ClassStory, type Graduation } from './calls.ts'
import { CLASS_RIGHTS, teacherClass } from './class.ts'
import { tell } from './effect.server.ts'
import { CLASS_STATES, CLASS_STATUS, MOST, TEACHER_STATES, TEACHER_STATUS } from './states.ts'
import { teacherProfile } from './teacher.ts'

const S = CLASS_STATUS
const running = sql.raw(String(S.running))
/** Letters and digits that nobody mixes up when they read them from a blackboard. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 6
/** Classes that are shown before a school year ends; more are done in several steps. */
const MOST_GRADUATING = 500

/** A code that no class ever had. @param classId whose it is from now on; undefined while the class is being made, see {@link beginClass} */
export async function newCode(tx: Queryable, classId?: number): Promise<string> {
  for (;;) {
    const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    const made = await tx.query(sql`insert into teacher_class_code (code, class_id) values (${code}, ${classId ?? null}::bigint) on conflict do nothing returning code`)
    if (made.length === 0) continue
    if (classId !== undefined) await tx.query(sql`update teacher_class_code set to_at = now() where class_id = ${classId} and to_at is null and code <> ${code}`)
    return code
  }
}

/** A teacher who may lead a class, locked so that they do not leave meanwhile. @throws AppError naming the field */
export async function holdLeader(tx: Queryable, id: number): Promise<{ name: string; school: string; subject_id: number }> {
  const [row] = await tx.query<{ name: string; school: string; subject_id: number; status: number; classes: number }>(sql`select name, school, subject_id, status from teacher_profile where id = ${id} and deleted_at is null for no key update`)
  if (!row) throw invalid({ teacher_id: '教师不存在或已被删除' })
  if (row.status !== TEACHER_STATUS.certified) throw invalid({ teacher_id: `「${row.name}」${choiceLabel(TEACHER_STATES, row.status)}，不能带班` })
  const [held] = await tx.query<{ n: number }>(sql`select count(*)::int as n from teacher_class where teacher_id = ${id} and status = ${running} and deleted_at is null`)
  if ((held?.n ?? 0) >= MOST.classes) throw invalid({ teacher_id: `「${row.name}」已有 ${held?.n ?? 0} 个进行中的班级，最多 ${MOST.classes} 个` })
  return row
}

/** Who leads a class changes: the open row ends, another begins, and both are told. The class is locked. */
async function followLead(tx: Queryable, classId: number, name: string, fromId: number | undefined, toId: number, staffId: number | null, note: string | null): Promise<void> {
  await tx.query(sql`update teacher_class_lead set to_at = now() where class_id = ${classId} and to_at is null`)
  await tx.query(sql`insert into teacher_class_lead (class_id, teacher_id, staff_id, note) values (${classId}, ${toId}, ${staffId}::bigint, ${note})`)
  if (fromId === undefined) return
  await tell(tx, fromId, `班级「${name}」已转让给其他教师`)
  await tell(tx, toId, `班级「${name}」已转让给您`)
}

/** Gives a locked class to another teacher, with a reason. */
export async function moveClass(tx: Queryable, staff: Staff, id: number, toId: number, reason: string): Promise<void> {
  const [row] = await tx.query<{ name: string; teacher_id: number }>(sql`select name, teacher_id from teacher_class where id = ${id}`)
  if (!row) throw notFound(teacherClass.label)
  const [seen] = await tx.query(sql`select 1 from teacher_profile where ${listCondition(teacherProfile, staff, {})} and id = ${toId}`)
  if (!seen) throw invalid({ teacher_id: '教师不存在或已被删除' })
  await holdLeader(tx, toId)
  await touch(tx, teacherClass, { teacher_id: toId }, id)
  await followLead(tx, id, row.name, row.teacher_id, toId, staff.id, reason)
}

/** A class that was just made with a code: the code is its own, and its teacher leads it. */
export async function beginClass(tx: Queryable, { id, code, name, teacher_id }: { id: number; code: string; name: string; teacher_id: number }, staffId: number | null): Promise<void> {
  await tx.query(sql`update teacher_class_code set class_id = ${id} where code = ${code}`)
  await followLead(tx, id, name, undefined, teacher_id, staffId, null)
}

const members = sql`select count(*)::int from teacher_class_member m where m.class_id = t.id and m.left_at is null`

export const classes = serve(teacherClass)({
  computed: {
    member_cnt: members,
    homework_cnt: sql`select count(*)::int from teacher_homework h where h.class_id = t.id`,
    done_rate: sql`select round(avg(least(1, d.n::numeric / h.members)), 3)::float8 from teacher_homework h cross join lateral (select count(*) as n from teacher_homework_done x where x.homework_id = h.id) d where h.class_id = t.id and h.members > 0`,
    score_rate: sql`select round(avg(d.score), 3)::float8 from teacher_homework h join teacher_homework_done d on d.homework_id = h.id where h.class_id = t.id`,
  },
  async before({ tx, staff, values, row }) {
    const moved = values.teacher_id !== undefined && values.teacher_id !== row?.teacher_id
    if (row && moved && !staff.modules.has(CLASS_RIGHTS.id('transfer'))) throw notGranted('教师班级 · 转让')
    if (moved && values.teacher_id !== undefined) await holdLeader(tx, values.teacher_id)
    if (!row) Object.assign(values, { code: await newCode(tx), founder_id: values.teacher_id })
    if (row && values.max_members !== undefined) {
      const [held] = await tx.query<{ n: number }>(sql`select count(*)::int as n from teacher_class_member where class_id = ${row.id} and left_at is null`)
      if ((held?.n ?? 0) > values.max_members) throw invalid({ max_members: `班里已有 ${held?.n ?? 0} 人，上限不能更少` })
    }
  },
  async after({ tx, staff, row, saved }) {
    if (!row) await beginClass(tx, { ...saved, code: saved.code ?? '' }, staff.id)
    else if (row.teacher_id !== saved.teacher_id) await followLead(tx, saved.id, saved.name, row.teacher_id, saved.teacher_id, staff.id, null)
  },
  effects: {
    graduate: ({ tx, row }) => setDerived(tx, teacherClass, { graduated_at: sql`now()` }, row.id).then(() => undefined),
    async reopen({ tx, row }) {
      await holdLeader(tx, row.teacher_id)
      await setDerived(tx, teacherClass, { graduated_at: null }, row.id)
    },
    async dissolve({ tx, row, reason }) {
      await tx.query(sql`update teacher_class_member set left_at = now(), cause = 'dissolved' where class_id = ${row.id} and left_at is null`)
      await tx.query(sql`update teacher_class_code set to_at = now() where class_id = ${row.id} and to_at is null`)
      await tell(tx, row.teacher_id, `班级「${row.name}」已解散：${reason ?? ''}`)
    },
  },
})

/** How classes are changed by the operations that people use, so that each has its way back. */
function pipelineOf(kernel: Kernel, staff: Staff): Pipeline {
  const service = kernel.registry.get(teacherClass.name)
  if (!service) throw new Error(`${teacherClass.name} is not served`)
  return { service, registry: kernel.registry, targets: new Map([...kernel.registry].map(([name, known]) => [name, known.resource])), staff }
}

/** Ids within the person's reach, in the order in which they are locked. @throws notFound */
async function reached(tx: Queryable, staff: Staff, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)].sort((a, b) => a - b)
  const rows = await tx.query<{ id: number }>(sql`select id from teacher_class where ${listCondition(teacherClass, staff, {})} and id = any(${sql.param(wanted)}::bigint[]) order by id for no key update`)
  if (rows.length < wanted.length) throw notFound(teacherClass.label)
  return wanted
}

/** The calls of classes beside those of their list. */
export const classCalls = (kernel: Kernel): Served[] => [
  handle(classStory, async (call) => {
    const [row] = await call.db.query<{ id: number }>(sql`select id from teacher_class where ${listCondition(teacherClass, call.staff, {})} and id = ${idParam(call)}`)
    if (!row) throw notFound(teacherClass.label)
    const people = await call.db.query<ClassStory['members'][number] & Record<string, unknown>>(sql`select m.user_id, coalesce(u.real_name, u.nickname) as name, extract(epoch from m.joined_at)::float8 as joined_at, (select count(*)::int from teacher_homework_done d join teacher_homework h on h.id = d.homework_id where h.class_id = m.class_id and d.user_id = m.user_id) as done
      from teacher_class_member m join app_user u on u.id = m.user_id where m.class_id = ${row.id} and m.left_at is null order by m.joined_at, m.id limit ${MOST.members}`)
    const [gone] = await call.db.query<{ n: number }>(sql`select count(*)::int as n from teacher_class_member where class_id = ${row.id} and left_at is not null`)
    return {
      members: people.map((one) => ({ ...one, name: shownName(appUser, call.staff, one.name) })), gone: gone?.n ?? 0,
      homework: await call.db.query<ClassStory['homework'][number] & Record<string, unknown>>(sql`select h.id, h.title, extract(epoch from h.at)::float8 as at, extract(epoch from h.due_at)::float8 as due_at, h.members, p.name as teacher_name, count(d.user_id)::int as done, round(avg(d.score), 3)::float8 as score
        from teacher_homework h join teacher_profile p on p.id = h.teacher_id left join teacher_homework_done d on d.homework_id = h.id where h.class_id = ${row.id} group by h.id, p.name order by h.at desc, h.id desc limit 60`),
      leads: await call.db.query<ClassStory['leads'][number] & Record<string, unknown>>(sql`select l.id, l.teacher_id, p.name, extract(epoch from l.from_at)::float8 as from_at, extract(epoch from l.to_at)::float8 as to_at, l.note from teacher_class_lead l join teacher_profile p on p.id = l.teacher_id where l.class_id = ${row.id} order by l.id desc limit 30`),
    }
  }),
  handle(recodeClass, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, teacherClass, call.staff, idParam(call))
    if (row.status !== S.running) throw wrongState('更换班级码', choiceLabel(CLASS_STATES, row.status))
    const code = await newCode(tx, row.id)
    await touch(tx, teacherClass, { code }, row.id)
    await tell(tx, row.teacher_id, `班级「${row.name}」的班级码已更换为 ${code}`)
    return { code }
  }, { action: 'recode' })),
  handle(transferClasses, (call) => call.transaction(async (tx) => {
    const { ids, teacher_id, reason } = call.input
    const wanted = await reached(tx, call.staff, ids)
    // Giving classes to another is a right of its own.
    const staff = { ...call.staff, modules: new Set([...call.staff.modules, teacherClass.actions.edit ?? 0]) }
    const done: Done[] = []
    for (const id of wanted) {
      const [row] = await tx.query<{ name: string; status: number; teacher_id: number }>(sql`select name, status, teacher_id from teacher_class where id = ${id}`)
      if (row?.status !== S.running) throw badRequest(`「${row?.name ?? ''}」${choiceLabel(CLASS_STATES, row?.status)}，不能转让`)
      if (row.teacher_id === teacher_id) throw invalid({ teacher_id: `「${row.name}」已由该教师带班` })
      done.push(await change(tx, pipelineOf(kernel, staff), id, { teacher_id }))
      await tx.query(sql`update teacher_class_lead set note = ${reason} where class_id = ${id} and to_at is null`)
    }
    const undo = await keepUndo(tx, { resource: teacherClass, staff: call.staff, action: 'transfer' }, done)
    return { moved: done.length, ...(undo !== undefined && { undo }) }
  }, { action: 'transfer', reason: call.input.reason })),
  handle(expelMember, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, teacherClass, call.staff, idParam(call))
    if (row.status !== S.running) throw wrongState('移出学生', choiceLabel(CLASS_STATES, row.status))
    const gone = await tx.query(sql`update teacher_class_member set left_at = now(), cause = 'expelled', note = ${call.input.reason} where class_id = ${row.id} and user_id = ${call.input.user_id} and left_at is null returning id`)
    if (gone.length === 0) throw notFound('学生')
    await touch(tx, teacherClass, {}, row.id)
    return {}
  }, { action: 'expel', reason: call.input.reason })),
  handle(previewGraduation, async (call) => {
    const { school_year, grades } = call.input
    const rows = await call.db.query<Graduation['classes'][number] & Record<string, unknown>>(sql`select c.id, c.name, p.name as teacher, p.school, c.grade, (select count(*)::int from teacher_class_member m where m.class_id = c.id and m.left_at is null) as members, (select count(*)::int from teacher_homework h where h.class_id = c.id and h.due_at > now()) as open_homework
      from teacher_class c join teacher_profile p on p.id = c.teacher_id where c.id in (select id from teacher_class where ${listCondition(teacherClass, call.staff, { status: String(S.running), school_year: String(school_year), grade: grades.map(String) })}) order by p.school, c.grade, c.name, c.id limit ${MOST_GRADUATING}`)
    return { classes: rows, members: rows.reduce((sum, one) => sum + one.members, 0) }
  }),
  handle(graduateClasses, (call) => call.transaction(async (tx) => {
    const edge = teacherClass.transitions.find(({ name }) => name === 'graduate')
    if (!edge) throw new Error('classes do not graduate')
    const done: Done[] = []
    for (const id of await reached(tx, call.staff, call.input.ids)) {
      const [row] = await tx.query<{ status: number }>(sql`select status from teacher_class where id = ${id}`)
      if (row?.status === S.running) done.push(await transition(tx, pipelineOf(kernel, call.staff), id, edge))
    }
    const undo = await keepUndo(tx, { resource: teacherClass, staff: call.staff, action: 'graduate' }, done)
    return { graduated: done.length, ...(undo !== undefined && { undo }) }
  }, { action: 'graduate' })),
]
