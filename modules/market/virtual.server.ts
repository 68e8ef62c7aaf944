import { sql } from 'drizzle-orm'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { serve, type RulesOf } from '../../core/resource/serve.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { ACTION_LABELS } from '../order/module.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { readVirtual, recallVirtual, type VirtualStory } from './calls.ts'
import { ORIGIN } from './market-effect.server.ts'
import { takeOrdersBack } from './recall.server.ts'
import { virtualOrder } from './virtual-order.ts'

/** The request that an order came from; `order` is the order's id. */
const request = (order: string) => sql.raw(`order_origin r join apply a on a.id = r.ref_id where r.kind = '${ORIGIN}' and r.order_id = ${order}`)
/** What an order opened, by the references of its items; `order` is the order's id. */
const opened = (order: string) => sql.raw(`order_item i join entitlement e on e.source = ${ENTITLEMENT_SOURCE.virtual} and e.ref = 'order_item ' || i.id || ':' || i.ref_id and e.deleted_at is null where i.order_id = ${order}`)

const { active, refunded } = ENTITLEMENT_STATUS
const rules: RulesOf<typeof virtualOrder> = {
  computed: {
    source: sql`case when exists (select 1 from ${request('t.id')}) then '市场开通' else '后台录单' end`,
    org: sql`(select a.org from ${request('t.id')} limit 1)`,
    until: sql`(select max(e.expire_at) from ${opened('t.id')} and e.status = ${active})`,
  },
  segments: {
    from: { market: sql`exists (select 1 from ${request('orders.id')})`, staff: sql`not exists (select 1 from ${request('orders.id')})` },
    force: {
      running: sql`exists (select 1 from ${opened('orders.id')} and e.status = ${active} and e.expire_at > now())`,
      over: sql`exists (select 1 from ${opened('orders.id')} and e.status = ${active} and e.expire_at <= now())`,
      back: sql`exists (select 1 from ${opened('orders.id')} and e.status = ${refunded})`,
    },
  },
}
export const virtualOrders = serve(virtualOrder)(rules)

const actions: Readonly<Record<string, string>> = ACTION_LABELS

/** The calls of virtual orders beside their list. */
export const virtualCalls = (): Served[] => [
  handle(readVirtual, async (call) => {
    const row = await readOne(call.db, virtualOrder, call.staff, idParam(call), rules.computed ?? {})
    if (!row) throw notFound(virtualOrder.label)
    const [asked] = await call.db.query<NonNullable<VirtualStory['request']> & Record<string, unknown>>(sql`select a.id, a.org, a.purpose::int as purpose, a.days::int as days, a.reason, s.name as staff_name, d.name as auditor_name, extract(epoch from a.audited_at)::float8 as audited_at
      from order_origin r join apply a on a.id = r.ref_id left join staff s on s.id = a.staff_id left join staff d on d.id = a.auditor_id where r.kind = ${ORIGIN} and r.order_id = ${row.id}`)
    const log = await call.db.query<VirtualStory['log'][number] & Record<string, unknown>>(sql`select l.id, extract(epoch from l.at)::float8 as at, s.name as staff_name, l.action, l.reason from order_log l left join staff s on s.id = l.staff_id where l.order_id = ${row.id} order by l.id desc limit 50`)
    return {
      request: asked ?? null,
      opened: await call.db.query<VirtualStory['opened'][number] & Record<string, unknown>>(sql`select e.product, extract(epoch from e.start_at)::float8 as start_at, extract(epoch from e.expire_at)::float8 as expire_at, e.status
        from order_item i cross join lateral jsonb_array_elements(i.effect->'opened') one join entitlement e on e.source = ${ENTITLEMENT_SOURCE.virtual} and e.ref = 'order_item ' || i.id || ':' || (one->>'offer_id') and e.deleted_at is null where i.order_id = ${row.id} order by e.id`),
      log: log.map((step) => ({ ...step, action: step.action === 'refund' ? '收回' : step.action === 'pay' ? '开通' : actions[step.action] ?? step.action })),
    }
  }),
  handle(recallVirtual, (call) => call.transaction(async (tx) => {
    const ids = [...new Set(call.input.ids)].sort((a, b) => a - b)
    const rows = await tx.query<{ id: number }>(sql`select id from orders where ${listCondition(virtualOrder, call.staff, {})} and id = any(${sql.param(ids)}::bigint[])`)
    if (rows.length < ids.length) throw notFound(virtualOrder.label)
    const recalled = await takeOrdersBack(tx, call.staff, ids, call.input.reason)
    if (recalled === 0) throw badRequest('选中的虚拟订单都已收回，没有可以收回的')
    return { recalled }
  }, { action: 'recall', reason: call.input.reason })),
]
