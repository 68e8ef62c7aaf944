import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { agent } from './agent.ts'

let app: TestApp
let keeper: Caller
let people = 0
beforeAll(async () => {
  app = await openTestApp()
  keeper = await app.staff([agent.grant, standardId(agent.grant, 'edit'), standardId(agent.grant, 'remove')])
})
afterAll(() => app.close())

const add = async (parentId?: number) => {
  const answer = await keeper.post<{ id: number; invite_code: string }>(agent.api.item, {
    name: `代理${++people}`, mobile: `139222200${String(people).padStart(2, '0')}`, type: 1, level_id: 1, ...(parentId && { parent_id: parentId }),
  })
  return answer
}

test('an agent gets an invite code that cannot be sent', async () => {
  const first = await add()
  expect(first.status).toBe(200)
  expect(first.body.invite_code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
  const changed = await keeper.put(`${agent.api.item}/${first.body.id}`, { invite_code: 'MINE', balance: 9_999_999 })
  expect(changed.body).toMatchObject({ invite_code: first.body.invite_code, balance: 0 })
})

test('agents stand at most three deep and never below themselves', async () => {
  const [top, other] = [(await add()).body.id, (await add()).body.id]
  const middle = (await add(top)).body.id
  const bottom = (await add(middle)).body.id
  expect(await add(bottom)).toMatchObject({ status: 400, body: { fields: { parent_id: '代理最多 3 级' } } })
  const move = (id: number, parent_id: number) => keeper.put(`${agent.api.item}/${id}`, { parent_id })
  expect(await move(top, bottom)).toMatchObject({ status: 400, body: { detail: '不能移动到自己的下级' } })
  expect(await move(top, top)).toMatchObject({ status: 400, body: { detail: '不能移动到自己的下级' } })
  // Three levels cannot hang below another one; two can.
  expect(await move(top, other)).toMatchObject({ status: 400, body: { detail: '代理最多 3 级' } })
  expect((await move(middle, other)).status).toBe(200)
})

test('the list answers under the name of the wire, and a parent finds everybody below it', async () => {
  const top = (await add()).body.id
  const middle = (await add(top)).body.id
  const bottom = (await add(middle)).body.id
  const answer = await keeper.get<{ proxy_users: { id: number }[]; total: number }>(agent.api.list, { parent_id: top })
  expect(answer.body.proxy_users.map((row) => row.id).sort((a, b) => a - b)).toEqual([middle, bottom])
  expect(answer.body.total).toBe(2)
  expect(await keeper.delete(`${agent.api.item}/${top}`)).toMatchObject({ status: 409, body: { detail: '该代理还被 1 个下级代理使用，不能删除' } })
})
