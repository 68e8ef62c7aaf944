import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { findChromium } from '../scripts/chromium.ts'
import { SERVER } from '../scripts/server.mjs'

const root = join(import.meta.dirname, '..')

export interface Account {
  account: string
  password: string
}

/** A real server on a data folder of its own, with the demo data by default. */
export interface TestServer {
  readonly base: string
  readonly accounts: readonly Account[]
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** Starts a server on a data folder and waits until it answers and has its demo. Filling a new folder may take minutes on a busy machine. */
async function run(folder: string, env: Record<string, string>, home = root): Promise<{ base: string; stop(): Promise<void> }> {
  const port = await freePort()
  let output = ''
  const server: ChildProcess = spawn(process.execPath, SERVER, { cwd: home, env: { ...process.env, DATA_DIR: folder, PORT: String(port), ...env } })
  server.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  server.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const base = `http://127.0.0.1:${port}`
  const deadline = Date.now() + 600_000
  // The demo is made behind the running product.
  const ready = async () => {
    const answer = await fetch(`${base}/healthz`).catch(() => undefined)
    return answer?.ok === true && ((await answer.json()) as { demo?: string }).demo === undefined
  }
  while (!(await ready())) {
    if (Date.now() > deadline || server.exitCode !== null) throw new Error(`the server did not start:\n${output}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    base,
    async stop() {
      const gone = new Promise((resolve) => server.on('exit', resolve))
      server.kill('SIGTERM')
      await gone
    },
  }
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'daoyuan-e2e-'))

/** A new data folder with the demo data, and nobody using it. */
export async function seedDemo(): Promise<string> {
  const folder = newFolder()
  await (await run(folder, {})).stop()
  return folder
}

/**
 * Starts the server on a copy of the demo data, or on an empty folder where `env` has a `DEMO` of its own.
 * @param home folder of the product; this one by default
 */
export async function startServer(env: Record<string, string> = {}, home?: string): Promise<TestServer> {
  const folder = newFolder()
  const demo = process.env['DEMO_FOLDER']
  if (demo && !('DEMO' in env)) cpSync(demo, folder, { recursive: true })
  const { base, stop } = await run(folder, env, home)
  return {
    base,
    accounts: JSON.parse(existsSync(join(folder, 'demo-accounts.json')) ? readFileSync(join(folder, 'demo-accounts.json'), 'utf8') : '[]') as Account[],
    async stop() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts Chromium without the background services that a closed network would refuse. @param more switches of its own */
export function startBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? '',
    // Where no language is set, Chromium neither sends nor saves files with Chinese names.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', ...more],
  })
}

export interface OpenPage extends AsyncDisposable {
  readonly page: Page
  /** Errors of the page and failed calls, as they happened. A test ends by expecting none. */
  readonly problems: string[]
}

/** A fresh window of nobody's. */
export async function openPage(browser: Browser, server: TestServer, size = { width: 1440, height: 900 }, serviceWorkers: 'allow' | 'block' = 'block'): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: size, baseURL: server.base, locale: 'zh-CN', acceptDownloads: true, serviceWorkers })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser also reports each refused call; those are expected where a test provokes them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) problems.push(`console: ${message.text()}`)
  })
  page.on('response', (answer) => {
    // Nobody types an address of the server: one that it cannot read is a mistake of the console, however quietly it takes the answer.
    if (answer.status() >= 500 || (answer.status() === 400 && answer.request().method() === 'GET')) problems.push(`${answer.status()} ${answer.url()}`)
  })
  return { page, problems, [Symbol.asyncDispose]: () => context.close() }
}

/** Gets a session by the call of the login page, which has journeys of its own. */
export async function takeSession(page: Page, { account, password }: Account): Promise<void> {
  const answer = await page.request.post('/daoyuan/api/end_access_token', { data: { account, pwd: password } })
  if (!answer.ok()) throw new Error(`login failed: ${await answer.text()}`)
}

/** Gets a session and opens the console. */
export async function logIn(page: Page, account: Account): Promise<void> {
  await takeSession(page, account)
  await page.goto('/new/')
  await page.locator('.shell').waitFor()
}

/** Presses Escape until it has done what it should: a tooltip that happens to be open takes the first press for itself. */
export async function escapeUntil(page: Page, done: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press('Escape')
    for (let wait = 0; wait < 20; wait++) {
      if (await done()) return
      await page.waitForTimeout(50)
    }
  }
  throw new Error('Escape was pressed five times without effect')
}
