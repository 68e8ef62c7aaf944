import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { touch } from '../../core/resource/touch.server.ts'
import type { TableUse } from '../../core/resource/uses.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import type { AssetUser } from '../asset/door.server.ts'
import { boardPath, trainingPlan } from './plan.ts'
import type { PlanTask } from './tasks.ts'

const living = sql`join training_plan c on c.id = s.plan_id and c.deleted_at is null`

/** Writes down what a plan shows, in the transaction that writes its tasks. */
export async function writeUses(tx: Queryable, id: number, tasks: readonly PlanTask[], published: readonly PlanTask[]): Promise<void> {
  const shown = new Map<string, { kind: string; ref_id: number; live: boolean }>()
  for (const [list, live] of [[tasks, false], [published, true]] as const) for (const { show } of list) if (show) shown.set(`${show.kind} ${show.ref_id}`, { ...show, live })
  await tx.query(sql`delete from plan_use where plan_id = ${id}`)
  if (shown.size > 0) {
    await tx.query(sql`insert into plan_use (plan_id, kind, ref_id, live) select ${id}::bigint, r.kind, r.ref_id, r.live from jsonb_to_recordset(${JSON.stringify([...shown.values()])}::jsonb) as r (kind text, ref_id bigint, live boolean)`)
  }
}

/** What keeps a record from being removed while a plan shows it. */
export const usedByPlans = (kind: string, target: Resource): TableUse => ({
  target, table: 'plan_use', label: '训练计划', measure: '个',
  when: sql`r.kind = ${sql.raw(`'${kind}'`)} and r.ref_id = u.id and exists (select 1 from training_plan c where c.id = r.plan_id and c.deleted_at is null)`,
})

/** Plans as users of what tasks of a kind show: how many, and which of them a person may see. */
export const usesByPlans = (kind: string): Pick<AssetUser, 'count' | 'list'> => ({
  count: (id: SQL) => sql`(select count(*) from plan_use s ${living} where s.kind = ${sql.raw(`'${kind}'`)} and s.ref_id = ${id})`,
  async list(db, staff, id) {
    if (!staff.modules.has(trainingPlan.grant)) return []
    const rows = await db.query<{ id: number; name: string; live: boolean }>(sql`select c.id, c.name, s.live from plan_use s ${living} where s.kind = ${kind} and s.ref_id = ${id} and c.id in (select id from training_plan where ${listCondition(trainingPlan, staff, {})}) order by c.id desc limit 100`)
    return rows.map((row) => ({ kind: trainingPlan.label, title: row.name, path: boardPath(row.id), live: row.live }))
  },
})

/** Another video takes the place of one in what is edited; rooms follow when the plan is published. */
async function move(tx: Queryable, staff: Staff, from: number, to: number): Promise<{ moved: number; left_alone: number }> {
  const done = { moved: 0, left_alone: 0 }
  for (const { id } of await tx.query<{ id: number }>(sql`select c.id from plan_use s ${living} where s.kind = 'video' and s.ref_id = ${from} order by c.id`)) {
    try {
      if (!staff.modules.has(trainingPlan.actions.update ?? 0)) throw new AppError('not_granted', 403, '没有权限')
      const row = await lockRow(tx, trainingPlan, staff, id)
      const tasks = (row.tasks ?? []) as PlanTask[]
      const next = tasks.map((task) => (task.show?.kind === 'video' && task.show.ref_id === from ? { ...task, show: { ...task.show, ref_id: to } } : task))
      if (next.every((task, at) => task === tasks[at])) throw new AppError('published', 409, '只在已发布的版本里')
      await touch(tx, trainingPlan, { tasks: next }, id)
      await writeUses(tx, id, next, (row.published ?? []) as PlanTask[])
      done.moved++
    } catch (error) {
      // Refused before anything is written: what the person may not change, or what learners see alone.
      if (!(error instanceof AppError)) throw error
      done.left_alone++
    }
  }
  return done
}

/** Plans as users of the library's videos. */
export const videoUses: AssetUser = { ...usesByPlans('video'), move }
