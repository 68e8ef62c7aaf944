import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { agent } from '../agent/module.ts'
import { examYears } from '../reference/module.ts'
import { appUser, USER_RIGHTS, USER_SCREEN, USER_STATUS } from './user.ts'

const PATH = appUser.api.item
/** This year, in China. */
const YEAR = examYears()[0] ?? 0

let app: TestApp
let editor: Caller
let agents: number[]
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.staff([USER_SCREEN, standardId(USER_SCREEN, 'edit'), ...(['freeze', 'applyClose', 'close'] as const).map((name) => USER_RIGHTS.id(name))])
  agents = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, agent, [
    { name: '苏州区域代理', mobile: '13911110001', type: 1, level_id: 1 }, { name: '观前书店', mobile: '13911110002', type: 2, level_id: 2 },
  ]))
})
afterAll(() => app.close())

const add = (mobile: string, more: Record<string, unknown> = {}, caller = editor) =>
  caller.post<{ id: number; user_no: string; register_at: number } & Record<string, unknown>>(PATH, { mobile, nickname: '小太阳', role: 1, ...more })

test('the user centre needs a login and its grant', async () => {
  expect((await app.nobody().get(appUser.api.list)).status).toBe(401)
  expect(await (await app.staff([])).get(appUser.api.list)).toMatchObject({ status: 403, body: { detail: '没有「用户总中心」权限，请联系管理员开通' } })
  expect((await (await app.staff([USER_SCREEN])).post(PATH, { mobile: '13700000000', nickname: '甲', role: 1 })).status).toBe(403)
})

let rebinder: Caller
beforeAll(async () => {
  rebinder = await app.staff([USER_SCREEN, USER_RIGHTS.id('rebindMobile')])
})

test('a new user gets a number and the time of registration; the mobile is masked and unique', async () => {
  const first = await add('13711110001', { real_name: '王小明', tags: ['中考'], grade: 9, exam_year: YEAR + 4, agent_id: agents[0] })
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({
    mobile: '137****0001', status: USER_STATUS.normal, wechat_bound: 0, tags: ['中考'], agent_name: '苏州区域代理', merged_into_id: null,
  })
  expect(first.body.user_no).toMatch(/^1\d{7}$/)
  expect(first.body.register_at).toBeGreaterThan(1_700_000_000)
  const second = await add('13711110002')
  expect(Number(second.body.user_no)).toBeGreaterThan(Number(first.body.user_no))
  expect(await add('13711110001')).toMatchObject({ status: 409, body: { detail: '手机号「137****0001」已存在（小*阳）', holder: { id: first.body.id, name: '小*阳' } } })
  // Changing another one's number says it too.
  expect(await rebinder.post(`${PATH}/${second.body.id}/rebind_mobile`, { mobile: '13711110001', reason: '本人申请' })).toMatchObject({ status: 409, body: { fields: { mobile: '手机号「137****0001」已存在（小*阳）' }, holder: { id: first.body.id } } })
  // A person who could not open the record learns neither name nor number of it.
  const limited = await app.staff([USER_SCREEN, standardId(USER_SCREEN, 'edit')], { scopes: { agent: [agents[1] ?? 0] } })
  const refused = await add('13711110001', { agent_id: agents[1] }, limited)
  expect(refused).toMatchObject({ status: 409, body: { detail: '手机号「137****0001」已存在' } })
  expect(refused.body).not.toHaveProperty('holder')
})

test('exam years are this year to the fourth after it when they are set; earlier ones that are stored stay', async () => {
  for (const year of [YEAR - 1, YEAR + 5, 1999]) {
    expect(await add('13711119001', { exam_year: year })).toMatchObject({ status: 400, body: { detail: `高考年份应为 ${YEAR} 到 ${YEAR + 4} 年` } })
  }
  const { body: { id } } = await add('13711119002', { exam_year: YEAR })
  await app.db.query(sql`update app_user set exam_year = ${YEAR - 3} where id = ${id}`)
  expect((await editor.put(`${PATH}/${id}`, { remark: '改过' })).body).toMatchObject({ remark: '改过', exam_year: YEAR - 3 })
  // A client that sends the whole record back changes nothing of it.
  expect((await editor.put(`${PATH}/${id}`, { remark: '又改', exam_year: YEAR - 3 })).body).toMatchObject({ remark: '又改', exam_year: YEAR - 3 })
  expect((await editor.put(`${PATH}/${id}`, { exam_year: YEAR - 2 })).status).toBe(400)
  expect((await editor.put(`${PATH}/${id}`, { exam_year: YEAR + 1 })).body).toMatchObject({ exam_year: YEAR + 1 })
  expect((await editor.put(`${PATH}/${id}`, { exam_year: null })).body).toMatchObject({ exam_year: null })
})

test('regions are in the tree; codes of statistics are written short', async () => {
  for (const code of ['999999', '329', '3299', '320599']) expect((await add('13711119003', { region_code: code })).status, code).toBe(400)
  for (const [sent, kept, name] of [['320500', '3205', '江苏省/苏州市'], ['320000', '32', '江苏省'], ['320508', '320508', '江苏省/苏州市/姑苏区']]) {
    const { body: { id } } = await add(`1371111${7000 + Number(String(sent).slice(2))}`.slice(0, 11), { region_code: sent })
    expect((await editor.get(`${PATH}/${id}`)).body).toMatchObject({ region_code: kept, region_name: name })
    expect((await editor.get<{ items: { id: number }[] }>(appUser.api.list, { region_code: sent })).body.items.map((row) => row.id)).toContain(id)
  }
})

test('what the server sets cannot be sent', async () => {
  const answer = await add('13711110003', { user_no: 'X', status: USER_STATUS.closed, merged_into_id: 1, register_at: 5 })
  expect(answer.body).toMatchObject({ status: USER_STATUS.normal, merged_into_id: null })
  expect(answer.body.user_no).not.toBe('X')
  expect(answer.body.register_at).not.toBe(5)
})

test('users are found by name, number, tag and agent', async () => {
  const { body } = await add('13711110004', { nickname: '追光者', tags: ['高意向', '续费'], agent_id: agents[1] })
  for (const query of [{ keyword: '追光者' }, { keyword: body.user_no }, { keyword: '13711110004' }, { tags: '续费' }, { agent_id: agents[1] }]) {
    const found = await editor.get<{ items: { id: number }[]; total: number }>(appUser.api.list, query)
    expect({ query, ids: found.body.items.map((row) => row.id) }).toEqual({ query, ids: [body.id] })
  }
})

test('the states of an account', async () => {
  const { id } = (await add('13711110005')).body
  const go = (name: string, reason?: string) => editor.post(`${PATH}/${id}/${name}`, reason ? { reason } : {})
  expect(await go('freeze')).toMatchObject({ status: 400, body: { detail: '请填写原因' } })
  expect((await go('freeze', '多人共用账号')).body['status']).toBe(USER_STATUS.frozen)
  expect(await go('close', '本人要求')).toMatchObject({ status: 409, body: { detail: '当前状态为「冻结」，不能确认注销' } })
  expect((await go('unfreeze', '已核实')).body['status']).toBe(USER_STATUS.normal)
  expect((await go('apply_close', '本人要求')).body['status']).toBe(USER_STATUS.closing)
  expect((await go('cancel_close', '本人反悔')).body['status']).toBe(USER_STATUS.normal)
  await go('apply_close', '本人要求')
  expect((await go('close', '本人要求')).body['status']).toBe(USER_STATUS.closed)
  expect((await go('cancel_close', '反悔')).status).toBe(409)
  const [log] = await app.kernel.db.query<{ action: string; reason: string }>(sql`select action, reason from audit_log where entity = 'app_user' and entity_id = ${id} order by id desc limit 1`)
  expect(log).toEqual({ action: 'close', reason: '本人要求' })
})

test('closing an account is a right of its own', async () => {
  const { id } = (await add('13711110006')).body
  await editor.post(`${PATH}/${id}/apply_close`, { reason: '本人要求' })
  const other = await app.staff([USER_SCREEN, standardId(USER_SCREEN, 'edit'), USER_RIGHTS.id('applyClose')])
  expect((await other.post(`${PATH}/${id}/close`, { reason: '本人要求' })).status).toBe(403)
})

test('whoever is limited to agents sees and makes only their users', async () => {
  const limited = await app.staff([USER_SCREEN, standardId(USER_SCREEN, 'edit')], { scopes: { agent: [agents[1] ?? 0] } })
  const seen = await limited.get<{ items: { agent_id: number }[] }>(appUser.api.list)
  expect(new Set(seen.body.items.map((row) => row.agent_id))).toEqual(new Set([agents[1]]))
  expect(await add('13711110007', {}, limited)).toMatchObject({ status: 400, body: { fields: { agent_id: '请选择所属代理' } } })
  expect((await add('13711110007', { agent_id: agents[0] }, limited)).status).toBe(400)
  const own = await add('13711110007', { agent_id: agents[1] }, limited)
  expect(own.status).toBe(200)
  expect((await limited.put(`${PATH}/${own.body.id}`, { agent_id: null })).status).toBe(400)
  expect((await limited.put(`${PATH}/${own.body.id}`, { nickname: '新名字' })).body['nickname']).toBe('新*字')
})

test('nobody deletes a user', async () => {
  const { id } = (await add('13711110008')).body
  expect((await (await app.login()).delete(`${PATH}/${id}`)).status).toBe(404)
})
