import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, invalid, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { keepUndo } from '../../core/resource/keep-undo.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { change, type Done, type Pipeline } from '../../core/resource/operations.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { holdTargets } from '../../core/resource/write.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import { anyRoom } from '../room/module.ts'
import { userOfMobile } from '../user/door.server.ts'
import { appUser } from '../user/module.ts'
import { classCourse, COURSE_STATE } from './course.ts'
import { ACCOUNT_STATE, anyGrant, classAccount, GRANT_STATE, roomCourse, roomPlan } from './grant.ts'
import { extendCourses, extendPlans, grantMany, grantPlan, openAccounts, previewAccounts, readGrid, type GridCell, type Granted, type Opened } from './grant-calls.ts'
import { courseLimits, holdGrant, openCourse, refusalOf, requireLiving, roomOf } from './grant.server.ts'
import { PLAN_STATE, trainingPlan } from './plan.ts'
import type { Person } from './quota.ts'

const DAY = 86_400
const LIVING = sql`state in (${sql.raw([GRANT_STATE.active, GRANT_STATE.paused].join())}) and deleted_at is null`

/** Refuses what names records that the person does not see. @throws notFound */
async function reachAll(tx: Queryable, staff: Staff, resource: Resource, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)].sort((a, b) => a - b)
  const rows = await tx.query<{ id: number }>(sql`select id from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, {})} and id = any(${sql.param(wanted)}::bigint[])`)
  if (rows.length < wanted.length) throw notFound(resource.label)
  await holdTargets(tx, resource, wanted)
  return wanted
}

/** @throws AppError when the last day is over already */
function requireAhead(validUntil: number): void {
  if (startOfDay(validUntil) + DAY <= Date.now() / 1000) throw invalid({ valid_until: '有效期应晚于今天' })
}

/** Gives rooms courses; what a room may not have or has already is left out and said. */
export async function grantCourses(tx: Queryable, staff: Staff, input: { room_ids: number[]; course_ids: number[]; quota: number; valid_until: number }): Promise<Granted> {
  requireAhead(input.valid_until)
  const rooms = await reachAll(tx, staff, anyRoom, input.room_ids)
  const courses = await reachAll(tx, staff, classCourse, input.course_ids)
  // Whoever grants to the same rooms at once waits here, so that no room has a course twice.
  await tx.query(sql`select id from study_room where id = any(${sql.param(rooms)}::bigint[]) order by id for no key update`)
  const there = new Set((await tx.query<{ room_id: number; course_id: number }>(sql`select room_id, course_id from room_course where kind = 'course' and room_id = any(${sql.param(rooms)}::bigint[]) and course_id = any(${sql.param(courses)}::bigint[]) and ${LIVING}`)).map(({ room_id, course_id }) => `${room_id} ${course_id}`))
  const limits = new Map<number, NonNullable<Awaited<ReturnType<typeof courseLimits>>>>()
  for (const id of courses) {
    const found = await courseLimits(tx, id)
    if (found) limits.set(id, found)
  }
  const [rows, left_out]: [Record<string, unknown>[], Granted['left_out']] = [[], []]
  for (const room_id of rooms) {
    const room = await roomOf(tx, room_id)
    if (!room) throw notFound(anyRoom.label)
    for (const [course_id, course] of limits) {
      const why = there.has(`${room_id} ${course_id}`) ? '已经授权，可以续期或修改名额' : refusalOf(course, room)
      if (why) left_out.push({ room: room.name, what: course.name, why })
      else rows.push({ kind: 'course', name: `${room.name} · ${course.name}`, room_id, course_id, subject_id: course.subject_id, quota: input.quota, valid_until: input.valid_until, state: GRANT_STATE.active })
    }
  }
  if (rows.length > 0) await insertMany(tx, roomCourse, rows)
  return { made: rows.length, left_out }
}

/** Lets rooms work through a plan from a day on. */
export async function grantPlans(tx: Queryable, staff: Staff, input: { room_ids: number[]; plan_id: number; quota: number; valid_until: number; start_on: number; rest_days: number[] }): Promise<Granted> {
  requireAhead(input.valid_until)
  if (input.start_on > input.valid_until) throw invalid({ start_on: '开始日期不能晚于有效期' })
  const rooms = await reachAll(tx, staff, anyRoom, input.room_ids)
  await reachAll(tx, staff, trainingPlan, [input.plan_id])
  const [plan] = await tx.query<{ id: number; name: string; subject_id: number; state: number; version_no: number }>(sql`select id, name, subject_id, state, version_no::int as version_no from training_plan where id = ${input.plan_id}`)
  if (!plan) throw notFound(trainingPlan.label)
  if (plan.state !== PLAN_STATE.live) throw invalid({ plan_id: `训练计划「${plan.name}」没有发布` })
  await tx.query(sql`select id from study_room where id = any(${sql.param(rooms)}::bigint[]) order by id for no key update`)
  const there = new Set((await tx.query<{ room_id: number }>(sql`select room_id from room_course where kind = 'plan' and plan_id = ${plan.id} and room_id = any(${sql.param(rooms)}::bigint[]) and ${LIVING}`)).map(({ room_id }) => room_id))
  const [rows, left_out]: [Record<string, unknown>[], Granted['left_out']] = [[], []]
  for (const room_id of rooms) {
    const room = await roomOf(tx, room_id)
    if (!room) throw notFound(anyRoom.label)
    if (there.has(room_id)) left_out.push({ room: room.name, what: plan.name, why: '已经在执行' })
    else rows.push({ kind: 'plan', name: `${room.name} · ${plan.name}`, room_id, plan_id: plan.id, subject_id: plan.subject_id, quota: input.quota, valid_until: input.valid_until, start_on: input.start_on, rest_days: input.rest_days, state: GRANT_STATE.active })
  }
  const made = rows.length === 0 ? [] : await insertMany(tx, roomPlan, rows)
  // A room begins with what is published now.
  if (made.length > 0) await tx.query(sql`insert into plan_run (grant_id, no, from_day) select u.id, ${plan.version_no}, 1 from unnest(${sql.param(made)}::bigint[]) u (id)`)
  return { made: made.length, left_out }
}

/** Gives more time to what rooms may use, from its end or from today where that is over; taken back as one. */
async function extend(kernel: Kernel, tx: Queryable, given: Staff, resource: typeof roomCourse | typeof roomPlan, ids: readonly number[], days: number): Promise<{ extended: number; undo?: number }> {
  const service = kernel.registry.get(resource.name)
  if (!service) throw new Error(`${resource.name} is not served`)
  // More time is a right of its own.
  const staff = { ...given, modules: new Set([...given.modules, resource.actions.edit ?? 0]) }
  const pipeline: Pipeline = { service, registry: kernel.registry, targets: new Map([...kernel.registry].map(([name, known]) => [name, known.resource])), staff }
  const today = startOfDay(Math.floor(Date.now() / 1000))
  const done: Done[] = []
  for (const id of await sorted(tx, staff, resource, ids)) {
    const [row] = await tx.query<{ valid_until: number; state: number; name: string }>(sql`select extract(epoch from valid_until)::int as valid_until, state, name from room_course where id = ${id} for no key update`)
    if (!row) throw notFound(resource.label)
    if (row.state === GRANT_STATE.recalled) throw new AppError('wrong_state', 409, `「${row.name}」已回收，请先重新授权`)
    done.push(await change(tx, pipeline, id, { valid_until: Math.max(today, row.valid_until) + days * DAY }))
  }
  const undo = await keepUndo(tx, { resource, staff: given, action: 'extend' }, done)
  return { extended: done.length, ...(undo !== undefined && { undo }) }
}

/** Ids within the person's reach, in the order in which they are locked. @throws notFound */
async function sorted(tx: Queryable, staff: Staff, resource: Resource, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)].sort((a, b) => a - b)
  const rows = await tx.query<{ id: number }>(sql`select id from room_course where ${listCondition(resource, staff, {})} and id = any(${sql.param(wanted)}::bigint[])`)
  if (rows.length < wanted.length) throw notFound(resource.label)
  return wanted
}

const requireUnique = (people: readonly Person[]) => {
  if (new Set(people.map(({ mobile }) => mobile)).size < people.length) throw invalid({ people: '手机号有重复' })
}

interface Known { mobile: string; real_name: string | null; account_id: number | null }

/** Who of these has a place already, and who has an account at all. A name that is known is shown as the person may see it. */
async function judge(db: Queryable, staff: Staff, grantId: number, people: readonly Person[]): Promise<Opened['rows']> {
  const known = new Map((await db.query<Known & Record<string, unknown>>(sql`select u.mobile, u.real_name, (select max(a.id) from class_account a where a.grant_id = ${grantId} and a.user_id = u.id and a.state = ${ACCOUNT_STATE.used} and a.deleted_at is null) as account_id
    from app_user u where u.mobile = any(${sql.param(people.map(({ mobile }) => mobile))}::text[]) and u.deleted_at is null`)).map((row) => [row.mobile, row]))
  return people.map(({ mobile, name }) => {
    const found = known.get(mobile)
    return { mobile, name: found?.real_name ? shownName(appUser, staff, found.real_name) : name, state: found === undefined ? 'new' : found.account_id === null ? 'known' : 'there' }
  })
}

/** Gives people places of what a room may use: all of them or none. */
export async function openPlaces(tx: Queryable, staff: Staff, grantId: number, people: readonly Person[]): Promise<Opened> {
  requireUnique(people)
  await sorted(tx, staff, anyGrant, [grantId])
  const held = await holdGrant(tx, grantId)
  if (!held) throw notFound(anyGrant.label)
  requireLiving(held)
  const rows = await judge(tx, staff, grantId, people)
  const fresh = people.filter((_, at) => rows[at]?.state !== 'there')
  if (held.used + fresh.length > held.quota) throw new AppError('quota_exceeded', 409, `「${held.name}」名额不足：共 ${held.quota} 个，已用 ${held.used} 个，还要开通 ${fresh.length} 人`)
  if (fresh.length === 0) return { rows, opened: 0, quota: held.quota, used: held.used }
  const users: { user_id: number; student: string }[] = []
  for (const person of fresh.toSorted((a, b) => (a.mobile < b.mobile ? -1 : 1))) users.push({ user_id: await userOfMobile(tx, staff.id, person), student: person.name })
  const now = Math.floor(Date.now() / 1000)
  const ids = await insertMany(tx, classAccount, users.map((user) => ({ ...user, grant_id: grantId, opened_at: now, state: ACCOUNT_STATE.used })))
  await openCourse(tx, staff.id, held, ids.map((id, at) => ({ id, user_id: users[at]?.user_id ?? 0 })))
  return { rows, opened: fresh.length, quota: held.quota, used: held.used + fresh.length }
}

/** Rooms and courses of the grid at once. */
const MOST_SHOWN = 200

/** The calls of what rooms may use, answered. */
export const grantCalls = (kernel: Kernel): Served[] => [
  handle(readGrid, async (call) => {
    const { cat_id, school_id } = call.input
    const courses = await call.db.query<{ id: number; name: string; subject: string }>(sql`select c.id, c.name, s.name as subject from class_course c join subject s on s.id = c.subject_id
      where c.id in (select id from class_course where ${listCondition(classCourse, call.staff, {})}) and c.state in (${COURSE_STATE.on}, ${COURSE_STATE.off})${cat_id === undefined ? sql`` : sql` and c.subject_id = ${Number(cat_id)}`} order by c.level, c.subject_id, c.sort, c.id limit ${MOST_SHOWN}`)
    const rooms = await call.db.query<{ id: number; name: string; school: string }>(sql`select r.id, r.name, s.name as school from study_room r join app_school s on s.id = r.school_id
      where r.id in (select id from study_room where ${listCondition(anyRoom, call.staff, {})}) and r.status = 1${school_id === undefined ? sql`` : sql` and r.school_id = ${Number(school_id)}`} order by s.name, r.name, r.id limit ${MOST_SHOWN}`)
    const cells = await call.db.query<GridCell & Record<string, unknown>>(sql`select t.id, t.room_id, t.course_id, t.quota::int as quota, (select count(*)::int from class_account a where a.grant_id = t.id and a.state = ${ACCOUNT_STATE.used} and a.deleted_at is null) as used,
        extract(epoch from t.valid_until)::int as valid_until, t.state from room_course t
      where t.id in (select id from room_course where ${listCondition(roomCourse, call.staff, {})}) and t.room_id = any(${sql.param(rooms.map(({ id }) => id))}::bigint[]) and t.course_id = any(${sql.param(courses.map(({ id }) => id))}::bigint[]) order by t.state = ${GRANT_STATE.recalled} desc, t.id`)
    return { rooms, courses, cells }
  }),
  handle(grantMany, (call) => call.transaction((tx) => grantCourses(tx, call.staff, call.input), { action: 'grant_room' })),
  handle(grantPlan, (call) => call.transaction((tx) => grantPlans(tx, call.staff, call.input), { action: 'grant_room' })),
  handle(extendCourses, (call) => call.transaction((tx) => extend(kernel, tx, call.staff, roomCourse, call.input.ids, call.input.days), { action: 'extend' })),
  handle(extendPlans, (call) => call.transaction((tx) => extend(kernel, tx, call.staff, roomPlan, call.input.ids, call.input.days), { action: 'extend' })),
  handle(previewAccounts, async (call) => {
    const [id = 0] = await sorted(call.db, call.staff, anyGrant, [idParam(call)])
    requireUnique(call.input.people)
    const [held] = await call.db.query<{ quota: number; used: number }>(sql`select t.quota::int as quota, (select count(*)::int from class_account a where a.grant_id = t.id and a.state = ${ACCOUNT_STATE.used} and a.deleted_at is null) as used from room_course t where t.id = ${id}`)
    const rows = await judge(call.db, call.staff, id, call.input.people)
    return { rows, opened: rows.filter(({ state }) => state !== 'there').length, quota: held?.quota ?? 0, used: held?.used ?? 0 }
  }),
  handle(openAccounts, (call) => call.transaction((tx) => openPlaces(tx, call.staff, idParam(call), call.input.people), { action: 'open_accounts' })),
]
