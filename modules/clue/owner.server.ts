import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, defineError } from '../../core/error/error.ts'
import { formatTime } from '../../core/field/time.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { clue } from './clue.ts'
import { LIVING, POOL, protection, STAGE } from './stage.ts'

const living = sql.raw(`(${LIVING.join(', ')})`)
const taken = defineError('clue_taken', 409, (name: string) => `已被 ${name} 领取`)

/** How somebody comes by a clue. */
export type Cause = 'own' | 'claim' | 'assign'

export interface HeldClue extends Record<string, unknown> {
  id: number
  stage: number
  owner_id: number | null
  owner_name: string | null
  last_owner_id: number | null
  pooled_at: number | null
  protect_until: number | null
  max_until: number | null
}

/** Locks a clue. */
export async function holdClue(tx: Queryable, id: number): Promise<HeldClue | undefined> {
  const [row] = await tx.query<HeldClue>(sql`select c.id, c.stage, c.owner_id, s.name as owner_name, c.last_owner_id, extract(epoch from c.pooled_at)::float8 as pooled_at, extract(epoch from c.protect_until)::float8 as protect_until, extract(epoch from c.max_until)::float8 as max_until
    from clue c left join staff s on s.id = c.owner_id where c.id = ${id} and c.deleted_at is null for no key update of c`)
  return row
}

/** Whether somebody may get another clue; two that they get at once wait for each other. @throws AppError saying why not */
export async function checkHolder(tx: Queryable, staffId: number, cause: Cause): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('clue owner'), ${staffId}::int)`)
  const [holder] = await tx.query<{ name: string; status: number; held: number; today: number }>(sql`select name, status, (select count(*)::int from clue where owner_id = s.id and stage in ${living} and deleted_at is null) as held,
    (select count(*)::int from clue_owner_log l where l.staff_id = s.id and l.cause = 'claim' and l.from_at >= date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai') as today from staff s where s.id = ${staffId} and s.deleted_at is null`)
  if (!holder || holder.status !== 1) throw badRequest('该员工不在岗，不能分配线索')
  if (holder.held >= POOL.held) throw badRequest(`${holder.name}已有 ${holder.held} 条线索，最多 ${POOL.held} 条`)
  if (cause === 'claim' && holder.today >= POOL.perDay) throw badRequest(`今天已领取 ${holder.today} 条，每天最多 ${POOL.perDay} 条`)
}

/**
 * The one way by which a clue comes to somebody, and back to the pool.
 * @param ownerId null: the pool
 * @throws AppError when somebody else has it, or who had it last has to wait
 */
export async function giveClue(tx: Queryable, row: HeldClue, ownerId: number | null, cause: Cause | 'release' | 'fall', note: string | null = null): Promise<{ protect_until: number } | undefined> {
  if (!LIVING.includes(row.stage)) throw badRequest(row.stage === STAGE.enrolled ? '线索已报名，归属不能再变' : '线索已标为无效，请先恢复')
  const now = Math.floor(Date.now() / 1000)
  await tx.query(sql`update clue_owner_log set to_at = now() where clue_id = ${row.id} and to_at is null`)
  if (ownerId === null) {
    await touch(tx, clue, { owner_id: null, last_owner_id: row.owner_id, pooled_at: now, protect_until: null, max_until: null }, row.id)
    return undefined
  }
  if (cause === 'claim') {
    if (row.owner_id !== null) throw taken(row.owner_name ?? '其他顾问')
    const free = (row.pooled_at ?? 0) + POOL.waitHours * 3600
    if (row.last_owner_id === ownerId && free > now) throw badRequest(`放回公海后 ${POOL.waitHours} 小时内不能自己领取，${formatTime(Math.floor(free)).slice(5, 16)} 后可以`)
  }
  await checkHolder(tx, ownerId, cause as Cause)
  const until = protection(now)
  await tx.query(sql`insert into clue_owner_log (clue_id, staff_id, cause, note) values (${row.id}, ${ownerId}, ${cause}, ${note})`)
  await touch(tx, clue, { owner_id: ownerId, last_owner_id: row.owner_id ?? row.last_owner_id, pooled_at: null, ...until }, row.id)
  return until
}
