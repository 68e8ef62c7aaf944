/** Makes the pictures of the README from a real server with demo data. Usage: npm run screenshots [name …] */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { logIn, openPage, startBrowser, startServer } from '../e2e/browser.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs/screenshots')
/** Of WebP, 0 to 100: a screen of text and lines in some 50 KB. */
const QUALITY = 80
mkdirSync(folder, { recursive: true })

const pictures = [
  { name: 'home', path: '/', mode: 'light', width: 1440, height: 900 },
  { name: 'partner', path: '/new-study-room/partner', mode: 'dark', width: 1440, height: 900 },
  { name: 'questions', path: '/practice/official', mode: 'light', width: 1440, height: 900 },
  { name: 'phone', path: '/', mode: 'dark', width: 390, height: 844 },
] as const
const wanted = process.argv.slice(2)
const built = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) process.exit(built.status ?? 1)

const server = await startServer()
const browser = await startBrowser()
try {
  for (const { name, path, mode, width, height } of pictures.filter((picture) => wanted.length === 0 || wanted.includes(picture.name))) {
    await using window = await openPage(browser, server, { width, height })
    const { page } = window
    await page.goto('/new/login')
    await page.evaluate((look) => localStorage.setItem('daoyuan-settings', JSON.stringify({ mode: look })), mode)
    const [account] = server.accounts
    if (!account) throw new Error('the demo has no accounts')
    await logIn(page, account)
    await page.goto(`/new${path}`)
    await page.waitForLoadState('networkidle')
    // A list says that it waits only after a moment.
    if (await page.locator('.ant-table-tbody').count() > 0) await page.locator('.ant-table-row').first().waitFor()
    await page.locator('.page-skeleton, .ant-spin-spinning, .ant-skeleton').first().waitFor({ state: 'detached' })
    const { data } = await page.context().newCDPSession(page).then((session) => session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY }))
    writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
    console.log(`docs/screenshots/${name}.webp`)
  }
} finally {
  await browser.close()
  await server.stop()
}
