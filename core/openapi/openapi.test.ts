import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { openApi } from './description.ts'

type Operation = { summary: string; tags: string[]; description?: string; security: object[]; parameters: { name: string; in: string; required: boolean }[]; requestBody?: { content: Record<string, { schema: { properties: Record<string, Record<string, unknown>>; required?: string[] } }> } }
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> }

let app: TestApp
let document: Document
beforeAll(async () => {
  app = await openTestApp()
  document = (await (await app.staff([])).get<Document & Record<string, unknown>>(openApi.path)).body
})
afterAll(() => app.close())

test('every call stands in it, with who may make it and what its path names', () => {
  expect(document.openapi).toBe('3.1.1')
  const described = Object.entries(document.paths).flatMap(([path, calls]) => Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`))
  expect(described.sort()).toEqual(app.served.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`).sort())
  for (const { endpoint: { method, path, summary, grant } } of app.served) {
    const call = document.paths[path]?.[method.toLowerCase()]
    expect(call?.summary).toBe(summary)
    expect(call?.parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    expect(call?.security.length === 0, `${method} ${path}`).toBe(grant === 'public')
  }
})

test('inputs of the calls that follow from definitions are those of their fields', () => {
  const { post } = document.paths['/daoyuan/api/end/app_client'] ?? {}
  const schema = post?.requestBody?.content['application/json']?.schema
  expect(schema?.required).toEqual(['name', 'scopes'])
  expect(schema?.properties).toMatchObject({ name: { title: '应用名称', type: 'string' }, scopes: { type: 'array' }, per_minute: { type: 'number' }, status: { enum: [1, 0] } })
  expect(schema?.properties).not.toHaveProperty('key_hint')
  expect(post?.tags).toEqual(['学习端应用'])
  expect(post?.description).toMatch(/^需要权限（任一）：学习端应用 · 新增和编辑（270901）$/)
  expect(document.paths['/daoyuan/api/end/app_client/{id}']?.['put']?.requestBody?.content['application/json']?.schema.properties).toHaveProperty('rev')
  expect(document.paths['/daoyuan/api/end/app_clients']?.['get']?.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['status', 'page', 'keyword']))
})

test('it is for staff', async () => {
  expect((await app.nobody().get(openApi.path)).status).toBe(401)
})
