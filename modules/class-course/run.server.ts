import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { ACCOUNT_STATE, classAccount, GRANT_STATE, roomPlan } from './grant.ts'
import { readRun, takePlanRecords, tickTask, type Run } from './grant-calls.ts'
import type { PlanRoom } from './plan-calls.ts'
import { dateOf, dayNo, scheduleOf, standing, type Calendar } from './run.ts'
import { lastDay, type PlanTask } from './tasks.ts'

interface Going extends Calendar { id: number; name: string; plan_id: number }
interface Place { id: number; grant_id: number; student: string; done: string[] | null; last_at: number | null }

const GOING = sql`g.id, g.name, g.plan_id, extract(epoch from g.start_on)::int as start_on, coalesce(g.rest_days, array[]::bigint[]) as rest_days`

/** The tasks that each of these rooms works through, by the versions that hold there. */
async function schedules(db: Queryable, grants: readonly Going[]): Promise<ReadonlyMap<number, { tasks: PlanTask[]; no: number }>> {
  const ids = grants.map(({ id }) => id)
  const turns = await db.query<{ grant_id: number; no: number; from_day: number }>(sql`select grant_id, no, from_day from plan_run where grant_id = any(${sql.param(ids)}::bigint[]) order by grant_id, no`)
  const plans = [...new Set(grants.map(({ plan_id }) => plan_id))]
  const versions = await db.query<{ plan_id: number; no: number; tasks: PlanTask[] }>(sql`select plan_id, no, tasks from plan_version where plan_id = any(${sql.param(plans)}::bigint[])`)
  const byPlan = new Map([...Map.groupBy(versions, ({ plan_id }) => plan_id)].map(([id, own]) => [id, new Map(own.map(({ no, tasks }) => [no, tasks]))]))
  const byGrant = Map.groupBy(turns, ({ grant_id }) => grant_id)
  return new Map(grants.map(({ id, plan_id }) => {
    const own = byGrant.get(id) ?? []
    return [id, { tasks: scheduleOf(own, byPlan.get(plan_id) ?? new Map()), no: Math.max(0, ...own.map(({ no }) => no)) }]
  }))
}

/** Who uses these grants, with what each did. */
const placesOf = (db: Queryable, ids: readonly number[]) => db.query<Place & Record<string, unknown>>(sql`select a.id, a.grant_id, a.student, (select array_agg(d.task_key) from plan_done d where d.account_id = a.id) as done,
    (select extract(epoch from max(d.at))::int from plan_done d where d.account_id = a.id) as last_at
  from class_account a where a.grant_id = any(${sql.param([...ids])}::bigint[]) and a.state = ${ACCOUNT_STATE.used} and a.deleted_at is null order by a.id`)

const now = () => Math.floor(Date.now() / 1000)

/** Rooms that work through a plan, with how many are behind. */
export async function roomsOf(db: Queryable, staff: Staff, planId: number): Promise<PlanRoom[]> {
  const grants = await db.query<Going & Record<string, unknown>>(sql`select ${GOING} from room_course g where g.id in (select id from room_course where ${listCondition(roomPlan, staff, {})}) and g.plan_id = ${planId} and g.state in (${GRANT_STATE.active}, ${GRANT_STATE.paused}) order by g.id limit 200`)
  const [own, places] = [await schedules(db, grants), Map.groupBy(await placesOf(db, grants.map(({ id }) => id)), ({ grant_id }) => grant_id)]
  return grants.map((grant) => {
    const today = dayNo(grant, now())
    const learners = places.get(grant.id) ?? []
    const { tasks, no } = own.get(grant.id) ?? { tasks: [], no: 0 }
    return { id: grant.id, name: grant.name, version_no: no, today, learners: learners.length, behind: learners.filter(({ done }) => standing(tasks, today, new Set(done ?? [])).behind > 0).length }
  })
}

/** How a room goes through its plan. @throws notFound */
async function runOf(db: Queryable, staff: Staff, id: number): Promise<Run> {
  const [grant] = await db.query<Going & Record<string, unknown>>(sql`select ${GOING} from room_course g where g.id in (select id from room_course where ${listCondition(roomPlan, staff, {})} and id = ${id})`)
  if (!grant) throw notFound(roomPlan.label)
  const tasks = (await schedules(db, [grant])).get(id)?.tasks ?? []
  const places = await placesOf(db, [id])
  const today = dayNo(grant, now())
  const byTask = new Map<string, number[]>()
  for (const { id: account, done } of places) for (const key of done ?? []) byTask.set(key, [...byTask.get(key) ?? [], account])
  return {
    today, last: lastDay(tasks),
    learners: places.map(({ id: account_id, student, done, last_at }) => ({ account_id, name: shownName(classAccount, staff, student), last_at, ...standing(tasks, today, new Set(done ?? [])) })).sort((a, b) => b.behind - a.behind || a.account_id - b.account_id),
    tasks: tasks.map(({ key, day, title, kind, minutes, required }) => ({ key, day, title, kind, minutes, required, on: dateOf(grant, day), done: byTask.get(key) ?? [] })),
  }
}

/**
 * Lets rooms go on by a version that has just been published: from their next day on, so that nothing of today or before
 * changes under anybody. What was published earlier today never began, and makes room.
 */
export async function turnRooms(tx: Queryable, planId: number, no: number): Promise<void> {
  const grants = await tx.query<Going & Record<string, unknown>>(sql`select ${GOING} from room_course g where g.kind = 'plan' and g.plan_id = ${planId} and g.deleted_at is null order by g.id`)
  const turns = grants.map((grant) => ({ grant_id: grant.id, no, from_day: dayNo(grant, now()) + 1 }))
  if (turns.length === 0) return
  const sent = sql`jsonb_to_recordset(${JSON.stringify(turns)}::jsonb) as r (grant_id bigint, no integer, from_day integer)`
  await tx.query(sql`delete from plan_run p using ${sent} where p.grant_id = r.grant_id and p.from_day >= r.from_day`)
  await tx.query(sql`insert into plan_run (grant_id, no, from_day) select r.grant_id, r.no, r.from_day from ${sent} on conflict (grant_id, no) do nothing`)
}

/** The calls of rooms that work through plans, answered. */
export const runCalls = (): Served[] => [
  handle(readRun, (call) => runOf(call.db, call.staff, idParam(call))),
  handle(tickTask, (call) => call.transaction(async (tx) => {
    const id = idParam(call)
    const { account_id, task_key, done } = call.input
    const run = await runOf(tx, call.staff, id)
    if (!run.learners.some((one) => one.account_id === account_id)) throw invalid({ account_id: '该学员没有在用的名额' })
    const task = run.tasks.find(({ key }) => key === task_key)
    if (!task) throw invalid({ task_key: '计划里没有这项任务' })
    if (task.day > run.today) throw badRequest('还没有到这一天，不能登记')
    await tx.query(done
      ? sql`insert into plan_done (account_id, task_key, at, staff_id) values (${account_id}, ${task_key}, now(), ${call.staff.id}) on conflict do nothing`
      : sql`delete from plan_done where account_id = ${account_id} and task_key = ${task_key}`)
    return runOf(tx, call.staff, id)
  }, { action: 'tick_task' })),
  handle(takePlanRecords, (call) => call.transaction(async (tx) => {
    const { records } = call.input
    const sent = sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r (account_id bigint, task_key text, at bigint)`
    const [known] = await tx.query<{ n: number }>(sql`select count(*)::int as n from ${sent} join class_account a on a.id = r.account_id and a.deleted_at is null join room_course g on g.id = a.grant_id and g.kind = 'plan'`)
    const rows = await tx.query(sql`insert into plan_done (account_id, task_key, at) select distinct on (a.id, r.task_key) a.id, r.task_key, least(to_timestamp(r.at), now()) from ${sent} join class_account a on a.id = r.account_id and a.deleted_at is null
      join room_course g on g.id = a.grant_id and g.kind = 'plan' order by a.id, r.task_key, r.at on conflict do nothing returning account_id`)
    return { received: rows.length, unknown: records.length - (known?.n ?? 0) }
  })),
]
