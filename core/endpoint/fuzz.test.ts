import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Resource } from '../resource/define.ts'
import { resourceEndpoints } from '../resource/endpoints.ts'
import { transferEndpoints } from '../transfer/calls.ts'
import { Caller, openTestApp, type Answer } from '../testing/app.server.ts'
import { CHINESE } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { firstOfShape } from '../testing/shape.server.ts'
import { NO_ID } from '../testing/wrong.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { writableKeys } from '../resource/rules.ts'
import { fillPath, pathParams, type Endpoint } from './define.ts'

/** The same inputs each time, so that a failure is nobody's bad luck; a longer search sets these. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20261121)
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 12)
/** The core's own calls are one piece of code for all resources: each of them needs fewer tries than a call that a module wrote. */
const CORE_RUNS = Math.ceil(RUNS / 4)

const app = await openTestApp()
const samples = await openSamples(app)
const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
const walked = firstOfShape(app.kernel.registry.values())
const person = await app.staff(app.servedGrants)
let caller: Caller = person
afterAll(() => app.close())

/** A refusal says one Chinese sentence, and nothing is ever the server's own failure. */
function expectSane(answer: Pick<Answer, 'status' | 'body'>, context: string): void {
  const about = `${context} → ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`
  expect(answer.status, about).toBeLessThan(500)
  if (answer.status < 400) return
  expect(answer.body['detail'], about).toMatch(CHINESE)
  for (const words of Object.values((answer.body['fields'] as object | undefined) ?? {})) expect(words, about).toMatch(CHINESE)
}

function nested(depth: number): unknown {
  let value: unknown = '底'
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value }
  return value
}

const nastyText = [
  '', ' ', '\u0000', '王\u0000明', '\ud800', '\udfff王', '\u200b', '﻿', '％＿', '%', '_', '\\', "'", '"', '`', ';--', "' or 1=1 --", '${7*7}', '{{7*7}}', '<script>alert(1)</script>',
  '=1+1', '../../etc/passwd', 'null', 'undefined', 'NaN', 'Infinity', '-0', '1e308', '1e-7', '0x10', '9223372036854775808', '-9223372036854775809', '99999999999999999999999999', '1.5', '-1', '0', '1', '１２',
  '12345678901234', '1e15', '-99999999999999', '2026-13-45', '13800138000', '长'.repeat(5000), 'a'.repeat(70_000), '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'id', '-id', 'deleted_at', 'can', '[]', '{}', '[1]',
]
const nastyJson: unknown[] = [
  ...nastyText, null, true, false, 0, -0, -1, 1, 1.5, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 63, 2 ** 31, -(2 ** 31) - 1, 1e15, [], {}, [null], [[]], [{}], [[1]], ['', '\u0000'], { a: 1 }, { $gt: 0 }, { toString: 1 }, { length: 5 },
  Array.from({ length: 2000 }, (_, i) => i), Array.from({ length: 600 }, () => '王'), nested(200), { value: { id: 1 } },
]
const text = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...nastyText) }, fc.string({ unit: 'binary' }), fc.integer().map(String), fc.double().map(String))
const json = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...nastyJson) }, fc.jsonValue({ maxDepth: 4 }))

/** Keys that a call's schema names. */
function schemaKeys(endpoint: Endpoint): string[] {
  const def: object | undefined = endpoint.input?._zod.def
  return def && 'shape' in def ? Object.keys(def.shape as object) : []
}

function resourceOf(endpoint: Endpoint): Resource | undefined {
  return resources.find(({ api }) => endpoint.path === api.list || endpoint.path.startsWith(`${api.list}/`) || endpoint.path === api.item || endpoint.path.startsWith(`${api.item}/{`))
}

const LIST_KEYS = ['page', 'page_size', 'sort', 'cursor', 'ids', 'keyword', 'deleted', 'rev']
/** Of these, the ones that more than the list itself reads. */
const SHARED_KEYS = ['page', 'ids', 'keyword']

function keysOf(endpoint: Endpoint): [string, ...string[]] {
  const resource = resourceOf(endpoint)
  const own = resource ? Object.keys(resource.fields) : []
  const filters = resource?.list.filters.flatMap((key) => [key, `${key}_start`, `${key}_end`]) ?? []
  return ['nothing', ...schemaKeys(endpoint), ...(endpoint.method === 'GET' ? filters : own), ...LIST_KEYS]
}

/** One record of each resource and valid input for another, made before anything strange happens. */
const prepared = await (async () => {
  const found = new Map<string, { input: Record<string, unknown>; id: number }>()
  for (const resource of resources) found.set(resource.name, { input: await samples.input(resource), id: (await samples.create(resource)).id })
  return found
})()

async function renew(): Promise<void> {
  await app.db.query(sql`update staff set two_factor = 0, status = 1, role = 'operator', deleted_at = null where id = ${person.staffId}`)
  await app.db.query(sql`update credential set must_change = false where staff_id = ${person.staffId}`)
  await app.grant(person.staffId, app.servedGrants)
  caller = await app.enter(new Caller(app, person.staffId))
}

/** One field of each kind, among those that a list of calls can be made with. */
function oneOfEachKind(keysOfResource: (resource: Resource) => readonly string[]): [string, Resource, string][] {
  const known = new Map<string, [string, Resource, string]>()
  for (const resource of resources) {
    for (const key of keysOfResource(resource)) {
      const kind = fieldOf(resource, key).kind
      if (!known.has(kind)) known.set(kind, [kind, resource, key])
    }
  }
  return [...known.values()]
}

test.each(oneOfEachKind((resource) => resource.list.filters))('a filter of kind %s takes any text', async (_kind, resource, key) => {
  await renew()
  for (const value of nastyText) {
    for (const name of fieldOf(resource, key).filter === 'range' ? [`${key}_start`, `${key}_end`] : [key]) {
      expectSane(await caller.get(resource.api.list, { [name]: value }), `${resource.name} ${name} = ${JSON.stringify(value).slice(0, 60)}`)
    }
    expectSane(await caller.get(resource.api.list, { [key]: [value, '1', value] }), `${resource.name} ${key} twice ${JSON.stringify(value).slice(0, 60)}`)
  }
})

test.each(oneOfEachKind((resource) => (resource.actions.create ? writableKeys(resource) : [])))('a field of kind %s takes any JSON', async (_kind, resource, key) => {
  await renew()
  const id = prepared.get(resource.name)?.id
  for (const value of nastyJson) {
    const context = `${resource.name}.${key} = ${JSON.stringify(value)?.slice(0, 60)}`
    expectSane(await caller.put(`${resource.api.item}/${id}`, { [key]: value }), context)
  }
})

test.each(LIST_KEYS)('%s of a list, its picker, its sum and a history takes any text', async (key) => {
  await renew()
  const [resource] = resources.filter((candidate) => candidate.actions.create)
  if (!resource) throw new Error('no resource')
  const id = prepared.get(resource.name)?.id
  for (const value of nastyText) {
    const others = SHARED_KEYS.includes(key) ? [resource.optionsPath, `${resource.api.list}/summary`, `${resource.api.item}/${id}/history`] : []
    for (const path of [resource.api.list, ...others]) {
      expectSane(await caller.get(path, { [key]: value }), `${path} ${key} = ${JSON.stringify(value).slice(0, 60)}`)
    }
  }
})

const [first] = resources.filter((resource) => resource.actions.create)
const [list, item] = [first?.api.list ?? '', first?.api.item ?? '']

/** Requests that no console sends. */
const requests: [string, { method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS'; url: string; payload?: string; headers?: Record<string, string> }][] = [
  ['half a JSON text', { method: 'POST', url: item, payload: '{"name":', headers: { 'content-type': 'application/json' } }],
  ['no JSON at all', { method: 'POST', url: item, payload: '<xml/>', headers: { 'content-type': 'application/json' } }],
  ['an empty body', { method: 'POST', url: item, payload: '', headers: { 'content-type': 'application/json' } }],
  ['another content type', { method: 'POST', url: item, payload: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['text', { method: 'POST', url: item, payload: 'hello', headers: { 'content-type': 'text/plain' } }],
  ['xml', { method: 'PUT', url: `${item}/1`, payload: '<a/>', headers: { 'content-type': 'application/xml' } }],
  ['a nonsense content type', { method: 'POST', url: item, payload: '{}', headers: { 'content-type': ';;;' } }],
  ['multipart where none is taken', { method: 'POST', url: item, payload: '--x\r\n\r\n--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
  ...['[]', '[1]', 'null', '1', '"text"', 'true'].map((payload): (typeof requests)[number] => [`the body ${payload}`, { method: 'POST', url: item, payload, headers: { 'content-type': 'application/json' } }]),
  ['prototype keys', { method: 'POST', url: item, payload: '{"__proto__":{"x":1}}', headers: { 'content-type': 'application/json' } }],
  ['constructor keys', { method: 'POST', url: item, payload: '{"constructor":{"prototype":{"x":1}}}', headers: { 'content-type': 'application/json' } }],
  ['a deep body', { method: 'POST', url: item, payload: `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, headers: { 'content-type': 'application/json', 'idempotency-key': 'deep' } }],
  ['a body of 3 MB', { method: 'POST', url: item, payload: JSON.stringify({ name: 'x'.repeat(3 * 1024 * 1024) }), headers: { 'content-type': 'application/json' } }],
  ['a long key', { method: 'POST', url: item, payload: '{}', headers: { 'content-type': 'application/json', 'idempotency-key': 'k'.repeat(5000) } }],
  ['half an escape', { method: 'GET', url: `${item}/%E0%A4%A` }],
  ['no escape', { method: 'GET', url: `${list}?keyword=%` }],
  ['half a character', { method: 'GET', url: `${list}?keyword=%E7%8E` }],
  ['a NUL in the path', { method: 'GET', url: `${item}/%00` }],
  ['a NUL in the query', { method: 'GET', url: `${list}?keyword=%00&%00=1` }],
  ['a path that climbs', { method: 'GET', url: `${item}/..%2f..%2fetc%2fpasswd` }],
  ['a long parameter', { method: 'GET', url: `${item}/${'1'.repeat(4000)}` }],
  ['a long query', { method: 'GET', url: `${list}?keyword=${'x'.repeat(12_000)}` }],
  ['a thousand ids', { method: 'GET', url: `${list}?${'ids=1&'.repeat(1000)}` }],
  ['a hundred pages', { method: 'GET', url: `${list}?${'page=1&'.repeat(100)}` }],
  ['prototype keys in the query', { method: 'GET', url: `${list}?__proto__=1&constructor=1&__proto__[x]=1&a[b]=1&a[]=1` }],
  ['a method that is not served', { method: 'PATCH', url: `${item}/1`, payload: '{}', headers: { 'content-type': 'application/json' } }],
  ['a question about methods', { method: 'OPTIONS', url: list }],
  ['a path that is not served', { method: 'GET', url: '/daoyuan/api/nothing' }],
  ['two slashes', { method: 'GET', url: `/${list}` }],
  ['a broken cookie', { method: 'GET', url: list, headers: { cookie: 'session=%%%; ;=;csrf' } }],
  ['a long cookie', { method: 'GET', url: list, headers: { cookie: `session=${'x'.repeat(6000)}` } }],
  ['a broken origin', { method: 'POST', url: '/daoyuan/api/end_access_token', payload: '{}', headers: { 'content-type': 'application/json', origin: 'http://[' } }],
]

test.each(requests)('%s is answered in the one form', async (_name, { headers, ...request }) => {
  await renew()
  const own = { cookie: `session=${caller.cookie('session')}`, 'x-csrf-token': caller.cookie('csrf') ?? '' }
  const answer = await app.http.inject({ ...request, headers: { ...own, ...headers } })
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expectSane({ status: answer.statusCode, body: answer.json<Record<string, unknown>>() }, request.url.slice(0, 100))
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
function coreCalls(resource: Resource): string[] {
  const { transitions, ...calls } = resourceEndpoints(resource)
  const named: readonly { method: string; path: string }[] = [...Object.values(calls), ...transitions.map(({ endpoint }) => endpoint), ...Object.values(transferEndpoints(resource))]
  return named.map(({ method, path }) => `${method} ${path}`)
}
const core = new Set(resources.flatMap(coreCalls))
/** The core's own calls of a resource whose shape is tried with another. */
const alike = new Set(resources.filter(({ name }) => !walked.has(name)).flatMap(coreCalls))
const calls = app.served.map(({ endpoint }) => endpoint).filter((endpoint) => !alike.has(nameOf(endpoint)) && !endpoint.upload && !(endpoint.stream && pathParams(endpoint.path).length === 0))

test.each(calls.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s takes anything without breaking', async (_name, endpoint) => {
  await renew()
  const keys = fc.constantFrom(...keysOf(endpoint))
  const bare = endpoint.method === 'GET' || endpoint.method === 'DELETE'
  const resource = resourceOf(endpoint)
  const base = (resource && !bare && prepared.get(resource.name)?.input) || {}
  const query = fc.dictionary(keys, fc.oneof(text, fc.array(text, { maxLength: 3 })), { maxKeys: 4 })
  // Most of a valid record with one or two wrong values reaches further than chaos does.
  const body = fc.dictionary(keys, json, { maxKeys: 3 }).map((wrong) => ({ ...base, ...wrong }))
  const param = fc.oneof(fc.constantFrom('1', '2', '3', String(NO_ID)), text.filter((value) => value !== ''))
  await fc.assert(fc.asyncProperty(bare ? query : body, fc.array(param, { minLength: 3, maxLength: 3 }), async (input, params) => {
    if (!caller.cookie('csrf')) await renew()
    let path: string
    try {
      path = fillPath(endpoint.path, Object.fromEntries(pathParams(endpoint.path).map((name, i) => [name, params[i] ?? '1'])))
    } catch {
      // Half a character cannot stand in an address at all.
      return
    }
    expectSane(await caller.call(endpoint.method, path, input as Record<string, unknown>), `${endpoint.method} ${path.slice(0, 200)} ${JSON.stringify(input).slice(0, 300)}`)
  }), { seed: SEED, numRuns: core.has(nameOf(endpoint)) ? CORE_RUNS : RUNS, endOnFailure: true })
})
