import { sql } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { buyByLink, buyInFlash, buyInGroup, readLink } from './buy.server.ts'
import { buyByApp, flashByApp, offeredGoods, payByApp } from './calls.ts'
import { payCheckout, type Placed } from './checkout.server.ts'
import { FLASH_STATE, phaseOf } from './flash.ts'
import { findGoods, knownGoods } from './goods.server.ts'

/** Seconds before which a sale that has not begun is shown to learners. */
const AHEAD = 3 * 86_400

const answerOf = ({ checkout_no, amount, close_at, orders }: Placed) => ({ checkout_no, amount, close_at, orders: [...orders] })

/** What learners' apps buy and pay, and what people choose goods from. */
export const deviceCalls = (kernel: Kernel): Served[] => [
  handle(offeredGoods, async ({ db, staff, input: { q, keys } }) => ({ items: keys === undefined ? await findGoods(db, kernel.registry, staff, q) : await knownGoods(db, staff, keys.split(',')) })),
  handle(buyByApp, (call) => call.transaction(async (tx) => {
    const { mobile, name, link: short, suite_id, flash_id, qty, activity_id, group_id, coupon_no, referrer, share, receiver } = call.input
    if ([short, flash_id, activity_id].filter((one) => one !== undefined).length !== 1) throw badRequest('请说明从链接、抢购还是拼团下单')
    const [shared] = share === undefined ? [] : await tx.query<{ id: number }>(sql`select id from user_share where token = ${share} and deleted_at is null`)
    const buyer = { mobile, name, coupon_no, referrer, receiver, share_id: shared?.id }
    if (flash_id !== undefined) return answerOf(await buyInFlash(kernel, tx, flash_id, qty, buyer))
    if (activity_id !== undefined) return answerOf(await buyInGroup(kernel, tx, activity_id, group_id, buyer))
    const link = await readLink(tx, { short: short ?? '' })
    if (!link) throw badRequest('链接不存在或已停用')
    if (suite_id === undefined) throw invalid({ suite_id: '请选择套餐' })
    return answerOf(await buyByLink(kernel, tx, link, suite_id, buyer))
  }, { action: 'buy' })),
  handle(payByApp, (call) => call.transaction((tx) => payCheckout(tx, call.params['no'] ?? '', call.input), { action: 'pay' })),
  handle(flashByApp, async ({ db }) => {
    const now = Date.now() / 1000
    const rows = await db.query<{ id: number; name: string; good_name: string | null; price: number; list_price: number | null; stock: number; held: number; sold: number; per_user: number; show: number; start_at: number; end_at: number; warm_at: number | null; state: number }>(sql`select id, name, good_name, price, list_price, stock, coalesce(held, 0)::int as held, coalesce(sold, 0)::int as sold, per_user, show, extract(epoch from start_at)::float8 as start_at, extract(epoch from end_at)::float8 as end_at, extract(epoch from warm_at)::float8 as warm_at, state
      from flash_sale where state = ${FLASH_STATE.on} and end_at > now() and coalesce(warm_at, start_at) < now() + make_interval(secs => ${AHEAD}) and deleted_at is null order by start_at limit 100`)
    return { items: rows.map(({ held, sold, state, warm_at, ...row }) => ({ ...row, left: Math.max(0, row.stock - held - sold), phase: phaseOf({ ...row, held, sold, state, warm_at }, now) })) }
  }),
]
