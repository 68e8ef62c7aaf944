import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, badRequest, invalid, notFound } from '../../core/error/error.ts'
import { formatDate, startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { checkRev, lockRow } from '../../core/resource/write.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { serveApply, type Effect } from '../apply/door.server.ts'
import { APPLY_STATUS } from '../apply/module.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { extendEntitlements, holdLearners, openEntitlements, userOfMobile } from '../user/door.server.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { adjustCharity, lookAtEvidence, openPlaces, previewPlaces, recallCharity, type ListRow } from './calls.ts'
import { anyOffer, CHARITY_PATH, charityApply } from './charity-apply.ts'
import { countsOf, judgePasted, openable, shownRows } from './judge.server.ts'
import { dueSegment } from './market.server.ts'
import { charityUser, OPENING } from './opening.ts'
import { endPlaces, placeRef, reachActive } from './recall.server.ts'

const DAY = 86_400
const S = APPLY_STATUS
const { gift: SOURCE } = ENTITLEMENT_SOURCE

const used = (id: string) => sql.raw(`(select count(*)::int from market_grant g where g.apply_id = ${id} and g.state = ${OPENING.active} and g.deleted_at is null)`)
const COMPUTED = { used: used('t.id'), left: sql`case when t.status = ${sql.raw(String(S.passed))} then t.quota - ${used('t.id')} else 0 end` }
const living = sql.raw(`apply.status = ${S.passed}`)

interface Charity { readonly id: number; readonly offer_id: number; readonly quota: number; readonly due_at: number; readonly evidence: readonly string[] | null; readonly org: string; readonly status: number }
const charityOf = (row: object): Charity => row as Charity

/** Until when the places of an application can be used: to the end of its last day. */
const endOf = (due: number) => startOfDay(due) + DAY

const activeOf = async (tx: Queryable, id: number) => (await tx.query<{ id: number }>(sql`select id from market_grant where apply_id = ${id} and state = ${OPENING.active} and deleted_at is null order by id`)).map((row) => row.id)

/** An approved application has a quota, and people are admitted to it; when it ends, so does what they may use. */
export const charityEffect: Effect = {
  async problems(db, row) {
    const { id, offer_id, due_at, evidence, org } = charityOf(row)
    const [offer] = await db.query<{ title: string; state: number }>(sql`select title, state from offer where id = ${offer_id}`)
    const [other] = await db.query<{ due_at: number }>(sql`select extract(epoch from due_at)::float8 as due_at from apply where kind = 'charity' and status = ${S.passed} and org = ${org} and offer_id = ${offer_id} and id <> ${id} and deleted_at is null limit 1`)
    return [
      ...(offer?.state === OFFER_STATE.selling ? [] : [`「${offer?.title ?? '课程'}」没有在售，不能作为公益课程`]),
      ...(other ? [`该学校已有同一课程的公益名额，到期 ${formatDate(Math.floor(other.due_at))}，请在原申请上调整名额`] : []),
      ...(endOf(due_at) <= Date.now() / 1000 ? ['公益到期日已过，请先修改'] : []),
      ...(evidence?.includes('need') ? [] : ['还没有核对困难证明，请先勾选已核对的材料']),
    ]
  },
  open: (_tx, _staff, { id }) => Promise.resolve({ effect_ref: `apply ${id}` }),
  async close(tx, { id }, by) {
    await endPlaces(tx, await activeOf(tx, id), by?.reason ?? null, by === undefined)
  },
  async tell(db, id) {
    const [found] = await db.query<{ used: number; quota: number; gone: number }>(sql`select ${used('t.id')} as used, t.quota::int as quota, (select count(*)::int from market_grant g where g.apply_id = t.id and g.state in (${OPENING.recalled}, ${OPENING.expired}) and g.deleted_at is null) as gone from apply t where t.id = ${id}`)
    return found ? { label: '名额', value: `共 ${found.quota} 个，在用 ${found.used} 个，已收回或到期 ${found.gone} 个`, grant: charityApply.grant, to: `${CHARITY_PATH}?show=people&apply_id=${id}` } : null
  },
}

export const charities = serveApply({
  kind: 'charity', resource: charityApply, path: CHARITY_PATH, effect: charityEffect, single: true, alikeByName: true, called: 'org', throughDay: true, notes: ['region_code', 'offer_id', 'quota'],
  rules: {
    computed: COMPUTED,
    segments: { due: {
      soon: sql`${living} and apply.due_at <= now() + interval '30 days'`, full: sql`${living} and ${used('apply.id')} >= apply.quota`, empty: sql`${living} and ${used('apply.id')} = 0`,
    } },
  },
})

export const charityUsers = serve(charityUser)({ segments: { due: dueSegment } })
export const freeOffers = serve(anyOffer)()

/** An application that people can be admitted to, locked: its quota is taken by one at a time. @throws AppError when it is not in force */
async function holdCharity(tx: Queryable, staff: Staff, id: number): Promise<Charity> {
  const row = charityOf(await lockRow(tx, charityApply, staff, id))
  if (row.status !== S.passed) throw new AppError('wrong_state', 409, '申请通过后才能开通受助学员')
  if (endOf(row.due_at) <= Date.now() / 1000) throw badRequest(`公益已于 ${formatDate(row.due_at)} 到期，请先续期`)
  return row
}

/** Gives people free places; who cannot have one is told. @throws AppError when the quota does not reach: nobody is opened for then */
export async function givePlaces(tx: Queryable, staff: Staff, id: number, lines: readonly string[]): Promise<{ opened: number; left_out: ListRow[] }> {
  const { offer_id, quota, due_at, org } = await holdCharity(tx, staff, id)
  const judged = await judgePasted(tx, lines, { offerId: offer_id, staff })
  const wanted = openable(judged).toSorted((a, b) => (a.mobile < b.mobile ? -1 : 1))
  const users: { mobile: string; name: string; user_id: number }[] = []
  for (const { mobile, name } of wanted) users.push({ mobile, name: name ?? '学员', user_id: await userOfMobile(tx, staff.id, { mobile, name: name ?? '学员', school: org }) })
  await holdLearners(tx, users.map(({ user_id }) => user_id))
  const [offer] = await tx.query<{ title: string; line: string }>(sql`select title, line from offer where id = ${offer_id}`)
  const have = new Set((await tx.query<{ user_id: number }>(sql`select distinct user_id from entitlement where user_id = any(${sql.param(users.map(({ user_id }) => user_id))}::bigint[]) and line = ${offer?.line ?? ''} and offer_id = ${offer_id} and status = ${ENTITLEMENT_STATUS.active} and expire_at > now() and deleted_at is null`)).map(({ user_id }) => user_id))
  const fresh = users.filter(({ user_id }) => !have.has(user_id))
  if (fresh.length === 0) throw invalid({ lines: '名单中没有可以开通的人，请检查核对结果' })
  const taken = (await activeOf(tx, id)).length
  if (taken + fresh.length > quota) throw new AppError('quota_exceeded', 409, `公益名额不足：共 ${quota} 个，在用 ${taken} 个，还要开通 ${fresh.length} 人`)
  const now = Math.floor(Date.now() / 1000)
  const end = endOf(due_at)
  const ids = await insertMany(tx, charityUser, fresh.map((one) => ({ kind: 'charity', apply_id: id, offer_id, ...one, start_at: now, expire_at: end, state: OPENING.active })))
  await openEntitlements(tx, staff.id, ids.map((place, at) => ({ user_id: fresh[at]?.user_id ?? 0, line: offer?.line ?? '', product: offer?.title ?? '', offer_id, source: SOURCE, ref: placeRef(place), start_at: now, expire_at: end })))
  return { opened: fresh.length, left_out: shownRows(judged.filter((one) => !wanted.includes(one)), staff) }
}

const show = async (call: Pick<Call, 'staff'>, db: Queryable, id: number) => {
  const row = await readOne(db, charityApply, call.staff, id, COMPUTED)
  if (!row) throw notFound(charityApply.label)
  return present(charityApply, call.staff, row)
}

/** The calls of applications of schools and of those who are admitted. */
export const charityCalls = (): Served[] => [
  ...charities.calls,
  handle(previewPlaces, async (call) => {
    const row = await readOne(call.db, charityApply, call.staff, idParam(call), COMPUTED)
    if (!row) throw notFound(charityApply.label)
    const { offer_id, quota, org } = charityOf(row)
    const judged = await judgePasted(call.db, call.input.lines, { offerId: offer_id, staff: call.staff })
    return { rows: shownRows(judged, call.staff), counts: countsOf(judged), quota: { month: '', staff_name: org, quota, used: Number(row['used'] ?? 0) } }
  }),
  handle(openPlaces, (call) => call.transaction((tx) => givePlaces(tx, call.staff, idParam(call), call.input.lines), { action: 'open_places' })),
  handle(lookAtEvidence, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, charityApply, call.staff, idParam(call))
    await checkRev(tx, row, call.input.rev, (stale) => present(charityApply, call.staff, stale))
    if (row['status'] !== S.waiting) throw new AppError('wrong_state', 409, '只有待审的申请需要核对材料')
    if (call.input.evidence.some((one) => one !== 'visit') && !(row['licence'] as readonly string[] | null)?.length) throw badRequest('申请没有上传证明材料，请先要求补件')
    await touch(tx, charityApply, { evidence: call.input.evidence }, row.id)
    return show(call, tx, row.id)
  }, { action: 'look_at' })),
  handle(adjustCharity, (call) => call.transaction(async (tx) => {
    const { quota, due_at, rev } = call.input
    const row = await lockRow(tx, charityApply, call.staff, idParam(call))
    await checkRev(tx, row, rev, (stale) => present(charityApply, call.staff, stale))
    if (row['status'] !== S.passed) throw new AppError('wrong_state', 409, '只有已通过的申请可以续期和调整名额')
    if (endOf(due_at) <= Date.now() / 1000) throw invalid({ due_at: '到期日应不早于今天' })
    const active = await activeOf(tx, row.id)
    if (active.length > quota) throw invalid({ quota: `已有 ${active.length} 人在用，名额不能小于 ${active.length}` })
    await touch(tx, charityApply, { quota, due_at: startOfDay(due_at) }, row.id)
    await touch(tx, charityUser, { expire_at: endOf(due_at) }, active)
    await extendEntitlements(tx, SOURCE, new Map(active.map((place) => [placeRef(place), endOf(due_at)])))
    return show(call, tx, row.id)
  }, { action: 'adjust', reason: call.input.reason })),
  handle(recallCharity, (call) => call.transaction(async (tx) => {
    const { ids, applies } = await reachActive(tx, call.staff, charityUser, call.input.ids)
    // The applications before their places: whoever admits somebody holds them too.
    await tx.query(sql`select id from apply where id = any(${sql.param(applies)}::bigint[]) order by id for no key update`)
    const recalled = await endPlaces(tx, ids, call.input.reason, false)
    if (recalled === 0) throw badRequest('选中的学员刚被收回，请刷新')
    return { recalled }
  }, { action: 'recall', reason: call.input.reason })),
]
