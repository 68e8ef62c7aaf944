import { normalizeIP } from '@fastify/rate-limit'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'
import type { Call } from '../endpoint/serve.server.ts'
import { locked } from '../error/error.ts'
import type { LoginMethod, LoginResult } from './login-log.ts'
import { hashToken } from '../session/session.server.ts'

/** domain 1.0: five failures lock for fifteen minutes: an account from where they came, an address or a known device. */
const MAX_FAILURES = 5
/** NIST SP 800-63B, 5.2.2: failures of one account, wherever they come from, after which only known devices may try. */
const MAX_ACCOUNT_FAILURES = 100
const LOCK_MINUTES = 15
/** Failures of one account, or from one address in fifteen minutes, after which a machine has to work before it may try. */
const CAPTCHA_FAILURES = 3
const CAPTCHA_ADDRESS_FAILURES = 20
/** Failures that the log keeps: anybody can make one. */
const KEPT_FAILURES = 200_000
/** How long logins are kept, in days; 等保 2.0 asks for six months. */
const LOG_DAYS = 400

/** What is counted, and how many failures in a row lock it. */
interface Counter {
  readonly key: string
  readonly most: number
}

/** Under which an account's failures are counted. It is what was typed, whether or not it exists, so that counting tells nothing about who does. */
const accountKey = (account: string) => `account:${hashToken(account.toLowerCase())}`

/**
 * Counters of a login. A device on which the person has logged in before stands by itself: a person who guesses elsewhere does
 * not lock it, however many addresses they have.
 * @param device hash of the browser's device cookie, when the person is known on it
 */
export function loginCounters(account: string, ip: string, device: string | undefined): Counter[] {
  const key = accountKey(account)
  if (device) return [{ key: `${key} device ${device}`, most: MAX_FAILURES }]
  return [{ key: `${key} from ${addressOf(ip)}`, most: MAX_FAILURES }, { key, most: MAX_ACCOUNT_FAILURES }]
}

/** An address as one who attacks has it: of IPv6 they have a whole network of 64 bits. */
function addressOf(ip: string): string {
  return normalizeIP(ip, 64)
}

const window = sql`make_interval(mins => ${sql.raw(String(LOCK_MINUTES))})`
const keysOf = (counters: readonly Counter[]) => sql`${sql.param(counters.map(({ key }) => key))}::text[]`

/** @throws locked while one of the counters is locked */
async function checkLock(db: Database, counters: readonly Counter[]): Promise<void> {
  const [row] = await db.query<{ minutes: number | null }>(
    sql`select greatest(1, ceil(extract(epoch from max(locked_until) - now()) / 60))::int as minutes from login_failure where key = any(${keysOf(counters)}) and locked_until > now() having count(*) > 0`,
  )
  if (row) throw locked(`登录失败次数过多，请 ${row.minutes} 分钟后再试`)
}

/** Counts a failure; the last of so many in a row locks. After fifteen minutes without one, counting begins again. */
async function countFailure(db: Database, counters: readonly Counter[]): Promise<void> {
  for (const { key, most } of counters) {
    await db.query(sql`insert into login_failure as f (key, failures) values (${key}, 1)
      on conflict (key) do update set
        failures = case when f.last_at <= now() - ${window} then 1 else f.failures + 1 end,
        last_at = now(),
        locked_until = case when f.last_at > now() - ${window} and f.failures + 1 >= ${most} then now() + ${window} end`)
  }
}

/** Forgives the failures of counters: somebody has shown all that is asked of them. */
export async function forgive(db: Queryable, counters: readonly Counter[]): Promise<void> {
  await db.query(sql`delete from login_failure where key = any(${keysOf(counters)})`)
}

/** Forgives all failures of an account, wherever they came from. */
export async function forgetFailures(db: Queryable, account: string): Promise<void> {
  await db.query(sql`delete from login_failure where starts_with(key, ${accountKey(account)})`)
}

const running = new Map<string, Promise<unknown>>()

/** Runs work of one key one after the other in this process, so that many guesses at the same time cannot outrun the lock. */
async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const mine = (running.get(key) ?? Promise.resolve()).then(work, work)
  running.set(key, mine)
  try {
    return await mine
  } finally {
    if (running.get(key) === mine) running.delete(key)
  }
}

/**
 * Lets `check` judge a secret that somebody gave, and counts when it says no.
 * @throws locked while one of the counters is locked
 */
export function guarded(db: Database, counters: readonly Counter[], check: () => Promise<boolean>): Promise<boolean> {
  return inTurn(counters[0]?.key ?? '', async () => {
    await checkLock(db, counters)
    const right = await check()
    if (!right) await countFailure(db, counters)
    return right
  })
}

/** The same for what a logged-in person is asked again: a person who is right is forgiven what went before. */
export async function guardedPerson(call: Pick<Call, 'db' | 'staff'>, check: () => Promise<boolean>): Promise<boolean> {
  // Apart from logins, so that a stolen session cannot guess without end and cannot lock the person out either.
  const counters = [{ key: `person:${call.staff.id}`, most: MAX_FAILURES }]
  const right = await guarded(call.db, counters, check)
  if (right) await forgive(call.db, counters)
  return right
}

/** Whether the next attempt has to come with a solved captcha. */
export async function needsCaptcha(db: Database, counters: readonly Counter[], ip: string): Promise<boolean> {
  const [row] = await db.query<{ needed: boolean }>(sql`select
    exists (select 1 from login_failure where key = any(${keysOf(counters)}) and failures >= ${CAPTCHA_FAILURES} and last_at > now() - ${window})
    or (select count(*) from (select 1 from login_log where ip = ${ip} and at > now() - ${window} and result not in ('ok', 'step')
      limit ${sql.raw(String(CAPTCHA_ADDRESS_FAILURES))}) f) >= ${CAPTCHA_ADDRESS_FAILURES} as needed`)
  return row?.needed ?? false
}

/** Who tries to log in, and how. */
export interface LoginEntry {
  /** As it was typed or as the identity provider gave it. */
  account: string
  /** Null when there is no such person. */
  staffId: number | null
  method: LoginMethod
}

/** Writes down an attempt to log in. */
export async function logLogin(call: Pick<Call, 'db' | 'ip' | 'userAgent'>, entry: LoginEntry, result: LoginResult): Promise<void> {
  await call.db.query(sql`insert into login_log (account, staff_id, method, result, ip, user_agent)
    values (${entry.account}, ${entry.staffId}, ${entry.method}, ${result}, ${call.ip}, ${call.userAgent.slice(0, 300)})`)
}

/** Keeps the login log from growing without bound: what anybody can write into it is kept by number, the rest by age. */
export async function sweepLoginLog(db: Queryable): Promise<void> {
  const failure = sql`result not in ('ok', 'step')`
  await db.query(sql`delete from login_log where ${failure} and id <= (select id from login_log where ${failure} order by id desc offset ${sql.raw(String(KEPT_FAILURES))} limit 1)`)
  await db.query(sql`delete from login_log where at < now() - make_interval(days => ${LOG_DAYS})`)
}
