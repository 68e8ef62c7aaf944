import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, badRequest, invalid, notFound } from '../../core/error/error.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { doneHomework, foundClass, handInPaper, joinClass, ownClasses, ownNews, ownPapers, quitClass, setHomework, type AppClass } from './app-calls.ts'
import { beginClass, holdLeader, newCode } from './class.server.ts'
import { schoolYear, teacherClass } from './class.ts'
import { handIn } from './hand-in.server.ts'
import { CLASS_STATUS, MOST, TEACHER_STATUS } from './states.ts'
import { teacherProfile } from './teacher.ts'

const running = sql.raw(String(CLASS_STATUS.running))

/** Somebody who may teach now. @param lock so that they are not stopped meanwhile */
async function teacherOf(db: Queryable, userId: number, lock = false): Promise<{ id: number; subject_id: number; name: string; school: string }> {
  const [row] = await db.query<{ id: number; subject_id: number; name: string; school: string; status: number }>(sql`select id, subject_id, name, school, status from teacher_profile where user_id = ${userId} and deleted_at is null${lock ? sql` for no key update` : sql``}`)
  if (!row) throw new AppError('not_certified', 403, '还不是认证教师，请先申请认证')
  if (row.status !== TEACHER_STATUS.certified) throw new AppError('not_certified', 403, row.status === TEACHER_STATUS.stopped ? '教师账号已停用，请联系您的业务员' : '教师认证已失效，请重新申请')
  return row
}

/** Ids under which somebody is in classes: their own, and those of accounts that were merged into it. */
const asUser = (userId: number) => sql`(select u.id from app_user u where u.id = ${userId} or u.merged_into_id = ${userId})`

/** Locks a learner: what they join at once is counted one after the other. */
async function holdLearner(tx: Queryable, userId: number): Promise<void> {
  const [user] = await tx.query<{ status: number }>(sql`select status from app_user where id = ${userId} and deleted_at is null for no key update`)
  if (!user) throw notFound('用户')
  if (user.status !== 1) throw badRequest('账号已冻结或注销')
}

interface Joinable extends Record<string, unknown> { id: number; name: string; status: number; join_open: number; max_members: number; teacher_user: number; teacher_status: number; members: number; there: boolean; joined: number }

/** A learner comes into a class by its code, once for each key and each class. */
async function join(tx: Queryable, { user_id, code, client_key }: { user_id: number; code: string; client_key: string }): Promise<{ class_id: number; name: string }> {
  await holdLearner(tx, user_id)
  const [before] = await tx.query<{ class_id: number; name: string }>(sql`select m.class_id, c.name from teacher_class_member m join teacher_class c on c.id = m.class_id where m.user_id = ${user_id} and m.client_key = ${client_key}`)
  if (before) return before
  const [known] = await tx.query<{ class_id: number; over: boolean }>(sql`select class_id, to_at is not null as over from teacher_class_code where code = ${code}`)
  if (!known) throw invalid({ code: '没有这个班级码，请核对后再填' })
  if (known.over) throw invalid({ code: '班级码已更换，请向老师要新的班级码' })
  await tx.query(sql`select id from teacher_class where id = ${known.class_id} for no key update`)
  const [row] = await tx.query<Joinable>(sql`select c.id, c.name, c.status, c.join_open, c.max_members::int as max_members, p.user_id as teacher_user, p.status as teacher_status,
      (select count(*)::int from teacher_class_member m where m.class_id = c.id and m.left_at is null) as members, exists (select 1 from teacher_class_member m where m.class_id = c.id and m.user_id in ${asUser(user_id)} and m.left_at is null) as there,
      (select count(*)::int from teacher_class_member m join teacher_class o on o.id = m.class_id where m.user_id in ${asUser(user_id)} and m.left_at is null and o.status = ${running} and o.deleted_at is null) as joined
    from teacher_class c join teacher_profile p on p.id = c.teacher_id where c.id = ${known.class_id} and c.deleted_at is null`)
  if (!row || row.status !== CLASS_STATUS.running) throw invalid({ code: '班级已结束，不能加入' })
  if (row.there) return { class_id: row.id, name: row.name }
  if (row.join_open !== 1 || row.teacher_status !== TEACHER_STATUS.certified) throw invalid({ code: '班级已关闭加入，请联系老师' })
  if (row.teacher_user === user_id) throw invalid({ code: '不能加入自己的班级' })
  if (row.members >= row.max_members) throw new AppError('class_full', 409, `班级已满（${row.max_members} 人），请联系老师`)
  if (row.joined >= MOST.joined) throw new AppError('too_many_classes', 409, `最多同时加入 ${MOST.joined} 个班级，请先退出其他班级`)
  await tx.query(sql`insert into teacher_class_member (class_id, user_id, client_key) values (${row.id}, ${user_id}, ${client_key})`)
  return { class_id: row.id, name: row.name }
}

/** The calls that the app makes for teachers and for their learners, answered. */
export const appCalls = (): Served[] => [
  handle(foundClass, (call) => call.transaction(async (tx) => {
    const { user_id, name, grade, max_members, client_key } = call.input
    const teacher = await teacherOf(tx, user_id, true)
    const [before] = await tx.query<{ id: number; code: string }>(sql`select c.id, c.code from teacher_class c join teacher_class_key k on k.class_id = c.id where k.teacher_id = ${teacher.id} and k.client_key = ${client_key}`)
    if (before) return before
    await holdLeader(tx, teacher.id)
    const now = Math.floor(Date.now() / 1000)
    const code = await newCode(tx)
    const [id = 0] = await insertMany(tx, teacherClass, [{ name, grade, max_members, code, founder_id: teacher.id, teacher_id: teacher.id, subject_id: teacher.subject_id, school_year: schoolYear(now) }])
    await tx.query(sql`insert into teacher_class_key (class_id, teacher_id, client_key) values (${id}, ${teacher.id}, ${client_key})`)
    await beginClass(tx, { id, code, name, teacher_id: teacher.id }, null)
    return { id, code }
  }, { action: 'found' })),
  handle(ownClasses, async ({ db, input }) => {
    const userId = Number(input.user_id)
    const shown = sql`c.id, c.name, c.status, p.name as teacher, (select count(*)::int from teacher_class_member m where m.class_id = c.id and m.left_at is null) as members`
    return {
      leads: await db.query<AppClass & Record<string, unknown>>(sql`select ${shown}, c.code from teacher_class c join teacher_profile p on p.id = c.teacher_id where p.user_id = ${userId} and c.deleted_at is null order by c.status, c.id desc limit 100`),
      // Only who leads a class gives its code away.
      joined: await db.query<AppClass & Record<string, unknown>>(sql`select ${shown}, null as code from teacher_class_member k join teacher_class c on c.id = k.class_id join teacher_profile p on p.id = c.teacher_id where k.user_id in ${asUser(userId)} and k.left_at is null and c.deleted_at is null order by c.status, c.id desc limit 100`),
    }
  }),
  handle(joinClass, (call) => call.transaction((tx) => join(tx, call.input), { action: 'join' })),
  handle(quitClass, (call) => call.transaction(async (tx) => {
    const gone = await tx.query(sql`update teacher_class_member set left_at = now(), cause = 'quit' where class_id = ${idParam(call)} and user_id in ${asUser(call.input.user_id)} and left_at is null returning id`)
    if (gone.length === 0) throw badRequest('不在这个班级里')
    return {}
  }, { action: 'quit' })),
  handle(setHomework, (call) => call.transaction(async (tx) => {
    const { user_id, client_key, title, paper_id, due_at } = call.input
    const [row] = await tx.query<{ id: number; status: number; teacher_id: number }>(sql`select id, status, teacher_id from teacher_class where id = ${idParam(call)} and deleted_at is null for no key update`)
    const teacher = await teacherOf(tx, user_id, true)
    if (row?.teacher_id !== teacher.id) throw notFound('班级')
    const [before] = await tx.query<{ id: number; members: number }>(sql`select id, members from teacher_homework where teacher_id = ${teacher.id} and client_key = ${client_key}`)
    if (before) return before
    if (row.status !== CLASS_STATUS.running) throw badRequest('班级已结束，不能布置作业')
    if (due_at <= Date.now() / 1000) throw invalid({ due_at: '截止时间应晚于现在' })
    if (paper_id !== undefined) {
      const [paper] = await tx.query(sql`select 1 from paper where id = ${paper_id} and deleted_at is null and (kind = 'base' and state in (2, 5) or kind = 'teacher' and (teacher_id = ${teacher.id} or shared = 1 and state in (2, 5)))`)
      if (!paper) throw invalid({ paper_id: '试卷不存在，或没有权限使用' })
    }
    const [count] = await tx.query<{ n: number }>(sql`select count(*)::int as n from teacher_class_member where class_id = ${row.id} and left_at is null`)
    if (!count?.n) throw badRequest('班里还没有学生，不能布置作业')
    const [made] = await tx.query<{ id: number }>(sql`insert into teacher_homework (class_id, teacher_id, title, paper_id, due_at, members, client_key) values (${row.id}, ${teacher.id}, ${title}, ${paper_id ?? null}::bigint, to_timestamp(${due_at}), ${count.n}, ${client_key}) returning id`)
    await setDerived(tx, teacherClass, { last_homework_at: sql`now()` }, row.id)
    await setDerived(tx, teacherProfile, { last_homework_at: sql`now()` }, teacher.id)
    return { id: made?.id ?? 0, members: count.n }
  }, { action: 'assign_homework' })),
  handle(doneHomework, (call) => call.transaction(async (tx) => {
    const { user_id, score } = call.input
    const id = idParam(call)
    const [there] = await tx.query(sql`select 1 from teacher_homework h join teacher_class_member m on m.class_id = h.class_id and m.user_id in ${asUser(user_id)} and m.left_at is null where h.id = ${id}`)
    if (!there) throw notFound('作业')
    // The first time counts, whatever is sent again.
    await tx.query(sql`insert into teacher_homework_done (homework_id, user_id, score) values (${id}, ${user_id}, ${score ?? null}::numeric) on conflict do nothing`)
    const [done] = await tx.query<{ at: number }>(sql`select extract(epoch from at)::float8 as at from teacher_homework_done where homework_id = ${id} and user_id = ${user_id}`)
    return { at: Math.floor(done?.at ?? 0) }
  }, { action: 'hand_homework' })),
  handle(handInPaper, (call) => call.transaction(async (tx) => handIn(tx, await teacherOf(tx, call.input.user_id, true), call.input), { action: 'hand_in' })),
  handle(ownPapers, async ({ db, input }) => ({
    items: await db.query<{ id: number; name: string; review: number; state: number; questions: { ord: number; state: number; reason: string | null }[] }>(sql`select t.id, t.name, coalesce(t.review, 0)::int as review, t.state,
        coalesce((select jsonb_agg(jsonb_build_object('ord', q.ord, 'state', q.state, 'reason', q.reason) order by q.ord) from teacher_question q where q.paper_id = t.id), '[]') as questions
      from paper t join teacher_profile p on p.id = t.teacher_id where t.kind = 'teacher' and p.user_id = ${Number(input.user_id)} and t.deleted_at is null order by t.id desc limit 100`),
  })),
  handle(ownNews, (call) => call.transaction(async (tx) => {
    const [teacher] = await tx.query<{ id: number }>(sql`select id from teacher_profile where user_id = ${call.input.user_id} and deleted_at is null`)
    if (!teacher) return { items: [] }
    const items = await tx.query<{ id: number; at: number; body: string; paper_id: number | null }>(sql`select id, extract(epoch from at)::float8 as at, body, paper_id from teacher_news where teacher_id = ${teacher.id} order by id desc limit 50`)
    await tx.query(sql`update teacher_news set read_at = now() where teacher_id = ${teacher.id} and read_at is null and id = any(${sql.param(items.map(({ id }) => id))}::bigint[])`)
    return { items }
  })),
]
