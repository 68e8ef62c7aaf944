import { sql, type SQL } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, badRequest, invalid, notFound } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import { yuan } from '../../core/field/number.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { holdPieces, readSale } from './buy.server.ts'
import { flashCalendar, flashOrders, rehearseFlash, type CalendarSale, type FlashOrders, type Rehearsal } from './calls.ts'
import { flashSale, FLASH_STATE, phaseOf, PHASES } from './flash.ts'
import { goodKey, type Good } from './good.ts'
import { checkReach, quote } from './goods.server.ts'
import { learnerName, shownOrders } from './shown.server.ts'

/** Orders that one sale shows, and sales that a calendar does. */
const SHOWN = 100
const MOST_SALES = 500

const on = sql`flash_sale.state = ${sql.raw(String(FLASH_STATE.on))}`
const started = sql`flash_sale.start_at <= now() and flash_sale.end_at > now()`

/** The phases as conditions: the same as `phaseOf`. */
const SEGMENTS = {
  before: sql`${on} and flash_sale.start_at > now() and (flash_sale.warm_at is null or flash_sale.warm_at > now())`,
  warm: sql`${on} and flash_sale.start_at > now() and flash_sale.warm_at <= now()`,
  running: sql`${on} and ${started} and coalesce(flash_sale.sold, 0) < flash_sale.stock`,
  out: sql`${on} and ${started} and coalesce(flash_sale.sold, 0) >= flash_sale.stock`,
  over: sql`${on} and flash_sale.end_at <= now()`,
  stopped: sql`flash_sale.state = ${sql.raw(String(FLASH_STATE.stopped))}`,
} satisfies Record<string, SQL>

/** Sales of the same goods, whatever they were called then. */
const sameGood = ({ line, kind, ref_id }: Good): SQL => sql`good @> ${JSON.stringify({ line, kind, ref_id: ref_id ?? null })}::jsonb`

/** A sale of the same goods whose time touches another's. */
async function overlapOf(tx: Queryable, id: number, good: Good, from: number, to: number): Promise<string | undefined> {
  const [other] = await tx.query<{ name: string }>(sql`select name from flash_sale where ${sameGood(good)} and id <> ${id} and state = ${FLASH_STATE.on} and deleted_at is null and start_at < to_timestamp(${to}) and end_at > to_timestamp(${from}) order by start_at limit 1`)
  return other?.name
}

export const flashSales = serve(flashSale)({
  computed: {
    left: sql`select greatest(t.stock - coalesce(t.held, 0) - coalesce(t.sold, 0), 0)::int`,
    phase_now: sql`select case when t.state = ${sql.raw(String(FLASH_STATE.stopped))} then '终止' when t.end_at <= now() then '结束' when t.start_at > now() then case when t.warm_at <= now() then '预热' else '未开始' end when coalesce(t.sold, 0) >= t.stock then '售罄' else '进行中' end`,
    paid: sql`select coalesce(sum(o.paid - o.refunded), 0)::float8 from order_origin g join orders o on o.id = g.order_id where g.kind = 'flash' and g.ref_id = t.id`,
  },
  segments: { phase: SEGMENTS },
  async before({ tx, staff, values, row }) {
    const next = { ...row, ...values }
    const { good, price, stock, start_at, end_at, warm_at } = next
    if (!good || price === undefined || stock === undefined || start_at === undefined || end_at === undefined) return
    if (end_at <= start_at) throw invalid({ end_at: '结束时间应晚于开始时间' })
    if (warm_at && warm_at >= start_at) throw invalid({ warm_at: '预热时间应早于开始时间' })
    if (values.end_at !== undefined && values.end_at !== row?.end_at && end_at <= Date.now() / 1000) throw invalid({ end_at: '结束时间应晚于现在' })
    const taken = (row?.held ?? 0) + (row?.sold ?? 0)
    if (stock < taken) throw invalid({ stock: `已售 ${row?.sold ?? 0} 件，待付款 ${row?.held ?? 0} 件，库存不能更少` })
    const key = goodKey(good)
    const before = row?.good ? goodKey(row.good) : undefined
    if (row && taken > 0 && key !== before) throw invalid({ good: '已有人下单，不能换商品' })
    if (key !== before || price !== row?.price) {
      if (key !== before) await checkReach(tx, staff, [good], 'good')
      const [known] = await quote(tx, [good]).catch((error: unknown) => { throw error instanceof AppError ? invalid({ good: error.message }) : error })
      if (!known || price >= known.price) throw invalid({ price: `抢购价应低于售价 ${yuan(known?.price ?? 0)} 元` })
      if (price < known.floor) throw invalid({ price: `抢购价不能低于底价 ${yuan(known.floor)} 元` })
      Object.assign(values, { list_price: known.price, good: { ...good, ref_id: good.ref_id ?? null }, good_name: good.name })
    }
    // Two people who plan the same goods at once wait for each other.
    await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`flash ${key}`}))`)
    const clash = await overlapOf(tx, row?.id ?? 0, good, start_at, end_at)
    if (clash !== undefined) throw invalid({ start_at: `与「${clash}」时间重叠` })
  },
  async beforeRemove({ row }) {
    if ((row.held ?? 0) + (row.sold ?? 0) > 0) throw badRequest('已有人下单，不能删除，可以终止')
  },
  effects: {
    // What was ordered is kept: paid for it is sold, unpaid it lapses by itself.
    async stop({ tx, row, reason }) {
      await setDerived(tx, flashSale, { stop_reason: reason ?? null }, row.id)
    },
  },
})

class Rollback extends Error {
  readonly result: Rehearsal
  constructor(result: Rehearsal) {
    super('rehearsed')
    this.result = result
  }
}

/** Lets virtual buyers rush for a copy of a sale by the way that real ones go, and leaves nothing of it behind. */
async function rehearse(db: Database, id: number, buyers: number, lapse: number): Promise<Rehearsal> {
  const began = performance.now()
  try {
    await db.transaction({ staff_id: null, silent: true }, async (tx) => {
      const sale = await readSale(tx, id)
      if (!sale) throw notFound(flashSale.label)
      const [copy] = await tx.query<{ id: number }>(sql`insert into flash_sale (name, good, price, stock, held, sold, per_user, start_at, end_at, show, state) values ('演练', ${JSON.stringify(sale.good)}::jsonb, ${sale.price}, ${sale.stock}, 0, 0, ${sale.per_user}, now() - interval '1 minute', now() + interval '1 hour', 1, ${FLASH_STATE.on}) returning id`)
      const rush = { id: copy?.id ?? 0, per_user: sale.per_user }
      const result: Rehearsal = { buyers, got: 0, pieces: 0, out: 0, limited: 0, left: 0, money: 0, given_up: 0, ms: 0 }
      for (let n = 0; n < buyers; n++) {
        const qty = 1 + (n % (sale.per_user + 1))
        const mobile = `1${String(10_000_000_00 + Math.floor(n / 2))}`
        try {
          // A number that no order has: what is written goes again.
          await holdPieces(tx, rush, -(n + 1), mobile, qty)
          if ((n * 37) % 100 < lapse) {
            await tx.query(sql`update flash_hold set state = 'released' where order_id = ${-(n + 1)}`)
            await setDerived(tx, flashSale, { held: sql`t.held - ${qty}::int` }, rush.id)
            result.given_up++
          } else {
            await tx.query(sql`update flash_hold set state = 'sold' where order_id = ${-(n + 1)}`)
            await setDerived(tx, flashSale, { held: sql`t.held - ${qty}::int`, sold: sql`t.sold + ${qty}::int` }, rush.id)
            result.got++
            result.pieces += qty
          }
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          if (error.message.startsWith('每人')) {
            // The refusal came after the pieces were taken; a real one undoes its transaction.
            await setDerived(tx, flashSale, { held: sql`t.held - ${qty}::int` }, rush.id)
            result.limited++
          } else result.out++
        }
      }
      const [end] = await tx.query<{ left: number }>(sql`select (stock - held - sold)::int as left from flash_sale where id = ${rush.id}`)
      throw new Rollback({ ...result, left: end?.left ?? 0, money: result.pieces * sale.price, ms: Math.round(performance.now() - began) })
    })
  } catch (error) {
    if (error instanceof Rollback) return error.result
    throw error
  }
  throw new Error('a rehearsal left something behind')
}

/** The calls of sales beside those of their list. */
export function flashCalls(kernel: Kernel): Served[] {
  return [
    handle(flashCalendar, async (call) => {
      const { from, to } = call.input
      const rows = await call.db.query<Omit<CalendarSale, 'clash'> & { good: Good } & Record<string, unknown>>(sql`select id, name, good_name, good, extract(epoch from start_at)::float8 as start_at, extract(epoch from end_at)::float8 as end_at, extract(epoch from warm_at)::float8 as warm_at, price, stock, coalesce(held, 0)::int as held, coalesce(sold, 0)::int as sold, state
        from flash_sale where ${listCondition(flashSale, call.staff, {})} and start_at < to_timestamp(${to}) and end_at > to_timestamp(${from}) order by start_at, id limit ${MOST_SALES}`)
      return { items: rows.map(({ good, ...row }) => ({ ...row, clash: row.state !== FLASH_STATE.on ? null : rows.find((other) => other.id !== row.id && other.state === FLASH_STATE.on && goodKey(other.good) === goodKey(good) && other.start_at < row.end_at && other.end_at > row.start_at)?.name ?? null })) }
    }),
    handle(flashOrders, async (call) => {
      const row = await readOne(call.db, flashSale, call.staff, idParam(call), flashSales.rules.computed ?? {})
      const sale = row && await readSale(call.db, row.id)
      if (!row || !sale) throw notFound(flashSale.label)
      const rows = await call.db.query<Omit<FlashOrders['orders'][number], 'status' | 'to'> & Record<string, unknown>>(sql`select o.id, o.order_no, extract(epoch from o.created_at)::float8 as at, o.buyer_name as buyer, o.buyer_mobile as mobile, h.qty, o.amount, h.state from flash_hold h join orders o on o.id = h.order_id where h.sale_id = ${row.id} order by o.id desc limit ${SHOWN}`)
      const [sums] = await call.db.query<{ paid: number }>(sql`select coalesce(sum(o.paid - o.refunded), 0)::float8 as paid from flash_hold h join orders o on o.id = h.order_id where h.sale_id = ${row.id}`)
      const open = await shownOrders(kernel, call, rows.map(({ id }) => id))
      return {
        stock: sale.stock, held: sale.held, sold: sale.sold, list_price: (row['list_price'] as number | null) ?? null, paid: sums?.paid ?? 0, phase: choiceLabel(PHASES, phaseOf(sale, Date.now() / 1000)),
        orders: rows.map((order) => ({ ...order, buyer: learnerName(call.staff, order.buyer), mobile: maskMobile(order.mobile), status: open.get(order.id)?.status ?? '', to: open.get(order.id)?.to ?? null })),
      }
    }),
    handle(rehearseFlash, async (call) => {
      const row = await readOne(call.db, flashSale, call.staff, idParam(call), flashSales.rules.computed ?? {})
      if (!row) throw notFound(flashSale.label)
      return rehearse(call.db, row.id, call.input.buyers, call.input.lapse)
    }),
  ]
}
