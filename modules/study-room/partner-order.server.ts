import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { valueLabel } from '../../core/field/choice.ts'
import { formatMoney } from '../../core/field/number.ts'
import { formatDate } from '../../core/field/time.ts'
import { BALANCE_AFTER, serveOrders, type EffectChange } from '../order/door.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { issueOrderedCodes, takeBackOrderedCodes } from './authorization-code.server.ts'
import { PARTNER_GOODS, partnerLedger, partnerOrder, partnerOrderLine, partnerShipment, RENEWAL } from './partner-order.ts'
import { partner, PARTNER_STATUS } from './partner.ts'

type Effect = { fulfil(change: EffectChange, partnerId: number): Promise<unknown>; revoke(change: EffectChange, partnerId: number): Promise<void> }

/** Adds to a column of a partner that must not fall below another; undefined when it would. */
async function shift(tx: Queryable, id: number, column: 'code_quota' | 'pad_cnt', by: number, atLeast: 'used_quota' | undefined): Promise<number | undefined> {
  const moved = sql`coalesce(t.${sql.identifier(column)}, 0) + ${by}`
  const floor = atLeast ? sql`coalesce(t.${sql.identifier(atLeast)}, 0)` : sql`0`
  const [row] = await touch(tx, partner, { [column]: moved }, sql`t.id = ${id} and ${moved} >= ${floor}`, { returning: [column] })
  return row?.[column] ?? undefined
}

async function left(tx: Queryable, id: number, expression: ReturnType<typeof sql>): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`select ${expression} as n from partner where id = ${id}`)
  return Math.max(0, row?.n ?? 0)
}

/** Moves the end of a contract by whole years; one that had run out begins again. */
async function extend({ tx }: EffectChange, partnerId: number, years: number): Promise<void> {
  const until = sql`t.expire_at + make_interval(years => ${years})`
  await touch(tx, partner, { expire_at: until, status: sql`case when t.status = ${PARTNER_STATUS.expired} and ${until} > now() then ${PARTNER_STATUS.signed} else t.status end` }, partnerId)
}

/** Batches that an item has issued. */
const batchesOf = (effect: unknown) => (effect as { batches?: number[] } | null)?.batches ?? []

/** How each kind of goods is fulfilled and revoked; kinds that are not named have no effect. */
const effects: Readonly<Record<string, Effect>> = {
  [PARTNER_GOODS.code]: {
    async fulfil({ tx, staffId, qty, order, item }, partnerId) {
      await shift(tx, partnerId, 'code_quota', qty, undefined)
      if (item.ref_id === null) return undefined
      const batches = await issueOrderedCodes(tx, staffId, { name: `${order.order_no} ${item.name}`, partner_id: partnerId, unit_id: item.ref_id, count: qty, order_id: order.id, price: item.price })
      return { batches: [...batchesOf(item.effect), ...batches] }
    },
    async revoke({ tx, qty, item }, partnerId) {
      const batches = batchesOf(item.effect)
      if (batches.length > 0) return takeBackOrderedCodes(tx, batches, qty)
      if (await shift(tx, partnerId, 'code_quota', -qty, 'used_quota') !== undefined) return
      throw badRequest(`授权码名额已使用，最多还能收回 ${await left(tx, partnerId, sql`coalesce(code_quota, 0) - coalesce(used_quota, 0)`)} 个`)
    },
  },
  [PARTNER_GOODS.pad]: {
    async fulfil({ tx, qty }, partnerId) {
      await shift(tx, partnerId, 'pad_cnt', qty, undefined)
    },
    async revoke({ tx, qty }, partnerId) {
      if (await shift(tx, partnerId, 'pad_cnt', -qty, undefined) !== undefined) return
      throw badRequest(`平板数不足，最多还能收回 ${await left(tx, partnerId, sql`coalesce(pad_cnt, 0)`)} 台`)
    },
  },
  [PARTNER_GOODS.service]: {
    async fulfil(change, partnerId) {
      if (change.order.biz_type === RENEWAL) await extend(change, partnerId, change.qty)
    },
    async revoke(change, partnerId) {
      if (change.order.biz_type === RENEWAL) await extend(change, partnerId, -change.qty)
    },
  },
}

function partnerOf({ order }: EffectChange): number {
  if (order.buyer_kind !== 'partner' || order.buyer_ref_id === null) throw new Error(`order ${order.id} names no partner`)
  return order.buyer_ref_id
}

/** What goods do to the partner whom an order names, for every line that sells them. */
export const partnerEffect = {
  fulfil: (change: EffectChange): Promise<unknown> => effects[change.item.kind]?.fulfil(change, partnerOf(change)) ?? Promise.resolve(),
  revoke: (change: EffectChange): Promise<void> => effects[change.item.kind]?.revoke(change, partnerOf(change)) ?? Promise.resolve(),
}

/** What a package of codes is called and opens; its price stands in the line's own list. */
export async function describeUnit(tx: Queryable, _kind: string, id: number): Promise<{ name: string; price: null; note: string } | undefined> {
  const [row] = await tx.query<{ name: string; months: number; subjects: string[] }>(sql`select name, months, subjects from unit where id = ${id} and deleted_at is null`)
  return row && { name: row.name, price: null, note: `${row.months} 个月 · ${row.subjects.join('、')}` }
}

/** What speaks against an order of a partner in a state; nothing for one who is signed. */
const WARNINGS: Readonly<Partial<Record<number, string>>> = {
  [PARTNER_STATUS.prospect]: '合伙人还没有签约。可以先录单收款，审核通过就会发码，要赶在审核前签约',
  [PARTNER_STATUS.frozen]: '合伙人已冻结。可以录单，解冻前不建议发码',
  [PARTNER_STATUS.expired]: '合伙人的合同已到期。续费的服务费会顺延合同',
  [PARTNER_STATUS.ended]: '合伙人已解约，不能下单',
}

/** How a partner stands: contract, quota and balance. */
export async function regardPartner(db: Queryable, id: number): Promise<{ facts: { label: string; text: string }[]; warnings: string[] }> {
  const [row] = await db.query<{ status: number; quota: number; used: number; balance: number; expire_at: number }>(sql`select status, coalesce(code_quota, 0)::int as quota, coalesce(used_quota, 0)::int as used, coalesce(balance, 0)::float8 as balance, expire_at from partner where id = ${id}`)
  if (!row) return { facts: [], warnings: [] }
  const warning = WARNINGS[row.status]
  return {
    facts: [
      { label: '状态', text: valueLabel(partner.fields['status'], row.status) },
      { label: '合同到期', text: formatDate(row.expire_at) },
      { label: '授权码名额', text: `${row.used} / ${row.quota}` },
      { label: '余额', text: formatMoney(row.balance) },
    ],
    warnings: warning === undefined ? [] : [warning],
  }
}

export const partnerOrders = serveOrders(partnerOrderLine, partnerOrder, {
  path: '/new-study-room/partner-order',
  shipments: partnerShipment,
  effects: {
    async check({ tx, values }) {
      const [owner] = await tx.query<{ status: number; contact: string; mobile: string }>(sql`select status, contact, mobile from partner where id = ${values['buyer_ref_id']}`)
      if (owner?.status === PARTNER_STATUS.ended) throw invalid({ 'user_info.partner_id': '该合伙人已解约，不能下单' })
      values['buyer_name'] ??= owner?.contact
      values['buyer_mobile'] ??= owner?.mobile
    },
    describe: describeUnit,
    regard: (db, { id }) => regardPartner(db, id),
    ...partnerEffect,
  },
})

export const partnerLedgers = serve(partnerLedger)({ computed: { balance: BALANCE_AFTER } })
