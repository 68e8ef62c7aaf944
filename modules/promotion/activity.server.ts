import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, badRequest, invalid, notFound } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import { yuan } from '../../core/field/number.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { userOfMobile } from '../user/door.server.ts'
import { activity, ACTIVITY_PATH, ACTIVITY_STATE as S, ACTIVITY_TYPE as T, ACTIVITY_TYPES, COUPON_CAUSES, COUPON_STATES, RULE_FIELDS, TYPE_ROWS } from './activity.ts'
import { activityEffect, couponsByApp, issueCoupons, joinByApp, retryRefund, voidCouponCall, type ActivityEffect } from './calls.ts'
import { couponWords, giveCoupon, holdActivity, voidCoupon } from './coupon.server.ts'
import { checkReach, quote } from './goods.server.ts'
import { refundMember } from './group.server.ts'
import { learnerName, shownOrders } from './shown.server.ts'

/** Coupons, groups and people that one activity shows. */
const SHOWN = 60
const DAY = 86_400

/** Orders of an activity: by its links, in its sales, in its groups. */
const orders = (id: ReturnType<typeof sql>) => sql`order_origin g join orders o on o.id = g.order_id where g.kind = 'activity' and g.ref_id = ${id} and o.deleted_at is null`

type Values = Readonly<Record<string, unknown>>

/** Refuses rules that contradict each other; what an activity cannot begin without is asked when it does. */
async function checkRules(tx: Queryable, values: Values & { type: number }, all: boolean): Promise<void> {
  const row = TYPE_ROWS[values.type]
  const word = (key: string) => (key === 'need' ? row?.need : undefined) ?? activity.fields[key]?.label ?? key
  const lacking = all ? row?.must.find((key) => values[key] === null || values[key] === undefined) : undefined
  if (lacking) throw invalid({ [lacking]: `请填写${word(lacking)}` })
  const [amount, threshold] = [values['amount'], values['threshold']]
  if (typeof amount === 'number' && typeof threshold === 'number' && threshold <= amount) throw invalid({ threshold: '使用门槛应高于券面额' })
  const budget = values['budget']
  if (typeof budget === 'number' && typeof amount === 'number' && budget < amount) throw invalid({ budget: '预算不够发一张券' })
  if (values.type !== T.group || !values['good'] || typeof values['price'] !== 'number') return
  const [known] = await quote(tx, [values['good'] as Parameters<typeof quote>[1][number]]).catch((error: unknown) => { throw error instanceof AppError ? invalid({ good: error.message }) : error })
  if (!known || values['price'] >= known.price) throw invalid({ price: `拼团价应低于售价 ${yuan(known?.price ?? 0)} 元` })
  if (values['price'] < known.floor) throw invalid({ price: `拼团价不能低于底价 ${yuan(known.floor)} 元` })
}

export const activities = serve(activity)({
  computed: {
    used_share: sql`select case when t.budget is null then '不限' else round(coalesce(t.spent, 0) * 100.0 / t.budget)::int || '%' end`,
    phase_now: sql`select case when t.state in (1, 3, 4) then null when t.end_at <= now() then '已到期' when t.budget is not null and t.spent >= t.budget then '预算用完' when t.start_at > now() then '未开始' else '进行中' end`,
    people: sql`select count(*)::int from (select user_id from coupon_user c where c.activity_id = t.id union select user_id from activity_event e where e.activity_id = t.id union select o.user_id from ${orders(sql`t.id`)} and o.user_id is not null) x`,
    paid: sql`select coalesce(sum(o.paid - o.refunded), 0)::float8 from orders o where o.deleted_at is null and (o.id in (select g.order_id from order_origin g where g.kind = 'activity' and g.ref_id = t.id) or o.checkout_no in (select k.no from checkout k join coupon_user c on c.id = k.coupon_id where c.activity_id = t.id))`,
  },
  segments: {
    phase: {
      before: sql`activity.state = 2 and activity.start_at > now()`,
      running: sql`activity.state = 2 and activity.start_at <= now() and activity.end_at > now() and (activity.budget is null or coalesce(activity.spent, 0) < activity.budget)`,
      spent: sql`activity.state = 2 and activity.end_at > now() and activity.spent >= activity.budget`,
      over: sql`activity.state = 2 and activity.end_at <= now()`,
    },
  },
  async before({ tx, staff, values, row }) {
    const next = { ...row, ...values } as Values & { type: number; start_at: number; end_at: number }
    if (next.end_at <= next.start_at) throw invalid({ end_at: '结束时间应晚于开始时间' })
    const asks = new Set<string>(TYPE_ROWS[next.type]?.asks ?? [])
    const foreign = RULE_FIELDS.find((key) => !asks.has(key) && values[key] !== undefined && values[key] !== null && key !== 'per_user')
    if (foreign) throw invalid({ [foreign]: `${choiceLabel(ACTIVITY_TYPES, next.type)}活动没有「${activity.fields[foreign]?.label ?? foreign}」` })
    // What people have come for stays as it was said; only time and budget may be made longer or larger.
    const fixed = row && row.state !== S.draft ? RULE_FIELDS.find((key) => values[key] !== undefined && JSON.stringify(values[key]) !== JSON.stringify(row[key])) : undefined
    if (fixed) throw invalid({ [fixed]: '活动已上线，规则不能修改' })
    if (row && values.budget != null && values.budget < (row.spent ?? 0)) throw invalid({ budget: `已用 ${yuan(row.spent ?? 0)} 元，预算不能更少` })
    if (values.good) await checkReach(tx, staff, [values.good], 'good')
    await checkRules(tx, next, row !== undefined && row.state !== S.draft)
  },
  effects: {
    async publish({ tx, row }) {
      if (row.end_at <= Date.now() / 1000) throw badRequest('活动时间已过，请先改结束时间')
      await checkRules(tx, row, true)
    },
  },
})

/** What came in by an activity in a stretch of time; nobody comes by it before it began, so the stretch before is everybody's who bought the same. */
async function figuresOf(db: Queryable, of: { id: number; from: number; to: number; now: number }): Promise<ActivityEffect['figures']> {
  const end = Math.min(of.to, of.now)
  const length = Math.max(0, end - of.from)
  const between = (column: string, from: number, to: number) => sql`${sql.raw(column)} >= to_timestamp(${from}) and ${sql.raw(column)} < to_timestamp(${to})`
  const [got] = await db.query<{ orders: number; paid: number; saved: number; issued: number; used: number; newcomers: number }>(sql`select
    (select count(*)::int from ${orders(sql`${of.id}`)} and o.paid > 0) as orders, (select coalesce(sum(o.paid - o.refunded), 0)::float8 from ${orders(sql`${of.id}`)}) as paid,
    (select coalesce(sum(p.cost), 0)::float8 from checkout_part p join checkout c on c.id = p.checkout_id where c.activity_id = ${of.id} and p.alive = 1) as saved,
    (select count(*)::int from coupon_user where activity_id = ${of.id}) as issued, (select count(*)::int from coupon_user where activity_id = ${of.id} and status = 3) as used,
    (select count(*)::int from app_user where ${between('register_at', of.from, end)}) as newcomers`)
  // All orders of the lines that it sold, then and in as long a time before: what it moved is seen against what sells anyway.
  const lines = sql`o.line in (select distinct o.line from ${orders(sql`${of.id}`)})`
  const [all] = await db.query<{ now: number; before: number; new_before: number }>(sql`select
    (select coalesce(sum(o.paid - o.refunded), 0)::float8 from orders o where ${lines} and ${between('o.paid_at', of.from, end)}) as now,
    (select coalesce(sum(o.paid - o.refunded), 0)::float8 from orders o where ${lines} and ${between('o.paid_at', of.from - length, of.from)}) as before,
    (select count(*)::int from app_user where ${between('register_at', of.from - length, of.from)}) as new_before`)
  return [
    { key: 'orders', title: '成交订单', as: 'number', value: got?.orders ?? 0, before: null }, { key: 'paid', title: '活动实付', as: 'money', value: got?.paid ?? 0, before: null },
    { key: 'saved', title: '让利', as: 'money', value: got?.saved ?? 0, before: null }, { key: 'issued', title: '发券', as: 'number', value: got?.issued ?? 0, before: null }, { key: 'used', title: '用券', as: 'number', value: got?.used ?? 0, before: null },
    { key: 'line', title: '同业务全部实付', as: 'money', value: all?.now ?? 0, before: all?.before ?? 0 }, { key: 'new', title: '新注册用户', as: 'number', value: got?.newcomers ?? 0, before: all?.new_before ?? 0 },
  ]
}

async function effectOf(kernel: Kernel, call: Pick<Call, 'db' | 'staff'>, row: { id: number; type: number; start_at: number; end_at: number }): Promise<ActivityEffect> {
  const { db, staff } = call
  const coupons = await db.query<ActivityEffect['coupons'][number] & Record<string, unknown>>(sql`select c.id, c.no, c.user_id, u.nickname as user, c.cause, c.amount, c.threshold, c.status, extract(epoch from c.expire_at)::float8 as expire_at, k.no as order_no, c.void_reason
    from coupon_user c join app_user u on u.id = c.user_id left join checkout k on k.id = c.checkout_id where c.activity_id = ${row.id} order by c.id desc limit ${SHOWN}`)
  const groups = await db.query<{ id: number; leader: string; need: number; until: number; state: number }>(sql`select id, leader_mobile as leader, need, extract(epoch from until)::float8 as until, state from group_buy where activity_id = ${row.id} order by id desc limit ${SHOWN}`)
  const members = await db.query<{ group_id: number; order_id: number; order_no: string; mobile: string; state: number; problem: string | null }>(sql`select m.group_id, m.order_id, o.order_no, m.mobile, m.state, m.problem from group_member m join orders o on o.id = m.order_id where m.group_id = any(${sql.param(groups.map(({ id }) => id))}::bigint[]) order by m.order_id`)
  const open = await shownOrders(kernel, call, members.map(({ order_id }) => order_id))
  return {
    from: row.start_at, to: row.end_at, figures: await figuresOf(db, { id: row.id, from: row.start_at, to: row.end_at, now: Math.floor(Date.now() / 1000) }),
    coupons: coupons.map((one) => ({ ...one, user: learnerName(staff, one.user), cause: COUPON_CAUSES[one.cause] ?? one.cause })),
    coupon_sums: await db.query<{ status: number; n: number; amount: number }>(sql`select status, count(*)::int as n, sum(amount)::float8 as amount from coupon_user where activity_id = ${row.id} group by status order by status`),
    groups: groups.map((group) => ({ ...group, leader: maskMobile(group.leader), members: members.filter(({ group_id }) => group_id === group.id).map(({ group_id: _group, ...one }) => ({ ...one, mobile: maskMobile(one.mobile), to: open.get(one.order_id)?.to ?? null })) })),
    days: await db.query<{ day: number; n: number }>(sql`select day, count(*)::int as n from activity_event where activity_id = ${row.id} group by day order by day desc limit 31`),
    best: (await db.query<{ user: string | null; n: number; rewards: number }>(sql`select u.nickname as user, count(*)::int as n, count(e.coupon_id)::int as rewards from activity_event e join app_user u on u.id = e.user_id where e.activity_id = ${row.id} group by u.id, u.nickname order by 2 desc, u.id limit 10`)).map((one) => ({ ...one, user: learnerName(staff, one.user) })),
  }
}

const dayNumber = sql`to_char(now() at time zone 'Asia/Shanghai', 'YYYYMMDD')::int`

/** How many days up to today somebody came without a gap. */
async function inARow(tx: Queryable, id: number, userId: number): Promise<number> {
  const days = (await tx.query<{ day: number }>(sql`select day from activity_event where activity_id = ${id} and user_id = ${userId} order by day desc limit 400`)).map(({ day }) => Date.UTC(Math.floor(day / 10_000), Math.floor(day / 100) % 100 - 1, day % 100) / 1000 / DAY)
  const gap = days.findIndex((day, index) => day !== (days[0] ?? 0) - index)
  return gap < 0 ? days.length : gap
}

/** Somebody takes part: they take a coupon, sign in, or check in. */
async function join(tx: Queryable, id: number, userId: number): Promise<{ days: number; coupon: { no: string; amount: number } | null }> {
  const of = await holdActivity(tx, id)
  if (of.type === T.coupon) {
    const { no, amount } = await giveCoupon(tx, of, userId, 'claim', null)
    return { days: 0, coupon: { no, amount } }
  }
  if (of.type !== T.signin && of.type !== T.checkin) throw badRequest(`${choiceLabel(ACTIVITY_TYPES, of.type)}活动不用领取`)
  const [first] = await tx.query(sql`insert into activity_event (activity_id, user_id, day) values (${id}, ${userId}, ${dayNumber}) on conflict do nothing returning day`)
  if (!first) throw badRequest(of.type === T.signin ? '今天已签到' : '今天已打卡')
  const [counted] = await tx.query<{ n: number }>(sql`select count(*)::int as n from activity_event where activity_id = ${id} and user_id = ${userId}`)
  const days = of.type === T.signin ? await inARow(tx, id, userId) : counted?.n ?? 0
  if (of.need === null || days % of.need !== 0) return { days, coupon: null }
  const coupon = await giveCoupon(tx, of, userId, of.type === T.signin ? 'signin' : 'checkin', null).catch((error: unknown) => {
    // They came all the same; what they would have got is used up.
    if (error instanceof AppError) return undefined
    throw error
  })
  if (coupon) await tx.query(sql`update activity_event set coupon_id = ${coupon.id} where activity_id = ${id} and user_id = ${userId} and day = ${dayNumber}`)
  return { days, coupon: coupon ? { no: coupon.no, amount: coupon.amount } : null }
}

/** The calls of activities beside those of their list. */
export function activityCalls(kernel: Kernel): Served[] {
  return [
    handle(activityEffect, async (call) => {
      const row = await readOne(call.db, activity, call.staff, idParam(call), activities.rules.computed ?? {})
      if (!row) throw notFound(activity.label)
      return effectOf(kernel, call, row)
    }),
    handle(issueCoupons, (call) => call.transaction(async (tx) => {
      const { id } = await lockRow(tx, activity, call.staff, idParam(call))
      const of = await holdActivity(tx, id)
      if (of.type !== T.coupon) throw badRequest('只有优惠券活动可以发券')
      const left_alone: { mobile: string; why: string }[] = []
      let issued = 0
      for (const mobile of new Set(call.input.mobiles)) {
        const [user] = await tx.query<{ id: number }>(sql`select id from app_user where mobile = ${mobile} and deleted_at is null`)
        if (!user) { left_alone.push({ mobile: maskMobile(mobile), why: '没有注册' }); continue }
        try {
          await giveCoupon(tx, of, user.id, 'issue', call.staff.id)
          issued++
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          left_alone.push({ mobile: maskMobile(mobile), why: error.message })
        }
      }
      return { issued, left_alone }
    }, { action: 'issue' })),
    handle(voidCouponCall, (call) => call.transaction(async (tx) => {
      const row = await readOne(tx, activity, call.staff, idParam(call), activities.rules.computed ?? {})
      if (!row) throw notFound(activity.label)
      await voidCoupon(tx, row.id, idParam(call, 'coupon_id'), call.input.reason)
      return {}
    }, { action: 'void_coupon', reason: call.input.reason })),
    handle(retryRefund, async (call) => {
      const row = await readOne(call.db, activity, call.staff, idParam(call), activities.rules.computed ?? {})
      const order = idParam(call, 'order_id')
      const [known] = row ? await call.db.query(sql`select 1 from group_member m join group_buy g on g.id = m.group_id where m.order_id = ${order} and g.activity_id = ${row.id} and g.state = 3`) : []
      if (!known) throw notFound('拼团订单')
      return { problem: await refundMember(call.db, order) ?? null }
    }),
    handle(joinByApp, (call) => call.transaction(async (tx) => join(tx, idParam(call), await userOfMobile(tx, null, call.input)), { action: 'join' })),
    handle(couponsByApp, async ({ db, input: { mobile } }) => ({
      items: await db.query<{ no: string; amount: number; threshold: number; status: number; expire_at: number }>(sql`select c.no, c.amount, c.threshold, c.status, extract(epoch from c.expire_at)::float8 as expire_at from coupon_user c join app_user u on u.id = c.user_id where u.mobile = ${mobile} and u.deleted_at is null order by c.status, c.expire_at, c.id limit 100`),
    })),
  ]
}

export const activityWaiting = listWaiting(activity, {
  name: 'activity_spent', title: '预算用完的活动', group: 'act', verb: '处理', path: ACTIVITY_PATH, query: () => ({ phase: 'spent' }), grant: activity.rights.id('publish'), due: { at: 'end_at' }, amount: 'budget',
})

/** The coupons of somebody, in the view that gathers everything about them. */
export const couponOverview: OverviewSection = {
  name: 'coupon', title: '优惠券', grant: activity.grant,
  async load(db, _staff, { id }) {
    const rows = await db.query<{ id: number; no: string; name: string; amount: number; threshold: number; status: number; cause: string; expire_at: number; checkout_no: string | null }>(sql`select c.activity_id as id, c.no, a.name, c.amount, c.threshold, c.status, c.cause, extract(epoch from c.expire_at)::float8 as expire_at, k.no as checkout_no from coupon_user c join activity a on a.id = c.activity_id left join checkout k on k.id = c.checkout_id where c.user_id = ${id} order by c.id desc limit 50`)
    return {
      screen: ACTIVITY_PATH, columns: [{ key: 'no', title: '券号', as: 'text' }, { key: 'words', title: '优惠', as: 'text' }, { key: 'name', title: '活动', as: 'text' }, { key: 'status', title: '状态', as: 'text' }, { key: 'cause', title: '来源', as: 'text' }, { key: 'checkout_no', title: '用于', as: 'text' }, { key: 'expire_at', title: '有效期至', as: 'time' }],
      rows: rows.map((row) => ({ ...row, words: couponWords(row), status: choiceLabel(COUPON_STATES, row.status), cause: COUPON_CAUSES[row.cause] ?? row.cause })),
    }
  },
}
