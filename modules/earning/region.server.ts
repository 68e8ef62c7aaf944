import { sql, type SQL } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { regionName } from '../../core/field/region.server.ts'
import { questionChecks } from '../../core/kernel/self-check.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { sameBranch } from '../agent/door.server.ts'
import { agent, AGENT_STATUS } from '../agent/module.ts'
import { ORDER_STATUS } from '../order/module.ts'
import { MOST_FOREIGN, regionCheck, type Foreign, type Holder, type Regions } from './region.ts'

/** Orders of which nothing stays sold. */
const GONE = [ORDER_STATUS.cancelled, ORDER_STATUS.closed, ORDER_STATUS.refunded]

type Row = Omit<Foreign, 'region_name'> & { region_code: string } & Record<string, unknown>
type Count = Record<'holder_id' | 'partners' | 'orders' | 'amount', number>

/** What agents sold in the exclusive regions of others, answered: where the buyer lives, or the goods were sent. */
export const regionCalls: readonly Served[] = [
  handle(regionCheck, async (call): Promise<Regions> => {
    const days = Number(call.input.days ?? '90')
    const seen = sql`select id from agent where ${listCondition(agent, call.staff, {})}`
    const [holders, counts, rows] = await Promise.all([
      call.db.query<Pick<Holder, 'id' | 'name' | 'region_code'> & Record<string, unknown>>(sql`select id, name, region_code from agent where id in (${seen}) and region_code is not null and status <> ${AGENT_STATUS.ended} order by region_code, id`),
      call.db.query<Count>(sql`${foreignOnes(seen, days)} select holder_id, (count(*) filter (where kind = 'partner'))::int as partners, (count(*) filter (where kind = 'order'))::int as orders, coalesce(sum(amount), 0)::float8 as amount from foreign_ones group by holder_id`),
      call.db.query<Row>(sql`${foreignOnes(seen, days)} select kind, id, name, region_code, amount, extract(epoch from at)::float8 as at, holder_id, holder, seller from foreign_ones order by at desc, kind, id limit ${MOST_FOREIGN}`),
    ])
    const of = new Map(counts.map((one) => [one.holder_id, one]))
    return {
      holders: holders.map((one) => ({ ...one, region_name: regionName(one.region_code), partners: of.get(one.id)?.partners ?? 0, orders: of.get(one.id)?.orders ?? 0, amount: of.get(one.id)?.amount ?? 0 })),
      foreign: rows.map(({ region_code, ...row }) => ({ ...row, region_name: regionName(region_code) })),
      total: counts.reduce((sum, one) => sum + one.partners + one.orders, 0),
    }
  }),
]

/** Partners and orders of agents in regions that another branch holds. @param seen agents within what the person may see */
const foreignOnes = (seen: SQL, days: number): SQL => sql`with sold as (
    select 'partner' as kind, p.id, p.name, p.region_code, p.agent_id, null::float8 as amount, p.created_at as at from partner p where p.agent_id is not null and p.deleted_at is null
    union all select 'order', o.id, o.order_no, coalesce(r.region_code, u.region_code), o.agent_id, (o.paid - o.refunded)::float8, o.paid_at from orders o left join order_receiver r on r.order_id = o.id left join app_user u on u.id = o.user_id
      where o.agent_id is not null and o.paid_at > now() - make_interval(days => ${days}) and o.status <> all(${sql.param(GONE)}::int[]) and o.deleted_at is null
  ), foreign_ones as (
    select s.kind, s.id, s.name, s.region_code, s.amount, s.at, h.id as holder_id, h.name as holder, case when b.id in (${seen}) then b.name end as seller
    from sold s join agent h on starts_with(s.region_code, h.region_code) and h.id in (${seen}) and h.status <> ${AGENT_STATUS.ended} and h.deleted_at is null join agent b on b.id = s.agent_id and not ${sameBranch('h', 'b')}
  )`

/** No two branches hold the same region. */
export const regionChecks = questionChecks('应得', [
  ['region_overlap', '两个代理的独家区域重叠', sql`select a.id, a.name, b.name as other from agent a join agent b on a.id < b.id and (starts_with(a.region_code, b.region_code) or starts_with(b.region_code, a.region_code)) and not ${sameBranch('a', 'b')}
    where a.status <> ${AGENT_STATUS.ended} and b.status <> ${AGENT_STATUS.ended} and a.deleted_at is null and b.deleted_at is null`],
])
