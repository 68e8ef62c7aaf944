/** Makes the pictures of the README from a real server with demo data. Usage: npm run screenshots */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { logIn, openPage, startBrowser, startServer } from '../e2e/browser.ts'

const folder = join(import.meta.dirname, '../docs/screenshots')
mkdirSync(folder, { recursive: true })

const pictures = [
  { name: 'home', path: '/', mode: 'light', width: 1440, height: 900 },
  { name: 'students', path: '/new-study-room/school/school-student', mode: 'light', width: 1440, height: 900 },
  { name: 'partner', path: '/new-study-room/partner?open=1', mode: 'dark', width: 1440, height: 900 },
  { name: 'phone', path: '/new-study-room/partner', mode: 'light', width: 390, height: 844 },
] as const

const server = await startServer()
const browser = await startBrowser()
try {
  for (const { name, path, mode, width, height } of pictures) {
    await using window = await openPage(browser, server, { width, height })
    const { page } = window
    await page.goto('/new/login')
    await page.evaluate((look) => localStorage.setItem('daoyuan-settings', JSON.stringify({ mode: look })), mode)
    const [account] = server.accounts
    if (!account) throw new Error('the demo has no accounts')
    await logIn(page, account)
    await page.goto(`/new${path}`)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(folder, `${name}.png`) })
    console.log(`docs/screenshots/${name}.png`)
  }
} finally {
  await browser.close()
  await server.stop()
}
