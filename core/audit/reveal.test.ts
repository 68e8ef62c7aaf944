import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type Caller } from '../testing/app.server.ts'
import { idsOf, openSamples } from '../testing/sample.server.ts'
import { flushSecurityLog } from './security.server.ts'

const app = await openTestApp()
const samples = await openSamples(app)
const hidden = [...app.kernel.registry.values()].map(({ resource }) => resource).filter(({ actions }) => actions.reveal !== undefined)
afterAll(() => app.close())

const once = () => ({ 'idempotency-key': randomUUID() })
const kept = () => app.db.query<{ result: string }>(sql`select result::text from request_once`)
const setBudget = (reveal_daily: number) => app.db.query(sql`insert into installation (key, value) values ('privacy', ${JSON.stringify({ reveal_daily })}::jsonb) on conflict (key) do update set value = excluded.value`)

test('there are resources with hidden numbers', () => {
  expect(hidden.length).toBeGreaterThan(5)
})

describe.each(hidden.map((resource) => [resource.name, resource] as const))('what %s hides', (_name, resource) => {
  // A number where there is one, else a name.
  const field = Object.entries(resource.fields).filter(([, one]) => one.hidden).map(([key]) => key).sort((a, b) => Number(resource.fields[b]?.kind === 'mobile') - Number(resource.fields[a]?.kind === 'mobile'))[0] ?? ''
  const secret = () => (resource.fields[field]?.kind === 'mobile' ? `150${String(samples.next()).padStart(8, '0')}` : `甄隐${samples.next()}名`)
  let row: Record<string, unknown>
  let caller: Caller
  const reveal = (headers?: Record<string, string>) => caller.post<{ value?: string; detail?: string }>(`${resource.api.item}/${row['id']}/reveal`, { field }, headers)
  beforeAll(async () => {
    await setBudget(10_000)
    ;[row = {}] = await samples.insert(resource, 1, { [field]: secret() })
    caller = await app.staff(idsOf(resource))
  })

  test('is kept nowhere with the answer, and a repetition looks at it anew', async () => {
    const key = once()
    expect((await reveal(key)).body.value).toBe(row[field])
    expect((await reveal(key)).body.value).toBe(row[field])
    expect((await kept()).map(({ result }) => result).join('\n')).not.toContain(String(row[field]))
  })

  test('is not repeated to whom it might not be told any more', async () => {
    const key = once()
    expect((await reveal(key)).status).toBe(200)
    await app.grant(caller.staffId, idsOf(resource).filter((id) => id !== resource.actions.reveal))
    expect((await reveal(key)).status).toBe(403)
    await app.grant(caller.staffId, [...idsOf(resource), app.allGrants.find((id) => !idsOf(resource).includes(id)) ?? 0])
    expect((await reveal(key)).body).toEqual({ detail: '请求编号重复，请刷新页面后重试' })
    await app.grant(caller.staffId, idsOf(resource))
  })

  test('costs one of the looks of the day; beyond them it is refused and an alert', async () => {
    await app.db.query(sql`delete from reveal_count`)
    await setBudget(2)
    expect([(await reveal()).status, (await reveal()).status]).toEqual([200, 200])
    const refused = await reveal()
    expect([refused.status, refused.body]).toEqual([429, { detail: '今天查看完整信息已达 2 次上限，请明天再试，或联系管理员调整上限' }])
    await flushSecurityLog(app.kernel.db)
    expect(await app.db.query(sql`select kind from security_log where staff_id = ${caller.staffId} and kind = 'reveal'`)).toHaveLength(1)
    // Nothing of the refused look is left in the log of looks.
    expect(await app.db.query(sql`select 1 from audit_log where staff_id = ${caller.staffId} and action = 'reveal' and id > (select coalesce(max(id), 0) - 2 from audit_log where staff_id = ${caller.staffId})`)).toHaveLength(2)
    await app.db.query(sql`update reveal_count set day = day - 1`)
    expect((await reveal()).status).toBe(200)
  })
})

test('looks at the same time do not go beyond the budget together', async () => {
  const [resource] = hidden
  if (!resource) throw new Error('no resource')
  const field = Object.keys(resource.fields).find((key) => resource.fields[key]?.kind === 'mobile') ?? ''
  const [row] = await samples.insert(resource, 1, { [field]: '15099998888' })
  const caller = await app.staff(idsOf(resource))
  await setBudget(5)
  const answers = await Promise.all(Array.from({ length: 12 }, () => caller.post(`${resource.api.item}/${row?.id}/reveal`, { field })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  await setBudget(0)
  await app.db.query(sql`delete from reveal_count`)
  expect((await caller.post(`${resource.api.item}/${row?.id}/reveal`, { field })).status).toBe(429)
})

test('a token that is made is shown once and kept nowhere', async () => {
  const pad = app.kernel.registry.get('pad')?.resource
  if (!pad) throw new Error('no pads')
  const [row] = await samples.insert(pad, 1, { status: 1 })
  const key = once()
  const path = `${pad.api.item}/${row?.id}/connect`
  const first = await samples.caller(pad).post<{ token: string }>(path, {}, key)
  expect(first.status).toBe(200)
  const again = await samples.caller(pad).post(path, {}, key)
  expect([again.status, again.body]).toEqual([409, { detail: '这个操作已经完成，结果只显示一次；没有看到的话，请重新操作' }])
  const stored = (await kept()).map(({ result }) => result).join('\n')
  expect(stored).not.toContain(first.body.token)
  // Nothing that looks like a whole number is kept with any answer, whichever call it was.
  expect(stored).not.toMatch(/(?<!\d)1[3-9]\d{9}(?!\d)/)
})
