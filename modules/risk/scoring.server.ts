import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { accountMonitor, MONITOR_STATUS as S } from './account-monitor.ts'
import { LINE, rulesOf, scoreOf, WINDOW_DAYS, type Score } from './score.ts'
import { cityName, factsOf } from './session.server.ts'

/** Accounts below this are nothing that anybody needs to see. */
const WORTH_SEEING = 20
/** Accounts that are scored in one transaction. */
const BATCH = 300
/** For so long nothing more is said of an account that somebody let go. */
export const QUIET_SECONDS = WINDOW_DAYS * 86_400
/** How long a limit lasts, in seconds. */
export const LIMIT_SECONDS = 7 * 86_400

interface Known extends Record<string, unknown> { id: number; user_id: number; status: number; homes: string[] | null; quiet_until: number | null }

/** Writes down what was done about an account, with the evidence of that moment. */
export async function keepAction(tx: Queryable, monitorId: number, kind: string, { staffId = null, reason = null, until = null }: { staffId?: number | null; reason?: string | null | undefined; until?: number | null } = {}): Promise<void> {
  await tx.query(sql`insert into risk_action (monitor_id, kind, staff_id, reason, until, score, rules, evidence) select id, ${kind}, ${staffId}::bigint, ${reason}, to_timestamp(${until}::float8), score, rules, evidence from account_monitor where id = ${monitorId}`)
}

/** Scores accounts from their sessions; who comes over the line is reminded by the app and waits for a person. */
export async function scoreUsers(tx: Queryable, users: readonly number[]): Promise<void> {
  if (users.length === 0) return
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('risk scoring'))`)
  const facts = await factsOf(tx, users)
  const known = new Map<number, Known[]>()
  for (const row of await tx.query<Known>(sql`select id, user_id, status, homes, quiet_until from account_monitor where user_id = any(${sql.param([...users])}::bigint[]) and deleted_at is null order by id for no key update`)) {
    known.set(row.user_id, [...known.get(row.user_id) ?? [], row])
  }
  const numbers = new Map((await tx.query<{ id: number; user_no: string }>(sql`select id, user_no from app_user where id = any(${sql.param([...users])}::bigint[])`)).map((row) => [row.id, row.user_no]))
  const now = Math.floor(Date.now() / 1000)
  for (const user of users) {
    // Accounts that were merged bring one each: both tell the score, the older one is the case.
    const [row, ...others] = known.get(user) ?? []
    const score = scoreOf(facts.get(user) ?? [], cityName, row?.homes ?? [])
    if (!row && score.score < WORTH_SEEING) continue
    const figures = { score: score.score, parts: score.parts, evidence: [...score.evidence], rules: rulesOf(score), devices: score.devices, cities: score.cities, together: score.together, hours: score.hours, scored_at: now }
    const id = row?.id ?? (await insertMany(tx, accountMonitor, [{ user_id: user, user_no: numbers.get(user) ?? '', family: 0, status: S.watched, ...figures }]))[0] ?? 0
    if (row) await setDerived(tx, accountMonitor, figures, [row, ...others].map((one) => one.id))
    await keepDay(tx, id, score)
    const quiet = row?.quiet_until != null && row.quiet_until > now
    if (score.score < LINE || quiet || (row && row.status !== S.watched && row.status !== S.cleared)) continue
    await touch(tx, accountMonitor, { status: S.waiting, alarm_at: now, reminded_at: now }, id)
    await keepAction(tx, id, 'remind')
  }
}

const keepDay = (tx: Queryable, id: number, { score, parts }: Score) => tx.query(sql`insert into risk_score (monitor_id, day, score, parts) values (${id}, (now() at time zone 'Asia/Shanghai')::date, ${score}, ${JSON.stringify(parts)}::jsonb)
  on conflict (monitor_id, day) do update set score = excluded.score, parts = excluded.parts`)

/** Scores everybody who was there since, a part at a time. */
async function scoreSince(db: Database, hours: number): Promise<void> {
  const ids = (await db.query<{ user_id: number }>(sql`select distinct user_id from device_session where ended_at > now() - make_interval(hours => ${hours}) union select user_id from account_monitor where ${hours > 24} and deleted_at is null order by 1`)).map(({ user_id }) => user_id)
  for (let at = 0; at < ids.length; at += BATCH) await db.transaction({ staff_id: null, action: 'remind' }, (tx) => scoreUsers(tx, ids.slice(at, at + BATCH)))
}

/** Limits that lasted as long as they were to. */
const endLimits = (db: Database) => db.transaction({ staff_id: null, action: 'release' }, (tx) => touch(tx, accountMonitor, { status: S.cleared, quiet_until: sql`now() + make_interval(secs => ${QUIET_SECONDS})` }, sql`t.status = ${S.limited} and t.acted_at < now() - make_interval(secs => ${LIMIT_SECONDS}) and t.deleted_at is null`))

/** The whole window each night, and each hour those who were there. */
export const scoringSweeps = (db: Database): Sweep[] => [
  { name: 'risk_night', every: 86_400, run: async () => { await scoreSince(db, WINDOW_DAYS * 24); await endLimits(db) } },
  { name: 'risk_hour', run: () => scoreSince(db, 2) },
]
