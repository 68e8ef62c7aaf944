import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { person } from '../../core/setup/people.ts'
import { PLACES } from '../../core/setup/places.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import type { ApplyRow } from '../apply/door.server.ts'
import { APPLY_STATUS as S } from '../apply/module.ts'
import { bookLine } from '../book/module.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { charityEffect, givePlaces } from './charity.server.ts'
import { charityApply } from './charity-apply.ts'
import { marketApply } from './market-apply.ts'
import { marketEffect } from './market-effect.server.ts'
import { marketUser, OPENING } from './opening.ts'
import { giveQuotas } from './quota.server.ts'
import { monthOf } from './quota.ts'
import { endPlaces, recallOpenings } from './recall.server.ts'

const DAY = 86_400
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

/** Moves what an approval has just made to when it was: orders, what they opened, and the quota of that month. */
async function moveBack(tx: Queryable, id: number, at: number, days: number): Promise<void> {
  const orders = sql`select order_id from market_grant where apply_id = ${id} and order_id is not null`
  await tx.query(sql`update orders set created_at = to_timestamp(${at}), updated_at = to_timestamp(${at}), order_no = to_char(to_timestamp(${at}) at time zone 'Asia/Shanghai', 'YYYYMMDD') || substr(order_no, 9) where id in (${orders})`)
  await tx.query(sql`update order_log set at = to_timestamp(${at}) where order_id in (${orders})`)
  await tx.query(sql`update entitlement e set start_at = to_timestamp(${at}), expire_at = to_timestamp(${at + days * DAY}), created_at = to_timestamp(${at}), updated_at = to_timestamp(${at}) from order_item i where i.order_id in (${orders}) and e.source = 5 and e.ref like 'order_item ' || i.id || ':%'`)
  await tx.query(sql`update market_grant g set start_at = to_timestamp(${at}), expire_at = to_timestamp(${at + days * DAY}), quota_id = (select q.id from market_quota q where q.staff_id = g.staff_id and q.month = ${monthOf(at)}) where g.apply_id = ${id} and g.order_id is not null`)
  await tx.query(sql`update apply set due_at = to_timestamp(${at + days * DAY}), audited_at = to_timestamp(${at}), effect_ref = (select 'market_quota ' || q.id from market_quota q where q.staff_id = apply.staff_id and q.month = ${monthOf(at)}) where id = ${id}`)
}

const rowOf = async (tx: Queryable, id: number) => (await tx.query<ApplyRow>(sql`select * from apply where id = ${id}`))[0] as ApplyRow

/** Requests of half a year, the oldest first, in every state; those that passed have their effect, as an approval makes it. */
async function insertRequests(tx: Queryable, random: Random, cast: Cast): Promise<number> {
  const { market, auditor, people, now } = cast
  const offers = (await tx.query<{ id: number }>(sql`select id from offer where line = ${bookLine.line.code} and state = ${OFFER_STATE.selling} and deleted_at is null order by id`)).map(({ id }) => id)
  if (offers.length === 0) return 0
  let taken = 0
  for (let at = 0; at < REQUESTS; at++) {
    const age = Math.round((REQUESTS - at) * 4.4)
    const [asked, decided] = [now - age * DAY - random.int(0, 30_000), now - age * DAY + random.int(4, 20) * 3600]
    const fresh = at >= REQUESTS - 6
    const status = at === REQUESTS - 1 ? S.draft : fresh ? S.waiting : at % 9 === 4 ? S.refused : S.passed
    const who = person(FIRST_PERSON + at, 'adult')
    const { city, code } = PLACES[(at * 7 + 3) % PLACES.length] ?? { city: '苏州', code: '320508' }
    const staff_id = market[at % market.length] ?? auditor.id
    const days = random.pick([7, 15, 30, 30, 60])
    const offer_id = offers[at % offers.length] ?? 0
    const [id = 0] = await insertMany(tx, marketApply, [{
      kind: 'market_virtual', org: `${city}${random.pick(UNITS)}`, applicant: who.name, mobile: who.mobile, region_code: code, purpose: ((at % 3) + 1) as 1, offer_id, days, staff_id, reason: random.pick(REASONS),
      status: status === S.draft ? S.draft : S.waiting, created_at: asked, created_by: staff_id, submitted_by: status === S.draft ? null : staff_id,
    }])
    const count = 2 + (at % 5)
    const named = Array.from({ length: count }, (_, nth): Known => {
      // Whoever waits may have no account yet; who was opened for has one.
      const newcomer = person(FIRST_PERSON + 200 + at * 10 + nth, 'adult')
      return fresh && nth % 2 === 0 ? newcomer : people[taken++ % people.length] ?? newcomer
    })
    await insertMany(tx, marketUser, named.map(({ mobile, name }) => ({ kind: 'market', apply_id: id, offer_id, staff_id, mobile, name: name.slice(0, 20), state: OPENING.named, created_at: asked, created_by: staff_id })))
    if (status === S.refused) {
      const reason = random.pick(REFUSED)
      await marketEffect.refuse?.(tx, await rowOf(tx, id), reason)
      await tx.query(sql`update apply set status = ${S.refused}, audit_remark = ${reason}, auditor_id = ${auditor.id}, audited_at = to_timestamp(${decided}) where id = ${id}`)
    }
    if (status !== S.passed) continue
    const made = await marketEffect.open(tx, auditor, await rowOf(tx, id))
    await tx.query(sql`update apply set status = ${S.passed}, effect_ref = ${made.effect_ref}, auditor_id = ${auditor.id} where id = ${id}`)
    await moveBack(tx, id, decided, days)
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
      await attachFiles(tx, charityApply as unknown as Resource, { licence }, auditor.id)
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
