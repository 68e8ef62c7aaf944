import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { openTestDatabase } from '../testing/database.server.ts'
import type { Call } from '../endpoint/serve.server.ts'
import { REPORTS_PER_MINUTE, reportCalls } from './calls.server.ts'
import { fingerprintOf, sweepClientErrors } from './client-error.server.ts'
import { rateLimit } from '../endpoint/rate.server.ts'
import { SLOW_MS } from './slow.server.ts'

const ERRORS = '/daoyuan/api/end/client_errors'

let app: TestApp
let person: Caller
beforeAll(async () => {
  app = await openTestApp()
  person = await app.staff([])
})
afterAll(() => app.close())

const stored = () => app.kernel.db.query<{ message: string; times: number; staff_id: number; stack: string | null; url: string }>(
  sql`select message, times, staff_id, stack, url from client_error order by id`)

test('equal errors are counted, whatever numbers they hold and whoever meets them', async () => {
  expect((await app.nobody().post(ERRORS, { message: 'x' })).status).toBe(401)
  const other = await app.staff([])
  const stack = 'TypeError: x\n    at save (https://a/assets/index-1.js:10:20)\n    at run (https://a/assets/index-1.js:1:2)'
  await person.post(ERRORS, { message: 'TypeError: 记录 12 不存在', stack, url: '/new/a', release: 'r1' })
  await other.post(ERRORS, { message: 'TypeError: 记录 345 不存在', stack, url: '/new/b', release: 'r1' })
  await other.post(ERRORS, { message: 'TypeError: 记录 345 不存在', stack, url: '/new/b', release: 'r2' })
  expect(await stored()).toEqual([
    { message: 'TypeError: 记录 345 不存在', times: 2, staff_id: other.staffId, stack, url: '/new/b' },
    { message: 'TypeError: 记录 345 不存在', times: 1, staff_id: other.staffId, stack, url: '/new/b' },
  ])
  const error = { message: 'x', stack, url: null, release: null }
  expect(fingerprintOf(error)).not.toBe(fingerprintOf({ ...error, stack: stack.replace(':10:20', ':11:20') }))
})

test('a report is cut, not refused, for its length', async () => {
  expect((await person.post(ERRORS, { message: '长'.repeat(3000), stack: 'x'.repeat(20_000) })).status).toBe(200)
  const row = (await stored()).at(-1)
  expect([row?.message.length, row?.stack?.length]).toEqual([1000, 8000])
  expect((await person.post(ERRORS, { message: '' })).status).toBe(400)
})

test('a screen in a loop is not heard for ever', async () => {
  const loop = await app.staff([])
  for (let n = 0; n < REPORTS_PER_MINUTE; n++) expect((await loop.post(ERRORS, { message: 'loop' })).status).toBe(200)
  expect((await loop.post(ERRORS, { message: 'loop' })).body).toEqual({ detail: '错误上报过于频繁' })
  expect((await person.post(ERRORS, { message: 'loop' })).status).toBe(200)
})

test('a limit counts each key by itself and begins anew', () => {
  let now = 0
  const passes = rateLimit(2, 1000, () => now)
  expect(['a', 'a', 'a', 'b'].map(passes)).toEqual([true, true, false, true])
  now = 1000
  expect(passes('a')).toBe(true)
})

test('the sweep keeps what happened last', async () => {
  const last = await openTestApp()
  const { db } = last.kernel
  await db.query(sql`insert into client_error (fingerprint, message, at) select 'f' || n, 'm', now() - make_interval(hours => n) from generate_series(1, 5003) n`)
  await sweepClientErrors(db)
  expect(await db.query(sql`select count(*) as n, bool_and(at > now() - make_interval(hours => 5001)) as newest from client_error`)).toEqual([{ n: 5000, newest: true }])
  await last.close()
})

test('health says whether the database answers, to anybody', async () => {
  expect(await app.nobody().get('/healthz')).toMatchObject({ status: 200, body: { ok: true, database: 'ok', disk: 'ok' } })
  const gone = await openTestDatabase()
  await gone.close()
  const call = reportCalls(app.config, app.kernel.metrics).find(({ endpoint }) => endpoint.path === '/healthz')
  // Of its call nothing but the database matters.
  await expect(call?.handler({ db: gone } as unknown as Call)).rejects.toMatchObject({ status: 503, message: '数据库暂时没有响应，请稍后重试', extra: { ok: false, database: 'failing', disk: 'ok' } })
})

const metrics = (of: TestApp, options: { remoteAddress?: string; headers?: Record<string, string> } = {}) => of.http.inject({ url: '/metrics', ...options })

test('measurements are for this machine alone, and not for what a proxy on it passes on', async () => {
  await person.get('/daoyuan/api/end/staff')
  await app.nobody().get('/daoyuan/api/end/staff')
  const answer = await metrics(app)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toContain('text/plain')
  for (const pattern of [
    /http_requests_total\{method="GET",status="200"\} [1-9]/, /http_requests_total\{method="GET",status="401"\} [1-9]/,
    /http_request_duration_seconds_bucket\{le="10",method="GET"\} [1-9]/, /db_statements_total [1-9]/, /^sessions [1-9]/m,
    /nodejs_eventloop_lag_seconds/, /process_resident_memory_bytes/, /^live_streams 0/m, /db_slow_statements_total/,
  ]) expect(answer.payload).toMatch(pattern)
  expect((await metrics(app, { remoteAddress: '10.0.0.7' })).statusCode).toBe(404)
  expect((await metrics(app, { headers: { 'x-forwarded-for': '127.0.0.1' } })).statusCode).toBe(404)
})

test('with a token, whoever sends it may read, and nobody else', async () => {
  const guarded = await openTestApp({ METRICS_TOKEN: 'token-of-prometheus', PUBLIC_URL: 'http://example.com' })
  const read = async (authorization?: string) => (await metrics(guarded, { remoteAddress: '10.0.0.7', ...(authorization && { headers: { authorization } }) })).statusCode
  expect(await read('Bearer token-of-prometheus')).toBe(200)
  expect(await read('Bearer token-of-prometheuS')).toBe(404)
  expect(await read('Bearer token')).toBe(404)
  expect((await metrics(guarded)).statusCode).toBe(404)
  await guarded.close()
})

test('a proxy in front closes the way from this machine', async () => {
  const behind = await openTestApp({ PUBLIC_URL: 'http://example.com' })
  expect((await metrics(behind)).statusCode).toBe(404)
  await behind.close()
})

test('slow statements are noticed without their values, in transactions too', async () => {
  const { db, metrics: { slow } } = app.kernel
  const before = slow.count
  await db.query(sql`select pg_sleep(${(SLOW_MS + 50) / 1000}), ${'secret'}::text`)
  await db.transaction({ staff_id: null }, (tx) => tx.query(sql`select pg_sleep(${(SLOW_MS + 50) / 1000})`))
  expect(slow.count).toBeGreaterThanOrEqual(before + 2)
  expect(slow.last.map((one) => one.statement)).toContain('select pg_sleep($1), $2::text')
  expect(JSON.stringify(slow.last)).not.toContain('secret')
})
