/** The product and the bare handler, side by side, for benchmarks. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../scripts/postgres.ts'
import { SERVER } from '../scripts/server.mjs'

const PASSWORD = 'Bench-pass1'
const root = join(import.meta.dirname, '..')
const [ourPort, theirPort] = [await freePort(), await freePort()]
export const OURS = `http://127.0.0.1:${ourPort}`
export const THEIRS = `http://127.0.0.1:${theirPort}`

/** Logs the first administrator in. @returns headers of every further request */
export async function login(): Promise<Record<string, string>> {
  const answer = await fetch(`${OURS}/daoyuan/api/end_access_token`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ account: 'admin', pwd: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`login: ${await answer.text()}`)
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const csrf = cookies.find((cookie) => cookie.startsWith('csrf='))?.slice(5) ?? ''
  return { cookie: cookies.join('; '), 'x-csrf-token': csrf }
}

async function until(base: string, server: ChildProcess): Promise<void> {
  for (let i = 0; i < 600 && server.exitCode === null; i++) {
    if (await fetch(`${base}/healthz`).then(() => true, () => false)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('a server did not start')
}

function start(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = new Promise((resolve) => child.on('exit', resolve))
  child.kill()
  await gone
}

/**
 * Runs both servers while `work` runs, which is told the product's process.
 * @param env of the product: its database and data folder
 * @param bareArgs arguments of bare.ts before the port
 */
export async function withServers(env: Record<string, string>, bareArgs: string[], work: (pid: number) => Promise<void>): Promise<void> {
  const product = start(SERVER, { PORT: String(ourPort), DEMO: '0', ADMIN_PASSWORD: PASSWORD, ...env })
  const bare = start(['bench/bare.ts', ...bareArgs, String(theirPort)], {})
  try {
    await Promise.all([until(OURS, product), until(THEIRS, bare)])
    await work(product.pid ?? 0)
  } finally {
    await Promise.all([stop(product), stop(bare)])
  }
}
