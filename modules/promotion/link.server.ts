import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import { yuan } from '../../core/field/number.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { PublicPage } from '../../core/public-page/page.ts'
import { createPublicLink, revokePublicLinks, type PublicPageKind } from '../../core/public-page/public-page.server.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { agent, AGENT_STATUS } from '../agent/module.ts'
import { spread } from '../order/module.ts'
import { ACTIVITY_STATE } from './activity.ts'
import { buyByLink, closedLink, readLink, soldOf } from './buy.server.ts'
import { checkLink, copyLinks, linkOverview, linkSuites, payLinkCheckout, type LinkCheckout, type OfferedSuite } from './calls.ts'
import { payCheckout } from './checkout.server.ts'
import { keptBack } from './coupon.server.ts'
import { shareOut, type Suite } from './good.ts'
import { checkReach, quote, tryQuote } from './goods.server.ts'
import { activityLink, LINK_STATE, PAYLINK_PATH } from './link.ts'
import { learnerName, shownOrders } from './shown.server.ts'

/** Purchases that one link shows. */
const SHOWN = 50
/** Hours after which a link is looked at again. */
const CHECK_HOURS = 20

const PAGE = { name: 'pay_link' } as const
const own = sql`checkout c where c.kind = 'link' and c.ref_id = t.id`
const money = sql`(select coalesce(sum(o.paid), 0) from checkout_part p join orders o on o.id = p.order_id where p.checkout_id = c.id)`

/** Completes packages: each gets its number, and its goods their shares; refuses what costs too little or too much. */
async function completeSuites(tx: Queryable, suites: readonly Suite[], before: readonly Suite[]): Promise<Suite[]> {
  let last = Math.max(0, ...before.map(({ id }) => id ?? 0), ...suites.map(({ id }) => id ?? 0))
  const known = new Set(before.map(({ id }) => id))
  const complete: Suite[] = []
  for (const suite of suites) {
    const quotes = await quote(tx, suite.goods).catch((error: Error) => { throw invalid({ suites: `「${suite.name}」：${error.message}` }) })
    const lists = suite.goods.map(({ qty }, index) => (quotes[index]?.price ?? 0) * qty)
    const list = lists.reduce((sum, one) => sum + one, 0)
    if (suite.price > list) throw invalid({ suites: `「${suite.name}」的套餐价不能高于单买价 ${yuan(list)} 元` })
    const goods = shareOut(suite, lists, spread)
    if (!goods) throw invalid({ suites: `「${suite.name}」的分摊金额之和应等于套餐价 ${yuan(suite.price)} 元` })
    for (const [index, good] of goods.entries()) {
      const { floor = 0 } = quotes[index] ?? {}
      if (good.share < floor * good.qty) throw invalid({ suites: `「${suite.name}」中「${good.name}」分摊 ${yuan(good.share)} 元，低于底价 ${yuan(floor * good.qty)} 元` })
      if (good.share > (lists[index] ?? 0)) throw invalid({ suites: `「${suite.name}」中「${good.name}」分摊 ${yuan(good.share)} 元，高于单买价 ${yuan(lists[index] ?? 0)} 元` })
    }
    const taken = complete.some(({ id }) => id === suite.id)
    complete.push({ ...suite, id: suite.id != null && !taken && (known.has(suite.id) || before.length === 0) ? suite.id : ++last, goods })
  }
  return complete
}

/** What is wrong with a link: one sentence for each. */
export async function linkProblems(tx: Queryable, id: number): Promise<string[]> {
  const link = await readLink(tx, { id })
  if (!link) return ['链接已删除']
  const closed = closedLink(link)
  const problems = closed ? [closed] : []
  if (link.agent_id !== null) {
    const [seller] = await tx.query<{ name: string; status: number; gone: boolean }>(sql`select name, status, deleted_at is not null as gone from agent where id = ${link.agent_id}`)
    if (!seller || seller.gone) problems.push('代理已删除')
    else if (seller.status !== AGENT_STATUS.active) problems.push(`代理「${seller.name}」${choiceLabel('choices' in agent.fields['status']! ? agent.fields['status'].choices : [], seller.status)}，成交不计佣`)
  }
  if (link.activity_id !== null) {
    const [of] = await tx.query<{ name: string; state: number; over: boolean; spent: boolean }>(sql`select name, state, end_at <= now() as over, coalesce(spent >= budget, false) as spent from activity where id = ${link.activity_id}`)
    if (!of || of.state !== ACTIVITY_STATE.on || of.over) problems.push(`活动「${of?.name ?? ''}」不在进行中`)
    else if (of.spent) problems.push(`活动「${of.name}」预算已用完`)
  }
  for (const suite of link.suites) {
    for (const good of suite.goods) {
      const { quote: known, why } = await tryQuote(tx, good)
      if (!known) problems.push(`套餐「${suite.name}」的「${good.name}」${why?.includes('不存在') ? '已下架' : `：${why ?? ''}`}`)
      else if ((good.share ?? 0) < known.floor * good.qty) problems.push(`套餐「${suite.name}」的「${good.name}」低于底价 ${yuan(known.floor * good.qty)} 元`)
      else if ((good.share ?? 0) > known.price * good.qty) problems.push(`套餐「${suite.name}」的「${good.name}」高于单买价 ${yuan(known.price * good.qty)} 元`)
    }
    if (suite.stock != null && await soldOf(tx, id, suite.id ?? 0) >= suite.stock) problems.push(`套餐「${suite.name}」已售完`)
  }
  return problems
}

/** Looks at a link and keeps what it found. */
export async function examine(tx: Queryable, id: number): Promise<string[]> {
  const problems = await linkProblems(tx, id)
  const words = problems.join('；')
  await setDerived(tx, activityLink, { problems: words === '' ? null : words.slice(0, 400), checked_at: sql`now()` }, id)
  return problems
}

/** A link's own page: its address is known from the beginning, because it is printed on posters. */
export async function openPage(tx: Queryable, id: number, staffId: number | null): Promise<void> {
  const token = await createPublicLink(tx, PAGE, id, staffId)
  await setDerived(tx, activityLink, { short: token }, id)
}

export const links = serve(activityLink)({
  computed: {
    suite_words: sql`select string_agg((s ->> 'name') || ' ' || to_char((s ->> 'price')::numeric / 100, 'FM999990.00') || ' 元', '、') from jsonb_array_elements(t.suites) s`,
    order_cnt: sql`select count(*)::int from ${own}`,
    paid_cnt: sql`select count(*)::int from ${own} and ${money} > 0`,
    paid: sql`select coalesce(sum(o.paid - o.refunded), 0)::float8 from checkout c join checkout_part p on p.checkout_id = c.id join orders o on o.id = p.order_id where c.kind = 'link' and c.ref_id = t.id`,
  },
  segments: { health: { ill: sql`activity_link.problems is not null and activity_link.state = ${sql.raw(String(LINK_STATE.on))}`, well: sql`activity_link.problems is null` } },
  async before({ tx, staff, values, row }) {
    if (values.suites) {
      const before = row?.suites ?? []
      const old = new Set(before.flatMap(({ goods }) => goods.map(({ line, kind, ref_id }) => `${line}:${kind}:${ref_id}`)))
      await checkReach(tx, staff, values.suites.flatMap(({ goods }) => goods).filter(({ line, kind, ref_id }) => !old.has(`${line}:${kind}:${ref_id}`)), 'suites')
      values.suites = await completeSuites(tx, values.suites, before)
    }
    const expire = values.expire_at
    if (expire && expire !== row?.expire_at && expire <= Date.now() / 1000) throw invalid({ expire_at: '有效期应晚于现在' })
    const max = values.max_uses
    if (row && max != null && max < (row.used ?? 0)) throw invalid({ max_uses: `已购买 ${row.used} 次，不能更少` })
  },
  async after({ tx, staff, row, saved }) {
    if (!row) await openPage(tx, saved.id, staff.id)
    await examine(tx, saved.id)
  },
  async beforeRemove({ tx, row }) {
    const [open] = await tx.query(sql`select 1 from checkout c join checkout_part p on p.checkout_id = c.id join orders o on o.id = p.order_id where c.kind = 'link' and c.ref_id = ${row.id} and o.status = 1 and p.alive = 1 limit 1`)
    if (open) throw badRequest('还有待付款的订单，请先停用链接')
    await revokePublicLinks(tx, PAGE, row.id)
  },
  effects: {
    stop: ({ tx, row }) => examine(tx, row.id).then(() => undefined),
    start: ({ tx, row }) => examine(tx, row.id).then(() => undefined),
  },
})

const offered = async (db: Queryable, linkId: number, suites: readonly Suite[]): Promise<OfferedSuite[]> => Promise.all(suites.map(async (suite) => {
  const quotes = await Promise.all(suite.goods.map((good) => tryQuote(db, good)))
  const sold = suite.stock == null ? 0 : await soldOf(db, linkId, suite.id ?? 0)
  return {
    id: suite.id ?? 0, name: suite.name, price: suite.price, list: quotes.reduce((sum, { quote: known }, index) => sum + (known?.price ?? 0) * (suite.goods[index]?.qty ?? 1), 0), gift: suite.gift ?? null, stock: suite.stock ?? null,
    left: suite.stock == null ? null : Math.max(0, suite.stock - sold), goods: suite.goods.map((good) => ({ ...good, share: good.share ?? 0 })),
  }
}))

const optionOf = ({ name, price }: Pick<OfferedSuite, 'name' | 'price'>) => `${name} · ¥${yuan(price)}`

/** What strangers see of a link. */
async function pageOf(tx: Queryable, id: number): Promise<PublicPage | undefined> {
  const link = await readLink(tx, { id })
  if (!link || closedLink(link)) return undefined
  const [more] = await tx.query<{ words: string | null }>(sql`select words from activity_link where id = ${id}`)
  const suites = (await offered(tx, id, link.suites)).filter(({ left }) => left !== 0)
  const must = link.need_receiver === 1
  return {
    title: link.name, ...(suites.length > 0 && { send: '提交订单' }),
    blocks: [
      ...(more?.words ? [{ kind: 'text' as const, text: more.words }] : []),
      ...(suites.length === 0 ? [{ kind: 'text' as const, text: '套餐已售完' }] : []),
      ...suites.flatMap(({ name, price, list, gift, left, goods }) => [
        { kind: 'heading' as const, text: name },
        { kind: 'facts' as const, facts: [
          { label: '套餐价', value: `¥${yuan(price)}` }, ...(list > price ? [{ label: '单买', value: `¥${yuan(list)}，省 ¥${yuan(list - price)}` }] : []), { label: '包含', value: goods.map((good) => (good.qty > 1 ? `${good.name} ×${good.qty}` : good.name)).join('、') },
          ...(gift ? [{ label: '赠品', value: gift }] : []), ...(left === null ? [] : [{ label: '还剩', value: `${left} 份` }]),
        ] },
      ]),
      ...(suites.length === 0 ? [] : [
        { kind: 'choose' as const, key: 'suite', label: '选择套餐', required: true, options: suites.map(optionOf) },
        { kind: 'ask' as const, key: 'name', label: '学员姓名', required: true, max: 20 }, { kind: 'ask' as const, key: 'mobile', label: '手机号（课程开通到该号码）', required: true, max: 20 },
        { kind: 'ask' as const, key: 'referrer', label: link.need_referrer === 1 ? '推荐人手机号' : '推荐人手机号（选填）', required: link.need_referrer === 1, max: 20 },
        ...(must ? [{ kind: 'ask' as const, key: 'receiver', label: '收货人', required: true, max: 20 }, { kind: 'ask' as const, key: 'region', label: '收货地区', required: true, max: 40 }, { kind: 'ask' as const, key: 'address', label: '详细地址', required: true, max: 100 }] : []),
      ]),
    ],
  }
}

const MOBILE = /^1[3-9]\d{9}$/

/** The page of a link: what is sold, and the order of whoever fills it in. */
export const linkPages = (kernel: Kernel): PublicPageKind => ({
  ...PAGE,
  async load(tx, link) {
    const page = await pageOf(tx, link.refId)
    if (page) await setDerived(tx, activityLink, { visits: sql`coalesce(t.visits, 0) + 1` }, link.refId)
    return page
  },
  async answer(tx, { refId }, answers) {
    const said = (key: string) => String(answers[key] ?? '').trim()
    const link = await readLink(tx, { id: refId })
    if (!link) throw badRequest('链接已停用')
    const suite = link.suites.find((one) => optionOf(one) === said('suite'))
    if (!suite?.id) throw invalid({ suite: '套餐已变化，请刷新页面' })
    if (!MOBILE.test(said('mobile'))) throw invalid({ mobile: '请输入正确的手机号' })
    if (said('referrer') !== '' && !MOBILE.test(said('referrer'))) throw invalid({ referrer: '请输入正确的推荐人手机号' })
    const placed = await buyByLink(kernel, tx, link, suite.id, {
      mobile: said('mobile'), name: said('name'), ...(said('referrer') !== '' && { referrer: said('referrer') }),
      ...(link.need_receiver === 1 && { receiver: { name: said('receiver'), mobile: said('mobile'), region: said('region'), address: said('address') } }),
    })
    // The page was read once more to check the answers: that is no visit.
    await setDerived(tx, activityLink, { visits: sql`greatest(coalesce(t.visits, 0) - 1, 0)` }, refId)
    return `订单已提交，应付 ¥${yuan(placed.amount)}，单号 ${placed.checkout_no}。请在 15 分钟内付款，超时自动关闭。`
  },
})

/** What was bought by a link, the latest first. */
async function checkoutsOf(kernel: Kernel, call: Pick<Call, 'db' | 'staff'>, id: number, suites: readonly Suite[]): Promise<LinkCheckout[]> {
  const rows = await call.db.query<{ id: number; no: string; at: number; name: string | null; mobile: string; suite_id: number; amount: number; receiver: { name: string; mobile: string; region: string; address: string } | null; paid: number; refunded: number; alive: number; unpaid: number; c_amount: number | null; c_threshold: number | null }>(sql`select c.id, c.no, extract(epoch from c.at)::float8 as at, c.name, c.mobile, c.suite_id, c.amount, c.receiver, x.paid, x.refunded, x.alive, x.unpaid, k.amount as c_amount, k.threshold as c_threshold
    from checkout c left join coupon_user k on k.id = c.coupon_id cross join lateral (select coalesce(sum(o.paid), 0)::float8 as paid, coalesce(sum(o.refunded), 0)::float8 as refunded, coalesce(sum(p.alive), 0)::int as alive, count(*) filter (where o.status = 1 and o.deleted_at is null)::int as unpaid from checkout_part p join orders o on o.id = p.order_id where p.checkout_id = c.id) x
    where c.kind = 'link' and c.ref_id = ${id} order by c.id desc limit ${SHOWN}`)
  const of = rows.map((row) => row.no)
  const orders = await call.db.query<{ id: number; order_no: string; line: string; goods: string | null; amount: number; checkout_no: string }>(sql`select id, order_no, line, goods, amount, checkout_no from orders where checkout_no = any(${sql.param(of)}::text[]) order by id`)
  const open = await shownOrders(kernel, call, orders.map(({ id: order }) => order))
  return rows.map((row) => ({
    id: row.id, no: row.no, at: row.at, buyer: learnerName(call.staff, row.name), mobile: maskMobile(row.mobile), suite: suites.find((suite) => suite.id === row.suite_id)?.name ?? '已删除的套餐', amount: row.amount, paid: row.paid, refunded: row.refunded,
    state: row.alive === 0 ? 'over' : row.unpaid > 0 ? 'open' : 'paid',
    kept: row.c_amount !== null && row.c_threshold !== null && row.refunded > 0 ? keptBack({ amount: row.c_amount, threshold: row.c_threshold }, row.paid + row.c_amount, row.paid - row.refunded) : 0,
    receiver: row.receiver ? `${row.receiver.name} ${maskMobile(row.receiver.mobile)} ${row.receiver.region}${row.receiver.address}` : null,
    orders: orders.filter(({ checkout_no }) => checkout_no === row.no).map(({ checkout_no: _no, ...order }) => ({ ...order, status: open.get(order.id)?.status ?? '', to: open.get(order.id)?.to ?? null })),
  }))
}

/** The calls of links beside those of their list. */
export function linkCalls(kernel: Kernel): Served[] {
  const seen = async (call: Pick<Call, 'db' | 'staff' | 'params'>) => {
    const row = await readOne(call.db, activityLink, call.staff, idParam(call), links.rules.computed ?? {})
    if (!row) throw notFound(activityLink.label)
    return row
  }
  return [
    handle(linkSuites, async (call) => {
      const { id, suites } = await seen(call)
      return { suites: await offered(call.db, id, suites) }
    }),
    handle(linkOverview, async (call) => {
      const row = await seen(call)
      const [counted] = await call.db.query<{ ordered: number; paid: number; refunded: number }>(sql`select count(*)::int as ordered, count(*) filter (where x.paid > 0)::int as paid, count(*) filter (where x.refunded > 0)::int as refunded
        from checkout c cross join lateral (select coalesce(sum(o.paid), 0) as paid, coalesce(sum(o.refunded), 0) as refunded from checkout_part p join orders o on o.id = p.order_id where p.checkout_id = c.id) x where c.kind = 'link' and c.ref_id = ${row.id}`)
      return {
        path: `/new/s/${row.short}`, page: await pageOf(call.db, row.id) ?? { title: '链接无效或已过期', blocks: [] }, problems: await linkProblems(call.db, row.id), checked_at: row.checked_at,
        funnel: { visits: row.visits ?? 0, ordered: counted?.ordered ?? 0, paid: counted?.paid ?? 0, refunded: counted?.refunded ?? 0 }, checkouts: await checkoutsOf(kernel, call, row.id, row.suites),
      }
    }),
    handle(checkLink, (call) => call.transaction(async (tx) => ({ problems: await examine(tx, (await lockRow(tx, activityLink, call.staff, idParam(call))).id) }), { action: 'check' })),
    handle(copyLinks, (call) => call.transaction(async (tx) => {
      const row = (await lockRow(tx, activityLink, call.staff, idParam(call))) as Record<string, unknown> & { id: number; name: string; suites: Suite[] }
      const ids = [...new Set(call.input.agent_ids)]
      const agents = await tx.query<{ id: number; name: string }>(sql`select id, name from agent where ${listCondition(agent, call.staff, { status: String(AGENT_STATUS.active) })} and id = any(${sql.param(ids)}::bigint[]) order by id`)
      if (agents.length < ids.length) throw invalid({ agent_ids: '有代理不存在、已停用或不在您的数据范围内，请重新选择' })
      const items: { id: number; name: string; path: string }[] = []
      const shared = Object.fromEntries(['activity_id', 'suites', 'seller_id', 'channel_id', 'expire_at', 'max_uses', 'need_receiver', 'need_referrer', 'words', 'remark'].map((key) => [key, row[key]]))
      for (const one of agents) {
        const [known] = await tx.query<{ id: number }>(sql`select id from activity_link where name = ${`${row.name}·${one.name}`.slice(0, 60)} and agent_id = ${one.id} and deleted_at is null limit 1`)
        if (known) continue
        const [id = 0] = await insertMany(tx, activityLink, [{ ...shared, name: `${row.name}·${one.name}`.slice(0, 60), agent_id: one.id, state: LINK_STATE.on, created_by: call.staff.id } as object])
        await openPage(tx, id, call.staff.id)
        await examine(tx, id)
        const [made] = await tx.query<{ short: string }>(sql`select short from activity_link where id = ${id}`)
        items.push({ id, name: `${row.name}·${one.name}`.slice(0, 60), path: `/new/s/${made?.short ?? ''}` })
      }
      if (items.length === 0) throw invalid({ agent_ids: '这些代理已有该链接' })
      return { items }
    }, { action: 'copy' })),
    handle(payLinkCheckout, (call) => call.transaction(async (tx) => {
      const { id } = await seenLink(tx, call)
      const no = call.params['no'] ?? ''
      const [known] = await tx.query(sql`select 1 from checkout where no = ${no} and kind = 'link' and ref_id = ${id}`)
      if (!known) throw notFound('订单')
      return payCheckout(tx, no, call.input, call.staff)
    }, { action: 'pay' })),
  ]
}

/** A link that the person may see; orders are locked before it, so it is only read. */
async function seenLink(tx: Queryable, call: Pick<Call, 'staff' | 'params'>): Promise<{ id: number }> {
  const row = await readOne(tx, activityLink, call.staff, idParam(call), links.rules.computed ?? {})
  if (!row) throw notFound(activityLink.label)
  return row
}

/** Looks at every link that is on, each night. */
export const linkSweep = (db: Database): Sweep => ({
  name: 'pay_link_check',
  async run() {
    const due = await db.query<{ id: number }>(sql`select id from activity_link where state = ${LINK_STATE.on} and deleted_at is null and (checked_at is null or checked_at < now() - make_interval(hours => ${CHECK_HOURS})) order by checked_at nulls first, id limit 500`)
    for (const { id } of due) await db.transaction({ staff_id: null, action: 'check' }, (tx) => examine(tx, id))
  },
})

export const linkWaiting = listWaiting(activityLink, {
  name: 'pay_link_ill', title: '体检有问题的支付链接', group: 'act', verb: '处理', path: PAYLINK_PATH, query: () => ({ health: 'ill', state: String(LINK_STATE.on) }), grant: activityLink.actions.edit ?? activityLink.grant, due: { days: 1 }, since: sql`checked_at`, notes: ['problems'],
})
