import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError, badRequest, invalid, notFound } from '../../core/error/error.ts'
import { startOfDay } from '../../core/field/time.ts'
import { limits, type Staff } from '../../core/grant/staff.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { planOpening } from '../offer/door.server.ts'
import { endInTurn, holdLearners, openInTurn, refOf, runningUntil, shortenInTurn, spanOf } from '../user/door.server.ts'
import { appUser, ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { fixedWhy, reached } from './validity-bars.server.ts'
import type { ValidityAsk } from './validity-calls.ts'
import { secondNeeded, type Given } from './validity-rules.ts'
import { MOST_CHANGED, VALIDITY_STATUS, validityChange } from './validity.ts'

const DAY = 86_400
/** 2100-01-01 in Beijing, in unix seconds: what ends later is a slip. */
const LATEST = 4_102_416_000
const S = VALIDITY_STATUS

/** What becomes of one entitlement, or is opened for one person. Moments in unix seconds. */
export interface Planned extends Given {
  readonly user: string
  readonly agent_id: number | null
  readonly product: string
  readonly entitlement_id: number | null
  readonly before_end: number | null
  readonly start_at: number
  readonly after_end: number
  readonly follows: boolean
  /** Why nothing becomes of it; null where something does. */
  readonly why: string | null
}

/** Offers `o` of subjects `s` that a person works with. */
export function offerScope(staff: Staff): SQL {
  const [subjects, levels] = [limits(staff, 'subject'), limits(staff, 'level')]
  return sql.join([sql`true`, ...(subjects ? [sql`o.subject_id = any(${sql.param([...subjects])}::bigint[])`] : []), ...(levels ? [sql`s.level = any(${sql.param([...levels])}::bigint[])`] : [])], sql` and `)
}

const userWhy = (status: number): string | null => (status === 1 ? null : status === 2 ? '账号已冻结' : '账号已注销')

interface Held extends Record<string, unknown> { id: number; user_id: number; line: string; offer_id: number; product: string; status: number; start_at: number; expire_at: number; user: string; user_status: number; agent_id: number | null }

async function planExtension(db: Queryable, staff: Staff, ids: readonly number[], days: number): Promise<Planned[]> {
  const wanted = [...new Set(ids)]
  const rows = await db.query<Held>(sql`select e.id, e.user_id, e.line, e.offer_id, e.product, e.status, e.start_at, e.expire_at, u.nickname as user, u.status as user_status, u.agent_id
    from (select * from entitlement where ${reached(staff)} and id = any(${sql.param(wanted)}::bigint[])) e join app_user u on u.id = e.user_id order by e.user_id, e.id`)
  if (rows.length < wanted.length) throw notFound('权益')
  const now = Math.floor(Date.now() / 1000)
  return rows.map((row) => {
    const after_end = Math.max(now, row.expire_at) + days * DAY
    return {
      user_id: row.user_id, user: row.user, agent_id: row.agent_id, line: row.line, offer_id: row.offer_id, product: row.product, entitlement_id: row.id, days,
      before_end: row.expire_at, start_at: row.start_at, after_end, follows: row.expire_at > now,
      why: fixedWhy(row.status) ?? (row.user_status > 2 ? userWhy(row.user_status) : null) ?? (after_end > LATEST ? '到期时间超过 2099 年' : null),
    }
  })
}

async function planOpenings(db: Queryable, staff: Staff, { user_ids, line, offer_id }: { user_ids: readonly number[]; line: string; offer_id: number }): Promise<Planned[]> {
  const [seen] = await db.query(sql`select 1 from offer o left join subject s on s.id = o.subject_id where o.id = ${offer_id} and ${offerScope(staff)}`)
  if (!seen) throw notFound('课程')
  const opens = await planOpening(db, line, offer_id)
  const wanted = [...new Set(user_ids)]
  if (wanted.length * opens.length > MOST_CHANGED) throw badRequest(`一次最多补开 ${MOST_CHANGED} 项，请减少人数`)
  const users = await db.query<{ id: number; nickname: string; status: number; agent_id: number | null }>(sql`select id, nickname, status, agent_id from app_user where ${listCondition(appUser, staff, {})} and id = any(${sql.param(wanted)}::bigint[]) order by id`)
  if (users.length < wanted.length) throw notFound(appUser.label)
  const running = await runningUntil(db, { line, offers: opens.map((one) => one.offer_id), users: wanted, except: [] })
  const now = Math.floor(Date.now() / 1000)
  return users.flatMap((user) => opens.map((one): Planned => {
    const { start_at, expire_at } = spanOf(one, 1, now, running(user.id, one.offer_id))
    return {
      user_id: user.id, user: user.nickname, agent_id: user.agent_id, line, offer_id: one.offer_id, product: one.product, entitlement_id: null, days: Math.max(0, Math.ceil((expire_at - start_at) / DAY)),
      before_end: null, start_at, after_end: expire_at, follows: false,
      why: userWhy(user.status) ?? (expire_at <= now ? '课程的有效期已过' : null) ?? (expire_at > LATEST ? '到期时间超过 2099 年' : null),
    }
  }))
}

/** Says what becomes of everything that is asked for; nothing is written. @throws AppError when something is out of the person's reach */
export const planOf = (db: Queryable, staff: Staff, ask: ValidityAsk): Promise<Planned[]> => (ask.kind === 'extend' ? planExtension(db, staff, ask.ids, ask.days) : planOpenings(db, staff, ask))

/** Why a second person has to agree, what the person gave alone today counted in. */
export async function secondFor(db: Queryable, staff: Pick<Staff, 'id'>, plan: readonly Planned[]): Promise<string | undefined> {
  const today = await db.query<Given & Record<string, unknown>>(sql`select i.user_id, i.line, i.offer_id, i.days from validity_item i join validity_change c on c.id = i.change_id
    where c.created_by = ${staff.id} and c.created_at >= to_timestamp(${startOfDay(Math.floor(Date.now() / 1000))}) and c.status in (${S.waiting}, ${S.done}) and c.auditor_id is null and c.deleted_at is null`)
  return secondNeeded(today, plan)
}

async function writeItems(tx: Queryable, changeId: number, plan: readonly Planned[]): Promise<void> {
  await tx.query(sql`delete from validity_item where change_id = ${changeId}`)
  await tx.query(sql`insert into validity_item (change_id, n, user_id, line, offer_id, product, entitlement_id, days, before_end, after_end, follows)
    select ${changeId}, r.n, r.user_id, r.line, r.offer_id, r.product, r.entitlement_id, r.days, to_timestamp(r.before_end), to_timestamp(r.after_end), r.follows
    from jsonb_to_recordset(${JSON.stringify(plan.map((one, n) => ({ ...one, n })))}::jsonb) as r (n integer, user_id bigint, line text, offer_id bigint, product text, entitlement_id bigint, days integer, before_end float8, after_end float8, follows boolean)`)
}

/** What a change is about, as it was planned or done. */
export async function readItems(db: Queryable, changeId: number): Promise<Planned[]> {
  const rows = await db.query<Omit<Planned, 'start_at' | 'why'> & { start_at: number | null } & Record<string, unknown>>(sql`select i.user_id, u.nickname as user, u.agent_id, i.line, i.offer_id, i.product, i.entitlement_id, i.days, i.before_end, i.after_end, i.follows, e.start_at
    from validity_item i join app_user u on u.id = i.user_id left join entitlement e on e.id = i.entitlement_id where i.change_id = ${changeId} order by i.n`)
  return rows.map((row) => ({ ...row, start_at: row.start_at ?? row.after_end - row.days * DAY, why: null }))
}

/** What was asked for, from what it was about. */
export async function askOfItems(tx: Queryable, { id, kind, days }: { id: number; kind: string; days?: number | null }): Promise<ValidityAsk> {
  const items = await readItems(tx, id)
  const [first] = items
  if (!first) throw badRequest('延期单没有明细，不能批准')
  if (kind === 'extend') return { kind: 'extend', ids: items.flatMap(({ entitlement_id }) => entitlement_id ?? []), days: days ?? first.days }
  return { kind: 'open', user_ids: [...new Set(items.map(({ user_id }) => user_id))], line: first.line, offer_id: first.offer_id, gift: kind === 'gift' }
}

const openRef = (changeId: number, userId: number) => `validity ${changeId}:${userId}`

/** Does what was planned for people who are held, and keeps it beside the change. */
async function carryOut(tx: Queryable, staffId: number | null, changeId: number, ask: ValidityAsk, plan: readonly Planned[]): Promise<void> {
  if (ask.kind === 'extend') {
    await endInTurn(tx, plan.flatMap(({ entitlement_id, after_end, follows }) => (entitlement_id === null ? [] : [{ id: entitlement_id, end: after_end, follows }])))
    return writeItems(tx, changeId, plan)
  }
  const source = ask.gift ? ENTITLEMENT_SOURCE.gift : ENTITLEMENT_SOURCE.opened
  const opens = await planOpening(tx, ask.line, ask.offer_id)
  const users = [...new Set(plan.map(({ user_id }) => user_id))]
  await openInTurn(tx, staffId, { line: ask.line, source, opens, rows: users.map((user_id) => ({ user_id, ref: openRef(changeId, user_id), pieces: 1 })) })
  const refs = users.flatMap((user_id) => opens.map(({ offer_id }) => refOf({ ref: openRef(changeId, user_id) }, offer_id)))
  const made = await tx.query<{ id: number; user_id: number; offer_id: number; start_at: number; expire_at: number }>(sql`select id, user_id, offer_id, start_at, expire_at from entitlement where source = ${source} and ref = any(${sql.param(refs)}::text[]) and deleted_at is null`)
  await writeItems(tx, changeId, plan.map((one) => {
    const own = made.find(({ user_id, offer_id }) => user_id === one.user_id && offer_id === one.offer_id)
    return own ? { ...one, entitlement_id: own.id, start_at: own.start_at, after_end: own.expire_at } : one
  }))
}

/** Does what a second person agreed to, as things stand now. @throws AppError that names what is in the way, and nothing is done */
export async function applyChange(tx: Queryable, staff: Staff, changeId: number, ask: ValidityAsk): Promise<void> {
  await holdLearners(tx, (await planOf(tx, staff, ask)).map(({ user_id }) => user_id))
  const plan = await planOf(tx, staff, ask)
  const bad = plan.find(({ why }) => why !== null)
  if (bad) throw badRequest(`「${bad.user} · ${bad.product}」${bad.why}，不能批准`)
  await carryOut(tx, staff.id, changeId, ask, plan)
}

const wordsOf = (ask: ValidityAsk, plan: readonly Planned[], people: number) => {
  const first = (plan[0]?.product ?? '').slice(0, 60)
  return ask.kind === 'extend' ? `${first}${plan.length > 1 ? ` 等 ${plan.length} 项` : ''} 延期 ${ask.days} 天` : `${ask.gift ? '赠送' : '补开'} ${first} · ${people} 人`
}

/**
 * Gives people more time or opens something for them: at once where one person may, else as something that waits for another.
 * What cannot be done of it is left out.
 */
export async function makeChange(tx: Queryable, staff: Staff, ask: ValidityAsk, reason: string): Promise<{ id: number; status: number }> {
  // What one person gives is counted by one at a time.
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`validity ${staff.id}`}))`)
  await holdLearners(tx, (await planOf(tx, staff, ask)).map(({ user_id }) => user_id))
  const plan = (await planOf(tx, staff, ask)).filter(({ why }) => why === null)
  if (plan.length === 0) throw invalid({ ask: '没有可以处理的权益，请看预览中的说明' })
  const agents = [...new Set(plan.map(({ agent_id }) => agent_id))]
  if (limits(staff, 'agent') && agents.length > 1) throw badRequest('所选用户属于不同代理，请按代理分开提交')
  const second = await secondFor(tx, staff, plan)
  const people = new Set(plan.map(({ user_id }) => user_id)).size
  const status = second === undefined ? S.done : S.waiting
  const [id = 0] = await insertMany(tx, validityChange, [{
    kind: ask.kind === 'open' && ask.gift ? 'gift' : ask.kind, what: wordsOf(ask, plan, people), people, items: plan.length, days: ask.kind === 'extend' ? ask.days : plan[0]?.days ?? null, reason, second: second ?? null,
    agent_id: agents.length === 1 ? agents[0] ?? null : null, status, created_by: staff.id, ...(status === S.done && { done_at: Math.floor(Date.now() / 1000) }),
  }])
  if (status === S.done) await carryOut(tx, staff.id, id, ask, plan)
  else await writeItems(tx, id, plan)
  return { id, status }
}

/** Takes a change back. @throws AppError when something of it was changed since */
export async function takeBackChange(tx: Queryable, changeId: number): Promise<void> {
  const items = await readItems(tx, changeId)
  await holdLearners(tx, items.map(({ user_id }) => user_id))
  const ids = items.flatMap(({ entitlement_id }) => entitlement_id ?? [])
  const now = new Map((await tx.query<{ id: number; source: 3 | 4; ref: string; expire_at: number }>(sql`select id, source, ref, expire_at from entitlement where id = any(${sql.param(ids)}::bigint[]) and status = ${ENTITLEMENT_STATUS.active} and deleted_at is null`)).map((row) => [row.id, row]))
  const moved = items.find(({ entitlement_id, after_end }) => now.get(entitlement_id ?? 0)?.expire_at !== after_end)
  if (moved) throw new AppError('undo_overtaken', 409, `「${moved.user} · ${moved.product}」之后又被改过，不能撤销`)
  await endInTurn(tx, items.flatMap(({ entitlement_id, before_end, follows }) => (entitlement_id !== null && before_end !== null ? [{ id: entitlement_id, end: before_end, follows }] : [])))
  const opened = items.flatMap(({ entitlement_id, before_end }) => (before_end === null ? now.get(entitlement_id ?? 0) ?? [] : []))
  for (const [source, rows] of Map.groupBy(opened, (one) => one.source)) await shortenInTurn(tx, source, rows.map(({ ref }) => ref), { undone: true })
}
