import { writeFileSync } from 'node:fs'
import { logIn, openPage, startBrowser, startServer } from '../e2e/browser.ts'
const shots = JSON.parse(process.argv[2] ?? '[]') as { name: string; path: string; mode: 'light' | 'dark'; width: number; height: number; click?: string }[]
const server = await startServer()
console.log('server up')
const browser = await startBrowser()
for (const { name, path, mode, width, height, click } of shots) {
  await using window = await openPage(browser, server, { width, height })
  const { page } = window
  page.on('console', (message) => { if (message.type() === 'error') console.log(name, 'console:', message.text().slice(0, 300)) })
  page.on('pageerror', (error) => console.log(name, 'pageerror:', String(error).slice(0, 300)))
  await page.goto('/new/login')
  await page.evaluate((look) => localStorage.setItem('daoyuan-settings', JSON.stringify({ mode: look })), mode)
  await logIn(page, server.accounts[0]!)
  await page.goto(`/new${path}`)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(800)
  if (click) { for (const one of click.split('|')) { await page.locator(one).first().click({ timeout: 5000 }).catch((e: Error) => console.log(name, String(e).slice(0, 200))); await page.waitForTimeout(900) } }
  writeFileSync(`/tmp/listen/${name}.png`, await page.screenshot())
  console.log(name)
}
await browser.close()
await server.stop()
