import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'
import type { Call } from '../endpoint/serve.server.ts'
import { locked } from '../error/error.ts'
import type { LoginMethod, LoginResult } from './login-log.ts'

/** domain 1.0: five failures lock an account for fifteen minutes. */
const MAX_FAILURES = 5
const LOCK_MINUTES = 15
/** Failures of one account, or from one address in fifteen minutes, after which a machine has to work before it may try. */
const CAPTCHA_FAILURES = 3
const CAPTCHA_ADDRESS_FAILURES = 20

/** Counts logins. The account is what was typed, whether or not it exists, so that counting tells nothing about who does. */
export function accountKey(account: string): string {
  return `account:${account.toLowerCase()}`
}

const window = sql`make_interval(mins => ${sql.raw(String(LOCK_MINUTES))})`

/** @throws locked while the key is locked */
async function checkLock(db: Database, key: string): Promise<void> {
  const [row] = await db.query<{ minutes: number }>(
    sql`select greatest(1, ceil(extract(epoch from locked_until - now()) / 60))::int as minutes from login_failure where key = ${key} and locked_until > now()`,
  )
  if (row) throw locked(`登录失败次数过多，请 ${row.minutes} 分钟后再试`)
}

/** Counts a failure; the fifth in a row locks. After fifteen minutes without one, counting begins again. */
async function countFailure(db: Database, key: string): Promise<void> {
  await db.query(sql`insert into login_failure as f (key, failures) values (${key}, 1)
    on conflict (key) do update set
      failures = case when f.last_at <= now() - ${window} then 1 else f.failures + 1 end,
      last_at = now(),
      locked_until = case when f.last_at > now() - ${window} and f.failures + 1 >= ${MAX_FAILURES} then now() + ${window} end`)
}

/** Forgives all failures of a key. */
export async function forgetFailures(db: Queryable, key: string): Promise<void> {
  await db.query(sql`delete from login_failure where key = ${key}`)
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
 * @throws locked while the key is locked
 */
export function guarded(db: Database, key: string, check: () => Promise<boolean>): Promise<boolean> {
  return inTurn(key, async () => {
    await checkLock(db, key)
    const right = await check()
    if (!right) await countFailure(db, key)
    return right
  })
}

/** The same for what a logged-in person is asked again: whoever is right is forgiven what went before. */
export async function guardedPerson(call: Pick<Call, 'db' | 'staff'>, check: () => Promise<boolean>): Promise<boolean> {
  // Apart from logins, so that a stolen session cannot guess without end and cannot lock the person out either.
  const key = `person:${call.staff.id}`
  const right = await guarded(call.db, key, check)
  if (right) await forgetFailures(call.db, key)
  return right
}

/** Whether the next attempt has to come with a solved captcha. */
export async function needsCaptcha(db: Database, key: string, ip: string): Promise<boolean> {
  const [row] = await db.query<{ needed: boolean }>(sql`select
    exists (select 1 from login_failure where key = ${key} and failures >= ${CAPTCHA_FAILURES} and last_at > now() - ${window})
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
