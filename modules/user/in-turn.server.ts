import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { ENTITLEMENT_STATUS, entitlement } from './entitlement.ts'
import { openEntitlements, type Grant } from './entitlement.server.ts'

const DAY = 86_400

/** A product that is opened, and how long for: so many days for each piece, or until a moment that is the same for everybody. */
export interface Opens {
  readonly offer_id: number
  readonly product: string
  /** Null where the end is fixed. */
  readonly days: number | null
  /** Unix seconds; null where it lasts days. */
  readonly until: number | null
}

/** For whom products are opened, and by what. */
export interface Opening {
  readonly user_id: number
  /** Begins the reference of each product that is opened: `order_item 15` opens `order_item 15:88`. */
  readonly ref: string
  readonly pieces: number
}

export const refOf = ({ ref }: Pick<Opening, 'ref'>, offerId: number): string => `${ref}:${offerId}`

/** Whoever opens, ends or moves what a person may use holds the person: time that follows on other time is worked out by one at a time. */
export async function holdLearners(tx: Queryable, ids: readonly number[]): Promise<void> {
  await tx.query(sql`select id from app_user where id = any(${sql.param([...new Set(ids)])}::bigint[]) order by id for no key update`)
}

/** When something that is opened now begins and ends, after time of the same product that runs still. */
export function spanOf(opens: Opens, pieces: number, now: number, runsUntil: number | undefined): { start_at: number; expire_at: number } {
  if (opens.days === null) return { start_at: now, expire_at: opens.until ?? now }
  const start_at = Math.max(now, runsUntil ?? 0)
  return { start_at, expire_at: start_at + opens.days * pieces * DAY }
}

/** Until when people may use products, what `except` had opened left out. */
export async function runningUntil(tx: Queryable, { line, offers, users, except }: { line: string; offers: readonly number[]; users: readonly number[]; except: readonly string[] }): Promise<(userId: number, offerId: number) => number | undefined> {
  const rows = await tx.query<{ user_id: number; offer_id: number; until: number }>(sql`select user_id, offer_id, max(expire_at) as until from entitlement
    where user_id = any(${sql.param([...users])}::bigint[]) and line = ${line} and offer_id = any(${sql.param([...offers])}::bigint[]) and status = ${ENTITLEMENT_STATUS.active}
      and expire_at > now() and deleted_at is null and not (ref = any(${sql.param([...except])}::text[])) group by user_id, offer_id`)
  const found = new Map(rows.map(({ user_id, offer_id, until }) => [`${user_id} ${offer_id}`, until]))
  return (userId, offerId) => found.get(`${userId} ${offerId}`)
}

/**
 * Opens products for people, in the caller's transaction: time for something that runs still follows where that ends (顺延);
 * what ends on a day for everybody begins at once. What a reference opened before is opened anew, or given as many pieces as
 * are told now.
 * @returns what was opened
 * @throws AppError when a fixed end is over
 */
export async function openInTurn(tx: Queryable, staffId: number | null, what: { line: string; source: Grant['source']; opens: readonly Opens[]; rows: readonly Opening[] }): Promise<Grant[]> {
  const { line, source, opens, rows } = what
  const now = Math.floor(Date.now() / 1000)
  const over = opens.find(({ until }) => until !== null && until <= now)
  if (over) throw badRequest(`「${over.product}」的有效期已过，不能开通`)
  await holdLearners(tx, rows.map(({ user_id }) => user_id))
  const refs = rows.flatMap((row) => opens.map(({ offer_id }) => refOf(row, offer_id)))
  const running = await runningUntil(tx, { line, offers: opens.map(({ offer_id }) => offer_id), users: rows.map(({ user_id }) => user_id), except: refs })
  const own = await tx.query<{ ref: string; start_at: number }>(sql`select ref, start_at from entitlement
    where source = ${source} and ref = any(${sql.param(refs)}::text[]) and status = ${ENTITLEMENT_STATUS.active} and deleted_at is null`)
  const begun = new Map(own.map(({ ref, start_at }) => [ref, start_at]))
  const grants = rows.flatMap((row) => opens.map((one): Grant => {
    const ref = refOf(row, one.offer_id)
    const start = begun.get(ref)
    const span = start === undefined || one.days === null ? spanOf(one, row.pieces, now, running(row.user_id, one.offer_id)) : { start_at: start, expire_at: start + one.days * row.pieces * DAY }
    return { user_id: row.user_id, line, product: one.product, offer_id: one.offer_id, source, ref, ...span }
  }))
  await openEntitlements(tx, staffId, grants)
  return grants
}

interface Ended {
  id: number
  user_id: number
  line: string
  offer_id: number
  start_at: number
  expire_at: number
}

/** Time of the same product that begins behind another's end moves with that end: no day of it is lost, none is given twice. */
async function follow(tx: Queryable, moved: readonly (Pick<Ended, 'user_id' | 'line' | 'offer_id'> & { ended: number; by: number })[]): Promise<void> {
  const all = moved.filter(({ by }) => by !== 0)
  if (all.length === 0) return
  await touch(tx, entitlement, { start_at: sql`t.start_at + make_interval(secs => r.by)`, expire_at: sql`t.expire_at + make_interval(secs => r.by)` },
    sql`t.user_id = r.user_id and t.line = r.line and t.offer_id = r.offer_id and t.start_at >= to_timestamp(r.ended) and t.status = ${ENTITLEMENT_STATUS.active} and t.deleted_at is null`,
    { from: sql`jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r (user_id bigint, line text, offer_id bigint, ended float8, by float8)` })
}

/** Locks people and what they may use by the references that opened it. */
async function holdRefs(tx: Queryable, source: Grant['source'], refs: readonly string[]): Promise<Ended[]> {
  const read = () => tx.query<Ended & Record<string, unknown>>(sql`select id, user_id, line, offer_id, start_at, expire_at from entitlement
    where source = ${source} and ref = any(${sql.param([...refs])}::text[]) and status = ${ENTITLEMENT_STATUS.active} and deleted_at is null order by id`)
  await holdLearners(tx, (await read()).map(({ user_id }) => user_id))
  return read()
}

/**
 * Takes back what references opened, whole or in part, and moves up what was to follow it.
 * @param left pieces that stay of so many days each; nothing stays without them
 * @param undone the opening was a mistake and leaves the lists; otherwise it was paid back
 * @returns how many were taken back
 */
export async function shortenInTurn(tx: Queryable, source: Grant['source'], refs: readonly string[], { left, undone = false }: { left?: { readonly pieces: number; readonly days: number | null }; undone?: boolean } = {}): Promise<number> {
  const rows = await holdRefs(tx, source, refs)
  const now = Math.floor(Date.now() / 1000)
  // A day that is the same for everybody is not made shorter by fewer pieces.
  if (left && left.pieces > 0 && left.days === null) return 0
  const ends = rows.map((row) => ({ row, end: left && left.pieces > 0 ? row.start_at + (left.days ?? 0) * left.pieces * DAY : Math.max(now, row.start_at) }))
  const ids = rows.map(({ id }) => id)
  if (left && left.pieces > 0) {
    await touch(tx, entitlement, { expire_at: sql`to_timestamp(r.expire_at)` }, sql`t.id = r.id`,
      { from: sql`jsonb_to_recordset(${JSON.stringify(ends.map(({ row, end }) => ({ id: row.id, expire_at: end })))}::jsonb) as r (id bigint, expire_at float8)` })
  } else if (undone) await touch(tx, entitlement, { deleted_at: sql`now()` }, ids)
  else await touch(tx, entitlement, { status: ENTITLEMENT_STATUS.refunded }, ids)
  await follow(tx, ends.map(({ row, end }) => ({ ...row, ended: row.expire_at, by: Math.min(0, Math.max(now, end) - row.expire_at) })))
  return rows.length
}

/**
 * Gives more time to what people may use, from its end, or from now where it is over; what follows it moves on.
 * @param ids checked by the caller
 * @returns by how many seconds the end of each moved, beside what it moved with what it follows
 */
export async function extendInTurn(tx: Queryable, ids: readonly number[], days: number): Promise<Map<number, number>> {
  const read = () => tx.query<Ended & Record<string, unknown>>(sql`select id, user_id, line, offer_id, start_at, expire_at from entitlement where id = any(${sql.param([...ids])}::bigint[]) order by id`)
  await holdLearners(tx, (await read()).map(({ user_id }) => user_id))
  const rows = await read()
  const now = Math.floor(Date.now() / 1000)
  // What follows makes room first, so that it is not taken for what was there before.
  await follow(tx, rows.filter(({ expire_at }) => expire_at > now).map((row) => ({ ...row, ended: row.expire_at, by: days * DAY })))
  await touch(tx, entitlement, { expire_at: sql`greatest(t.expire_at, date_trunc('second', now())) + make_interval(days => ${days})` }, [...ids])
  return new Map(rows.map(({ id, expire_at }) => [id, Math.max(0, now - expire_at) + days * DAY]))
}

/** Another end for what somebody may use. */
export interface NewEnd {
  readonly id: number
  /** Unix seconds. */
  readonly end: number
  /** Whether time of the same product that begins behind its end moves with it. */
  readonly follows: boolean
}

/**
 * Gives what people may use another end, earlier or later, in the caller's transaction.
 * @param ends checked by the caller
 */
export async function endInTurn(tx: Queryable, ends: readonly NewEnd[]): Promise<void> {
  const read = () => tx.query<Ended & Record<string, unknown>>(sql`select id, user_id, line, offer_id, start_at, expire_at from entitlement where id = any(${sql.param(ends.map(({ id }) => id))}::bigint[]) order by id`)
  await holdLearners(tx, (await read()).map(({ user_id }) => user_id))
  const wanted = new Map(ends.map((one) => [one.id, one]))
  await follow(tx, (await read()).flatMap((row) => {
    const to = wanted.get(row.id)
    return to?.follows ? [{ ...row, ended: row.expire_at, by: to.end - row.expire_at }] : []
  }))
  await touch(tx, entitlement, { expire_at: sql`to_timestamp(r.expire_at)` }, sql`t.id = r.id`,
    { from: sql`jsonb_to_recordset(${JSON.stringify(ends.map(({ id, end }) => ({ id, expire_at: end })))}::jsonb) as r (id bigint, expire_at float8)` })
}
