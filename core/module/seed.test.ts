import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { seed } from './seed.server.ts'
import type { ServerModule } from './serve.server.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** A module that says what was asked of it. */
function watched(name: string, said: string[]): ServerModule {
  const say = (what: string) => async () => void said.push(`${name} ${what}`)
  return { door: { name, title: name, screens: [] }, base: say('base'), renew: say('renew'), demo: say('demo') }
}

test('a module that comes with a later release gets its data then, and the others do not get theirs again', async () => {
  const said: string[] = []
  const start = (names: string[], demo: boolean) => seed({ ...app.config, demo }, app.kernel, names.map((name) => watched(name, said)), [], () => {})
  await start(['a'], true)
  expect(said.splice(0)).toEqual(['a base', 'a renew', 'a demo'])
  await start(['a', 'b'], true)
  expect(said.splice(0)).toEqual(['b base', 'a renew', 'b renew', 'b demo'])
  await start(['a', 'b', 'c'], false)
  expect(said.splice(0)).toEqual(['c base', 'a renew', 'b renew', 'c renew'])
})
