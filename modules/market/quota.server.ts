import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { holdTargets } from '../../core/resource/write.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { staff } from '../staff/module.ts'
import { copyQuotas, setQuotas, type QuotaStand } from './calls.ts'
import { OPENING } from './opening.ts'
import { marketQuota, monthBefore, monthOf } from './quota.ts'

/** Paid orders that somebody placed after a thing had been opened for them: `g` is the opening. */
export const boughtAfter = sql.raw(`select 1 from orders o where o.user_id = g.user_id and o.virtual = 0 and o.paid > o.refunded and o.paid_at > g.start_at and o.deleted_at is null`)

const openings = (quota: SQL, condition: SQL = sql`true`) => sql`(select count(*)::int from market_grant g where g.quota_id = ${quota} and g.deleted_at is null and ${condition})`
const inForce = sql`g.state = ${sql.raw(String(OPENING.active))}`
const used = (quota: SQL) => openings(quota, inForce)
const month = (months: number) => sql`to_char((now() at time zone 'Asia/Shanghai') - make_interval(months => ${sql.raw(String(months))}), 'YYYY-MM')`

export const quotas = serve(marketQuota)({
  computed: {
    used: used(sql`t.id`), left: sql`t.quota - ${used(sql`t.id`)}`, opened: openings(sql`t.id`), won: openings(sql`t.id`, sql`exists (${boughtAfter})`),
  },
  segments: {
    when: { now: sql`market_quota.month = ${month(0)}`, last: sql`market_quota.month = ${month(1)}` },
    full: { none: sql`${used(sql`market_quota.id`)} >= market_quota.quota`, some: sql`${used(sql`market_quota.id`)} < market_quota.quota` },
  },
})

/** A quota with what of it is in force. */
export interface HeldQuota extends QuotaStand { readonly id: number }

/** What somebody has for a month; undefined where they were given nothing. */
export async function readQuota(db: Queryable, staffId: number, ofMonth = monthOf(Date.now() / 1000)): Promise<HeldQuota | undefined> {
  const [row] = await db.query<HeldQuota & Record<string, unknown>>(sql`select t.id, t.month, s.name as staff_name, t.quota::int as quota, ${used(sql`t.id`)} as used
    from market_quota t join staff s on s.id = t.staff_id where t.staff_id = ${staffId} and t.month = ${ofMonth} and t.deleted_at is null`)
  return row
}

/**
 * The same, locked: everything that takes from a quota or changes it goes through it, as stock is held (ADR 22). Two who take
 * at once see each other's openings.
 */
export async function holdQuota(tx: Queryable, staffId: number): Promise<HeldQuota | undefined> {
  await tx.query(sql`select id from market_quota where staff_id = ${staffId} and month = ${monthOf(Date.now() / 1000)} and deleted_at is null for no key update`)
  return readQuota(tx, staffId)
}

/** Gives people a number for a month. @throws AppError when somebody uses more already */
export async function giveQuotas(tx: Queryable, input: { month: string; staff_ids: readonly number[]; quota: number }): Promise<number> {
  const people = [...new Set(input.staff_ids)].sort((a, b) => a - b)
  const names = new Map((await tx.query<{ id: number; name: string }>(sql`select id, name from staff where id = any(${sql.param(people)}::bigint[]) and deleted_at is null`)).map(({ id, name }) => [id, name]))
  if (names.size < people.length) throw invalid({ staff_ids: '市场人员不存在，请重新选择' })
  await holdTargets(tx, staff, people)
  // Of two who give for a month at once the second waits, and changes what the first gave.
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`market quota ${input.month}`}))`)
  await tx.query(sql`select id from market_quota where staff_id = any(${sql.param(people)}::bigint[]) and month = ${input.month} and deleted_at is null order by id for no key update`)
  for (const id of people) {
    const held = await readQuota(tx, id, input.month)
    if (held && held.used > input.quota) throw invalid({ quota: `${held.staff_name} ${held.month} 已在用 ${held.used} 个，名额不能小于 ${held.used}` })
    if (held) await touch(tx, marketQuota, { quota: input.quota }, held.id)
    else await insertMany(tx, marketQuota, [{ name: `${names.get(id) ?? ''} ${input.month}`, staff_id: id, month: input.month, quota: input.quota }])
  }
  return people.length
}

/** The calls of quotas. */
export const quotaCalls = (): Served[] => [
  handle(setQuotas, (call) => call.transaction(async (tx) => ({ set: await giveQuotas(tx, call.input) }), { action: 'set_quota' })),
  handle(copyQuotas, (call) => call.transaction(async (tx) => {
    const before = await tx.query<{ staff_id: number; quota: number }>(sql`select q.staff_id, q.quota::int as quota from market_quota q join staff s on s.id = q.staff_id and s.status = 1 and s.deleted_at is null
      where q.month = ${monthBefore(call.input.month)} and q.quota > 0 and q.deleted_at is null and not exists (select 1 from market_quota n where n.staff_id = q.staff_id and n.month = ${call.input.month} and n.deleted_at is null) order by q.staff_id`)
    if (before.length === 0) throw badRequest('上月没有可以沿用的名额，或本月已经分配')
    for (const { staff_id, quota } of before) await giveQuotas(tx, { month: call.input.month, staff_ids: [staff_id], quota })
    return { set: before.length }
  }, { action: 'set_quota' })),
]
