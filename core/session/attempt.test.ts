import { solveChallenge, type Challenge, type Solution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { statementCount, type Database } from '../database/database.server.ts'
import { openTestApp, type Answer, type TestApp } from '../testing/app.server.ts'

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

test('five failures lock an account for fifteen minutes, also against the right password', async () => {
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

test('a reset password opens a locked account', async () => {
  const admin = await app.login()
  const caller = await app.staff([], { account: 'forgetful' })
  await fail('forgetful', 5)
  const { password } = (await admin.post<{ password: string }>(`/daoyuan/api/end/staffs/${caller.staffId}/reset_password`)).body
  expect(await attempt('forgetful', password)).toMatchObject({ status: 200, body: { staff: { must: 'password' } } })
  expect((await admin.post(`/daoyuan/api/end/staffs/${admin.staffId}/reset_password`)).status).toBe(400)
})
