import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { screenId } from '../screens.ts'
import type { AuditEntry } from './audit.ts'
import { makePartner, makeSchool, PARTNERS } from './testing.server.ts'

const LOGS = '/daoyuan/api/end/audit_logs'
const AUDIT = screenId('/system/audit')
const PARTNER = screenId('/new-study-room/partner')

interface Logs {
  items: AuditEntry[]
  total?: number
  next?: string
}

let app: TestApp
let admin: Caller
let auditor: Caller
let clerk: Caller
let partner: { id: number; rev: number; mobile: string }
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  auditor = await app.staff([AUDIT])
  clerk = await app.staff([PARTNER, PARTNER * 100 + 1, PARTNER * 100 + 2])
  partner = await makePartner(app, clerk, '西湖教育')
  await clerk.put(`${PARTNERS}/${partner.id}`, { name: '西子教育', mobile: '13711112222', expire_at: 1_870_000_000, rev: partner.rev })
})
afterAll(() => app.close())

const logs = async (query: Record<string, unknown> = {}, caller = auditor) => (await caller.get<Logs>(LOGS, query)).body

test('the log is for those who hold its screen', async () => {
  expect((await app.nobody().get(LOGS)).status).toBe(401)
  expect((await clerk.get(LOGS)).status).toBe(403)
})

test('an entry says who did what to which record, with numbers hidden and times in seconds', async () => {
  const { items, total } = await logs({ entity: 'partner', entity_id: partner.id })
  const hidden = `${partner.mobile.slice(0, 3)}****${partner.mobile.slice(-4)}`
  expect(total).toBe(2)
  expect(items.map((entry) => entry.action)).toEqual(['update', 'create'])
  expect(items[0]).toMatchObject({
    staff_id: clerk.staffId, entity: 'partner', entity_label: '合伙人', entity_id: partner.id, title: '西子教育', ip: '127.0.0.1', request_id: expect.any(String),
    before: { name: '西湖教育', mobile: hidden, expire_at: 1_860_000_000 },
    after: { name: '西子教育', mobile: '137****2222', expire_at: 1_870_000_000 },
  })
  expect(items[1]?.after?.['mobile']).toBe(hidden)
  expect(items.map((entry) => entry.action_name)).toEqual(['修改', '新增'])
  const everything = JSON.stringify(await logs({ page_size: 200 }))
  expect(everything).not.toContain('13711112222')
  expect(everything).not.toContain(partner.mobile)
})

test('a number is hidden wherever it stands, in entries of tables that nothing describes too', async () => {
  await app.db.query(sql`insert into audit_log (action, entity, entity_id, before, after)
    values ('bulk', 'unknown_table', 1, '{"phones": ["13733334444"], "deep": {"tel": "13733334444", "n": 13733334444}}', '{"note": "13733334444 号"}')`)
  const { items } = await logs({ entity: 'unknown_table' })
  expect(items[0]).toMatchObject({
    entity_label: 'unknown_table', title: null, staff_name: null,
    before: { phones: ['137****4444'], deep: { tel: '137****4444' } },
  })
})

test.each<[string, () => Record<string, unknown>, (entry: AuditEntry) => boolean]>([
  ['person', () => ({ staff_id: clerk.staffId }), (entry) => entry.staff_id === clerk.staffId],
  ['kind of record', () => ({ entity: 'staff' }), (entry) => entry.entity === 'staff'],
  ['several kinds', () => ({ entity: ['staff', 'partner'] }), (entry) => ['staff', 'partner'].includes(entry.entity)],
  ['action', () => ({ action: 'update' }), (entry) => entry.action === 'update'],
])('the log narrows by %s', async (_name, query, fits) => {
  const { items } = await logs({ ...query(), page_size: 200 })
  expect(items.length).toBeGreaterThan(0)
  expect(items.every(fits)).toBe(true)
  expect(items.length).toBeLessThan((await logs({ page_size: 200 })).items.length)
})

test('the log narrows by time, both ends included', async () => {
  const at = 1_700_000_000
  await app.db.query(sql`insert into audit_log (at, action, entity, entity_id) select to_timestamp(${at}::float8 + n), 'totp_on', 'x', n from generate_series(0, 4) n`)
  await app.db.query(sql`insert into audit_log (at, action, entity, entity_id) values (to_timestamp(${at}::float8 + 3.9), 'totp_on', 'x', 99)`)
  const ids = async (query: Record<string, unknown>) => (await logs({ action: 'totp_on', ...query })).items.map((entry) => entry.entity_id)
  expect(await ids({ start_time: at + 1, end_time: at + 3 })).toEqual([99, 3, 2, 1])
  expect(await ids({ start_time: (at + 1) * 1000, end_time: (at + 3) * 1000 })).toEqual([99, 3, 2, 1])
})

test('pages follow each other without gap or repetition, at one time too', async () => {
  await app.db.query(sql`insert into audit_log (at, action, entity, entity_id) select to_timestamp(${1_600_000_000}::float8 + n / 3), 'totp_off', 'y', n from generate_series(1, 25) n`)
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const page: Logs = await logs({ action: 'totp_off', page_size: 4, ...(cursor && { cursor }) })
    expect(page.total).toBe(cursor ? undefined : 25)
    seen.push(...page.items.map((entry) => entry.entity_id))
    cursor = page.next
  } while (cursor)
  expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => 25 - n))
})

test('a record that is gone for good keeps its name', async () => {
  await app.db.query(sql`insert into audit_log (action, entity, entity_id, before) values ('purge', 'partner', 999999, '{"name": "已注销的合伙人"}')`)
  expect((await logs({ entity: 'partner', entity_id: 999_999 })).items[0]).toMatchObject({ title: '已注销的合伙人' })
})

test('whoever is limited to some data sees changes of that data alone', async () => {
  const other = await makePartner(app, clerk, '东海教育')
  const ownSchool = await makeSchool(app, admin, partner.id, '一号校')
  const foreignSchool = await makeSchool(app, admin, other.id, '二号校')
  const limited = await app.staff([AUDIT], { scopes: { partner: [partner.id] } })
  const seen = (await logs({ page_size: 200 }, limited)).items.map((entry) => `${entry.entity} ${entry.entity_id}`)
  expect(seen).toContain(`partner ${partner.id}`)
  expect(seen).toContain(`app_school ${ownSchool}`)
  expect(seen).not.toContain(`partner ${other.id}`)
  expect(seen).not.toContain(`app_school ${foreignSchool}`)
  expect(seen).not.toContain('partner 999999')
  expect(seen.some((entry) => entry.startsWith('staff '))).toBe(true)
})

test('the kinds of records are known by name', async () => {
  const { body } = await auditor.get<{ items: { entity: string; label: string }[] }>(`${LOGS}/entities`)
  expect(body.items).toContainEqual({ entity: 'partner', label: '合伙人', path: '/new-study-room/partner', actions: expect.arrayContaining([{ name: 'freeze', label: '冻结' }]) })
})

test('values come with the names behind their ids and with what it takes to show them', async () => {
  const answer = await auditor.get<Logs & { fields: Record<string, Record<string, unknown>> }>(LOGS, { entity: 'partner', entity_id: partner.id, action: 'create' })
  expect(answer.body.items[0]?.after).toMatchObject({ type_id: expect.any(Number), type_name: expect.any(String), region_name: '浙江省/杭州市/西湖区' })
  expect(answer.body.fields['partner']?.['level']).toEqual({ kind: 'choice', label: '级别', choices: expect.arrayContaining([{ value: 2, label: '市级' }]) })
  expect(answer.body.fields['partner']?.['contract_no']).toBeUndefined()
})

test('the history of one record names what its ids mean too; what is gone for good keeps its number', async () => {
  await app.db.query(sql`insert into audit_log (action, entity, entity_id, before, after) values ('update', 'partner', ${partner.id}, '{"type_id": 999999, "region_code": null}', '{"type_id": null, "region_code": "32"}')`)
  const { body } = await clerk.get<{ items: AuditEntry[] }>(`${PARTNERS}/${partner.id}/history`)
  expect(body.items[0]).toMatchObject({ before: { type_id: 999_999, type_name: '#999999' }, after: { region_code: '32', region_name: '江苏省' } })
  expect(body.items.at(-1)?.after).toMatchObject({ type_name: expect.any(String), region_name: '浙江省/杭州市/西湖区' })
})

test('people are found by name and account, those who left too', async () => {
  const people = async (query: Record<string, unknown>) => (await auditor.get<{ items: { id: number; name: string }[] }>(`${LOGS}/people`, query)).body.items
  expect(await people({ ids: [clerk.staffId] })).toMatchObject([{ id: clerk.staffId }])
  expect((await people({ keyword: 'admin' })).map(({ name }) => name)).toEqual(['超级管理员（admin）'])
  expect(await people({ keyword: '没有这个人' })).toEqual([])
  expect((await clerk.get(`${LOGS}/people`)).status).toBe(403)
})
