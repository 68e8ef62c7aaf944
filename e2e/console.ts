import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openPage, startBrowser, startServer, type Account, type OpenPage, type TestServer } from './browser.ts'

/** A person who opens windows of the console: `size` in pixels, a desk's screen by default. */
export type Open = (size?: { width: number; height: number }) => Promise<OpenPage>

export interface Console {
  readonly open: Open
  /** Where it is served, and who may log in; known once the tests run. */
  readonly server: Pick<TestServer, 'base' | 'accounts'>
  /** A folder for what a test writes, gone with the tests. */
  readonly folder: string
}

/**
 * A server and a browser for the tests of one file: started before the first of them, gone after the last.
 * @param env what the server is configured with; asked for when it starts where it is a function. With `DEMO: '0'` it has no demo data.
 */
export function runConsole(env: Record<string, string> | (() => Promise<Record<string, string>>) = {}): Console {
  const folder = mkdtempSync(join(tmpdir(), 'daoyuan-e2e-files-'))
  let server: TestServer | undefined
  let browser: Browser | undefined
  const running = () => {
    if (!server || !browser) throw new Error('the console runs only while tests do')
    return { server, browser }
  }
  beforeAll(async () => {
    server = await startServer(typeof env === 'function' ? await env() : env)
    browser = await startBrowser()
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    open: (size) => openPage(running().browser, running().server, size),
    server: {
      get base(): string { return running().server.base },
      get accounts(): readonly Account[] { return running().server.accounts },
    },
  }
}
