import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { screenId } from '../screens.ts'
import type { DeletedRecord } from './recycle.ts'
import { makePartner, makeSchool, PARTNERS } from './testing.server.ts'

const BIN = '/daoyuan/api/end/recycle_bin'
const PURGE = `${BIN}/purge`
const RECYCLE = screenId('/system/recycle')
const PARTNER = screenId('/new-study-room/partner')
const SCHOOL = screenId('/new-study-room/school/school-list')

interface Bin {
  items: DeletedRecord[]
  total?: number
  next?: string
  resources: { name: string; label: string }[]
}

let app: TestApp
let admin: Caller
let remover: Caller
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  remover = await app.staff([RECYCLE, PARTNER, PARTNER * 100 + 1, PARTNER * 100 + 2])
})
afterAll(() => app.close())

const bin = async (caller: Caller, query: Record<string, unknown> = {}) => (await caller.get<Bin>(BIN, query)).body

async function deletedPartner(name: string, caller = remover): Promise<number> {
  const { id } = await makePartner(app, caller, name)
  expect((await caller.delete(`${PARTNERS}/${id}`)).status).toBe(200)
  return id
}

test('the bin is for those who hold its screen', async () => {
  expect((await app.nobody().get(BIN)).status).toBe(401)
  expect((await (await app.staff([PARTNER * 100 + 2])).get(BIN)).status).toBe(403)
})

test('a deleted record says what, when and by whom, and comes back through its own call', async () => {
  const id = await deletedPartner('待恢复')
  const [row] = await app.db.query<{ deleted_at: number }>(sql`select deleted_at from partner where id = ${id}`)
  const { items, total, resources } = await bin(remover, { keyword: '待恢复' })
  expect(total).toBe(1)
  expect(items).toEqual([{
    resource: 'partner', label: '合伙人', id, title: '待恢复', deleted_at: row?.deleted_at, deleted_by_name: expect.stringMatching(/^staff_/), restore: `${PARTNERS}/${id}/restore`,
  }])
  expect(resources).toContainEqual({ name: 'partner', label: '合伙人' })
  expect((await remover.post(items[0]?.restore ?? '')).status).toBe(200)
  expect((await bin(remover, { keyword: '待恢复' })).items).toEqual([])
})

test('only what a person may bring back is shown', async () => {
  const id = await deletedPartner('只给能删的人看')
  const viewer = await app.staff([RECYCLE, PARTNER])
  expect(await bin(viewer)).toEqual({ items: [], total: 0, resources: [] })
  const other = await app.staff([RECYCLE, SCHOOL, SCHOOL * 100 + 2])
  expect((await bin(other)).items.map((item) => item.resource)).not.toContain('partner')
  expect((await bin(other, { resource: 'partner' })).items).toEqual([])
  expect((await bin(remover)).items.map((item) => item.id)).toContain(id)
})

test('the bin keeps to data scopes', async () => {
  const [own, foreign] = [await deletedPartner('范围内'), await deletedPartner('范围外')]
  const limited = await app.staff([RECYCLE, PARTNER, PARTNER * 100 + 2], { scopes: { partner: [own] } })
  const page = await bin(limited, { resource: 'partner' })
  expect(page.items.map((item) => item.id)).toEqual([own])
  expect(page.total).toBe(1)
  expect((await limited.post(`${PARTNERS}/${foreign}/restore`)).status).toBe(404)
})

test('pages cross the borders of resources and seconds without gap or repetition', async () => {
  const partners = await Promise.all(Array.from({ length: 5 }, (_, n) => makePartner(app, admin, `翻页${n}`)))
  const schools = await Promise.all(partners.map(({ id }, n) => makeSchool(app, admin, id, `翻页${n}`)))
  // Two records of each kind share each second.
  for (const table of ['partner', 'app_school']) {
    await app.db.query(sql`update ${sql.identifier(table)} set deleted_at = to_timestamp(1700000000 + (id % 3)) where name like '翻页%'`)
  }
  const all = (await bin(admin, { keyword: '翻页', page_size: 200 })).items.map((item) => `${item.resource} ${item.id}`)
  expect(all).toHaveLength(partners.length + schools.length)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page: Bin = await bin(admin, { keyword: '翻页', page_size: 3, ...(cursor && { cursor }) })
    seen.push(...page.items.map((item) => `${item.resource} ${item.id}`))
    cursor = page.next
  } while (cursor)
  expect(seen).toEqual(all)
  expect((await admin.get(BIN, { cursor: 'nonsense' })).body).toEqual({ detail: '翻页位置有误，请回到第一页' })
})

test('only the highest role deletes for good, and it is written down', async () => {
  const id = await deletedPartner('彻底删除')
  const refused = await remover.post(PURGE, { resource: 'partner', ids: [id] })
  expect([refused.status, refused.body]).toEqual([403, { detail: '只有超级管理员可以彻底删除' }])
  expect(await app.db.query(sql`select id from partner where id = ${id}`)).toHaveLength(1)

  expect((await admin.post(PURGE, { resource: 'partner', ids: [id, id] })).body).toEqual({ purged: 1 })
  expect(await app.db.query(sql`select id from partner where id = ${id}`)).toEqual([])
  const [entry] = await app.db.query(sql`select staff_id, action, before->>'name' as name from audit_log where entity = 'partner' and entity_id = ${id} order by id desc limit 1`)
  expect(entry).toEqual({ staff_id: admin.staffId, action: 'purge', name: '彻底删除' })
})

test('what lives, what is unknown and what others name is not deleted for good', async () => {
  const living = await makePartner(app, admin, '还在')
  expect((await admin.post(PURGE, { resource: 'partner', ids: [living.id] })).body).toEqual({ detail: '所选记录有的不在回收站中，请刷新后重试' })
  expect((await admin.post(PURGE, { resource: 'staff', ids: [admin.staffId] })).status).toBe(404)
  expect((await admin.post(PURGE, { resource: 'pg_class', ids: [1] })).status).toBe(404)
  expect((await admin.post(PURGE, { resource: 'partner', ids: [] })).body).toMatchObject({ detail: '请选择要彻底删除的记录' })

  const school = await makeSchool(app, admin, living.id, '占用')
  await app.db.query(sql`update app_school set deleted_at = now() where id = ${school}`)
  await app.db.query(sql`update partner set deleted_at = now() where id = ${living.id}`)
  // The school is deleted too, but might come back.
  expect((await admin.post(PURGE, { resource: 'partner', ids: [living.id] })).body).toEqual({ detail: '所选合伙人仍被 1 条学校引用，不能彻底删除' })
  expect((await admin.post(PURGE, { resource: 'app_school', ids: [school] })).status).toBe(200)
  expect((await admin.post(PURGE, { resource: 'partner', ids: [living.id] })).status).toBe(200)
})
