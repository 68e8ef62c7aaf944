import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { formatDate, startOfDay } from '../../core/field/time.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { extendEntitlements, openEntitlements, setEntitlements } from '../user/door.server.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { COURSE_STATE } from './course.ts'
import { ACCOUNT_STATE as A, anyGrant, classAccount, GRANT_STATE, roomCourse, roomPlan } from './grant.ts'

/** Seconds of a day. */
const DAY = 86_400
const { opened: SOURCE } = ENTITLEMENT_SOURCE

const count = (grant: SQL, ...states: number[]) => sql`(select count(*)::int from class_account a where a.grant_id = ${grant} and a.state in (${sql.raw(states.join())}) and a.deleted_at is null)`

const computed = {
  used: count(sql`t.id`, A.used),
  standing: sql`case when t.state = 3 then '已回收' when t.state = 2 then '已暂停' when t.valid_until + interval '1 day' <= now() then '已到期' when t.valid_until <= now() + interval '30 days' then '即将到期' when ${count(sql`t.id`, A.used)} >= t.quota then '名额已满' else '使用中' end`,
}
const living = sql`room_course.state in (1, 2)`
const segments = { due: {
  soon: sql`${living} and room_course.valid_until > now() - interval '1 day' and room_course.valid_until <= now() + interval '30 days'`,
  over: sql`${living} and room_course.valid_until <= now() - interval '1 day'`,
  full: sql`${living} and ${count(sql`room_course.id`, A.used)} >= room_course.quota`,
} }

/** Until when what is granted may be used: to the end of its last day. */
const endOf = (validUntil: number) => startOfDay(validUntil) + DAY

/** By what an account's entitlement is known. */
const refOf = (accountId: number) => `class_account ${accountId}`

/** Everything that concerns the people of a grant goes through it: it is locked first, as what is sold of a limited number is. */
export interface HeldGrant { id: number; name: string; kind: 'course' | 'plan'; course_id: number | null; quota: number; valid_until: number; state: number; used: number }

/** What a room may use, locked. */
export async function holdGrant(tx: Queryable, id: number): Promise<HeldGrant | undefined> {
  await tx.query(sql`select id from room_course where id = ${id} for no key update`)
  const [held] = await tx.query<HeldGrant & Record<string, unknown>>(sql`select t.id, t.name, t.kind, t.course_id, t.quota::int as quota, extract(epoch from t.valid_until)::int as valid_until, t.state, ${computed.used} as used from room_course t where t.id = ${id} and t.deleted_at is null`)
  return held
}

/** @throws AppError when nobody can be given a place of it now */
export function requireLiving(held: HeldGrant): void {
  if (held.state !== GRANT_STATE.active) throw badRequest(`「${held.name}」已${held.state === GRANT_STATE.paused ? '暂停' : '回收'}，不能开通`)
  if (endOf(held.valid_until) <= Date.now() / 1000) throw badRequest(`「${held.name}」已于 ${formatDate(held.valid_until)} 到期，请先续期`)
}

/** Opens the course of a held grant for accounts that have just been made. Plans open nothing but themselves. */
export async function openCourse(tx: Queryable, staffId: number, held: HeldGrant, accounts: readonly { id: number; user_id: number }[]): Promise<void> {
  if (held.course_id === null) return
  const [course] = await tx.query<{ name: string }>(sql`select name from class_course where id = ${held.course_id}`)
  const now = Math.floor(Date.now() / 1000)
  await openEntitlements(tx, staffId, accounts.map(({ id, user_id }) => ({
    user_id, line: 'class_course', product: course?.name ?? held.name, offer_id: held.course_id ?? 0, source: SOURCE, ref: refOf(id), start_at: now, expire_at: endOf(held.valid_until),
  })))
}

const accountsOf = async (tx: Queryable, grantId: number, state: number) =>
  (await tx.query<{ id: number }>(sql`select id from class_account where grant_id = ${grantId} and state = ${state} and deleted_at is null order by id`)).map(({ id }) => id)

/** What those of a grant may use follows it. */
async function follow(tx: Queryable, grantId: number, from: number, to: number, status: typeof ENTITLEMENT_STATUS.active | typeof ENTITLEMENT_STATUS.stopped): Promise<void> {
  const ids = await accountsOf(tx, grantId, from)
  await setEntitlements(tx, SOURCE, ids.map(refOf), status)
  if (from !== to && ids.length > 0) await touch(tx, classAccount, { state: to } as object, ids)
}

interface Room { name: string; type_id: number; id: number; school_id: number; partner_id: number | null }

export const roomOf = async (tx: Queryable, id: number) => (await tx.query<Room & Record<string, unknown>>(sql`select r.id, r.name, r.type_id, r.school_id, s.partner_id from study_room r join app_school s on s.id = r.school_id where r.id = ${id}`))[0]

interface Limits { name: string; subject_id: number; state: number; room_type_ids: number[] | null; partner_ids: number[] | null; school_ids: number[] | null; room_ids: number[] | null; close_at: number | null }

/** Why a room may not be given a course, as one sentence; undefined when it may. */
export function refusalOf(course: Limits, room: Room): string | undefined {
  const [types, partners, schools, rooms] = [course.room_type_ids ?? [], course.partner_ids ?? [], course.school_ids ?? [], course.room_ids ?? []]
  if (course.state !== COURSE_STATE.on) return `课程「${course.name}」没有上架`
  if (course.close_at !== null && course.close_at <= Date.now() / 1000) return `课程「${course.name}」已过截止时间`
  if (types.length > 0 && !types.includes(room.type_id)) return `课程「${course.name}」不开放给「${room.name}」这一类型的自习室`
  const limited = partners.length + schools.length + rooms.length > 0
  return limited && !(room.partner_id !== null && partners.includes(room.partner_id)) && !schools.includes(room.school_id) && !rooms.includes(room.id) ? `课程「${course.name}」不开放给「${room.name}」` : undefined
}

export const courseLimits = async (tx: Queryable, id: number) => (await tx.query<Limits & Record<string, unknown>>(sql`select name, subject_id, state, room_type_ids, partner_ids, school_ids, room_ids, extract(epoch from close_at)::int as close_at from class_course where id = ${id}`))[0]

/** A quota covers those who are there, and those who return when what was recalled is granted again. */
async function checkQuota(tx: Queryable, quota: number, grantId: number): Promise<void> {
  const [taken] = await tx.query<{ n: number }>(sql`select ${count(sql`${grantId}::bigint`, A.used, A.recalled)} as n`)
  if (taken && taken.n > quota) throw invalid({ quota: `已有 ${taken.n} 名学员在用，名额不能小于 ${taken.n}` })
}

type Row = { id: number; valid_until: number; quota: number; state: number }

/** Rules that grants of courses and of plans share. */
const rules = {
  computed,
  segments,
  async after({ tx, row, saved }: { tx: Queryable; row: Row | undefined; saved: Row }) {
    if (!row || row.valid_until === saved.valid_until) return
    const ids = [...await accountsOf(tx, saved.id, A.used), ...await accountsOf(tx, saved.id, A.recalled)]
    await extendEntitlements(tx, SOURCE, new Map(ids.map((id) => [refOf(id), endOf(saved.valid_until)])))
  },
  effects: {
    pause: ({ tx, row }: { tx: Queryable; row: Row }) => follow(tx, row.id, A.used, A.used, ENTITLEMENT_STATUS.stopped),
    resume: ({ tx, row }: { tx: Queryable; row: Row }) => follow(tx, row.id, A.used, A.used, ENTITLEMENT_STATUS.active),
    recall: ({ tx, row }: { tx: Queryable; row: Row }) => follow(tx, row.id, A.used, A.recalled, ENTITLEMENT_STATUS.stopped),
    regrant: ({ tx, row }: { tx: Queryable; row: Row }) => follow(tx, row.id, A.recalled, A.used, ENTITLEMENT_STATUS.active),
  },
}


const before = ({ tx, values, row }: { tx: Queryable; values: { quota?: number | null }; row: Row | undefined }) => (row && typeof values.quota === 'number' ? checkQuota(tx, values.quota, row.id) : undefined)

export const grantServices: readonly ResourceService[] = [
  serve(roomCourse)({ ...rules, before }), serve(roomPlan)({ ...rules, before }), serve(anyGrant)({ computed, segments }),
  serve(classAccount)({ effects: { async release({ tx, row }) { await setEntitlements(tx, SOURCE, [refOf(row.id)], ENTITLEMENT_STATUS.stopped) } } }),
]
