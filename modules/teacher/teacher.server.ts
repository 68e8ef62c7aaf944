import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatDate } from '../../core/field/time.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { teacherApply } from '../apply/module.ts'
import { extendEntitlements, setEntitlements } from '../user/door.server.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { extendTeacher, followTeacher, leaveTeacher, resumeTeacher, stopTeacher, teacherStory, type TeacherStory } from './calls.ts'
import { moveClass } from './class.server.ts'
import { CLASS_PATH, teacherClass } from './class.ts'
import { benefitOf, tell } from './effect.server.ts'
import { CLASS_STATES, CLASS_STATUS, NOTICE_DAYS, TEACHER_STATES, TEACHER_STATUS, type Reason } from './states.ts'
import { TEACHER_PATH, teacherProfile } from './teacher.ts'

const S = TEACHER_STATUS
/** Latest end of what a teacher may use: three years from now; more is a slip. */
const MOST_DAYS = 3 * 365
const DAY = 86_400

const days = (count: number) => sql`make_interval(days => ${sql.raw(String(count))})`
/** End of this week in Beijing, as an expression. */
const WEEK_END = sql`(date_trunc('week', now() at time zone 'Asia/Shanghai') + interval '7 days') at time zone 'Asia/Shanghai'`
const certified = sql.raw(String(S.certified))

/** What each reason to speak with a teacher means. @param t the teacher's table, or its short name */
export const reasonConditions = (t: SQL): Record<Reason, SQL> => ({
  due: sql`(${t}.status = ${certified} and ${t}.next_follow_at < ${WEEK_END})`,
  no_class: sql`(${t}.status = ${certified} and ${t}.certified_at < now() - ${days(NOTICE_DAYS.no_class)} and not exists (select 1 from teacher_class c where c.teacher_id = ${t}.id and c.deleted_at is null))`,
  no_homework: sql`(${t}.status = ${certified} and ${t}.last_homework_at is null and exists (select 1 from teacher_class c where c.teacher_id = ${t}.id and c.status = ${sql.raw(String(CLASS_STATUS.running))} and c.created_at < now() - ${days(NOTICE_DAYS.no_homework)} and c.deleted_at is null))`,
  silent: sql`(${t}.status = ${certified} and ${t}.last_homework_at < now() - ${days(NOTICE_DAYS.silent)})`,
  expiring: sql`(${t}.status = ${certified} and ${t}.cert_until < now() + ${days(NOTICE_DAYS.expiring)})`,
})

export const lastWords = (id: SQL): SQL => sql`select f.body from teacher_follow f where f.teacher_id = ${id} order by f.id desc limit 1`
const running = sql.raw(String(CLASS_STATUS.running))

const COMPUTED = {
  class_cnt: sql`select count(*)::int from teacher_class c where c.teacher_id = t.id and c.status = ${running} and c.deleted_at is null`,
  student_cnt: sql`select count(*)::int from teacher_class_member m join teacher_class c on c.id = m.class_id where c.teacher_id = t.id and c.status = ${running} and c.deleted_at is null and m.left_at is null`,
  homework_cnt: sql`select count(*)::int from teacher_homework h where h.teacher_id = t.id and h.at > now() - interval '30 days'`,
  last_words: lastWords(sql`t.id`),
}

export const teachers = serve(teacherProfile)({ computed: COMPUTED, segments: { need: reasonConditions(sql`teacher_profile`) } })

/**
 * A teacher of the person's scope with their account, locked: the account first, then classes that the caller names, the teacher last (ADR 22).
 * @param before locks what comes between the two
 */
async function holdTeacher(call: Call, tx: Queryable, before?: (id: number) => Promise<void>) {
  const id = idParam(call)
  const [known] = await tx.query<{ user_id: number }>(sql`select user_id from teacher_profile where ${listCondition(teacherProfile, call.staff, {})} and id = ${id}`)
  if (!known) throw notFound(teacherProfile.label)
  await tx.query(sql`select id from app_user where id = ${known.user_id} for no key update`)
  await before?.(id)
  return lockRow(tx, teacherProfile, call.staff, id)
}

const requireState = (row: { status: number | null }, action: string, ...allowed: number[]) => {
  if (!allowed.includes(row.status ?? 0)) throw wrongState(action, choiceLabel(TEACHER_STATES, row.status))
}

/** Hands the running classes of a teacher to another. @returns how many */
async function handOver(call: Call, tx: Queryable, fromId: number, ids: readonly number[], toId: number | undefined, reason: string): Promise<number> {
  if (ids.length === 0) return 0
  if (toId === undefined) throw invalid({ to_id: `还有 ${ids.length} 个进行中的班级，请选择接手的教师` })
  if (toId === fromId) throw invalid({ to_id: '请选择另一名教师' })
  for (const id of ids) await moveClass(tx, call.staff, id, toId, reason)
  return ids.length
}

/** The calls of teachers beside those of their list. */
export const teacherCalls = (): Served[] => [
  handle(teacherStory, async (call) => {
    const [row] = await call.db.query<{ id: number }>(sql`select id from teacher_profile where ${listCondition(teacherProfile, call.staff, {})} and id = ${idParam(call)}`)
    if (!row) throw notFound(teacherProfile.label)
    return {
      follows: await call.db.query<TeacherStory['follows'][number] & Record<string, unknown>>(sql`select f.id, extract(epoch from f.at)::float8 as at, s.name as staff_name, f.way, f.body from teacher_follow f left join staff s on s.id = f.staff_id where f.teacher_id = ${row.id} order by f.id desc limit 100`),
      news: await call.db.query<TeacherStory['news'][number] & Record<string, unknown>>(sql`select id, extract(epoch from at)::float8 as at, body, extract(epoch from read_at)::float8 as read_at from teacher_news where teacher_id = ${row.id} order by id desc limit 50`),
      classes: await call.db.query<TeacherStory['classes'][number] & Record<string, unknown>>(sql`select c.id, c.name, c.code, c.status, c.max_members::int as max_members, (select count(*)::int from teacher_class_member m where m.class_id = c.id and m.left_at is null) as members, (select count(*)::int from teacher_homework h where h.class_id = c.id) as homework
        from teacher_class c where c.teacher_id = ${row.id} and c.deleted_at is null order by c.status, c.id desc limit 50`),
    }
  }),
  handle(stopTeacher, (call) => call.transaction(async (tx) => {
    const row = await holdTeacher(call, tx)
    requireState(row, '停用', S.certified)
    await setEntitlements(tx, ENTITLEMENT_SOURCE.opened, benefitOf(row.apply_id), ENTITLEMENT_STATUS.stopped)
    await touch(tx, teacherProfile, { status: S.stopped, stop_reason: call.input.reason }, row.id)
    await tell(tx, row.id, `教师账号已停用：${call.input.reason}`)
    return {}
  }, { action: 'stop', reason: call.input.reason })),
  handle(resumeTeacher, (call) => call.transaction(async (tx) => {
    const row = await holdTeacher(call, tx)
    requireState(row, '恢复', S.stopped)
    if ((row.cert_until ?? 0) <= Date.now() / 1000) throw badRequest('权益已到期，请先延长权益')
    await setEntitlements(tx, ENTITLEMENT_SOURCE.opened, benefitOf(row.apply_id), ENTITLEMENT_STATUS.active)
    await touch(tx, teacherProfile, { status: S.certified, stop_reason: null }, row.id)
    await tell(tx, row.id, '教师账号已恢复')
    return {}
  }, { action: 'resume', reason: call.input.reason })),
  handle(leaveTeacher, (call) => call.transaction(async (tx) => {
    const { reason, to_id } = call.input
    const classes = (id: number) => tx.query<{ id: number }>(sql`select id from teacher_class where teacher_id = ${id} and status = ${running} and deleted_at is null order by id for no key update`)
    let held: number[] = []
    // Classes come before teachers, by the names of their tables; both teachers are locked by id, whoever leaves.
    const row = await holdTeacher(call, tx, async (id) => {
      held = (await classes(id)).map((one) => one.id)
      await tx.query(sql`select id from teacher_profile where id in (${id}, ${to_id ?? id}) order by id for no key update`)
    })
    requireState(row, '办理离开', S.certified, S.stopped, S.lapsed)
    if ((await classes(row.id)).length > held.length) throw badRequest('该教师刚刚新建了班级，请重试')
    const moved = await handOver(call, tx, row.id, held, to_id, reason)
    await setEntitlements(tx, ENTITLEMENT_SOURCE.opened, benefitOf(row.apply_id), ENTITLEMENT_STATUS.stopped)
    await touch(tx, teacherProfile, { status: S.left, stop_reason: reason, next_follow_at: null }, row.id)
    await tell(tx, row.id, `已办理离开，${moved > 0 ? `${moved} 个班级已交接` : '没有需要交接的班级'}`)
    return { classes: moved }
  }, { action: 'leave', reason: call.input.reason })),
  handle(extendTeacher, (call) => call.transaction(async (tx) => {
    const { until, reason } = call.input
    const [paper] = await tx.query<{ id: number }>(sql`select a.id from apply a join teacher_profile p on p.apply_id = a.id where p.id = ${idParam(call)} for no key update of a`)
    const row = await holdTeacher(call, tx)
    requireState(row, '延长权益', S.certified, S.stopped)
    if (until <= (row.cert_until ?? 0)) throw invalid({ until: `应晚于现在的到期日 ${formatDate(row.cert_until ?? 0)}` })
    if (until > Date.now() / 1000 + MOST_DAYS * DAY) throw invalid({ until: '最多延长到三年后' })
    if (!paper || paper.id !== row.apply_id) throw badRequest('认证申请刚刚变化，请重试')
    await extendEntitlements(tx, ENTITLEMENT_SOURCE.opened, new Map(benefitOf(paper.id).map((ref) => [ref, until])))
    await touch(tx, teacherApply, { due_at: until }, paper.id)
    await touch(tx, teacherProfile, { cert_until: until }, row.id)
    await tell(tx, row.id, `权益已延长至 ${formatDate(until)}`)
    return { cert_until: until, reason }
  }, { action: 'extend', reason: call.input.reason })),
  handle(followTeacher, (call) => call.transaction(async (tx) => {
    const { way, body, next_follow_at } = call.input
    const row = await lockRow(tx, teacherProfile, call.staff, idParam(call))
    if (row.status === S.left) throw badRequest('该教师已离开，不用再跟进')
    const now = Math.floor(Date.now() / 1000)
    if (next_follow_at !== undefined && next_follow_at <= now) throw invalid({ next_follow_at: '下次跟进时间应晚于现在' })
    const [made] = await tx.query<{ id: number }>(sql`insert into teacher_follow (teacher_id, staff_id, way, body) values (${row.id}, ${call.staff.id}, ${way}, ${body}) returning id`)
    // Whoever speaks first with somebody nobody looks after, does from now on.
    await touch(tx, teacherProfile, { last_follow_at: now, next_follow_at: next_follow_at ?? null, ...(row.rep_id === null && { rep_id: call.staff.id }) }, row.id)
    return { id: made?.id ?? 0 }
  }, { action: 'follow' })),
]

/** Somebody as a teacher, and the classes that they lead or learn in. */
export const teacherOverview: OverviewSection[] = [{
  name: 'teacher_profile', title: '教师', grant: teacherProfile.grant,
  async load(db, staff, { id }) {
    const rows = await db.query<{ id: number; school: string; subject: string; status: number; cert_until: number | null; classes: number }>(sql`select p.id, p.school, s.name as subject, p.status, p.cert_until, (select count(*)::int from teacher_class c where c.teacher_id = p.id and c.status = ${running} and c.deleted_at is null) as classes
      from teacher_profile p join subject s on s.id = p.subject_id where p.id in (select id from teacher_profile where ${listCondition(teacherProfile, staff, { user_id: String(id) })})`)
    return {
      columns: [{ key: 'school', title: '学校', as: 'text' }, { key: 'subject', title: '学科', as: 'text' }, { key: 'status', title: '状态', as: 'text' }, { key: 'cert_until', title: '权益至', as: 'date' }, { key: 'classes', title: '班级', as: 'number' }],
      rows: rows.map((row) => ({ ...row, status: choiceLabel(TEACHER_STATES, row.status) })), screen: TEACHER_PATH,
    }
  },
}, {
  name: 'teacher_class', title: '教师班级', grant: teacherClass.grant,
  async load(db, staff, { id }) {
    const rows = await db.query<{ id: number; name: string; teacher: string; status: number; joined_at: number; left_at: number | null }>(sql`select c.id, c.name, p.name as teacher, c.status, extract(epoch from m.joined_at)::float8 as joined_at, extract(epoch from m.left_at)::float8 as left_at
      from teacher_class_member m join teacher_class c on c.id = m.class_id join teacher_profile p on p.id = c.teacher_id where m.user_id = ${id} and c.id in (select id from teacher_class where ${listCondition(teacherClass, staff, {})}) order by m.id desc limit 30`)
    return {
      columns: [{ key: 'name', title: '班级', as: 'text' }, { key: 'teacher', title: '教师', as: 'text' }, { key: 'status', title: '状态', as: 'text' }, { key: 'joined_at', title: '加入', as: 'date' }, { key: 'left_at', title: '退出', as: 'date' }],
      rows: rows.map((row) => ({ ...row, status: choiceLabel(CLASS_STATES, row.status) })), screen: CLASS_PATH,
    }
  },
}]
