import * as z from 'zod/mini'
import { afterAll, expect, test } from 'vitest'
import type { Endpoint } from '../endpoint/define.ts'
import { pathParams } from '../endpoint/define.ts'
import { openTestApp } from '../testing/app.server.ts'

/**
 * Whatever is done to many records at once is either taken back for a day or says what is done instead (ADR 84). Definitions
 * say it; whoever says neither is named here.
 */
const app = await openTestApp()
afterAll(() => app.close())

/** By these a call names several records; of one record it may hold further lists. */
const MANY = ['ids', 'student_ids', 'mobiles', 'people', 'agent_ids']
const MANY_ALONE = [...MANY, 'staff_ids', 'room_ids', 'account_ids', 'class_ids', 'child_ids', 'lines', 'items', 'pairs', 'words', 'records']

type Schema = { type?: string; properties?: Record<string, Schema>; anyOf?: Schema[] }
const isList = ({ type, anyOf = [] }: Schema): boolean => type === 'array' || anyOf.some(isList)

/** Whether a call of a person does something to several records. */
function meansMany({ method, path, grant, input }: Endpoint): boolean {
  if (method === 'GET' || grant === 'device' || grant === 'public' || !input) return false
  const { properties = {} } = z.toJSONSchema(input, { unrepresentable: 'any' }) as Schema
  const names = pathParams(path).length > 0 ? MANY : MANY_ALONE
  return Object.entries(properties).some(([key, schema]) => names.includes(key) && isList(schema))
}

const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
const many = app.served.map(({ endpoint }) => endpoint).filter(meansMany)

test('every edge leads back, or says what is done instead', () => {
  const silent = resources.flatMap(({ name, transitions, policies }) => transitions.flatMap((edge) => {
    const decided = policies.some(({ policy, of }) => policy === 'another' && of.includes(edge.name))
    const leadsBack = (from: string | number) => transitions.some((one) => one.field === edge.field && one.to === from && one.from.includes(edge.to))
    return edge.instead === undefined && (decided || !edge.from.every(leadsBack)) ? [`${name}.${edge.name}`] : []
  }))
  expect(silent).toEqual([])
})

test('every call that means several records is taken back, or says what is done instead', () => {
  expect(many.length).toBeGreaterThan(300)
  expect(many.filter(({ back }) => back === undefined).map(({ method, path, summary }) => `${method} ${path} ${summary}`)).toEqual([])
})

test('what is done instead is said in words that a person can act on', () => {
  const said = [...resources.flatMap(({ transitions }) => transitions.flatMap(({ instead }) => instead ?? [])), ...many.flatMap(({ back }) => (typeof back === 'object' ? [back.instead] : []))]
  expect(said.filter((words) => !/^[^。]{4,40}$/.test(words))).toEqual([])
})

test('the removal of every record can be taken back: what cannot be restored cannot be removed in bulk', () => {
  const paths = new Set(app.served.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`))
  expect(resources.filter(({ actions, api }) => actions.remove !== undefined && !paths.has(`POST ${api.item}/{id}/restore`)).map(({ name }) => name)).toEqual([])
})
