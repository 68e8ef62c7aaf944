import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../core/error/error.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { packPlan, type PackPlan } from './calls.ts'
import { mustLine } from './line.ts'
import { evenDays, type PlanPaper } from './plan.ts'

/** Days in which a pack is gone through where nobody said. */
const USUAL_DAYS = 30

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)

/** Papers in the order in which a pack has them. */
const papersOf = (db: Queryable, ids: readonly number[]) => db.query<PlanPaper & Record<string, unknown>>(sql`select p.id, p.name, p.question_count::int as count
  from unnest(${sql.param([...ids])}::bigint[]) with ordinality u (id, place) join paper p on p.id = u.id where p.deleted_at is null order by u.place`)

/**
 * Refuses a plan that leaves questions out or has more than there are. A pack that gets other papers or days, and no plan
 * with them, is planned evenly again.
 */
export async function checkPlan(tx: Queryable, values: Record<string, unknown>, row: Readonly<Record<string, unknown>> | undefined): Promise<void> {
  const plan = values['day_plan'] as { count: number }[] | null | undefined
  if (!plan?.length) {
    if ('paper_ids' in values || 'plan_days' in values) values['day_plan'] = null
    return
  }
  const ids = (values['paper_ids'] ?? row?.['paper_ids'] ?? []) as number[]
  const total = sum((await papersOf(tx, ids)).map(({ count }) => count))
  const planned = sum(plan.map(({ count }) => count))
  if (planned !== total) throw invalid({ day_plan: `各天合计 ${planned} 题，题包共 ${total} 题，请调整到一致` })
  values['plan_days'] = plan.length
}

/** The call that reads the plan of a pack, answered. */
export function planCalls(): Served[] {
  const { offers } = mustLine
  return [handle(packPlan, async (call): Promise<PackPlan> => {
    const [row] = await call.db.query<{ paper_ids: number[] | null; plan_days: number | null; day_plan: { count: number }[] | null }>(sql`select paper_ids, plan_days, day_plan from offer
      where id in (select id from offer where ${listCondition(offers, call.staff, {})}) and id = ${idParam(call)}`)
    if (!row) throw notFound(offers.label)
    const papers = await papersOf(call.db, row.paper_ids ?? [])
    const total = sum(papers.map(({ count }) => count))
    const set = row.day_plan?.map(({ count }) => count) ?? []
    const fits = set.length > 0 && sum(set) === total
    return { papers, counts: fits ? set : evenDays(total, row.plan_days ?? USUAL_DAYS), stale: set.length > 0 && !fits }
  })]
}
