import { sql, type SQL } from 'drizzle-orm'
import { serve } from '../../core/resource/serve.server.ts'
import { ORDER_STATUS } from '../order/module.ts'
import { agentTarget, targetName } from './target.ts'

/** Orders that came to nothing. */
const GONE = sql.raw(String(ORDER_STATUS.cancelled))

/** What was done for the targets of the table of this name: by the agent and everybody below them, in the year of Shanghai. */
function doneOf(table: string): Readonly<Record<'sales' | 'codes', SQL>> {
  const own = sql.raw(`select a.id from agent a where a.id = ${table}.account_id or a.path like '%/' || ${table}.account_id || '/%'`)
  const within = (at: string) => sql.raw(`${at} >= make_timestamptz(${table}.year::int, 1, 1, 0, 0, 0, 'Asia/Shanghai') and ${at} < make_timestamptz(${table}.year::int + 1, 1, 1, 0, 0, 0, 'Asia/Shanghai')`)
  return {
    sales: sql`(select coalesce(sum(o.paid - o.refunded), 0)::float8 from orders o where o.agent_id in (${own}) and ${within('o.paid_at')} and o.virtual = 0 and o.status <> ${GONE} and o.deleted_at is null)`,
    codes: sql`(select coalesce(sum(g.total - coalesce(g.cancelled, 0)), 0)::float8 from activation_code_group g join partner p on p.id = g.partner_id where p.agent_id in (${own}) and ${within('g.created_at')} and g.deleted_at is null)`,
  }
}

const [row, bare] = [doneOf('t'), doneOf('agent_target')]
/** The share of the year that is over, between nothing and all of it. */
const ELAPSED = sql.raw("least(1, greatest(0, extract(epoch from now() - make_timestamptz(agent_target.year::int, 1, 1, 0, 0, 0, 'Asia/Shanghai')) / 31536000))")

export const agentTargets = serve(agentTarget)({
  async before({ tx, values, row: stored }) {
    if (stored) return
    const [owner] = await tx.query<{ name: string }>(sql`select name from agent where id = ${values.account_id}`)
    values['name'] = targetName(owner?.name ?? '', values.year ?? 0)
  },
  beforeOnlyReads: true,
  computed: { sales_done: row.sales, sales_rate: sql`floor(100 * ${row.sales} / t.sales)::int`, sales_left: sql`greatest(0, t.sales - ${row.sales})`, codes_done: row.codes, codes_left: sql`t.codes - ${row.codes}` },
  segments: { pace: {
    done: sql`${bare.sales} >= agent_target.sales`, behind: sql`(${bare.sales} < agent_target.sales and ${bare.sales} < agent_target.sales * ${ELAPSED})`, even: sql`(${bare.sales} < agent_target.sales and ${bare.sales} >= agent_target.sales * ${ELAPSED})`,
  } },
})
