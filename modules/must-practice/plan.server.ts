import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { present } from '../../core/resource/list.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { checkRev, lockRow } from '../../core/resource/write.server.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { packPlan, setPackPlan, type PackPlan } from './calls.ts'
import { mustLine } from './line.ts'
import { evenDays, type PlanPaper } from './plan.ts'

/** Days in which a pack is gone through where nobody said. */
const USUAL_DAYS = 30

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)

/** Papers in the order in which a pack has them. */
const papersOf = (db: Queryable, ids: readonly number[]) => db.query<PlanPaper & Record<string, unknown>>(sql`select p.id, p.name, p.question_count::int as count
  from unnest(${sql.param([...ids])}::bigint[]) with ordinality u (id, place) join paper p on p.id = u.id where p.deleted_at is null order by u.place`)

/** A pack that gets other papers or days is planned evenly again. */
export function forgetPlan(values: Record<string, unknown>): void {
  if ('paper_ids' in values || 'plan_days' in values) values['day_plan'] = null
}

/** The plan of a pack. @throws AppError when the person sees no such pack */
async function readPlan(db: Queryable, staff: Staff, id: number): Promise<PackPlan> {
  const { offers } = mustLine
  const [row] = await db.query<{ paper_ids: number[] | null; plan_days: number | null; day_plan: { count: number }[] | null }>(sql`select paper_ids, plan_days, day_plan from offer
    where id in (select id from offer where ${listCondition(offers, staff, {})}) and id = ${id}`)
  if (!row) throw notFound(offers.label)
  const papers = await papersOf(db, row.paper_ids ?? [])
  const total = sum(papers.map(({ count }) => count))
  const set = row.day_plan?.map(({ count }) => count) ?? []
  const fits = set.length > 0 && sum(set) === total
  return { papers, counts: fits ? set : evenDays(total, row.plan_days ?? USUAL_DAYS), stale: set.length > 0 && !fits }
}

/** The calls of a pack's plan, answered. */
export function planCalls(): Served[] {
  const { offers } = mustLine
  return [
    handle(packPlan, (call) => readPlan(call.db, call.staff, idParam(call))),
    handle(setPackPlan, (call) => call.transaction(async (tx) => {
      const { counts, rev } = call.input
      const row = await lockRow(tx, offers, call.staff, idParam(call))
      await checkRev(tx, row, rev, (stale) => present(offers, call.staff, stale))
      if (row.state === OFFER_STATE.waiting || row.state === OFFER_STATE.archived) throw badRequest('题包正在审核或已归档，不能修改')
      const total = sum((await papersOf(tx, (row['paper_ids'] ?? []) as number[])).map(({ count }) => count))
      if (sum(counts) !== total) throw invalid({ counts: `各天合计 ${sum(counts)} 题，题包共 ${total} 题，请调整到一致` })
      await touch(tx, offers, { plan_days: counts.length, day_plan: counts.map((count) => ({ count })) }, row.id)
      return readPlan(tx, call.staff, row.id)
    })),
  ]
}
