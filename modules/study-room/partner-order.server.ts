import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { BALANCE_AFTER, serveOrders, type EffectChange } from '../order/door.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { issueOrderedCodes, takeBackOrderedCodes } from './authorization-code.server.ts'
import { PARTNER_GOODS, partnerLedger, partnerOrder, partnerOrderLine, partnerShipment } from './partner-order.ts'
import { PARTNER_STATUS } from './partner.ts'

/** 续费, see `BIZ_TYPES`. */
const RENEWAL = 2

type Effect = { on(change: EffectChange, partnerId: number): Promise<unknown>; off(change: EffectChange, partnerId: number): Promise<void> }

/** Adds to a column of a partner that must not fall below another; undefined when it would. */
async function shift(tx: Queryable, staffId: number | null, id: number, column: 'code_quota' | 'pad_cnt', by: number, atLeast: 'used_quota' | undefined): Promise<number | undefined> {
  const name = sql.identifier(column)
  const floor = atLeast ? sql`coalesce(${sql.identifier(atLeast)}, 0)` : sql`0`
  const [row] = await tx.query<{ value: number }>(sql`update partner set ${name} = coalesce(${name}, 0) + ${by}, rev = rev + 1, updated_at = now(), updated_by = ${staffId}
    where id = ${id} and coalesce(${name}, 0) + ${by} >= ${floor} returning ${name} as value`)
  return row?.value
}

async function left(tx: Queryable, id: number, expression: ReturnType<typeof sql>): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`select ${expression} as n from partner where id = ${id}`)
  return Math.max(0, row?.n ?? 0)
}

/** Moves the end of a contract by whole years; one that had run out begins again. */
async function extend({ tx, staffId }: EffectChange, partnerId: number, years: number): Promise<void> {
  await tx.query(sql`update partner set expire_at = expire_at + make_interval(years => ${years}), rev = rev + 1, updated_at = now(), updated_by = ${staffId},
      status = case when status = ${PARTNER_STATUS.expired} and expire_at + make_interval(years => ${years}) > now() then ${PARTNER_STATUS.signed} else status end where id = ${partnerId}`)
}

/** Batches that an item has issued. */
const batchesOf = (effect: unknown) => (effect as { batches?: number[] } | null)?.batches ?? []

/** What comes into force with each kind of goods, and goes out of it again; kinds that are not named have no effect. */
const effects: Readonly<Record<string, Effect>> = {
  [PARTNER_GOODS.code]: {
    async on({ tx, staffId, qty, order, item }, partnerId) {
      await shift(tx, staffId, partnerId, 'code_quota', qty, undefined)
      if (item.ref_id === null) return undefined
      const batches = await issueOrderedCodes(tx, staffId, { name: `${order.order_no} ${item.name}`, partner_id: partnerId, unit_id: item.ref_id, count: qty, order_id: order.id, price: item.price })
      return { batches: [...batchesOf(item.effect), ...batches] }
    },
    async off({ tx, staffId, qty, item }, partnerId) {
      const batches = batchesOf(item.effect)
      if (batches.length > 0) return takeBackOrderedCodes(tx, batches, qty)
      if (await shift(tx, staffId, partnerId, 'code_quota', -qty, 'used_quota') !== undefined) return
      throw badRequest(`授权码名额已使用，最多还能收回 ${await left(tx, partnerId, sql`coalesce(code_quota, 0) - coalesce(used_quota, 0)`)} 个`)
    },
  },
  [PARTNER_GOODS.pad]: {
    async on({ tx, staffId, qty }, partnerId) {
      await shift(tx, staffId, partnerId, 'pad_cnt', qty, undefined)
    },
    async off({ tx, staffId, qty }, partnerId) {
      if (await shift(tx, staffId, partnerId, 'pad_cnt', -qty, undefined) !== undefined) return
      throw badRequest(`平板数不足，最多还能收回 ${await left(tx, partnerId, sql`coalesce(pad_cnt, 0)`)} 台`)
    },
  },
  [PARTNER_GOODS.service]: {
    async on(change, partnerId) {
      if (change.order.biz_type === RENEWAL) await extend(change, partnerId, change.qty)
    },
    async off(change, partnerId) {
      if (change.order.biz_type === RENEWAL) await extend(change, partnerId, -change.qty)
    },
  },
}

function partnerOf({ order }: EffectChange): number {
  if (order.partner_id === null) throw new Error(`order ${order.id} names no partner`)
  return order.partner_id
}

/** What goods do to the partner whom an order names, for every line that sells them. */
export const partnerEffect = {
  grant: (change: EffectChange): Promise<unknown> => effects[change.item.kind]?.on(change, partnerOf(change)) ?? Promise.resolve(),
  revoke: (change: EffectChange): Promise<void> => effects[change.item.kind]?.off(change, partnerOf(change)) ?? Promise.resolve(),
}

export const partnerOrders = serveOrders(partnerOrderLine, partnerOrder, {
  path: '/new-study-room/partner-order',
  shipments: partnerShipment,
  effects: {
    async check({ tx, values }) {
      const [owner] = await tx.query<{ status: number; contact: string; mobile: string }>(sql`select status, contact, mobile from partner where id = ${values['partner_id']}`)
      if (owner?.status === PARTNER_STATUS.ended) throw invalid({ 'user_info.partner_id': '该合伙人已解约，不能下单' })
      values['buyer_name'] ??= owner?.contact
      values['buyer_mobile'] ??= owner?.mobile
    },
    async describe(tx, _kind, id) {
      const [row] = await tx.query<{ name: string }>(sql`select name from unit where id = ${id} and deleted_at is null`)
      return row && { name: row.name, price: null }
    },
    ...partnerEffect,
  },
})

export const partnerLedgers = serve(partnerLedger)({ computed: { balance: BALANCE_AFTER } })
