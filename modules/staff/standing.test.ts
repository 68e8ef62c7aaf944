import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillPath, type Endpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { openTestApp, type Answer, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { png, upload } from '../../core/testing/uploads.server.ts'
import { runJob } from '../../core/testing/transfer.server.ts'
import { screenId } from '../screens.ts'
import { roleTemplate } from './role-template.ts'
import { STAFF_RIGHTS, STAFF_SCREEN, STAFF_STATUS, staff } from './staff.ts'

const STAFFS = staff.api.item
const TEMPLATES = roleTemplate.api.item
/** What the person and the template have that the clerk has not. */
const ABOVE = standardId(screenId('/new-study-room/partner'), 'export')
const REFUSED = /^(您自己没有「合伙人 · 导出」权限，不能管理(拥有该权限的员工|含有该权限的角色模板)|该员工的合伙人范围超出您自己的范围，您不能管理该员工|只有超级管理员可以管理超级管理员)$/

/** Calls that name a person or a template and ask nothing of who makes them: each has to be thought about. */
const WAIVED = new Map([
  [`GET ${STAFFS}/{id}`, 'what the list shows'],
  [`GET ${TEMPLATES}/{id}`, 'what the list shows'],
  [`GET ${TEMPLATES}/{id}/history`, 'what the list shows, as it was before'],
  [`GET ${TEMPLATES}/{id}/as_of`, 'what the list shows, as it was before'],
  [`GET ${TEMPLATES}/{id}/removal`, 'says that it would be refused'],
  [`POST ${STAFFS}/{id}/reveal`, 'a right of its own, and logged'],
  ...[STAFFS, TEMPLATES].flatMap((path) => [
    [`GET ${path}/{id}/related`, 'counts what names it, of what the reader may see'],
    [`GET ${path}/{id}/discussion`, 'what is said about it, which the list shows'],
    [`POST ${path}/{id}/discussion`, 'changes nothing of what it speaks of'],
    [`GET ${path}/{id}/files`, 'what is kept with it, which belongs to what the list shows'],
    [`GET ${path}/{id}/files/{file}`, 'the same'],
    [`GET ${path}/{id}/discussion/people`, 'names colleagues who could be asked'],
  ] as const),
])

let app: TestApp
let admin: Caller
/** Holds everything but one id. */
let clerk: Caller
/** Holds everything, and sees one partner alone. */
let scoped: Caller
let heir: Caller
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  const most = app.servedGrants.filter((id) => id !== ABOVE)
  clerk = await app.staff(most)
  scoped = await app.staff(app.servedGrants, { scopes: { partner: [1] } })
  heir = await app.staff([])
})
afterAll(() => app.close())

let templates = 0
const targets: Readonly<Record<string, () => Promise<number>>> = {
  [STAFFS]: async () => (await app.staff([ABOVE])).staffId,
  [TEMPLATES]: async () => (await admin.post<{ id: number }>(TEMPLATES, { name: `结算${++templates}`, modules: [ABOVE] })).body.id,
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const calls = () => app.served.map(({ endpoint }) => endpoint).flatMap((endpoint) => {
  const base = Object.keys(targets).find((path) => endpoint.path === `${path}/{id}` || endpoint.path.startsWith(`${path}/{id}/`))
  return base && !WAIVED.has(nameOf(endpoint)) ? [{ endpoint, base }] : []
})

/** All that can be done to somebody, as the tables have it. */
function state(): Promise<object[]> {
  const tables = ['staff', 'staff_module', 'staff_scope', 'credential', 'passkey', 'session', 'known_device', 'role_template', 'login_failure']
  return Promise.all(tables.map((table) => app.db.query(sql`select md5(string_agg(to_jsonb(t)::text, '|' order by to_jsonb(t)::text)) as all from ${sql.identifier(table)} t`)))
}

/** Brings a target into the state in which a call can do something, and says what to send. */
async function prepare({ endpoint, base }: { endpoint: Endpoint; base: string }, id: number): Promise<Record<string, unknown>> {
  const last = endpoint.path.split('/').at(-1) ?? ''
  const transition = staff.transitions.find(({ name }) => base === STAFFS && name === last)
  if (transition) await app.db.query(sql`update staff set status = ${transition.from[0]} where id = ${id}`)
  const file_id = last === 'files' || last === '{file}' ? (await upload(app, admin, 'image', '合同.png', png())).body.id : undefined
  if (last === '{file}') return { file: (await admin.post<{ id: number }>(`${base}/${id}/files`, { file_id })).body.id }
  if (last === 'restore') await app.db.query(sql`update role_template set deleted_at = now() where id = ${id}`)
  const body = { name: '另一个名字', reason: '测试原因', to_id: heir.staffId, scopes: {}, modules: [], file_id }
  if (last !== 'revert') return endpoint.method === 'GET' || endpoint.method === 'DELETE' ? {} : { ...body, ...(last !== 'grants' && { modules: [ABOVE] }) }
  expect((await admin.put(`${base}/${id}`, { name: `改过的${id}` })).status).toBe(200)
  const { body: { items } } = await admin.get<{ items: { id: number; action: string }[] }>(`${base}/${id}/history`)
  return { change_id: items.find(({ action }) => action === 'update')?.id }
}

const send = (who: Caller, { path, method }: Endpoint, id: number, body: Record<string, unknown>): Promise<Answer> => who.call(method, fillPath(path, { id, ...('file' in body && { file: Number(body['file']) }) }), body)

test('there are calls to look at, and what is waived exists', () => {
  const served = app.served.map(({ endpoint }) => nameOf(endpoint))
  expect(calls().length).toBeGreaterThan(15)
  expect([...WAIVED.keys()].filter((name) => !served.includes(name))).toEqual([])
})

test('every call that names a person or a template is refused to whoever holds less, and done for whoever holds all', async () => {
  for (const { endpoint, base } of calls()) {
    const id = await targets[base]?.() ?? 0
    const body = await prepare({ endpoint, base }, id)
    const before = await state()
    const refused = await send(clerk, endpoint, id, body)
    expect(refused, nameOf(endpoint)).toMatchObject({ status: 403, body: { detail: expect.stringMatching(REFUSED) } })
    expect(await state(), nameOf(endpoint)).toEqual(before)
    const done = await send(admin, endpoint, id, body)
    expect(done.status, `${nameOf(endpoint)} ${JSON.stringify(done.body)}`).toBe(200)
  }
})

test('every call that names a person is refused to whoever is scoped narrower', async () => {
  for (const { endpoint, base } of calls().filter((one) => one.base === STAFFS)) {
    const id = (await app.staff([])).staffId
    const body = await prepare({ endpoint, base }, id)
    const before = await state()
    expect(await send(scoped, endpoint, id, endpoint.method === 'GET' ? body : { ...body, scopes: { partner: [1] } }), nameOf(endpoint)).toMatchObject({ status: 403, body: { detail: expect.stringMatching(REFUSED) } })
    expect(await state(), nameOf(endpoint)).toEqual(before)
  }
})

describe('many at once', () => {
  const actions = [staff, roleTemplate].flatMap((resource) =>
    [...(resource.actions.remove ? ['remove', 'restore'] : []), 'update', ...resource.transitions.map(({ name }) => name)].map((action) => [resource.name, action, resource] as const))

  test.each(actions)('%s: %s', async (_name, action, resource) => {
    const id = await targets[resource.api.item]?.() ?? 0
    await prepare({ endpoint: { method: 'POST', path: `${resource.api.item}/{id}/${action}`, summary: '', grant: 'staff' }, base: resource.api.item }, id)
    const values = resource.name === 'staff' ? { department: '别处', two_factor: 0 } : { modules: [STAFF_SCREEN] }
    const before = await state()
    const request = { action, ids: [id], reason: '测试原因', ...(action === 'update' && { values }) }
    const job = await runJob(clerk, `${resource.api.list}/bulk`, request, ['done'])
    expect(job.result).toMatchObject({ done: 0, skipped: 1, reasons: [{ id, reason: expect.stringMatching(REFUSED) }] })
    expect(await state()).toEqual(before)
    expect((await runJob(admin, `${resource.api.list}/bulk`, request, ['done'])).result).toMatchObject({ done: 1, skipped: 0 })
  })
})

test('a super-administrator is managed by their like alone, also by whoever holds every id', async () => {
  const chief = await app.staff([], { role: 'super' })
  const everything = await app.staff(app.servedGrants)
  for (const { endpoint, base } of calls().filter((one) => one.base === STAFFS)) {
    const body = await prepare({ endpoint, base }, chief.staffId)
    expect(await send(everything, endpoint, chief.staffId, body), nameOf(endpoint)).toMatchObject({ status: 403, body: { detail: '只有超级管理员可以管理超级管理员' } })
  }
})

test('rights of former releases, which nobody can be granted, keep nobody from being managed by the administrator', async () => {
  const old = await app.staff([990_001])
  expect((await clerk.post(`${STAFFS}/${old.staffId}/force_logout`)).status).toBe(403)
  expect(await admin.put(`${STAFFS}/${old.staffId}/grants`, { modules: [], scopes: {} })).toMatchObject({ status: 200, body: { modules: [] } })
})

test('whoever sees one partner alone makes colleagues who see no more, and manages them', async () => {
  const made = await scoped.post<{ id: number }>(STAFFS, { account: 'narrow_one', name: '窄一', mobile: '13712340001', role: 'operator' })
  expect(made.status).toBe(200)
  expect((await scoped.get(`${STAFFS}/${made.body.id}/grants`)).body).toMatchObject({ scopes: { partner: [1] } })
  expect((await scoped.post(`${STAFFS}/${made.body.id}/reset_password`)).status).toBe(200)
})

test('the last super-administrator without limits keeps none', async () => {
  const other = await app.staff([], { role: 'super' })
  const limit = (who: Caller, whom: Caller) => who.put(`${STAFFS}/${whom.staffId}/grants`, { modules: [], scopes: { partner: [1] } })
  await app.db.query(sql`update staff set status = ${STAFF_STATUS.stopped} where role = 'super' and id not in (${admin.staffId}, ${other.staffId})`)
  expect((await limit(admin, other)).status).toBe(200)
  expect(await limit(other, admin)).toMatchObject({ status: 403 })
  expect((await admin.put(`${STAFFS}/${admin.staffId}`, { role: 'operator' })).status).toBe(409)
})

test('clearing factors is a right of its own, and nobody lifts what was asked of them', async () => {
  const [resetter, clearer] = await Promise.all(['resetPassword', 'resetFactors'].map((name) => app.staff([STAFF_SCREEN, STAFF_RIGHTS.id(name as 'resetPassword')])))
  const person = await app.staff([])
  expect((await resetter?.post(`${STAFFS}/${person.staffId}/reset_factors`))?.status).toBe(403)
  expect((await clearer?.post(`${STAFFS}/${person.staffId}/reset_password`))?.status).toBe(403)
  expect((await clearer?.post(`${STAFFS}/${person.staffId}/reset_factors`))?.status).toBe(200)
  const editor = await app.staff([STAFF_SCREEN, standardId(STAFF_SCREEN, 'edit')])
  await app.db.query(sql`update staff set two_factor = 1 where id = ${editor.staffId}`)
  await app.db.query(sql`update credential set totp_confirmed = true where staff_id = ${editor.staffId}`)
  expect(await editor.put(`${STAFFS}/${editor.staffId}`, { two_factor: 0 })).toMatchObject({ status: 400, body: { detail: '不能关闭自己的强制两步验证' } })
})
