import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { demoProgress } from './demo-progress.ts'
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

test('a demo that was broken off leaves nothing of its part, and the next start goes on with it', async () => {
  const { db } = app.kernel
  const put = (key: string) => (joined: typeof db) => joined.transaction({ staff_id: null, silent: true }, (tx) => tx.query(sql`insert into installation (key, value) values (${key}, '1')`))
  let dies = true
  const module: ServerModule = {
    door: { name: 'broken', title: '中断', screens: [] },
    demo: [
      { title: '一', run: async (joined) => void await put('trial one')(joined) },
      { title: '二', run: async (joined) => {
        await put('trial two')(joined)
        if (dies) throw new Error('killed')
        await put('trial three')(joined)
      } },
    ],
  }
  const start = () => seed({ ...app.config, demo: true }, app.kernel, [module], [], () => {})
  const there = async () => (await db.query<{ key: string }>(sql`select key from installation where key like 'trial %' order by key`)).map(({ key }) => key)
  await expect(start()).rejects.toThrow('killed')
  expect(await there()).toEqual(['trial one'])
  dies = false
  await start()
  expect(await there()).toEqual(['trial one', 'trial three', 'trial two'])
  await start()
})

test('while the demo is made everybody may read, and nobody writes what asks for a right', async () => {
  const admin = await app.login()
  const { promise, resolve } = Promise.withResolvers<void>()
  const module: ServerModule = { door: { name: 'slow', title: '慢', screens: [] }, demo: () => promise }
  const config = { ...app.config, demo: true }
  expect(await app.demo.prepare(config, app.kernel.db, [module])).toBe(true)
  const progress = async () => (await admin.get<{ progress: unknown }>(demoProgress.path)).body.progress
  expect(await progress()).toEqual({ done: 0, total: 1, what: '慢' })
  expect((await admin.get<{ demo?: string }>('/healthz')).body.demo).toBe('filling')
  expect((await admin.get('/daoyuan/api/end/staff')).status).toBe(200)
  expect(await admin.post('/daoyuan/api/end/announcement', {})).toMatchObject({ status: 503, body: { detail: '正在生成演示数据，完成后才能保存，请稍等片刻再试' } })
  resolve()
  expect(await app.demo.run(config, app.kernel.db, () => {})).toBe(true)
  expect(await progress()).toBeNull()
  expect((await admin.post('/daoyuan/api/end/announcement', {})).status).toBe(400)
})
