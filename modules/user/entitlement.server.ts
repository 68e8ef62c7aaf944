import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { badRequest } from '../../core/error/error.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import type { RowType } from '../../core/resource/define.ts'
import { recordsWritten } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { ENTITLEMENT_STATUS, entitlement } from './entitlement.ts'
import { ENTITLEMENT_LINES } from './lines.ts'

type Entitlement = RowType<typeof entitlement>
type Source = Entitlement['source']
type Status = Entitlement['status']

/** What is opened for a user; times in unix seconds. */
export type Grant = Pick<Entitlement, 'user_id' | 'line' | 'product' | 'offer_id' | 'source' | 'ref' | 'start_at' | 'expire_at'>

/** Latest end of anything: 2100-01-01 in Beijing, in unix seconds. Later moments are slips, and soon no dates at all. */
const LATEST = 4_102_416_000

/**
 * Opens entitlements, in the caller's transaction. What the same `source` and `ref` had opened before is opened again:
 * a code that was unbound and is activated again, an order that was refunded and paid again.
 * @param staffId who opens them; null where nobody of the staff does
 * @throws AppError when one would end after 2099
 */
export async function openEntitlements(tx: Queryable, staffId: number | null, grants: readonly Grant[]): Promise<void> {
  if (grants.length === 0) return
  const endless = grants.find(({ expire_at }) => expire_at > LATEST)
  if (endless) throw badRequest(`「${endless.product}」的到期时间超过 2099 年，请减少数量或天数`)
  await tx.query(sql`insert into entitlement (user_id, line, product, offer_id, source, ref, start_at, expire_at, status, created_by, updated_by)
    select user_id, line, product, offer_id, source, ref, to_timestamp(start_at), to_timestamp(expire_at), ${ENTITLEMENT_STATUS.active}, ${staffId}, ${staffId}
    from jsonb_to_recordset(${JSON.stringify(grants)}::jsonb) as r (user_id bigint, line text, product text, offer_id bigint, source integer, ref text, start_at float8, expire_at float8)
    on conflict (source, ref) where deleted_at is null do update set user_id = excluded.user_id, line = excluded.line, product = excluded.product, offer_id = excluded.offer_id,
      start_at = excluded.start_at, expire_at = excluded.expire_at, status = excluded.status, rev = entitlement.rev + 1, updated_at = now(), updated_by = excluded.updated_by`)
  recordsWritten(tx, entitlement.table)
}

/**
 * Stops entitlements, ends them for a refund, or lets them go on, in the caller's transaction.
 * @param refs what had opened them
 */
export async function setEntitlements(tx: Queryable, source: Source, refs: readonly string[], status: Status): Promise<void> {
  if (refs.length === 0) return
  await touch(tx, entitlement, { status }, sql`t.source = ${source} and t.ref = any(${sql.param([...refs])}::text[]) and t.deleted_at is null and t.status <> ${status}`)
}

/**
 * Gives entitlements another end, in the caller's transaction.
 * @param ends unix seconds by what had opened them
 */
export async function extendEntitlements(tx: Queryable, source: Source, ends: ReadonlyMap<string, number>): Promise<void> {
  if (ends.size === 0) return
  await touch(tx, entitlement, { expire_at: sql`to_timestamp(r.expire_at)` }, sql`t.source = ${source} and t.ref = r.ref and t.deleted_at is null`, {
    from: sql`jsonb_to_recordset(${JSON.stringify([...ends].map(([ref, expire_at]) => ({ ref, expire_at })))}::jsonb) as r (ref text, expire_at float8)`,
  })
}

export const ENTITLEMENT_COMPUTED = {
  // In words: by decision first, then by time.
  state: sql`case when t.status = ${sql.raw(String(ENTITLEMENT_STATUS.stopped))} then '已停用' when t.status = ${sql.raw(String(ENTITLEMENT_STATUS.refunded))} then '已退款'
    when t.expire_at <= now() then '已过期' when t.start_at > now() then '未开始' else '生效中' end`,
}

export const entitlements = serve(entitlement)({ computed: ENTITLEMENT_COMPUTED })

const sourceField = entitlement.fields['source']
const sources = sourceField?.kind === 'choice' ? sourceField.choices : []

/** Entitlements that one section of an overview shows. */
const SHOWN = 50

/** What somebody may use, the newest first. */
export const entitlementOverview: OverviewSection = {
  name: 'entitlement',
  title: '权益',
  grant: entitlement.grant,
  async load(db, staff, { id }) {
    const inner = sql`select * from entitlement where ${listCondition(entitlement, staff, { user_id: String(id) })} order by id desc limit ${sql.raw(String(SHOWN))}`
    const rows = await db.query<Record<string, unknown>>(sql`select t.id, t.line, t.product, t.source, t.start_at, t.expire_at, ${ENTITLEMENT_COMPUTED.state} as state from (${inner}) t order by t.id desc`)
    return {
      columns: [
        { key: 'line', title: '产品线', as: 'text' }, { key: 'product', title: '产品', as: 'text' }, { key: 'source', title: '开通方式', as: 'text' },
        { key: 'start_at', title: '开始', as: 'date' }, { key: 'expire_at', title: '到期', as: 'date' }, { key: 'state', title: '状态', as: 'text' },
      ],
      rows: rows.map(({ line, source, ...row }) => ({ ...row, line: choiceLabel(ENTITLEMENT_LINES, line), source: choiceLabel(sources, source) })),
    }
  },
}
