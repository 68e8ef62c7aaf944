import { solveChallenge, type Challenge, type Solution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { flushSecurityLog } from '../audit/security.server.ts'
import { statementCount, type Database } from '../database/database.server.ts'
import { openTestApp, type Answer, type Caller, type TestApp } from '../testing/app.server.ts'
import { sweepLoginLog } from './attempt.server.ts'

const LOGIN = '/daoyuan/api/end_access_token'
const PASSWORD = 'Staff-pass1'
const wrongLogin = { status: 400, body: { detail: '账号或密码错误' } }
const captchaNeeded = { status: 400, body: { detail: '请完成人机验证', captcha: true } }
const locked = { status: 429, body: { detail: '登录失败次数过多，请 15 分钟后再试' } }

let app: TestApp
let db: Database
beforeAll(async () => {
  app = await openTestApp()
  db = app.kernel.db
})
afterAll(() => app.close())
// Every test comes from the same address.
beforeEach(async () => {
  await db.query(sql`delete from login_log`)
  await db.query(sql`delete from login_failure`)
})
afterEach(() => vi.useRealTimers())

const attempt = (account: string, pwd: string, captcha?: string): Promise<Answer> => app.nobody().post(LOGIN, { account, pwd, ...(captcha && { captcha }) })

/** A solution as it is sent. */
function write(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

async function solved(): Promise<string> {
  const challenge = (await app.nobody().get('/daoyuan/api/end/captcha')).body as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return write({ challenge, solution })
}

/** Fails to log in so often, solving what has to be solved. */
async function fail(account: string, times: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let i = 0; i < times; i++) answers.push(await attempt(account, 'Wrong-pass1', i < 3 ? undefined : await solved()))
  return answers
}

async function person(account: string): Promise<string> {
  await app.staff([], { account })
  return account
}

test('after three failures an account wants a puzzle solved, once for each attempt', async () => {
  const account = await person('puzzled')
  for (const answer of await fail(account, 3)) expect(answer).toMatchObject(wrongLogin)
  expect(await attempt(account, PASSWORD)).toMatchObject(captchaNeeded)
  const solution = await solved()
  expect(await attempt(account, 'Wrong-pass1', solution)).toMatchObject(wrongLogin)
  expect(await attempt(account, PASSWORD, solution)).toMatchObject(captchaNeeded)
  expect((await attempt(account, PASSWORD, await solved())).status).toBe(200)
  expect(await attempt(account, 'Wrong-pass1')).toMatchObject(wrongLogin)
})

test('only a puzzle of ours, solved and not changed, counts', async () => {
  const account = await person('forger')
  await fail(account, 3)
  const good = JSON.parse(Buffer.from(await solved(), 'base64').toString()) as { challenge: Challenge; solution: Solution }
  for (const bad of [
    'nonsense', write({}), write({ ...good, solution: { ...good.solution, derivedKey: '00'.repeat(32) } }),
    write({ ...good, challenge: { ...good.challenge, parameters: { ...good.challenge.parameters, keyPrefix: '00', keySignature: undefined } } }),
    write({ ...good, challenge: { ...good.challenge, parameters: { ...good.challenge.parameters, nonce: '00'.repeat(16) } } }),
  ]) expect(await attempt(account, PASSWORD, bad)).toMatchObject(captchaNeeded)
  expect((await attempt(account, PASSWORD, write(good))).status).toBe(200)
})

test('a puzzle is good for five minutes', async () => {
  const account = await person('slow')
  await fail(account, 3)
  const [early, late] = [await solved(), await solved()]
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 4 * 60_000)
  expect(await attempt(account, 'Wrong-pass1', early)).toMatchObject(wrongLogin)
  vi.setSystemTime(Date.now() + 2 * 60_000)
  expect(await attempt(account, PASSWORD, late)).toMatchObject(captchaNeeded)
})

test('after twenty failures from one address every account wants a puzzle, for fifteen minutes', async () => {
  const account = await person('neighbour')
  for (let i = 0; i < 19; i++) await attempt(`guess_${i}`, 'Wrong-pass1')
  expect(await attempt('guess_19', 'Wrong-pass1')).toMatchObject(wrongLogin)
  expect(await attempt(account, PASSWORD)).toMatchObject(captchaNeeded)
  expect(await attempt('guess_20', 'Wrong-pass1')).toMatchObject(captchaNeeded)
  expect((await attempt(account, PASSWORD, await solved())).status).toBe(200)
  await db.query(sql`update login_log set at = at - interval '16 minutes'`)
  expect((await attempt(account, PASSWORD)).status).toBe(200)
})

test('five failures from one address lock an account there for fifteen minutes, also against the right password', async () => {
  const account = await person('locked')
  for (const answer of await fail(account, 5)) expect(answer).toMatchObject(wrongLogin)
  expect(await attempt(account, PASSWORD)).toMatchObject(locked)
  expect(await attempt(account.toUpperCase(), PASSWORD, await solved())).toMatchObject(locked)
  // Trying on does not prolong it.
  await db.query(sql`update login_failure set locked_until = locked_until - interval '14 minutes', last_at = last_at - interval '14 minutes'`)
  expect(await attempt(account, PASSWORD)).toMatchObject({ status: 429, body: { detail: '登录失败次数过多，请 1 分钟后再试' } })
  await db.query(sql`update login_failure set locked_until = locked_until - interval '1 minute', last_at = last_at - interval '1 minute'`)
  expect(await attempt(account, 'Wrong-pass1')).toMatchObject(wrongLogin)
  expect((await attempt(account, PASSWORD)).status).toBe(200)
})

/** An attempt from another address, as a proxy in front would name it; inject takes it as it is. */
async function attemptFrom(ip: string, account: string, pwd: string): Promise<number> {
  const answer = await app.http.inject({ method: 'POST', url: LOGIN, payload: { account, pwd, captcha: await solved() }, remoteAddress: ip })
  return answer.statusCode
}

test('who guesses elsewhere locks nobody out: not another address, and not a device that the person has logged in on', async () => {
  const owner = await app.staff([], { account: 'besieged' })
  for (let i = 0; i < 5; i++) expect(await attemptFrom('203.0.113.9', 'besieged', 'Wrong-pass1')).toBe(400)
  expect(await attemptFrom('203.0.113.9', 'besieged', PASSWORD), 'the guesser finds it locked').toBe(429)
  expect(await attemptFrom('198.51.100.7', 'besieged', PASSWORD), 'from elsewhere it is open').toBe(200)
  // Sitting beside each other, at one address.
  for (const answer of await fail('besieged', 5)) expect(answer).toMatchObject(wrongLogin)
  expect((await attempt('besieged', PASSWORD)).status).toBe(429)
  expect((await owner.post(LOGIN, { account: 'besieged', pwd: PASSWORD })).status, 'a known device, and no puzzle').toBe(200)
  // The device is known to one person, and its failures lock it alone.
  await person('bystander')
  for (let i = 0; i < 3; i++) expect((await owner.post(LOGIN, { account: 'besieged', pwd: 'Wrong-pass1' })).status).toBe(400)
  for (let i = 0; i < 2; i++) expect((await owner.post(LOGIN, { account: 'besieged', pwd: 'Wrong-pass1', captcha: await solved() })).status).toBe(400)
  expect((await owner.post(LOGIN, { account: 'besieged', pwd: PASSWORD })).status).toBe(429)
  expect((await owner.post(LOGIN, { account: 'bystander', pwd: PASSWORD })).status).toBe(200)
  expect(await attemptFrom('198.51.100.7', 'besieged', PASSWORD)).toBe(200)
})

test('many addresses together have a hundred guesses, of which known devices feel nothing; a network of IPv6 is one address', async () => {
  const owner = await app.staff([], { account: 'botnet_goal' })
  for (let i = 0; i < 5; i++) expect(await attemptFrom(`2001:db8:1:2::${i + 1}`, 'botnet_goal', 'Wrong-pass1')).toBe(400)
  expect(await attemptFrom('2001:db8:1:2::99', 'botnet_goal', 'Wrong-pass1')).toBe(429)
  await db.query(sql`update login_failure set failures = 99 where key not like '% %'`)
  expect(await attemptFrom('203.0.113.20', 'botnet_goal', 'Wrong-pass1')).toBe(400)
  expect(await attemptFrom('203.0.113.21', 'botnet_goal', PASSWORD)).toBe(429)
  expect((await owner.post(LOGIN, { account: 'botnet_goal', pwd: PASSWORD })).status).toBe(200)
})

test('a device cookie that is made up, or was made for others, is a new device', async () => {
  const account = await person('devised')
  await fail(account, 5)
  const stranger = await app.staff([])
  expect((await stranger.post(LOGIN, { account, pwd: PASSWORD })).status).toBe(429)
  const forger = app.nobody()
  forger.setCookie('device', 'A'.repeat(43))
  expect((await forger.post(LOGIN, { account, pwd: PASSWORD })).status).toBe(429)
})

test('the tables that anybody writes are swept: failures by number, logins by age', async () => {
  await attempt('sweep_me', 'Wrong-pass1')
  await db.query(sql`insert into login_log (account, method, result, at) values ('old', 'password', 'ok', now() - interval '401 days'), ('kept', 'password', 'ok', now() - interval '300 days')`)
  await db.query(sql`insert into login_log (account, method, result) select 'flood', 'password', 'unknown' from generate_series(1, 200001)`)
  await sweepLoginLog(db)
  const rows = await db.query<{ account: string; n: number }>(sql`select account, count(*) as n from login_log group by 1 order by 1`)
  expect(rows).toEqual([{ account: 'flood', n: 200_000 }, { account: 'kept', n: 1 }])
})

test('many guesses at the same time are judged one after the other', async () => {
  const account = await person('hurried')
  const answers = await Promise.all(Array.from({ length: 12 }, () => attempt(account, 'Wrong-pass1')))
  expect(answers.map((answer) => answer.body['detail']).sort()).toEqual([
    ...Array.from({ length: 9 }, () => captchaNeeded.body.detail), ...Array.from({ length: 3 }, () => wrongLogin.body.detail),
  ])
  const solutions = await Promise.all(Array.from({ length: 4 }, solved))
  const more = await Promise.all(solutions.map((solution) => attempt(account, 'Wrong-pass1', solution)))
  expect(more.map((answer) => answer.status).sort()).toEqual([400, 400, 429, 429])
})

test('many right logins at the same time all succeed', async () => {
  const account = await person('everywhere')
  const answers = await Promise.all(Array.from({ length: 8 }, () => attempt(account, PASSWORD)))
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200))
})

test('an account that does not exist, one that is stopped and one without a password answer like a wrong password, all the way', async () => {
  const stopped = await app.staff([], { account: 'stopped' })
  await db.query(sql`update staff set status = 0 where id = ${stopped.staffId}`)
  const bare = await app.staff([], { account: 'bare' })
  await db.query(sql`update credential set password_hash = null where staff_id = ${bare.staffId}`)
  await person('existing')
  const story = async (account: string, pwd: string) => {
    await db.query(sql`delete from login_log`)
    const answers = [...await fail(account, 3), await attempt(account, pwd), await attempt(account, pwd, await solved()), await attempt(account, pwd, await solved()), await attempt(account, pwd)]
    return answers.map(({ status, body, headers }) => ({ status, body, headers: Object.keys(headers).sort() }))
  }
  const known = await story('existing', 'Wrong-pass1')
  expect(known.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400, 400, 429])
  expect(await story('nobody_here', 'Wrong-pass1')).toEqual(known)
  expect(await story('stopped', PASSWORD)).toEqual(known)
  expect(await story('bare', PASSWORD)).toEqual(known)
})

/** What a failed login costs the server. */
async function work(account: string): Promise<{ statements: number; user: number }> {
  // What was refused before is written down apart from requests.
  await flushSecurityLog(app.kernel.db)
  const before = statementCount()
  const started = process.cpuUsage()
  await attempt(account, 'Wrong-pass1')
  const { user } = process.cpuUsage(started)
  return { statements: statementCount() - before, user }
}

const least = (list: { user: number }[]) => Math.min(...list.map((one) => one.user))

test('an unknown account costs the same work as a wrong password', async () => {
  const known = await person('worked')
  await work('warm_up')
  const [wrong, unknown] = [[await work(known), await work(known)], [await work('nowhere'), await work('nowhere')]]
  expect(unknown.map((one) => one.statements)).toEqual(wrong.map((one) => one.statements))
  // Hashing a password is nearly all of it: leaving it out would cost a small part.
  expect(least(unknown)).toBeGreaterThan(least(wrong) / 3)
})

test('the administrator finds every attempt in the log', async () => {
  const caller = await app.staff([], { account: 'logged' })
  await fail('logged', 5)
  await attempt('logged', PASSWORD)
  await attempt('strange', PASSWORD)
  const results = await db.query<{ account: string; result: string; staff_id: number | null }>(sql`select account, result, staff_id from login_log order by id`)
  expect(results.map(({ account, result }) => `${account} ${result}`)).toEqual(['logged ok', ...Array.from({ length: 5 }, () => 'logged wrong'), 'logged locked', 'strange unknown'])
  expect(results.map((row) => row.staff_id)).toEqual([...Array.from({ length: 7 }, () => caller.staffId), null])
})

test('a reset password opens a locked account, once', async () => {
  const admin = await app.login()
  const caller = await app.staff([], { account: 'forgetful' })
  await fail('forgetful', 5)
  const { password } = (await admin.post<{ password: string }>(`/daoyuan/api/end/staffs/${caller.staffId}/reset_password`)).body
  expect(await attempt('forgetful', password)).toMatchObject({ status: 200, body: { staff: { must: 'password' } } })
  const used = { status: 400, body: { detail: '该密码已使用过或已超过 24 小时，请联系管理员重新重置' } }
  expect(await attempt('forgetful', password)).toMatchObject(used)
  expect(await attempt('forgetful', 'Wrong-pass1')).toMatchObject(wrongLogin)
  expect((await admin.post(`/daoyuan/api/end/staffs/${admin.staffId}/reset_password`)).status).toBe(400)
})

describe('a password that somebody else has made', () => {
  const reset = async (caller: Caller, key?: string) =>
    (await (await app.login()).post<{ password: string }>(`/daoyuan/api/end/staffs/${caller.staffId}/reset_password`, {}, key ? { 'idempotency-key': key } : {})).body.password
  const used = { status: 400, body: { detail: '该密码已使用过或已超过 24 小时，请联系管理员重新重置' } }

  test('is good for a day, and opens nothing but the change to one\'s own', async () => {
    const caller = await app.staff(app.allGrants, { account: 'newcomer' })
    const late = await reset(caller)
    await db.query(sql`update credential set good_until = good_until - interval '24 hours' where staff_id = ${caller.staffId}`)
    expect(await attempt('newcomer', late)).toMatchObject(used)
    const password = await reset(caller)
    await db.query(sql`update credential set good_until = good_until - interval '23 hours 59 minutes' where staff_id = ${caller.staffId}`)
    const inside = app.nobody()
    expect((await inside.post(LOGIN, { account: 'newcomer', pwd: password })).status).toBe(200)
    expect((await inside.get('/daoyuan/api/end/staffs')).body).toMatchObject({ must: 'password' })
    expect((await inside.post('/daoyuan/api/end/password', { old_password: password, new_password: 'My-own-word1' })).status).toBe(200)
    for (let i = 0; i < 2; i++) expect((await attempt('newcomer', 'My-own-word1')).status).toBe(200)
  })

  test('lets in one of two who come with it at the same time', async () => {
    const password = await reset(await app.staff([], { account: 'twice_used' }))
    const answers = await Promise.all([attempt('twice_used', password), attempt('twice_used', password)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('stands in no table: neither in the logs nor among the answers that a repetition gets', async () => {
    const caller = await app.staff([], { account: 'written_down' })
    const [first, again] = [await reset(caller, 'same-key'), await reset(caller, 'same-key')]
    expect(again).not.toBe(first)
    expect((await attempt('written_down', again)).status).toBe(200)
    for (const { name } of await db.query<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public'`)) {
      const [row] = await db.query<{ n: number }>(sql`select count(*) as n from ${sql.identifier(name)} t where strpos(to_jsonb(t)::text, ${first}) > 0 or strpos(to_jsonb(t)::text, ${again}) > 0`)
      expect(row?.n, name).toBe(0)
    }
  })
})
