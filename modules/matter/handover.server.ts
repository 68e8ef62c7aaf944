import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { listWaiting, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { listTrend } from '../../core/module/dashboard.server.ts'
import { SHIP_STATUS } from '../order/module.ts'
import { readItems, type OrderRow } from '../order/door.server.ts'
import { PARTNER_GOODS } from '../study-room/module.ts'
import { CHECK_STATE, matterCheck } from './check.ts'
import { matter } from './matter.ts'
import { matterMove, MOVE_KINDS, PURPOSES } from './move.ts'
import { lockMatters, post, refresh } from './post.server.ts'
import { MATTER_RIGHTS, showing } from './rights.ts'

const DAY = 86_400
/** Days within which stock is ordered and counts are looked at. */
const DAYS = { reorder: 2, check: 2 } as const

/**
 * A parcel of an order goes out of stock: each set of 物料 is what the matters say it holds. The order is locked, its stock and
 * accounts too; matters come behind them (ADR 22).
 * @throws AppError when the warehouse has not so much: the parcel is not written down before the stock is
 */
export async function shipFromStock(tx: Queryable, before: OrderRow, after: OrderRow): Promise<void> {
  if (before.ship_status === SHIP_STATUS.sent || after.ship_status !== SHIP_STATUS.sent) return
  const sets = (await readItems(tx, after.id)).reduce((sum, { kind, qty, refunded_qty }) => sum + (kind === PARTNER_GOODS.material ? qty - refunded_qty : 0), 0)
  if (sets <= 0) return
  const kit = await tx.query<{ id: number; kit_qty: number }>(sql`select id, kit_qty from matter where kit_qty > 0 and status = 1 and deleted_at is null order by id`)
  const [place] = await tx.query<{ id: number }>(sql`select id from warehouse where ships = 1 and status = 1 and deleted_at is null`)
  if (kit.length === 0) return
  if (!place) throw badRequest('没有发货仓，先在物料的仓库里指定一个')
  const [to] = await tx.query<{ name: string; mobile: string }>(sql`select name, mobile from order_receiver where order_id = ${after.id}`)
  const held = await lockMatters(tx, kit.map(({ id }) => id))
  await post(tx, held, { kind: 'out', staffId: null, purpose: 'order', receiver: (to?.name ?? after.buyer_name)?.slice(0, 20), mobile: to?.mobile ?? after.buyer_mobile ?? undefined, order_no: after.order_no, note: `${sets} 套物料随订单发出` }, kit.map(({ id, kit_qty }) => ({ matter_id: id, warehouse_id: place.id, qty: -sets * kit_qty })))
}

export const matterWaiting: WaitingKind[] = [
  listWaiting(matter, { name: 'matter_reorder', title: '该补货的物料', group: 'act', verb: '补货', path: showing('matter'), query: () => ({ needs: 'reorder' }), grant: MATTER_RIGHTS.id('move'), due: { days: DAYS.reorder }, since: sql`updated_at`, notes: ['stock', 'kind'] }),
  listWaiting(matterCheck, { name: 'matter_check', title: '待审的盘点和报损', group: 'decide', verb: '审核', path: showing('check'), query: () => ({ state: String(CHECK_STATE.waiting) }), grant: MATTER_RIGHTS.id('approve'), due: { days: DAYS.check }, since: sql`updated_at`, notes: ['kind', 'warehouse_id'], pass: 'approve', refuse: 'reject' }),
]

/** What went out of the warehouses, on home. */
export const matterTrend = listTrend(matterMove, { name: 'matter_out', title: '物料出库', as: 'number', path: showing('move'), at: 'created_at', query: { kind: 'out' } })

/** What somebody got, in the view that gathers everything about them. */
export const matterOverview: OverviewSection = {
  name: 'matter', title: '领到的物料', grant: matter.grant,
  async load(db, _staff, { id, mobile }) {
    const rows = await db.query<{ name: string; qty: number; unit: string; kind: string; purpose: string | null; order_no: string | null; at: number }>(sql`select m.name, -v.qty as qty, m.unit, v.kind, v.purpose, v.order_no, extract(epoch from v.created_at)::float8 as at from matter_move v join matter m on m.id = v.matter_id
      where (v.user_id = ${id} or v.mobile = ${mobile}) order by v.id desc limit 50`)
    return {
      columns: [{ key: 'name', title: '物料', as: 'text' }, { key: 'qty', title: '数量', as: 'text' }, { key: 'kind', title: '类型', as: 'text' }, { key: 'purpose', title: '用途', as: 'text' }, { key: 'order_no', title: '订单号', as: 'text' }, { key: 'at', title: '时间', as: 'time' }],
      rows: rows.map(({ qty, unit, kind, purpose, ...row }) => ({ ...row, qty: `${qty} ${unit}`, kind: choiceLabel(MOVE_KINDS, kind), purpose: purpose === null ? null : choiceLabel(PURPOSES, purpose) })),
    }
  },
}

/** Each day moves the weeks that a forecast looks back on. */
export const matterSweep = (db: Database): Sweep => ({
  name: 'matter_forecast', every: DAY / 4,
  async run() {
    const rows = await db.query<{ id: number }>(sql`select id from matter where deleted_at is null order by id limit 5000`)
    await db.transaction({ staff_id: null, action: 'forecast', silent: true }, async (tx) => {
      const ids = rows.map(({ id }) => id)
      await lockMatters(tx, ids)
      await refresh(tx, ids)
    })
  },
})
