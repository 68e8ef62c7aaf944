import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { defineLiveKind, type LiveEvent } from './event.ts'
import { Live, MAX_STREAMS, publishRecords } from './live.server.ts'
import { checkLiveKinds } from '../module/assemble.server.ts'

/** For what another process or socket does: long enough for a busy machine, over as soon as it is done. */
const PATIENCE = { timeout: 20_000 }

let app: TestApp
let base: string
beforeAll(async () => {
  app = await openTestApp()
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

const opened: AbortController[] = []
afterEach(() => {
  for (const controller of opened.splice(0)) controller.abort()
})

/** A browser's stream: what it is told, in order; `undefined` when the server ended it. */
async function listen(caller: Caller) {
  const controller = new AbortController()
  opened.push(controller)
  const answer = await fetch(`${base}/daoyuan/api/end/live`, { headers: { cookie: `session=${caller.cookie('session')}` }, signal: controller.signal })
  expect(answer.status).toBe(200)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<LiveEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
        text = text.slice(end + 2)
        if (data) return JSON.parse(data) as LiveEvent
        continue
      }
      const part = await reader?.read()
      if (!part || part.done) return undefined
      text += part.value
    }
  }
  expect(await next()).toEqual({ type: 'release', release: expect.any(String) })
  return { next, headers: answer.headers, abort: () => controller.abort() }
}

const job = (id: number): LiveEvent => ({ type: 'job', id, status: 'running', done: id, total: 10 })

test('nobody listens without a session', async () => {
  expect((await app.nobody().get('/daoyuan/api/end/live')).status).toBe(401)
})

test('an event reaches the person it is for, on all of their streams, and nobody else', async () => {
  const [one, other] = [await app.staff([]), await app.staff([])]
  const streams = [await listen(one), await listen(one)]
  const foreign = await listen(other)
  expect(foreign.headers.get('content-type')).toContain('text/event-stream')
  expect(foreign.headers.get('cache-control')).toBe('no-store')
  await app.kernel.live.publish(one.staffId, job(1))
  await app.kernel.live.publish('all', { type: 'notice', title: '今晚维护' })
  for (const stream of streams) {
    expect(await stream.next()).toEqual(job(1))
    expect(await stream.next()).toEqual({ type: 'notice', title: '今晚维护' })
  }
  expect(await foreign.next()).toEqual({ type: 'notice', title: '今晚维护' })
})

test('what another process says is heard here', async () => {
  const one = await app.staff([])
  const stream = await listen(one)
  const elsewhere = new Live(app.kernel.db)
  await elsewhere.publish(one.staffId, job(2))
  expect(await stream.next()).toEqual(job(2))
})

test('an event of a transaction is sent when it commits and never when it does not', async () => {
  const one = await app.staff([])
  const stream = await listen(one)
  const { db, live } = app.kernel
  await expect(db.transaction({ staff_id: null }, async (tx) => {
    await live.publish(one.staffId, job(3), tx)
    throw new Error('undone')
  })).rejects.toThrow('undone')
  await db.transaction({ staff_id: null }, (tx) => live.publish(one.staffId, job(4), tx))
  expect(await stream.next()).toEqual(job(4))
})

test('changed rights end the streams of that person, who is told why', async () => {
  const [one, other] = [await app.staff([]), await app.staff([])]
  const [stream, foreign] = [await listen(one), await listen(other)]
  await app.kernel.sessions.changed(one.staffId)
  expect(await stream.next()).toEqual({ type: 'grants' })
  expect(await stream.next()).toBeUndefined()
  await app.kernel.live.publish('all', job(5))
  expect(await foreign.next()).toEqual(job(5))
})

test('a stream ends when its session does', async () => {
  const [one, other] = [await app.staff([]), await app.staff([])]
  const [out, over, foreign] = [await listen(one), await listen(other), await listen(await app.staff([]))]
  await one.post('/api/staffLogout')
  expect(await out.next()).toEqual({ type: 'grants' })
  expect(await out.next()).toBeUndefined()
  // Silence ends a session without anybody doing anything.
  await app.kernel.db.query(sql`update session set seen_at = now() - interval '3 hours' where staff_id = ${other.staffId}`)
  await app.kernel.live.beat()
  expect(await over.next()).toBeUndefined()
  await app.kernel.live.publish('all', job(6))
  expect(await foreign.next()).toEqual(job(6))
})

test('an open stream alone does not keep a session alive', async () => {
  const one = await app.staff([])
  const seen = async () => (await app.kernel.db.query<{ n: number }>(sql`select extract(epoch from now() - seen_at)::int as n from session where staff_id = ${one.staffId}`))[0]?.n ?? 0
  await app.kernel.db.query(sql`update session set seen_at = now() - interval '1 hour' where staff_id = ${one.staffId}`)
  await app.kernel.sessions.changed(one.staffId)
  await listen(one)
  expect(await seen()).toBeGreaterThan(3000)
  await one.get('/daoyuan/api/end/staff')
  expect(await seen()).toBeLessThan(3000)
})

test('one stream too many takes the place of the oldest', async () => {
  const one = await app.staff([])
  const streams = []
  for (let n = 0; n <= MAX_STREAMS; n++) streams.push(await listen(one))
  expect(await streams[0]?.next()).toEqual({ type: 'displaced' })
  expect(await streams[0]?.next()).toBeUndefined()
  await app.kernel.live.publish(one.staffId, job(7))
  for (const stream of streams.slice(1)) expect(await stream.next()).toEqual(job(7))
})

test('a browser that has gone is forgotten', async () => {
  await expect.poll(() => app.kernel.live.size, PATIENCE).toBe(0)
  const stream = await listen(await app.staff([]))
  expect(app.kernel.live.size).toBe(1)
  stream.abort()
  await expect.poll(() => app.kernel.live.size, PATIENCE).toBe(0)
})

test('a server that stops does not wait for open streams', async () => {
  const second = await openTestApp()
  await second.http.listen({ port: 0, host: '127.0.0.1' })
  const person = await second.staff([])
  const { port } = second.http.server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/daoyuan/api/end/live`, { headers: { cookie: `session=${person.cookie('session')}` } })
  await second.close()
  expect(await answer.text()).toContain('event: release')
})

test('too long an event is refused where it is made', async () => {
  await expect(app.kernel.live.publish('all', { type: 'notice', title: '长'.repeat(3000) })).rejects.toThrow('too long')
})

test('a module says by a kind of its own which records changed, to those whom it concerns, with the transaction', async () => {
  const thread = defineLiveKind('thread')
  const [one, two, other] = [await app.staff([]), await app.staff([]), await app.staff([])]
  const [first, second, foreign] = [await listen(one), await listen(two), await listen(other)]
  const { db } = app.kernel
  await db.transaction({ staff_id: null }, (tx) => publishRecords(tx, [one.staffId, two.staffId, one.staffId], thread, [7, 8, 7]))
  for (const stream of [first, second]) expect(await stream.next()).toEqual({ type: 'record', kind: 'thread', ids: [7, 8] })
  await db.transaction({ staff_id: null }, (tx) => publishRecords(tx, 'all', thread, Array.from({ length: 5000 }, (_, id) => 1_000_000_000 + id)))
  for (const stream of [first, second, foreign]) expect(await stream.next(), 'too many to name').toEqual({ type: 'record', kind: 'thread', ids: 'all' })
})

test('an event for thousands of people fits into messages', async () => {
  const one = await app.staff([])
  const stream = await listen(one)
  await publishRecords(app.kernel.db, [...Array.from({ length: 3000 }, (_, id) => 1_000_000_000 + id), one.staffId], defineLiveKind('claim'), Array.from({ length: 200 }, (_, id) => 1_000_000_000 + id))
  expect(await stream.next()).toMatchObject({ type: 'record', kind: 'claim' })
})

test('two modules cannot call their events the same', () => {
  const door = (name: string, ...live: string[]) => ({ door: { name, live: live.map(defineLiveKind) } })
  expect(() => checkLiveKinds([door('ticket', 'ticket', 'claim'), door('companion', 'thread')])).not.toThrow()
  expect(() => checkLiveKinds([door('ticket', 'claim'), door('comment', 'claim')])).toThrow('comment and ticket both call events claim')
})
