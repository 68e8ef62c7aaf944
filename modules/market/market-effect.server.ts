import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError, badRequest } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import type { ApplyRow, Effect } from '../apply/door.server.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { placeOrder, workOf } from '../order/door.server.ts'
import { extendEntitlements, holdLearners, userOfMobile } from '../user/door.server.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { judge, openable, type Judged } from './judge.server.ts'
import { marketUser, OPENING } from './opening.ts'
import { holdQuota, readQuota, type HeldQuota } from './quota.server.ts'
import { monthOf } from './quota.ts'
import { bookOrders, recallOpenings } from './recall.server.ts'

const DAY = 86_400
/** Where an order came from, and the table whose row it names. */
export const ORIGIN = 'market_apply'

/** A row of applications with what a request of the market says beside. */
interface Request { readonly id: number; readonly offer_id: number; readonly staff_id: number; readonly days: number; readonly org: string }
const requestOf = (row: ApplyRow): Request => row as unknown as Request

interface Named { id: number; mobile: string; name: string }

/** Who stands on the list of a request. */
const namedOf = (db: Queryable, applyId: number): Promise<Named[]> => db.query<Named & Record<string, unknown>>(sql`select id, mobile, name from market_grant where apply_id = ${applyId} and state = ${OPENING.named} and deleted_at is null order by mobile, id`)

/** The list of a request as it stands now. The numbers of its lines are those of the list. */
export async function judgeNamed(db: Queryable, request: Pick<Request, 'id' | 'offer_id'>): Promise<{ named: Named[]; judged: Judged[] }> {
  const named = await namedOf(db, request.id)
  const judged = await judge(db, named.map(({ mobile, name }, at) => ({ row: at + 1, mobile, name, state: 'read', why: null })), { offerId: request.offer_id, applyId: request.id })
  return { named, judged }
}

/** What stands in the way of openings for so many people. */
async function problemsOf(db: Queryable, request: Request, quota: HeldQuota | undefined, count: number): Promise<string[]> {
  const [offer] = await db.query<{ title: string; state: number; who: string }>(sql`select o.title, o.state, s.name as who from offer o join staff s on s.id = ${request.staff_id} where o.id = ${request.offer_id}`)
  const left = quota ? quota.quota - quota.used : 0
  return [
    ...(offer?.state === OFFER_STATE.selling ? [] : [`「${offer?.title ?? '商品'}」没有在售，不能开通`]),
    ...(count > 0 ? [] : ['名单中没有可以开通的人']),
    ...(quota ? [] : [`${offer?.who ?? '市场人员'} ${monthOf(Date.now() / 1000)} 没有分配名额`]),
    ...(quota && left < count ? [`${quota.staff_name} ${quota.month} 名额不足：共 ${quota.quota} 个，在用 ${quota.used} 个，还要开通 ${count} 人`] : []),
  ]
}

/** Opens for one person by an order that costs nothing. @returns the order */
async function placeVirtual(tx: Queryable, staff: Staff, request: Request, person: Named): Promise<number> {
  const work = workOf(bookOrders, tx, staff, ['virtual'])
  const order = await placeOrder(work, staff, {
    order_info: { items: [{ kind: 'offer', ref_id: request.offer_id, qty: 1 }], biz_type: 1, virtual: true, remark: `市场开通：${request.org}`.slice(0, 200) },
    package_price: { discount: 0, paid: 0 }, referrer_info: {}, user_info: { mobile: person.mobile, name: person.name },
  }, new Map(), { origins: [{ kind: ORIGIN, ref_id: request.id }] })
  return order.id
}

/** What orders opened lasts as long as was asked for, whatever the offer says. */
async function endOpened(tx: Queryable, orderIds: readonly number[], end: number): Promise<void> {
  const opened = await tx.query<{ ref: string }>(sql`select 'order_item ' || i.id || ':' || (one->>'offer_id') as ref from order_item i cross join lateral jsonb_array_elements(i.effect->'opened') one where i.order_id = any(${sql.param([...orderIds])}::bigint[])`)
  await extendEntitlements(tx, ENTITLEMENT_SOURCE.virtual, new Map(opened.map(({ ref }) => [ref, end])))
}

/** Those who may use it already, once they are held: what was judged before may be over by now. */
async function running(tx: Queryable, offerId: number, users: readonly number[]): Promise<ReadonlySet<number>> {
  return new Set((await tx.query<{ user_id: number }>(sql`select distinct user_id from entitlement where user_id = any(${sql.param([...users])}::bigint[]) and offer_id = ${offerId} and line = ${bookOrders.line.code} and status = ${ENTITLEMENT_STATUS.active} and expire_at > now() and deleted_at is null`)).map(({ user_id }) => user_id))
}

/** An approved request has a virtual order for each who could be opened for, within the quota of whoever asked. */
export const marketEffect: Effect = {
  async problems(db, row) {
    const request = requestOf(row)
    const { judged } = await judgeNamed(db, request)
    return problemsOf(db, request, await readQuota(db, request.staff_id), openable(judged).length)
  },
  async open(tx, staff, row) {
    const request = requestOf(row)
    // Stock, then the quota, then people (ADR 22).
    await bookOrders.effects.lockStock?.(tx, [{ kind: 'offer', ref_id: request.offer_id }])
    const quota = await holdQuota(tx, request.staff_id)
    const { named, judged } = await judgeNamed(tx, request)
    const users = new Map<number, number>()
    for (const [at, person] of named.entries()) {
      const one = judged[at]
      if (one && openable([one]).length > 0) users.set(person.id, await userOfMobile(tx, staff.id, person))
    }
    await holdLearners(tx, [...users.values()])
    const have = await running(tx, request.offer_id, [...users.values()])
    const fresh = named.filter(({ id }) => users.has(id) && !have.has(users.get(id) ?? 0))
    const [problem] = await problemsOf(tx, request, quota, fresh.length)
    if (!quota || problem) throw quota && quota.used + fresh.length > quota.quota ? new AppError('quota_exceeded', 409, problem ?? '名额不足') : badRequest(problem ?? '没有分配名额')
    const now = Math.floor(Date.now() / 1000)
    const end = now + request.days * DAY
    const opened: { id: number; user_id: number; order_id: number }[] = []
    for (const person of fresh) opened.push({ id: person.id, user_id: users.get(person.id) ?? 0, order_id: await placeVirtual(tx, staff, request, person) })
    await endOpened(tx, opened.map(({ order_id }) => order_id), end)
    await touch(tx, marketUser, { state: OPENING.active, quota_id: quota.id, start_at: now, expire_at: end, user_id: sql`r.user_id`, order_id: sql`r.order_id` }, sql`t.id = r.id`, { from: sql`jsonb_to_recordset(${JSON.stringify(opened)}::jsonb) as r (id bigint, user_id bigint, order_id bigint)` })
    const left = named.flatMap(({ id }, at) => (opened.some((one) => one.id === id) ? [] : [{ id, note: judged[at]?.why ?? '已有权益' }]))
    await touch(tx, marketUser, { state: OPENING.left, note: sql`r.note` }, sql`t.id = r.id`, { from: sql`jsonb_to_recordset(${JSON.stringify(left)}::jsonb) as r (id bigint, note text)` })
    return { effect_ref: `market_quota ${quota.id}`, due_at: end }
  },
  async refuse(tx, row, reason) {
    await touch(tx, marketUser, { state: OPENING.left, note: `申请被驳回：${reason}`.slice(0, 200) }, sql`t.apply_id = ${row.id} and t.state = ${OPENING.named} and t.deleted_at is null`)
  },
  async close(tx, row, by) {
    if (!by) {
      await touch(tx, marketUser, { state: OPENING.expired }, sql`t.apply_id = ${row.id} and t.state = ${OPENING.active} and t.deleted_at is null`)
      return
    }
    const rows = await tx.query<{ id: number }>(sql`select id from market_grant where apply_id = ${row.id} and state = ${OPENING.active} and deleted_at is null order by id`)
    await recallOpenings(tx, by.staff, rows.map(({ id }) => id), by.reason)
  },
  async tell(db, id, row) {
    const [found] = await db.query<{ name: string; n: number; back: number; over: number }>(sql`select q.name, count(*) filter (where g.state = ${OPENING.active})::int as n, count(*) filter (where g.state = ${OPENING.recalled})::int as back, count(*) filter (where g.state = ${OPENING.expired})::int as over
      from market_quota q left join market_grant g on g.quota_id = q.id and g.apply_id = ${row.id} and g.deleted_at is null where q.id = ${id} group by q.name`)
    return found ? { label: '开通', value: `占用名额 ${found.name}：在用 ${found.n} 人，已收回 ${found.back} 人，已到期 ${found.over} 人`, grant: marketUser.grant, to: `/practiceBook/marketUser?apply_id=${row.id}` } : null
  },
}
