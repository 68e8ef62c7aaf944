import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkAudit, sealAudit } from '../../core/audit/seal.server.ts'
import { flushSecurityLog, securityEvent, sweepSecurityLog } from '../../core/audit/security.server.ts'
import { sweepWhenDue } from '../../core/job/sweep.server.ts'
import { auditSweeps } from '../../core/module/audit-sweeps.server.ts'
import { jobOver } from '../../core/testing/jobs.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { screenId } from '../screens.ts'
import type { HealthReport } from './health.ts'
import { securityLog } from './security.ts'

interface Shown {
  kind: string
  detail: string
  staff_id: number | null
  account: string | null
  ip: string | null
  target: string | null
  times: number
}

let app: TestApp
let watcher: Caller
beforeAll(async () => {
  app = await openTestApp()
  watcher = await app.staff([securityLog.grant])
})
afterAll(() => app.close())
beforeEach(() => app.db.query(sql`delete from security_log`))

async function shown(query: Record<string, unknown> = {}): Promise<Shown[]> {
  await flushSecurityLog(app.kernel.db)
  return (await watcher.get<{ items: Shown[] }>(securityLog.api.list, query)).body.items
}

test('refused access is in the log with who, where and what for', async () => {
  const person = await app.staff([])
  expect((await person.get(securityLog.api.list)).status).toBe(403)
  expect(await shown()).toMatchObject([{
    kind: 'refused', staff_id: person.staffId, ip: '127.0.0.1', target: `GET ${securityLog.api.list}`, detail: '没有「安全日志」权限，请联系管理员开通', times: 1,
  }])
})

test('a call from a foreign page is in the log, with a session and without', async () => {
  const person = await app.staff([])
  expect((await person.post('/api/staffLogout', {}, { 'x-csrf-token': 'wrong' })).status).toBe(403)
  expect((await app.nobody().post('/daoyuan/api/end_access_token', { account: 'admin', pwd: 'x' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await shown({ sort: 'id' })).map(({ kind, staff_id, account }) => [kind, staff_id, account])).toEqual([['csrf', person.staffId, null], ['csrf', null, 'admin']])
})

test('a lock is in the log, told to those who watch, and counted on their home page', async () => {
  await app.nobody().post('/daoyuan/api/end_access_token', { account: 'no_such', pwd: 'Wrong-pass1' })
  // Locked by guesses from elsewhere: nobody has to solve a captcha here before they hear of it.
  await app.db.query(sql`update login_failure set locked_until = now() + interval '5 minutes', last_at = now()`)
  await app.nobody().post('/daoyuan/api/end_access_token', { account: 'no_such', pwd: 'Wrong-pass1' })
  const [entry] = await shown({ kind: 'lockout' })
  expect(entry).toMatchObject({ account: 'no_such', staff_id: null, ip: '127.0.0.1' })
  const { body } = await watcher.get<{ waiting: { name: string; count: number }[] }>('/daoyuan/api/end/dashboard')
  expect(body.waiting.find(({ name }) => name === 'security_alerts')).toMatchObject({ count: 1 })
})

test('equal events of a minute are one record that counts them', async () => {
  const person = await app.staff([])
  for (let n = 0; n < 5; n++) await person.get(securityLog.api.list)
  await flushSecurityLog(app.kernel.db)
  for (let n = 0; n < 4; n++) await person.get(securityLog.api.list)
  const rows = await shown()
  // A minute may have ended in between.
  expect(rows.length).toBeLessThanOrEqual(2)
  expect(rows.reduce((sum, { times }) => sum + times, 0)).toBe(9)
})

test('a flood of different events is bounded, and none of them is lost from the count', async () => {
  for (let n = 0; n < 3000; n++) securityEvent(app.kernel.db, { kind: 'rate_limit', detail: '请求过多', ip: `10.0.${Math.floor(n / 256)}.${n % 256}` })
  await flushSecurityLog(app.kernel.db)
  const [counted] = await app.db.query<{ rows: number; times: number }>(sql`select count(*) as rows, sum(times)::int as times from security_log`)
  expect(counted?.times).toBe(3000)
  expect(counted?.rows).toBeLessThanOrEqual(202)
})

test('what a stranger sends fits, whatever it is', async () => {
  securityEvent(app.kernel.db, { kind: 'lockout', detail: 'x'.repeat(5000), account: `\u0000${'y'.repeat(5000)}\n`, target: 'z'.repeat(5000) })
  const [entry] = await shown()
  expect([entry?.detail.length, entry?.account?.length, entry?.target?.length]).toEqual([200, 60, 200])
})

test('a log that cannot be written refuses nobody anything', async () => {
  const person = await app.staff([])
  await app.db.script('alter table security_log rename to security_log_away')
  expect((await person.get(securityLog.api.list)).status).toBe(403)
  await flushSecurityLog(app.kernel.db)
  await app.db.script('alter table security_log_away rename to security_log')
  expect((await person.get('/daoyuan/api/end/staff')).status).toBe(200)
  // What could not be written is written later.
  expect((await shown()).length).toBeGreaterThan(0)
})

test('old events go', async () => {
  securityEvent(app.kernel.db, { kind: 'refused', detail: '旧' })
  await flushSecurityLog(app.kernel.db)
  await app.db.query(sql`update security_log set created_at = now() - interval '189 days'`)
  await sweepSecurityLog(app.kernel.db)
  expect(await app.db.query(sql`select 1 from security_log`)).toHaveLength(1)
  await app.db.query(sql`update security_log set created_at = now() - interval '191 days'`)
  await sweepSecurityLog(app.kernel.db)
  expect(await app.db.query(sql`select 1 from security_log`)).toEqual([])
})

test('the page tells how far the audit log was checked, and finds a row that somebody changed', async () => {
  const HEALTH = screenId('/system/health')
  const keeper = await app.staff([HEALTH, HEALTH * 100 + 11])
  const report = async () => (await keeper.get<HealthReport>('/daoyuan/api/end/health_report')).body.audit
  const check = '/daoyuan/api/end/health_report/audit_check'
  expect((await (await app.staff([HEALTH])).post(check)).status).toBe(403)
  // Transactions of other databases on the same server hold sealing up, as long as they run.
  while ((await report()).waiting > 0) await sealAudit(app.db)
  const begin = async () => {
    const { body } = await keeper.post<{ job: { id: number } }>(check)
    return jobOver(keeper, body.job.id)
  }
  expect(await begin()).toMatchObject({ status: 'done', result: { broken: 0 } })
  const before = await report()
  expect(before.sealed_to).toBeGreaterThan(0)
  expect(before.check).toMatchObject({ to_id: before.sealed_to, broken: [] })

  await app.db.script('alter table audit_log disable trigger keep')
  await app.db.query(sql`update audit_log set staff_id = 99 where id = (select min(id) from audit_log)`)
  await app.db.script('alter table audit_log enable trigger keep')
  await app.db.query(sql`delete from installation where key in ('audit_check', 'swept_20')`)
  // In the background it is found too, and alarms once.
  const sweeps = auditSweeps(app.kernel.db, app.config)
  expect(await sweepWhenDue(app.db, sweeps, 20)).toBe(true)
  await checkAudit(app.db)
  expect((await shown({ kind: 'audit' })).map(({ detail }) => detail)).toEqual([expect.stringMatching(/^操作日志 1 至 \d+：日志或封存记录的内容被改动$/)])
  expect((await report()).check?.broken).toHaveLength(1)
})
