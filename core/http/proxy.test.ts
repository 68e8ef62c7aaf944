import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.server.ts'
import { defineEndpoint } from '../endpoint/define.ts'
import { handle } from '../endpoint/serve.server.ts'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { buildServer } from './server.server.ts'

/** Tells a caller the address that rate limits, lockouts and the log know them by. */
const whoAmI = defineEndpoint<{ ip: string }>()({ method: 'GET', path: '/who', summary: '', grant: 'public' })

const CLIENT = '203.0.113.7'
const OUTER = '198.51.100.1'
const FORGED = '192.0.2.66'

let app: TestApp
const open: Server[] = []
/** Ports of servers by the number of proxies that they are told to trust. */
const ports: number[] = []
beforeAll(async () => {
  app = await openTestApp()
  for (const trusted of [0, 1, 2]) {
    const http = await buildServer({
      fingerprintKey: Buffer.alloc(32),
      config: readConfig({ TRUST_PROXY: String(trusted) }), db: app.db, sessions: app.kernel.sessions, grantTitle: String,
      served: [handle(whoAmI, async (call) => ({ ip: call.ip }))],
    })
    await http.listen({ port: 0, host: '127.0.0.1' })
    open.push(http.server)
    ports.push((http.server.address() as AddressInfo).port)
  }
})
afterAll(async () => {
  for (const server of open) server.close()
  await app.close()
})

/** What a reverse proxy does with the header that names who called. */
type Habit = 'append' | 'overwrite'

/**
 * Starts a reverse proxy.
 * @param peer address from which it is called: all of this is one machine, so it is told
 * @returns the port on which it listens
 */
async function proxy(habit: Habit, peer: string, to: number): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    const given = habit === 'append' ? incoming.headers['x-forwarded-for'] : undefined
    const headers = { ...incoming.headers, 'x-forwarded-for': [given, peer].filter(Boolean).join(', ') }
    incoming.pipe(request({ port: to, host: '127.0.0.1', path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  return (server.address() as AddressInfo).port
}

/** Asks with these values of X-Forwarded-For, each a line of its own. */
function seenAs(port: number, claimed: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/who', ...(claimed.length > 0 && { headers: { 'x-forwarded-for': [...claimed] } }) }, (answer) => {
      void answer.toArray().then((parts) => resolve((JSON.parse(Buffer.concat(parts as Buffer[]).toString()) as { ip: string }).ip), reject)
    }).on('error', reject).end()
  })
}

/** What clients send to be taken for somebody else. */
const CLAIMS: readonly (readonly string[])[] = [[], [FORGED], [`${FORGED}, ${FORGED}, ${FORGED}`], [FORGED, `${FORGED}, ${FORGED}`], ['127.0.0.1'], ['x'], [', ,']]

test('without a proxy nobody is believed who names an address', async () => {
  for (const claimed of CLAIMS) expect(await seenAs(ports[0] ?? 0, claimed), String(claimed)).toBe('127.0.0.1')
})

test.each<Habit>(['append', 'overwrite'])('behind one proxy (%s) a client is known by their own address, whatever they claim', async (habit) => {
  const outer = await proxy(habit, CLIENT, ports[1] ?? 0)
  for (const claimed of CLAIMS) expect(await seenAs(outer, claimed), String(claimed)).toBe(CLIENT)
})

test.each<Habit>(['append', 'overwrite'])('behind two proxies, the outer of which does (%s), too', async (habit) => {
  const outer = await proxy(habit, CLIENT, await proxy('append', OUTER, ports[2] ?? 0))
  for (const claimed of CLAIMS) expect(await seenAs(outer, claimed), String(claimed)).toBe(CLIENT)
})

test('an inner proxy that overwrites hides who called, and lets nobody choose', async () => {
  const inner = await proxy('overwrite', OUTER, ports[2] ?? 0)
  expect(await seenAs(await proxy('append', CLIENT, inner), [FORGED])).toBe(OUTER)
})
