import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { person } from '../../core/setup/people.ts'
import { PLACES } from '../../core/setup/places.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import type { ApplyRow } from '../apply/door.server.ts'
import { APPLY_STATUS as S } from '../apply/module.ts'
import { bookLine } from '../book/module.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { ORDER_STATUS } from '../order/module.ts'
import { openEntitlements } from '../user/door.server.ts'
import { ENTITLEMENT_SOURCE } from '../user/module.ts'
import { charityEffect, givePlaces } from './charity.server.ts'
import { charityApply } from './charity-apply.ts'
import { marketApply } from './market-apply.ts'
import { marketEffect, ORIGIN } from './market-effect.server.ts'
import { marketUser, OPENING } from './opening.ts'
import { giveQuotas } from './quota.server.ts'
import { monthOf } from './quota.ts'
import { endPlaces, recallOpenings } from './recall.server.ts'

const DAY = 86_400
/** How long what is sold of books lasts by itself. */
const VALID_DAYS = 365
/** Requests over half a year, and applications of schools. */
const REQUESTS = 34
const SCHOOLS = 20
/** Behind the people of the other modules. */
const FIRST_PERSON = 720_000
const UNITS = ['第一中学', '实验中学', '外国语学校', '育才学校', '学海书城', '启航培训中心'] as const
const HOPE = ['希望小学', '民族中学', '特殊教育学校', '镇中心小学', '寄宿制学校'] as const
const REASONS = ['新学期选用教辅，备课组先试用配套资源。', '样书已寄到，教研组长和备课组需要看数字资源。', '教研活动演示，老师会后继续试用。', '续订前由年级组试用一个月。'] as const
const REFUSED = ['同一学校上月已经试用过，请等转化结果', '名单里大多是学生，老师试用请提供任教证明', '用途写的是样书，没有附样书申请表'] as const
const EVIDENCE = [['org', 'need'], ['org', 'need', 'roll'], ['org', 'need', 'roll', 'visit']] as const

const everybody = (id: number): Staff => ({ id, account: '', name: '', role: '', modules: new Set<number>(), scopes: {}, masksNames: false })
const paper = (title: string, name: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="560" height="400"><rect width="560" height="400" fill="#f6faf4"/><rect x="16" y="16" width="528" height="368" fill="none" stroke="#5b8f4a" stroke-width="4"/>
<text x="280" y="100" font-size="32" text-anchor="middle" fill="#2f5d24">${title}</text><text x="70" y="200" font-size="20" fill="#333">${name}</text><text x="70" y="250" font-size="20" fill="#333">（演示数据，不具有效力）</text><circle cx="440" cy="310" r="46" fill="none" stroke="#c03030" stroke-width="4"/></svg>`

interface Known { mobile: string; name: string }
interface Cast { market: readonly number[]; auditor: Staff; people: readonly Known[]; now: number }

/** Quotas of half a year; this month's are wide until everything is opened. */
async function insertQuotas(tx: Queryable, { market, now }: Cast): Promise<string[]> {
  const months = [...new Set(Array.from({ length: 6 }, (_, back) => monthOf(now - back * 30 * DAY)))].toReversed()
  for (const month of months) await giveQuotas(tx, { month, staff_ids: market, quota: 1000 })
  return months
}

interface Asked { id: number; offer_id: number; staff_id: number; org: string; days: number }
interface Named { id: number; mobile: string; name: string; user_id: number }

/** What an approval made some time ago: a log of orders is written once, so what lies back is written as it was then. */
async function openPast(tx: Queryable, auditor: Staff, { id, offer_id, staff_id, org, days }: Asked, at: number): Promise<void> {
  const [offer] = await tx.query<{ title: string; price: number }>(sql`select title, price::float8 as price from offer where id = ${offer_id}`)
  const [quota] = await tx.query<{ id: number }>(sql`select id from market_quota where staff_id = ${staff_id} and month = ${monthOf(at)}`)
  const named = await tx.query<Named & Record<string, unknown>>(sql`select g.id, g.mobile, g.name, u.id as user_id from market_grant g join app_user u on u.mobile = g.mobile and u.deleted_at is null where g.apply_id = ${id} order by g.id`)
  const have = new Set((await tx.query<{ user_id: number }>(sql`select distinct user_id from entitlement where user_id = any(${sql.param(named.map(({ user_id }) => user_id))}::bigint[]) and offer_id = ${offer_id} and line = ${bookLine.line.code} and status = 1 and expire_at > to_timestamp(${at}) and deleted_at is null`)).map(({ user_id }) => user_id))
  const fresh = named.filter(({ user_id }) => !have.has(user_id))
  const [price, end] = [offer?.price ?? 0, at + days * DAY]
  const numbers = await tx.query<{ no: string }>(sql`select to_char(to_timestamp(${at}) at time zone 'Asia/Shanghai', 'YYYYMMDD') || lpad(nextval(pg_get_serial_sequence('orders', 'id'))::text, 8, '0') as no from generate_series(1, ${sql.raw(String(fresh.length))})`)
  const orders = await insertMany(tx, bookLine.orders, fresh.map(({ mobile, name, user_id }, nth) => ({
    order_no: numbers[nth]?.no ?? '', goods: `商品·${offer?.title ?? ''}`, goods_ref_id: offer_id, buyer_name: name, buyer_mobile: mobile, user_id, biz_type: 1, total: price, discount: price, amount: 0, paid: 0, refunded: 0, virtual: 1, pay_channel: 'free',
    remark: `市场开通：${org}`, status: ORDER_STATUS.paid, created_at: at, created_by: auditor.id,
  })))
  const rows = JSON.stringify(fresh.map((one, nth) => ({ ...one, order_id: orders[nth] })))
  const r = sql`jsonb_to_recordset(${rows}::jsonb) as r (id bigint, user_id bigint, order_id bigint)`
  const effect = JSON.stringify({ opened: [{ offer_id, days: VALID_DAYS }] })
  await tx.query(sql`insert into order_item (order_id, kind, ref_id, name, price, qty, net, granted_qty, effect) select r.order_id, 'offer', ${offer_id}, ${`商品·${offer?.title ?? ''}`}, ${price}, 1, 0, 1, ${effect}::jsonb from ${r}`)
  await tx.query(sql`insert into order_discount (order_id, kind, ref_id, amount) select r.order_id, 'manual', null, ${price} from ${r}`)
  await tx.query(sql`insert into order_origin (order_id, kind, ref_id) select r.order_id, ${ORIGIN}, ${id} from ${r}`)
  for (const [action, from, to] of [['create', null, ORDER_STATUS.unpaid], ['pay', ORDER_STATUS.unpaid, ORDER_STATUS.paid]] as const) await tx.query(sql`insert into order_log (order_id, at, staff_id, action, from_status, to_status, amount) select r.order_id, to_timestamp(${at}), ${auditor.id}, ${action}, ${from}::integer, ${to}, 0 from ${r}`)
  const items = new Map((await tx.query<{ id: number; order_id: number }>(sql`select id, order_id from order_item where order_id = any(${sql.param(orders)}::bigint[])`)).map((item) => [item.order_id, item.id]))
  await openEntitlements(tx, auditor.id, fresh.map(({ user_id }, nth) => ({ user_id, line: bookLine.line.code, product: offer?.title ?? '', offer_id, source: ENTITLEMENT_SOURCE.virtual, ref: `order_item ${items.get(orders[nth] ?? 0) ?? 0}:${offer_id}`, start_at: at, expire_at: end })))
  await tx.query(sql`update market_grant g set state = ${OPENING.active}, user_id = r.user_id, order_id = r.order_id, quota_id = ${quota?.id ?? null}, start_at = to_timestamp(${at}), expire_at = to_timestamp(${end}) from ${r} where g.id = r.id`)
  await tx.query(sql`update market_grant set state = ${OPENING.left}, note = '已有权益' where apply_id = ${id} and state = ${OPENING.named}`)
  await tx.query(sql`update apply set status = ${S.passed}, auditor_id = ${auditor.id}, audited_at = to_timestamp(${at}), due_at = to_timestamp(${end}), effect_ref = ${`market_quota ${quota?.id ?? 0}`} where id = ${id}`)
}

const rowOf = async (tx: Queryable, id: number) => (await tx.query<ApplyRow>(sql`select * from apply where id = ${id}`))[0] as ApplyRow

/** Requests of half a year, the oldest first, in every state; those that passed have their effect. */
async function insertRequests(tx: Queryable, random: Random, cast: Cast): Promise<number> {
  const { market, auditor, people, now } = cast
  const offers = (await tx.query<{ id: number }>(sql`select id from offer where line = ${bookLine.line.code} and state = ${OFFER_STATE.selling} and deleted_at is null order by id`)).map(({ id }) => id)
  if (offers.length === 0) return 0
  let taken = 0
  for (let at = 0; at < REQUESTS; at++) {
    // Denser towards now, so that several are in force.
    const nth = REQUESTS - at
    const age = Math.round(nth * nth * 0.1) + nth
    const [asked, decided] = [now - age * DAY - random.int(0, 30_000), now - age * DAY + random.int(4, 20) * 3600]
    const fresh = at >= REQUESTS - 6
    const status = at === REQUESTS - 1 ? S.draft : fresh ? S.waiting : at % 9 === 4 ? S.refused : S.passed
    const who = person(FIRST_PERSON + at, 'adult')
    const { city, code } = PLACES[(at * 7 + 3) % PLACES.length] ?? { city: '苏州', code: '320508' }
    const staff_id = market[at % market.length] ?? auditor.id
    const days = random.pick([15, 30, 30, 60, 90])
    const offer_id = offers[at % offers.length] ?? 0
    const org = `${city}${random.pick(UNITS)}`
    const [id = 0] = await insertMany(tx, marketApply, [{
      kind: 'market_virtual', org, applicant: who.name, mobile: who.mobile, region_code: code, purpose: ((at % 3) + 1) as 1, offer_id, days, staff_id, reason: random.pick(REASONS),
      status: status === S.draft ? S.draft : S.waiting, created_at: asked, created_by: staff_id, submitted_by: status === S.draft ? null : staff_id,
    }])
    const count = 2 + (at % 5)
    const named = Array.from({ length: count }, (_, place): Known => {
      // Whoever waits may have no account yet; who was opened for has one.
      const newcomer = person(FIRST_PERSON + 200 + at * 10 + place, 'adult')
      return fresh && place % 2 === 0 ? newcomer : people[taken++ % people.length] ?? newcomer
    })
    await insertMany(tx, marketUser, named.map(({ mobile, name }) => ({ kind: 'market', apply_id: id, offer_id, staff_id, mobile, name: name.slice(0, 20), state: OPENING.named, created_at: asked, created_by: staff_id })))
    if (status === S.refused) {
      const reason = random.pick(REFUSED)
      await marketEffect.refuse?.(tx, await rowOf(tx, id), reason)
      await tx.query(sql`update apply set status = ${S.refused}, audit_remark = ${reason}, auditor_id = ${auditor.id}, audited_at = to_timestamp(${decided}) where id = ${id}`)
    }
    if (status !== S.passed) continue
    await openPast(tx, auditor, { id, offer_id, staff_id, org, days }, decided)
    if (decided + days * DAY < now) {
      await marketEffect.close(tx, await rowOf(tx, id), undefined)
      await tx.query(sql`update apply set status = ${S.expired} where id = ${id}`)
    } else if (at % 7 === 3) {
      await marketEffect.close(tx, await rowOf(tx, id), { staff: auditor, reason: '客户已签约订购，收回试用' })
      await tx.query(sql`update apply set status = ${S.undone}, audit_remark = '客户已签约订购，收回试用' where id = ${id}`)
    } else if (at % 4 === 1) {
      const [one] = await tx.query<{ id: number }>(sql`select id from market_grant where apply_id = ${id} and state = ${OPENING.active} order by id limit 1`)
      if (one) await recallOpenings(tx, auditor, [one.id], '老师已离职')
    }
  }
  return taken
}

/** What people really have: some more than they use, one used up, one with nothing this month. */
async function settleQuotas(tx: Queryable, { market, now }: Cast, months: readonly string[]): Promise<void> {
  for (const [at, staffId] of market.entries()) {
    for (const month of months) {
      const [row] = await tx.query<{ id: number; used: number; opened: number }>(sql`select q.id, (select count(*)::int from market_grant g where g.quota_id = q.id and g.state = ${OPENING.active}) as used, (select count(*)::int from market_grant g where g.quota_id = q.id) as opened from market_quota q where q.staff_id = ${staffId} and q.month = ${month}`)
      if (!row) continue
      const current = month === monthOf(now)
      if (current && at === market.length - 1 && row.opened === 0) await tx.query(sql`delete from market_quota where id = ${row.id}`)
      else await tx.query(sql`update market_quota set quota = ${current && at === 1 ? Math.max(1, row.used) : Math.max(10, row.opened) + 10 * (at % 2)} where id = ${row.id}`)
    }
  }
}

/** Schools in need over a year, in every state, with their evidence and those who were admitted. */
async function insertCharities(tx: Queryable, random: Random, cast: Cast, files: FileStore, taken: number): Promise<number> {
  const { auditor, market, people, now } = cast
  const offers = (await tx.query<{ id: number }>(sql`select id from offer where line in ('sync_course', 'junior_sync_course') and state = ${OFFER_STATE.selling} and deleted_at is null order by id limit 8`)).map(({ id }) => id)
  if (offers.length === 0) return 0
  let next = taken
  let admitted = 0
  for (let at = 0; at < SCHOOLS; at++) {
    const [status, over] = at % 10 === 9 ? [S.draft, false] : at % 10 === 8 ? [S.asked, false] : at % 10 >= 6 ? [S.waiting, false] : at % 10 === 5 ? [S.refused, false] : at % 10 === 4 ? [S.undone, false] : at % 10 === 3 ? [S.expired, true] : [S.passed, false]
    const who = person(FIRST_PERSON + 100 + at, 'adult')
    const { city, code } = PLACES[(at * 5 + 11) % PLACES.length] ?? { city: '遵义', code: '520302' }
    const org = `${city}${HOPE[at % HOPE.length]}`
    const fresh = status === S.waiting || status === S.asked || status === S.draft
    const created_at = now - (fresh ? 1 + (at % 5) : 40 + at * 9) * DAY
    const hands = fresh && at % 2 === 0 ? null : market[at % market.length] ?? null
    const [id = 0] = await insertMany(tx, charityApply, [{
      kind: 'charity', org, applicant: who.name, mobile: who.mobile, region_code: code, licence_no: `1252${code}MB${String(1_000_000 + at * 7919)}`, offer_id: offers[at % offers.length] ?? 0, quota: at === 0 ? 6 : random.pick([20, 30, 50]),
      due_at: startOfDay(now + (at === 1 ? 12 : 60 + (at % 6) * 40) * DAY), staff_id: market[at % market.length] ?? null, reason: '学校地处山区，学生多为留守儿童，希望免费使用同步课程。', evidence: fresh ? [] : [...EVIDENCE[at % EVIDENCE.length] ?? []],
      status: status === S.draft || status === S.asked || status === S.refused ? status : S.waiting, created_at, created_by: hands, submitted_by: status === S.draft ? null : hands,
      ...(status === S.asked && { audit_remark: '请补充：困难证明、学生名册', auditor_id: auditor.id }), ...(status === S.refused && { audit_remark: '单位证明与申请学校不一致', auditor_id: auditor.id, audited_at: created_at + 2 * DAY }),
    }])
    if (status !== S.draft && status !== S.asked) {
      const licence: string[] = []
      for (const title of ['单位证明', '困难证明']) licence.push(fileUrl((await files.put(Readable.from([Buffer.from(paper(title, org))]), { name: `${title}.svg`, staffId: auditor.id })).id))
      await attachFiles(tx, charityApply, { licence }, auditor.id)
      await tx.query(sql`update apply set licence = ${sql.param(licence)}::text[] where id = ${id}`)
    }
    if (status !== S.passed && status !== S.undone && status !== S.expired) continue
    const made = await charityEffect.open(tx, auditor, await rowOf(tx, id))
    await tx.query(sql`update apply set status = ${S.passed}, effect_ref = ${made.effect_ref}, auditor_id = ${auditor.id}, audited_at = to_timestamp(${created_at + 2 * DAY}) where id = ${id}`)
    // One school has all its places taken, one has admitted nobody yet.
    const count = at === 0 ? 6 : at === 2 ? 0 : 4 + (at % 7)
    const lines = Array.from({ length: count }, () => people[next++ % people.length]).flatMap((one) => (one ? [`${one.mobile} ${one.name}`] : []))
    if (lines.length > 0) admitted += (await givePlaces(tx, auditor, id, lines)).opened
    await tx.query(sql`update market_grant set start_at = to_timestamp(${created_at + 4 * DAY}), created_at = to_timestamp(${created_at + 4 * DAY}), updated_at = to_timestamp(${created_at + 4 * DAY}) where apply_id = ${id}`)
    await tx.query(sql`update entitlement e set start_at = to_timestamp(${created_at + 4 * DAY}), created_at = to_timestamp(${created_at + 4 * DAY}) from market_grant g where g.apply_id = ${id} and e.source = 4 and e.ref = 'charity_user ' || g.id`)
    const active = (await tx.query<{ id: number }>(sql`select id from market_grant where apply_id = ${id} and state = ${OPENING.active} order by id`)).map((row) => row.id)
    if (status === S.undone) {
      await charityEffect.close(tx, await rowOf(tx, id), { staff: auditor, reason: '学校已撤并' })
      await tx.query(sql`update apply set status = ${S.undone}, audit_remark = '学校已撤并' where id = ${id}`)
    } else if (over) {
      const due = startOfDay(now - 5 * DAY)
      await tx.query(sql`update apply set due_at = to_timestamp(${due}) where id = ${id}`)
      await tx.query(sql`update market_grant set expire_at = to_timestamp(${due + DAY}) where apply_id = ${id}`)
      await tx.query(sql`update entitlement e set expire_at = to_timestamp(${due + DAY}) from market_grant g where g.apply_id = ${id} and e.source = 4 and e.ref = 'charity_user ' || g.id`)
      await charityEffect.close(tx, await rowOf(tx, id), undefined)
      await tx.query(sql`update apply set status = ${S.expired} where id = ${id}`)
    } else if (at % 3 === 1 && active[0] !== undefined) await endPlaces(tx, [active[0]], '已转学', false)
  }
  return admitted
}

/** Half a year of the market's openings with quotas and virtual orders, and schools that learn for nothing. */
export async function insertMarketDemo(db: Database, report: (text: string) => void, files: FileStore): Promise<void> {
  const [random, now] = [seededRandom(1502), Math.floor(Date.now() / 1000)]
  const market = (await db.query<{ id: number }>(sql`select id from staff where status = 1 and position like '%大区经理' order by id`)).map(({ id }) => id)
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 4`)).map(({ id }) => id)
  // Teachers and parents whom the market knows: those who registered last.
  const people = (await db.query<{ mobile: string; name: string }>(sql`select mobile, real_name as name from app_user where real_name is not null and status = 1 and deleted_at is null order by id desc limit 600`)).map((one) => ({ ...one, name: one.name.slice(0, 20) }))
  const cast: Cast = { market: market.length > 0 ? market : staff.slice(1), auditor: everybody(staff[0] ?? 0), people, now }
  if (people.length === 0 || cast.market.length === 0) return
  await seedTransaction(db, async (tx) => {
    const months = await insertQuotas(tx, cast)
    const taken = await insertRequests(tx, random, cast)
    await settleQuotas(tx, cast, months)
    const admitted = await insertCharities(tx, random, cast, files, taken)
    report(`已生成 ${REQUESTS} 份市场开通申请、${SCHOOLS} 份公益申请，受助学员 ${admitted} 名`)
  })
}
