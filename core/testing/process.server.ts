import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { csrfToken } from '../session/session.server.ts'

const root = join(import.meta.dirname, '../..')

/** The product as a process of its own, as an administrator starts it. */
export interface Product {
  readonly child: ChildProcess
  readonly url: string
  /** What it has printed so far. */
  output(): string
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** Starts the product with nothing of this process's environment but what finds programs. */
export async function spawnProduct(env: Record<string, string>): Promise<Product> {
  const port = env['PORT'] ?? String(await freePort())
  const child = spawn(process.execPath, ['main.server.ts'], {
    cwd: root, stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], DEMO: '0', ...env, PORT: port },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Starts the product and waits until it answers. */
export async function startProduct(env: Record<string, string>): Promise<Product> {
  const product = await spawnProduct(env)
  while (!product.output().includes('已启动')) {
    if (product.child.exitCode !== null) throw new Error(`the product did not start:\n${product.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return product
}

/** Starts the product where it cannot start, and answers what it says. */
export async function refusedStart(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const product = await spawnProduct(env)
  const [code] = (await once(product.child, 'close')) as [number | null]
  return { code, output: product.output() }
}

/** Calls the API of a running product as one logged-in person; a body is sent as JSON, or as the form that it is. */
export type Remote = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<{ status: number; body: Body }>

/** Logs in over HTTP. */
export async function loginTo(product: Product, account: string, pwd: string): Promise<Remote> {
  const answer = await fetch(`${product.url}/daoyuan/api/end_access_token`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ account, pwd }),
  })
  const token = answer.headers.getSetCookie().map((cookie) => /^session=([^;]+)/.exec(cookie)?.[1]).find(Boolean)
  if (!token) throw new Error(`login failed: ${await answer.text()}`)
  return async <Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const reply = await fetch(product.url + path, {
      method,
      headers: { cookie: `session=${token}`, 'x-csrf-token': csrfToken(token), ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    return { status: reply.status, body: (await reply.json()) as Body }
  }
}
