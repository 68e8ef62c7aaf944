import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flushSecurityLog } from '../audit/security.server.ts'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { openOutgoing, OUTGOING_MOST, type Outgoing, type OutgoingInit } from './outgoing.server.ts'

/** What the other side answers, by path. */
const answers: Readonly<Record<string, (url: string) => { status?: number; headers?: Record<string, string>; body?: string | Buffer }>> = {
  '/hello': () => ({ body: '你好', headers: { 'content-type': 'text/plain; charset=utf-8' } }),
  '/most': () => ({ body: 'x'.repeat(OUTGOING_MOST) }),
  '/more': () => ({ body: 'x'.repeat(OUTGOING_MOST + 1) }),
  '/packed': () => ({ body: gzipSync('x'.repeat(50 * OUTGOING_MOST)), headers: { 'content-encoding': 'gzip' } }),
  '/nothing': () => ({ status: 204 }),
  '/broken': () => ({ status: 500, body: '出错了' }),
  '/away': (url) => ({ status: 302, headers: { location: new URL(url, 'http://x').searchParams.get('to') ?? '' } }),
}

let app: TestApp
let outgoing: Outgoing
let friend: Server
let stranger: Server
/** Paths that the stranger's server was asked for. */
const visits: string[] = []
const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  friend = createServer((request, reply) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (path === '/silent') return
    const { status = 200, headers = {}, body } = answers[path]?.(request.url ?? '') ?? { status: 404 }
    if (request.method === 'POST' && path === '/hello') request.pipe(reply)
    else reply.writeHead(status, headers).end(body)
  })
  stranger = createServer((request, reply) => {
    visits.push(request.url ?? '')
    reply.end('secret')
  })
  for (const server of [friend, stranger]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  app = await openTestApp({ OUTGOING_ALLOW: originOf(friend) })
  outgoing = app.kernel.outgoing
})
afterAll(async () => {
  await app.close()
  for (const server of [friend, stranger]) {
    server.closeAllConnections()
    server.close()
  }
})

const ask = (path: string, init?: OutgoingInit) => outgoing.fetch('test', `${originOf(friend)}${path}`, init)
const refusedWith = (why: string) => expect.objectContaining({ code: 'outgoing_refused', status: 400, message: `不能访问该地址：${why}` })

test('an origin that the configuration names is reached, and its answer comes whole', async () => {
  const answer = await ask('/hello')
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/plain; charset=utf-8', '你好'])
  expect(await (await ask('/hello', { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })).text()).toBe('{"a":1}')
  expect((await ask('/nothing')).status).toBe(204)
  expect(await ask('/broken').then((broken) => broken.status), 'a failure of theirs is an answer').toBe(500)
})

test.each<readonly [url: string, why: string]>([
  ['http://example.com/', '只支持 https'],
  ['file:///etc/passwd', '只支持 https'],
  ['https://user:password@example.com/', '地址中不能包含账号和密码'],
  ['nonsense', '地址格式有误'],
  ...['127.0.0.1', '127.1', '0x7f000001', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255', '198.18.0.1',
    '[::1]', '[::]', '[fc00::1]', '[fe80::1]', '[::ffff:127.0.0.1]', '[::ffff:a00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[ff02::1]', 'localhost',
  ].map((host) => [`https://${host}/`, '它在内部网络中'] as const),
])('%s is not reached', async (url, why) => {
  await expect(outgoing.fetch('test', url)).rejects.toEqual(refusedWith(why))
})

test('a redirect leads nowhere that the address itself would not', async () => {
  const inside = `${originOf(stranger)}/inside`
  await expect(ask(`/away?to=${encodeURIComponent(inside)}`)).rejects.toEqual(refusedWith('只支持 https'))
  await expect(ask(`/away?to=${encodeURIComponent('https://169.254.169.254/latest')}`)).rejects.toEqual(refusedWith('它在内部网络中'))
  await expect(ask(`/away?to=${encodeURIComponent(inside.replace('http:', 'https:').replace('127.0.0.1', 'localhost'))}`)).rejects.toEqual(refusedWith('它在内部网络中'))
  expect(visits).toEqual([])
  expect(await (await ask('/away?to=/hello')).text()).toBe('你好')
  await expect(ask('/away?to=/hello', { method: 'POST', body: 'for nobody else' })).rejects.toMatchObject({ code: 'outgoing_unreached' })
})

test('an answer has a largest size, unpacked', async () => {
  expect((await (await ask('/most')).text()).length).toBe(OUTGOING_MOST)
  for (const path of ['/more', '/packed']) await expect(ask(path)).rejects.toMatchObject({ code: 'outgoing_too_much', status: 502, message: expect.stringMatching(/64 KB/) })
})

test('who does not answer in time, or not at all, is named in a sentence', async () => {
  await expect(ask('/silent')).rejects.toMatchObject({ code: 'outgoing_late', status: 504, message: expect.stringMatching(/^127\.0\.0\.1:\d+ 在 5 秒内没有回应/) })
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const address = originOf(gone)
  await new Promise((resolve) => gone.close(resolve))
  const own = openOutgoing({ outgoingAllow: new Set([address]), logFormat: 'text' }, app.kernel.db)
  await expect(own.fetch('test', address)).rejects.toMatchObject({ code: 'outgoing_unreached', status: 502 })
  await own.close()
})

test('what was refused stands in the security log, without its path', async () => {
  await expect(outgoing.fetch('webhook', 'https://10.1.2.3/hook/very-secret?key=secret')).rejects.toThrow('内部网络')
  await flushSecurityLog(app.kernel.db)
  const [row] = await app.db.query<{ detail: string; target: string }>(sql`select detail, target from security_log where kind = 'outgoing' and target like 'webhook%'`)
  expect(row).toEqual({ detail: '不能访问该地址：它在内部网络中', target: 'webhook https://10.1.2.3' })
})
