/**
 * Compressed bytes that Chromium fetches, with an empty cache, for the login page and from there to the first list: files
 * of the console as they come over the wire, bodies alone. What the API answers is told apart.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { openPage, startBrowser, startServer } from '../e2e/browser.ts'
import { accountOf, frontPage } from '../e2e/shell-steps.ts'
import { countWire, kb } from './wire.ts'

const LIST = '/new-study-room/partner'
/** What login, shell and first list may weigh together, in bytes. */
const LIMIT = 450 * 1024

const root = join(import.meta.dirname, '..')
spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' })

const line = (name: string, text: string) => console.log(`${name.padEnd(44)} ${text}`)

const server = await startServer()
const browser = await startBrowser()
try {
  await using opened = await openPage(browser, server)
  const { page } = opened
  const { account, password } = accountOf(server)
  const { files, sum, api } = countWire(page)
  await page.goto(`/new/login?redirect=${encodeURIComponent(LIST)}`)
  await page.getByLabel('账号', { exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  const login = sum()
  await page.getByLabel('账号', { exact: true }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await frontPage(page).locator('.ant-table-row').first().waitFor()
  await page.waitForLoadState('networkidle')
  line('login page', kb(login))
  line('login, shell and first list', `${kb(sum())} in ${files.size} files   (limit ${kb(LIMIT)})`)
  line('answers of the API on the way', kb(api()))
  if (process.argv.includes('--files')) for (const [path, size] of [...files].toSorted((a, b) => b[1] - a[1])) line(`  ${path}`, `${(size / 1024).toFixed(1)} KB`)
  if (sum() > LIMIT) process.exitCode = 1
} finally {
  await browser.close()
  await server.stop()
}
