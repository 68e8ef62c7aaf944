import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { spread } from '../order/module.ts'
import { activity, ACTIVITY_STATE as S, ACTIVITY_TYPE as T } from './activity.ts'
import { buyByLink, buyInFlash, buyInGroup, readLink, type Buyer } from './buy.server.ts'
import { payCheckout, type Placed } from './checkout.server.ts'
import { giveCoupon, lockActivity, voidCoupon } from './coupon.server.ts'
import { flashSale, FLASH_STATE } from './flash.ts'
import { shareOut, type Good, type Suite } from './good.ts'
import { examine, openPage } from './link.server.ts'
import { activityLink, LINK_STATE } from './link.ts'
import { EVIDENCE, REWARD_STATE as R, SHARE_STATE, userShare } from './share.ts'
import { sumShare } from './share.server.ts'

const DAY = 86_400
const HOUR = 3600
const LINES = ['sync_course', 'junior_sync_course'] as const
/** Nobody's scopes narrow what the demo writes down. */
const NOBODY = { registry: new Map() }

interface Offer { id: number; line: string; title: string; price: number }
interface Person { id: number; mobile: string; name: string }
interface World { tx: Queryable; random: Random; now: number; offers: Record<string, Offer[]>; people: Person[]; agents: { id: number; name: string }[]; staff: number[]; channels: number[] }

const goodOf = ({ id, line, title }: Offer): Good => ({ line: `${line}_order`, kind: 'offer', ref_id: id, name: title })

/** Two courses of two lines together, for less. */
function suiteOf(id: number, name: string, offers: readonly Offer[], share: number, more: Partial<Suite> = {}): Suite {
  const price = Math.max(1000, Math.round((offers.reduce((sum, one) => sum + one.price, 0) * share) / 1000) * 1000 - 100)
  const goods = offers.map((offer) => ({ ...goodOf(offer), qty: 1 }))
  return { id, name, price, goods: shareOut({ price, goods }, offers.map((offer) => offer.price), spread) ?? [], ...more }
}

async function insertActivities({ tx, now, offers }: World): Promise<Record<string, number>> {
  const [course] = offers['sync_course'] ?? []
  const coupon = { amount: 30_00, threshold: 199_00, valid_days: 30, per_user: 1 }
  const row = (name: string, type: number, state: number, from: number, to: number, more: object = {}) => ({ name, type, state, start_at: startOfDay(now + from * DAY), end_at: startOfDay(now + to * DAY), title: name, words: '活动最终解释以页面公示为准，虚拟商品开通后不支持无理由退款。', created_at: now + Math.min(from, 0) * DAY - 3 * DAY, ...more })
  const all = {
    welcome: row('新学期满减券', T.coupon, S.on, -12, 20, { ...coupon, total: 2000, budget: 60_000_00 }),
    tight: row('周末限量券', T.coupon, S.on, -2, 6, { ...coupon, amount: 50_00, threshold: 299_00, budget: 300_00, total: 500 }),
    paused: row('老生回馈券', T.coupon, S.paused, -20, 10, { ...coupon, total: 300, budget: 9_000_00 }),
    draft: row('寒假早鸟券', T.coupon, S.draft, 15, 45, { ...coupon, amount: 100_00, threshold: 599_00, budget: 20_000_00 }),
    group: row('三人同学拼团', T.group, S.on, -6, 20, { good: course ? goodOf(course) : null, price: course ? Math.round(course.price * 0.8) : 100_00, need: 3, hours: 24, budget: 30_000_00 }),
    flash: row('周年庆秒杀', T.flash, S.on, -5, 12, { budget: 50_000_00 }),
    signin: row('连续签到七天', T.signin, S.on, -15, 30, { ...coupon, amount: 10_00, threshold: 99_00, need: 7, per_user: 4, budget: 8_000_00 }),
    invite: row('邀请同学一起学', T.invite, S.on, -30, 60, { ...coupon, amount: 20_00, threshold: 99_00, per_user: 30, budget: 20_000_00 }),
    checkin: row('21 天打卡', T.checkin, S.on, -25, 15, { ...coupon, amount: 15_00, threshold: 99_00, need: 21, per_user: 2, budget: 5_000_00 }),
    ended: row('双十一满减', T.coupon, S.ended, -40, -14, { ...coupon, total: 1000, budget: 30_000_00 }),
    later: row('元旦签到', T.signin, S.on, 20, 40, { ...coupon, amount: 10_00, threshold: 99_00, need: 5 }),
  }
  const ids = await insertMany(tx, activity, Object.values(all) as never)
  return Object.fromEntries(Object.keys(all).map((key, index) => [key, ids[index] ?? 0]))
}

async function insertLinks(world: World, of: Record<string, number>): Promise<number[]> {
  const { tx, random, now, offers, agents, staff, channels } = world
  const [high = [], low = []] = LINES.map((line) => offers[line] ?? [])
  const names = ['初高衔接联报', '同步课双科', '期末冲刺套装', '新生体验包', '培优组合', '家长推荐专享', '秋季续报', '校园地推专用', '书店联名', '直播间专享', '老师推荐', '寒假预报名']
  const rows = Array.from({ length: 24 }, (_value, index) => {
    const [a, b] = [high[index % high.length], low[(index * 3) % low.length]]
    const pair = [a, b].flatMap((one) => one ?? [])
    const agent = index % 3 === 0 ? undefined : agents[index % agents.length]
    const base = names[index % names.length] ?? '联报'
    return {
      name: agent ? `${base}·${agent.name}`.slice(0, 60) : index >= names.length ? `${base}（二期）` : base, suites: [suiteOf(1, '双科联报', pair, 0.8, index % 4 === 0 ? { gift: '配套讲义一套' } : {}), ...(a ? [suiteOf(2, '单科尝鲜', [a], 0.9, index % 5 === 0 ? { stock: 200 } : {})] : [])],
      agent_id: agent?.id ?? null, seller_id: random.pick(staff), channel_id: random.pick(channels), activity_id: index % 6 === 1 ? of['flash'] : null, words: '报名后课程立即开通到手机号对应的账号，有问题联系报名老师。', need_receiver: Number(index % 4 === 0), need_referrer: Number(index % 7 === 3),
      max_uses: index % 8 === 2 ? 100 : null, expire_at: index === 20 ? now - 2 * DAY : index % 5 === 4 ? now + 30 * DAY : null, state: index % 11 === 10 ? LINK_STATE.off : LINK_STATE.on, visits: random.int(4, 60), created_at: now - (60 - index * 2) * DAY, created_by: random.pick(staff),
    }
  })
  const ids = await insertMany(tx, activityLink, rows)
  for (const [index, id] of ids.entries()) await openPage(tx, id, rows[index]?.created_by ?? null)
  // Goods of one were taken off the shelf since; its seller sees it in what waits for them.
  const [gone] = await tx.query<Offer & Record<string, unknown>>(sql`select id, line, title, price::float8 as price from offer where line = ${LINES[0]} and state = 4 and deleted_at is null order by id limit 1`)
  if (gone && ids[7]) await setDerived(tx, activityLink, { suites: [suiteOf(1, '双科联报', [gone, ...low.slice(0, 1)], 0.8)] }, ids[7])
  return ids
}

/** Somebody who has an account, each once. */
function* buyers(people: readonly Person[]): Generator<Buyer & Person, never> {
  for (let index = 0; ; index++) {
    const person = people[index % people.length]
    if (!person) throw new Error('nobody has an account')
    yield person
  }
}

const pay = (tx: Queryable, placed: Placed, index: number) => payCheckout(tx, placed.checkout_no, { channel: index % 3 === 0 ? 'alipay' : 'wechat', amount: placed.amount, trade_no: `42000${String(2_026_000_000 + placed.id)}` })

/** Purchases by links: paid, waiting, lapsed; some of them with a coupon. */
async function sellByLinks({ tx, now }: World, ids: readonly number[], next: () => Buyer & Person, welcome: number): Promise<number[]> {
  const made: number[] = []
  for (let index = 0; index < 26; index++) {
    const link = await readLink(tx, { id: ids[index % 9 === 7 ? 3 : index % 9] ?? 0 })
    if (!link || link.state !== LINK_STATE.on || link.over) continue
    const who = next()
    const of = index % 5 === 2 ? await lockActivity(tx, welcome) : undefined
    const coupon = of && await giveCoupon(tx, of, who.id, 'claim', null)
    const placed = await buyByLink(NOBODY, tx, link, 1, {
      ...who, ...(coupon && { coupon_no: coupon.no }), ...(link.need_referrer === 1 && { referrer: '13900001111' }),
      ...(link.need_receiver === 1 && { receiver: { name: who.name, mobile: who.mobile, region: '江苏省苏州市吴中区', address: `东吴北路 ${20 + index} 号` } }),
    })
    made.push(placed.id)
    if (index % 6 !== 5) await pay(tx, placed, index)
    // Some wait for the transfer of a school: nobody closes them within the quarter of an hour.
    else await tx.query(sql`update orders set close_at = null where checkout_no = ${placed.checkout_no} and created_at > to_timestamp(${now - DAY})`)
  }
  return made
}

async function insertSales(world: World, of: Record<string, number>, next: () => Buyer & Person): Promise<void> {
  const { tx, now, offers, staff } = world
  const courses = LINES.flatMap((line) => offers[line]?.slice(0, 6) ?? [])
  const at = (name: string, from: number, hours: number, more: object = {}) => ({ name, from, hours, more })
  const plans = [
    at('周二早八点', -7 * 24, 3), at('周三午间', -6 * 24, 2), at('周五晚八点', -4 * 24, 3), at('周六亲子场', -3 * 24, 4), at('周日晚九点', -2 * 24, 2),
    at('整点秒杀·今日', -2, 10, { stock: 50 }), at('百课限量', -1, 12, { stock: 3 }), at('同步课专场', -3, 24), at('今晚八点', 5, 2, { warm_at: now - HOUR }), at('周末大促', 30, 4, { warm_at: now + 20 * HOUR }), at('下周一开学场', 5 * 24, 3), at('预热场', 48, 6, { warm_at: now - 2 * HOUR }),
  ]
  for (const [index, plan] of plans.entries()) {
    const course = courses[index % courses.length]
    if (!course) return
    const start = Math.floor((now + plan.from * HOUR) / HOUR) * HOUR
    const sold = plan.from < 0
    const [id = 0] = await insertMany(tx, flashSale, [{
      name: plan.name, good: goodOf(course), good_name: course.title, list_price: course.price, price: Math.round((course.price * 0.75) / 100) * 100 - 10, stock: 30, per_user: 1 + (index % 2), show: (1 + (index % 2)) as 1 | 2, activity_id: index % 2 === 0 ? of['flash'] ?? null : null,
      start_at: sold ? now - HOUR : start, end_at: sold ? now + HOUR : start + plan.hours * HOUR, state: FLASH_STATE.on, created_at: start - 4 * DAY, created_by: staff[0] ?? null, ...plan.more,
    } as object])
    for (let n = 0; sold && n < 3; n++) {
      const placed = await buyInFlash(NOBODY, tx, id, 1, next())
      if (n < 2 || index === 6) await pay(tx, placed, n)
    }
    // What was sold in the hour of the demo was sold in its own.
    if (sold) await setDerived(tx, flashSale, { start_at: start, end_at: start + plan.hours * HOUR, ...(index === 3 && { state: FLASH_STATE.stopped, stop_reason: '主讲老师临时请假，改期再开' }) }, id)
  }
}

/** A group that is complete, one that still gathers. */
async function insertGroups({ tx }: World, id: number, next: () => Buyer & Person): Promise<void> {
  for (const [size, paid] of [[3, 3], [2, 1], [1, 1]] as const) {
    let group: number | undefined
    for (let n = 0; n < size; n++) {
      const placed = await buyInGroup(NOBODY, tx, id, group, next())
      group = placed.group_id
      if (n < paid) await pay(tx, placed, n)
    }
  }
}

async function insertCoupons({ tx, people, now }: World, of: Record<string, number>, next: () => Buyer & Person): Promise<void> {
  for (const [key, count] of [['welcome', 40], ['tight', 6], ['paused', 18], ['ended', 24]] as const) {
    const running = await lockActivity(tx, of[key] ?? 0)
    if (!running) continue
    for (let n = 0; n < count; n++) {
      const coupon = await giveCoupon(tx, running, next().id, n % 4 === 0 ? 'issue' : 'claim', null)
      if (n === 3) await voidCoupon(tx, running.id, coupon.id, '发错对象，用户未使用')
    }
  }
  // Those of the activity that is over have lapsed, and cost nothing any more.
  const lapsed = await tx.query<{ amount: number }>(sql`update coupon_user set status = 4, expire_at = to_timestamp(${now - 3 * DAY}) where activity_id = ${of['ended'] ?? 0} and status = 1 returning amount`)
  await setDerived(tx, activity, { spent: sql`t.spent - ${lapsed.reduce((sum, { amount }) => sum + amount, 0)}::bigint` }, of['ended'] ?? 0)
  for (const [key, days, some] of [['signin', 15, 22], ['checkin', 22, 16]] as const) {
    const days_of = Array.from({ length: days }, (_value, index) => now - (days - index) * DAY)
    const rows = people.slice(0, some).flatMap(({ id }, n) => days_of.filter((_day, index) => n < 6 || (index + n) % 4 !== 0).map((at) => ({ activity_id: of[key] ?? 0, user_id: id, at, day: Number(new Date((at + 8 * HOUR) * 1000).toISOString().slice(0, 10).replaceAll('-', '')) })))
    await tx.query(sql`insert into activity_event (activity_id, user_id, day, at) select activity_id, user_id, day, to_timestamp(at) from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (activity_id bigint, user_id bigint, day int, at float8) on conflict do nothing`)
    const running = await lockActivity(tx, of[key] ?? 0)
    if (running) for (const { id } of people.slice(0, 6)) await giveCoupon(tx, running, id, key, null)
  }
}

/** Shares of half a year: most honest, a few that somebody has to look at. */
async function insertShares({ tx, random, now, people }: World, invite: number): Promise<void> {
  const rows = Array.from({ length: 48 }, (_value, index) => ({
    token: randomBytes(12).toString('base64url'), user_id: people[(index * 5) % people.length]?.id ?? null, activity_id: index % 4 === 3 ? null : invite, channel: (1 + (index % 4)) as 1 | 2 | 3 | 4, state: index % 12 === 4 ? SHARE_STATE.doubt : index === 7 ? SHARE_STATE.frozen : SHARE_STATE.fine, created_at: now - (50 - index) * 2 * DAY,
  }))
  const ids = await insertMany(tx, userShare, rows)
  const newcomers = people.slice(-90)
  let at = 0
  for (const [index, id] of ids.entries()) {
    const share = rows[index]
    if (!share) continue
    const visits = random.int(1, 14)
    await tx.query(sql`insert into share_event (share_id, kind, visitor, at) select ${id}, 'visit', 'demo-' || ${id}::text || '-' || g, to_timestamp(${share.created_at}::float8 + g * 1800) from generate_series(1, ${visits}::int) g`)
    const doubt = share.state !== SHARE_STATE.fine
    const running = share.activity_id === null ? undefined : await lockActivity(tx, invite)
    for (let n = 0; n < (doubt ? 4 : index % 3); n++) {
      const person = newcomers[at++]
      if (!person || person.id === share.user_id) continue
      const evidence = !doubt ? [] : n < 2 ? [EVIDENCE.device] : n === 2 ? [EVIDENCE.net] : []
      const coupon = running && !doubt && share.user_id !== null ? await giveCoupon(tx, running, share.user_id, 'invite', null) : undefined
      const state = coupon ? R.given : !running ? R.none : share.state === SHARE_STATE.frozen ? R.refused : R.held
      await tx.query(sql`insert into share_newcomer (user_id, share_id, evidence, amount, state, coupon_id, at) values (${person.id}, ${id}, ${sql.param(evidence)}::text[], ${running ? 20_00 : 0}, ${state}, ${coupon?.id ?? null}::bigint, to_timestamp(${share.created_at + (n + 1) * 5400})) on conflict (user_id) do nothing`)
    }
    await sumShare(tx, id)
  }
}

/** Spreads what was bought in this minute over the days since the line's latest order, in the order of the numbers. */
async function spreadOrders({ tx, now }: World): Promise<void> {
  const [last] = await tx.query<{ at: number }>(sql`select extract(epoch from max(created_at))::float8 as at from orders where checkout_no is null and line in (${LINES[0]}, ${LINES[1]})`)
  const from = Math.max(last?.at ?? 0, now - 18 * DAY)
  await tx.query(sql`with x as (select c.no, to_timestamp(${from}::float8 + (${now - 600} - ${from}::float8) * row_number() over (order by c.id) / (count(*) over () + 1)) as at from checkout c), moved as (
      update orders o set created_at = x.at, updated_at = x.at, paid_at = case when o.paid_at is null then null else x.at + interval '4 minutes' end from x where o.checkout_no = x.no returning o.id, x.at),
      paid as (update payment p set at = moved.at + interval '4 minutes', created_at = moved.at + interval '4 minutes' from moved where p.order_id = moved.id),
      dated as (update checkout c set at = x.at from x where x.no = c.no)
    select 1`)
}

/** Activities, links, sales, groups, coupons and shares in every state, bought by the functions behind the calls. */
export async function insertPromotionDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(1911), Math.floor(Date.now() / 1000)]
  await seedTransaction(db, async (tx) => {
    const rows = await tx.query<Offer & Record<string, unknown>>(sql`select id, line, title, price::float8 as price from offer where line in (${LINES[0]}, ${LINES[1]}) and state = 3 and stock is null and buy_limit is null and price > 5000 and deleted_at is null and (sale_start is null or sale_start <= now()) and (sale_end is null or sale_end > now()) order by id`)
    const offers = Object.groupBy(rows, ({ line }) => line) as Record<string, Offer[]>
    const ids = async (query: ReturnType<typeof sql>) => (await tx.query<{ id: number }>(query)).map(({ id }) => id)
    const world: World = {
      tx, random, now, offers, people: await tx.query<Person & Record<string, unknown>>(sql`select id, mobile, nickname as name from app_user where status = 1 and deleted_at is null and mobile is not null order by id limit 400`),
      agents: await tx.query<{ id: number; name: string }>(sql`select id, name from agent where status = 1 and deleted_at is null order by id limit 12`), staff: await ids(sql`select id from staff where status = 1 order by id limit 8`), channels: await ids(sql`select id from channel where deleted_at is null order by id`),
    }
    if (LINES.some((line) => (offers[line] ?? []).length < 3) || world.people.length < 200 || world.channels.length === 0) return
    const crowd = buyers(world.people)
    const next = () => crowd.next().value
    const of = await insertActivities(world)
    const links = await insertLinks(world, of)
    await sellByLinks(world, links, next, of['welcome'] ?? 0)
    await insertSales(world, of, next)
    await insertGroups(world, of['group'] ?? 0, next)
    await insertCoupons(world, of, next)
    await insertShares(world, of['invite'] ?? 0)
    await spreadOrders(world)
    for (const id of links) await examine(tx, id)
  })
  report('已生成 24 条支付链接、12 场限时抢购、11 个活动和 48 次分享')
}
