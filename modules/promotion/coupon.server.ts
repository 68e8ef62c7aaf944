import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { yuan } from '../../core/field/number.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { ORDER_STATUS } from '../order/module.ts'
import { activity, ACTIVITY_STATE, COUPON_STATE as C, COUPON_STATES } from './activity.ts'

/** An activity as it runs. */
export interface RunningActivity { id: number; name: string; type: number; amount: number | null; threshold: number | null; valid_days: number | null; total: number | null; per_user: number | null; need: number | null; hours: number | null; good: unknown; price: number | null; end_at: number }

type HeldActivity = RunningActivity & { state: number; early: boolean; late: boolean }

/** An activity, locked, whether it runs or not. */
export async function lockActivity(tx: Queryable, id: number): Promise<HeldActivity | undefined> {
  await tx.query(sql`select id from activity where id = ${id} for no key update`)
  const [row] = await tx.query<HeldActivity & Record<string, unknown>>(sql`select id, name, type, amount, threshold, valid_days, total, per_user, need, hours, good, price, extract(epoch from end_at)::float8 as end_at, state, start_at > now() as early, end_at <= now() as late
    from activity where id = ${id} and deleted_at is null`)
  return row
}

/** An activity that is running now, locked. @throws AppError with why it is not */
export async function holdActivity(tx: Queryable, id: number): Promise<RunningActivity> {
  const row = await lockActivity(tx, id)
  if (!row || row.state === ACTIVITY_STATE.draft) throw badRequest('活动不存在')
  if (row.state === ACTIVITY_STATE.paused) throw badRequest('活动已暂停')
  if (row.early) throw badRequest('活动还没有开始')
  if (row.late || row.state === ACTIVITY_STATE.ended) throw badRequest('活动已结束')
  return row
}

/** Takes something out of an activity's budget, or puts it back. @throws AppError when it is used up */
export async function spend(tx: Queryable, id: number, by: number): Promise<void> {
  if (by === 0) return
  const done = await setDerived(tx, activity, { spent: sql`coalesce(t.spent, 0) + ${by}::bigint` }, by < 0 ? id : sql`t.id = ${id} and (t.budget is null or coalesce(t.spent, 0) + ${by}::bigint <= t.budget)`)
  if (done.length === 0) throw badRequest('活动预算已用完')
}

/**
 * Gives somebody a coupon of a held activity, within its number, its limit for each person and its budget.
 * @param cause how they came by it
 */
export async function giveCoupon(tx: Queryable, of: RunningActivity, userId: number, cause: string, staffId: number | null): Promise<{ id: number; no: string; amount: number }> {
  const { amount, threshold, valid_days } = of
  if (amount === null || threshold === null || valid_days === null) throw badRequest('活动没有优惠券')
  const [counted] = await tx.query<{ all: number; own: number }>(sql`select count(*)::int as "all", count(*) filter (where user_id = ${userId})::int as own from coupon_user where activity_id = ${of.id} and status <> ${C.void}`)
  if (of.total !== null && (counted?.all ?? 0) >= of.total) throw badRequest('优惠券已发完')
  if (of.per_user !== null && (counted?.own ?? 0) >= of.per_user) throw badRequest(`每人最多 ${of.per_user} 张，已领过`)
  await spend(tx, of.id, amount)
  const no = `Y${randomBytes(6).toString('hex').toUpperCase()}`
  const [made] = await tx.query<{ id: number }>(sql`insert into coupon_user (no, activity_id, user_id, cause, amount, threshold, status, expire_at, created_by)
    values (${no}, ${of.id}, ${userId}, ${cause}, ${amount}, ${threshold}, ${C.free}, now() + make_interval(days => ${valid_days}), ${staffId}::bigint) returning id`)
  return { id: made?.id ?? 0, no, amount }
}

/** Keeps a coupon for a purchase. @throws AppError when somebody was quicker */
export async function lockCoupon(tx: Queryable, id: number, checkoutId: number): Promise<void> {
  const [got] = await tx.query(sql`update coupon_user set status = ${C.locked}, checkout_id = ${checkoutId} where id = ${id} and status = ${C.free} and expire_at > now() returning id`)
  if (!got) throw invalid({ coupon_no: '优惠券刚刚被使用，请刷新' })
}

/**
 * Brings a coupon into line with the purchase that it was used for: kept while an order waits, used once one is paid, back when
 * none is left. A part that is given back keeps it.
 */
export async function settleCoupon(tx: Queryable, checkoutId: number): Promise<void> {
  const [coupon] = await tx.query<{ id: number; activity_id: number; amount: number; status: number; over: boolean }>(sql`select id, activity_id, amount, status, expire_at <= now() as over from coupon_user
    where checkout_id = ${checkoutId} and status in (${C.locked}, ${C.used}) for no key update`)
  if (!coupon) return
  const parts = await tx.query<{ status: number }>(sql`select o.status from checkout_part p join orders o on o.id = p.order_id where p.checkout_id = ${checkoutId} and p.alive = 1`)
  const next = parts.some(({ status }) => status !== ORDER_STATUS.unpaid) ? C.used : parts.length > 0 ? C.locked : coupon.over ? C.over : C.free
  if (next === coupon.status) return
  const back = next === C.free || next === C.over
  await tx.query(sql`update coupon_user set status = ${next}, checkout_id = ${back ? null : checkoutId}::bigint where id = ${coupon.id}`)
  if (next === C.over) await spend(tx, coupon.activity_id, -coupon.amount)
}

/** Takes back a coupon that nobody has used. @throws AppError when somebody has */
export async function voidCoupon(tx: Queryable, activityId: number, id: number, reason: string): Promise<void> {
  const [coupon] = await tx.query<{ status: number; amount: number }>(sql`select status, amount from coupon_user where id = ${id} and activity_id = ${activityId} for no key update`)
  if (!coupon) throw badRequest('优惠券不存在')
  if (coupon.status !== C.free) throw wrongState('作废', choiceLabel(COUPON_STATES, coupon.status))
  await tx.query(sql`update coupon_user set status = ${C.void}, void_reason = ${reason} where id = ${id}`)
  await spend(tx, activityId, -coupon.amount)
}

/** Coupons whose time is over cost nothing any more. */
export const couponSweep = (db: Database): Sweep => ({
  name: 'coupon_expire', every: 600,
  async run() {
    const over = await db.query<{ activity_id: number }>(sql`select distinct activity_id from coupon_user where status = ${C.free} and expire_at <= now()`)
    for (const { activity_id } of over) {
      await db.transaction({ staff_id: null, action: 'expire' }, async (tx) => {
        const rows = await tx.query<{ amount: number }>(sql`update coupon_user set status = ${C.over} where id in (select id from coupon_user where activity_id = ${activity_id} and status = ${C.free} and expire_at <= now() order by id limit 1000 for update skip locked) returning amount`)
        await spend(tx, activity_id, -rows.reduce((sum, { amount }) => sum + amount, 0))
      })
    }
  },
})

/** What of a coupon is kept back when goods go back: nothing while the rest still reaches its threshold. Fen. */
export const keptBack = ({ amount, threshold }: { amount: number; threshold: number }, before: number, left: number): number => (left === 0 || left >= threshold || before < threshold ? 0 : Math.min(amount, left))

/** 满 99.00 减 20.00 */
export const couponWords = ({ amount, threshold }: { amount: number; threshold: number }): string => `满 ${yuan(threshold)} 减 ${yuan(amount)}`
