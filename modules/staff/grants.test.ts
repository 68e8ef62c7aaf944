import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { screenId } from '../screens.ts'
import { renewTemplates } from './template.server.ts'
import { STAFF_RIGHTS, STAFF_SCREEN } from './staff.ts'

const STAFFS = '/daoyuan/api/end/staffs'
const TEMPLATES = '/daoyuan/api/end/role_templates'
const TEMPLATE_SCREEN = screenId('/system/role-template')
const partner = screenId('/new-study-room/partner')

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
})
afterAll(() => app.close())

/** Somebody who may grant, and holds one screen of the business beside. */
const granter = (scopes: Record<string, number[]> = {}) => app.staff([STAFF_SCREEN, STAFF_RIGHTS.id('grant'), partner], { scopes })
const grants = (who: Caller, to: number, modules: number[], scopes = {}) => who.put(`${STAFFS}/${to}/grants`, { modules, scopes })

describe('rights of a person', () => {
  test('nobody gives or takes what they do not hold, and nobody their own', async () => {
    const held = standardId(partner, 'edit')
    const [boss, colleague, above] = [await granter(), await app.staff([STAFF_SCREEN]), await app.staff([held])]
    expect(await grants(boss, colleague.staffId, [STAFF_SCREEN, partner])).toMatchObject({ status: 200, body: { modules: [STAFF_SCREEN, partner] } })
    expect(await grants(boss, colleague.staffId, [partner, TEMPLATE_SCREEN])).toMatchObject({ status: 403, body: { detail: '您自己没有「角色模板」权限，不能授予' } })
    expect(await grants(boss, colleague.staffId, [partner, held])).toMatchObject({ status: 403, body: { detail: '您自己没有「合伙人 · 新增和编辑」权限，不能授予' } })
    for (const modules of [[partner], [partner, held], []]) {
      expect(await grants(boss, above.staffId, modules)).toMatchObject({ status: 403, body: { detail: '您自己没有「合伙人 · 新增和编辑」权限，不能管理拥有该权限的员工' } })
    }
    expect(await grants(boss, boss.staffId, [partner])).toMatchObject({ status: 400, body: { detail: '不能修改自己的权限' } })
    expect((await grants(admin, colleague.staffId, [999_999])).status).toBe(400)
    expect((await admin.get<{ modules: number[] }>(`${STAFFS}/${colleague.staffId}/grants`)).body.modules).toEqual([STAFF_SCREEN, partner])
  })

  test('nobody shows others more data than they see', async () => {
    const [boss, colleague] = [await granter({ partner: [1, 2] }), await app.staff([], { scopes: { partner: [1] } })]
    expect(await grants(boss, colleague.staffId, [partner])).toMatchObject({ status: 400, body: { detail: '数据范围不能超出您自己的范围' } })
    expect((await grants(boss, colleague.staffId, [partner], { partner: [1, 3] })).status).toBe(400)
    expect(await grants(boss, colleague.staffId, [partner], { partner: [2] })).toMatchObject({ status: 200, body: { scopes: { partner: [2] } } })
  })

  test('a second person who changes the same rights is told', async () => {
    const colleague = await app.staff([])
    const { rev } = (await admin.get<{ rev: number }>(`${STAFFS}/${colleague.staffId}/grants`)).body
    expect((await admin.put(`${STAFFS}/${colleague.staffId}/grants`, { modules: [partner], scopes: {}, rev })).status).toBe(200)
    expect(await admin.put(`${STAFFS}/${colleague.staffId}/grants`, { modules: [], scopes: {}, rev })).toMatchObject({ status: 409, body: { current: { modules: [partner] } } })
  })
})

describe('super-administrators', () => {
  test('the last one cannot be stopped or made less, also not when two remove each other', async () => {
    const other = await app.staff([], { role: 'super' })
    const stop = (who: Caller, whom: Caller) => who.post(`${STAFFS}/${whom.staffId}/stop`, { reason: '同时停用' })
    const both = await Promise.all([stop(admin, other), stop(other, admin)])
    const working = await app.db.query(sql`select id from staff where role = 'super' and status = 1`)
    expect(working).toHaveLength(1)
    // The later one finds themselves out, or the last.
    expect(both.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([401, 409])])
    await app.db.query(sql`update staff set status = (id = ${other.staffId})::int where id in (${admin.staffId}, ${other.staffId})`)
    const last = await app.enter(other)
    expect(await last.put(`${STAFFS}/${last.staffId}`, { role: 'operator' })).toMatchObject({ status: 409, body: { detail: '这是最后一位不受限的超级管理员，不能停用、更改角色或限制数据范围' } })
    const helper = await app.staff(app.allGrants)
    expect(await stop(helper, last)).toMatchObject({ status: 403, body: { detail: '只有超级管理员可以管理超级管理员' } })
    await app.db.query(sql`update staff set status = 1 where id = ${admin.staffId}`)
    admin = await app.enter(admin)
    expect(await last.put(`${STAFFS}/${last.staffId}`, { role: 'operator' })).toMatchObject({ status: 400, body: { detail: '不能修改自己的角色' } })
  })

  test('only one of them makes another', async () => {
    const helper = await app.staff(app.allGrants)
    const person = await app.staff([])
    expect((await helper.put(`${STAFFS}/${person.staffId}`, { role: 'super' })).status).toBe(403)
    expect((await admin.put(`${STAFFS}/${person.staffId}`, { role: 'super' })).status).toBe(200)
    expect((await helper.put(`${STAFFS}/${person.staffId}/grants`, { modules: [], scopes: {} })).status).toBe(403)
  })
})

describe('role templates', () => {
  test('nobody puts a right into a template that they do not hold, nor changes one that has more than they hold', async () => {
    const editor = await app.staff([TEMPLATE_SCREEN, standardId(TEMPLATE_SCREEN, 'edit'), partner])
    const sentence = '您自己没有「合伙人 · 导出」权限，不能放进角色模板'
    expect(await editor.post(TEMPLATES, { name: '渠道实习', modules: [partner, standardId(partner, 'export')] })).toMatchObject({
      status: 403, body: { detail: sentence, fields: { modules: sentence } },
    })
    const made = await editor.post<{ id: number }>(TEMPLATES, { name: '渠道实习', modules: [partner] })
    expect(made.status).toBe(200)
    const path = `${TEMPLATES}/${made.body.id}`
    expect((await admin.put(path, { modules: [partner, standardId(partner, 'edit')] })).status).toBe(200)
    for (const change of [{ name: '渠道新人' }, { modules: [partner] }, { modules: [partner, TEMPLATE_SCREEN, STAFF_SCREEN] }]) {
      expect(await editor.put(path, change)).toMatchObject({ status: 403, body: { detail: '您自己没有「合伙人 · 新增和编辑」权限，不能管理含有该权限的角色模板' } })
    }
    // Neither by taking a change back.
    expect((await admin.put(path, { modules: [partner] })).status).toBe(200)
    const history = await admin.get<{ items: { id: number; after: { modules?: number[] } | null }[] }>(`${path}/history`)
    const change = history.body.items.find((item) => item.after?.modules?.length === 1)
    expect((await editor.post(`${path}/revert`, { change_id: change?.id })).status).toBe(403)
  })

  test('a later release brings templates of what it adds, and leaves alone what people changed or removed', async () => {
    const of = async (name: string) => (await app.db.query<{ id: number; modules: number[] }>(sql`select id, modules from role_template where name = ${name} and deleted_at is null`))[0]
    const count = () => app.db.query(sql`select count(*) as n from role_template where created_by is null`)
    const all = await count()
    // As if the last release had known only the partners' screen.
    await app.db.query(sql`delete from role_template`)
    await app.db.query(sql`delete from installation where key = 'role_templates'`)
    const old = app.kernel.grantTree.flatMap((group) => ({ ...group, screens: group.screens.filter((screen) => screen.id === partner) })).filter((group) => group.screens.length > 0)
    await renewTemplates(app.db, old)
    expect(await of('客服')).toBeUndefined()
    const [changed, removed] = [await of('渠道市场'), await of('财务')]
    await admin.put(`${TEMPLATES}/${changed?.id}`, { remark: '我们自己的' })
    await admin.delete(`${TEMPLATES}/${removed?.id}`)

    await renewTemplates(app.db, app.kernel.grantTree)
    expect((await of('客服'))?.modules.length).toBeGreaterThan(0)
    expect((await of('系统管理员'))?.modules).toEqual([...app.allGrants].sort((a, b) => a - b))
    expect(await of('渠道市场')).toEqual(changed)
    expect(await of('财务')).toBeUndefined()
    await renewTemplates(app.db, app.kernel.grantTree)
    expect(await count()).toEqual(all)
  })
})
