import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../core/testing/app.server.ts'
import { contract, notYetBuilt } from './contract.ts'

const app = await openTestApp()
afterAll(() => app.close())

/** A call without the names of its parameters: the spec's and ours may differ. */
const shapeOf = (call: string) => call.replace(/\{\w+\}/g, '{}')

const owed = Object.values(contract).flat().map(([method, path]) => `${method} ${path}`)
const answered = new Set(app.served.map(({ endpoint }) => shapeOf(`${endpoint.method} ${endpoint.path}`)))

test('the list holds each call of the spec once', () => {
  expect(owed.length).toBe(122)
  expect(new Set(owed.map(shapeOf)).size).toBe(owed.length)
})

test('every call that is owed is answered, but for those of later releases', () => {
  expect(owed.filter((call) => !answered.has(shapeOf(call)) && !notYetBuilt.includes(call))).toEqual([])
})

test('what is answered leaves the list of what is not yet built', () => {
  expect(notYetBuilt.filter((call) => answered.has(shapeOf(call)))).toEqual([])
  expect(notYetBuilt.filter((call) => !owed.includes(call)), 'no such call').toEqual([])
  expect(new Set(notYetBuilt).size).toBe(notYetBuilt.length)
})
