import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatDate } from '../../core/field/time.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { passed, type Effect } from '../apply/door.server.ts'
import { openEntitlements, setEntitlements, userOfMobile } from '../user/door.server.ts'
import { appUser, ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { TEACHER_STATES, TEACHER_STATUS } from './states.ts'
import { TEACHER_PATH, TEACHER_RIGHTS, teacherProfile } from './teacher.ts'

const S = TEACHER_STATUS
const DAY = 86_400
/** A teacher's account lasts so many days unless the application says until when. */
const TEACHER_DAYS = 365
const TEACHER_ROLE = 3
const numberOr = (value: unknown) => (typeof value === 'number' ? value : null)

/** Tells a teacher something in the app. */
export async function tell(tx: Queryable, teacherId: number, body: string, paperId: number | null = null): Promise<void> {
  await tx.query(sql`insert into teacher_news (teacher_id, body, paper_id) values (${teacherId}, ${body}, ${paperId}::bigint)`)
}

/** What had opened a teacher's entitlement. */
export const benefitOf = (applyId: number | null): string[] => (applyId === null ? [] : [`apply ${applyId}`])

interface Known extends Record<string, unknown> { id: number; apply_id: number | null; status: number }

const ofUser = async (tx: Queryable, userId: number): Promise<Known | undefined> =>
  (await tx.query<Known>(sql`select id, apply_id, status from teacher_profile where user_id = ${userId} and deleted_at is null for no key update`))[0]

/** What an approved application of a teacher brings about: the teacher, whose account is a teacher's, and who may use the app until a day. */
export const teacherEffect: Effect = {
  async problems(db, { mobile, due_at }) {
    const [known] = await db.query<{ status: number; until: number | null; stopped: string | null }>(sql`select u.status, (select max(e.expire_at) from entitlement e where e.user_id = u.id and e.line = 'teacher' and e.status = 1 and e.expire_at > now() and e.deleted_at is null) as until,
        (select coalesce(p.stop_reason, '') from teacher_profile p where p.user_id = u.id and p.status = ${S.stopped} and p.deleted_at is null) as stopped
      from app_user u where u.mobile = ${mobile} and u.deleted_at is null`)
    return [
      ...(known && known.status !== 1 ? ['该手机号的账号已冻结或注销，不能开通'] : []),
      ...(known?.until ? [`该账号已是认证教师，有效期至 ${formatDate(Math.floor(known.until))}`] : []),
      ...(known && known.stopped !== null ? [`该教师已停用（${known.stopped || '无原因'}），应在教师列表恢复，不再重新认证`] : []),
      ...(passed(due_at) ? ['权益到期日已过，请先修改'] : []),
    ]
  },
  async open(tx, { id: staffId }, { id, applicant, mobile, org, region_code, due_at, licence_no, ...row }) {
    const [subject_id, rep_id] = [numberOr(row['subject_id']), numberOr(row['staff_id'])]
    const userId = await userOfMobile(tx, staffId, { mobile, name: applicant, school: org, region_code })
    const [user] = await tx.query<{ role: number }>(sql`select role from app_user where id = ${userId} for no key update`)
    if (user?.role !== TEACHER_ROLE) await touch(tx, appUser, { role: TEACHER_ROLE }, userId)
    const now = Math.floor(Date.now() / 1000)
    const cert_until = due_at ?? now + TEACHER_DAYS * DAY
    await openEntitlements(tx, staffId, [{ user_id: userId, line: 'teacher', product: '教师认证', offer_id: id, source: ENTITLEMENT_SOURCE.opened, ref: benefitOf(id)[0] ?? '', start_at: now, expire_at: cert_until }])
    const values = { apply_id: id, name: applicant, school: org, region_code, subject_id: subject_id ?? 0, cert_no: licence_no, certified_at: now, cert_until, status: S.certified, stop_reason: null }
    const known = await ofUser(tx, userId)
    // Whoever comes back keeps their classes, and whoever looks after them.
    if (known) await touch(tx, teacherProfile, { ...values, ...(rep_id !== null && { rep_id }) }, known.id)
    const [made = 0] = known ? [] : await insertMany(tx, teacherProfile, [{ ...values, user_id: userId, mobile, rep_id, created_by: staffId }])
    const teacherId = known?.id ?? made
    await tell(tx, teacherId, `教师认证已通过，权益至 ${formatDate(cert_until)}`)
    return { effect_ref: `teacher_profile ${teacherId}`, due_at: cert_until, role_before: user?.role ?? 1 }
  },
  async close(tx, { id, effect_ref, ...row }, by) {
    const before = numberOr(row['role_before']) ?? 1
    const [teacher] = await tx.query<{ id: number; user_id: number }>(sql`select id, user_id from teacher_profile where id = ${Number(effect_ref?.split(' ')[1] ?? 0)} and deleted_at is null`)
    if (!teacher) return
    await tx.query(sql`select id from app_user where id = ${teacher.user_id} for no key update`)
    // Time that ran out is over by itself.
    if (by) await setEntitlements(tx, ENTITLEMENT_SOURCE.opened, benefitOf(id), ENTITLEMENT_STATUS.stopped)
    const now = await ofUser(tx, teacher.user_id)
    // Another application made them a teacher again since.
    if (now?.apply_id !== id) return
    await touch(tx, appUser, { role: before as 1 }, sql`t.id = ${teacher.user_id} and t.role = ${TEACHER_ROLE} and t.role <> ${before}`)
    if (now.status !== S.left) await touch(tx, teacherProfile, { status: S.lapsed }, teacher.id)
    await tell(tx, teacher.id, by ? '教师认证已撤销' : '教师认证已到期，需要继续使用请重新申请')
  },
  async tell(db, id) {
    const [teacher] = await db.query<{ name: string; school: string; status: number }>(sql`select name, school, status from teacher_profile where id = ${id} and deleted_at is null`)
    return teacher ? { label: '教师', value: `${teacher.name} · ${teacher.school} · ${choiceLabel(TEACHER_STATES, teacher.status)}`, grant: TEACHER_RIGHTS.screen, to: `${TEACHER_PATH}?open=${id}` } : null
  },
}
