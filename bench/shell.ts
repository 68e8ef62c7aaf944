/**
 * The shell in Chromium, on a real server with demo data: from click to painted page for kept tabs and first visits,
 * layout shifts and long tasks while the sidebar toggles, memory after opening and closing a hundred tabs.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openPage, startBrowser, startServer } from '../e2e/browser.ts'
import { accountOf, enter, frontPage, goTo } from '../e2e/shell-steps.ts'

const root = join(import.meta.dirname, '..')
spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' })

const SWITCHES = 60
const TOGGLES = 20
const TABS = 100

interface Measured {
  duration: number
  detail: { path: string; visit: 'kept' | 'first' }
}

/** What the console itself has measured since the last time. */
async function pageTimes(page: Page): Promise<Measured[]> {
  return page.evaluate(() => {
    const entries = performance.getEntriesByName('page', 'measure').map((entry) => ({ duration: entry.duration, detail: (entry as PerformanceMeasure).detail as Measured['detail'] }))
    performance.clearMeasures('page')
    return entries
  })
}
const at = (numbers: readonly number[], share: number) => numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0
const line = (name: string, text: string) => console.log(`${name.padEnd(52)} ${text}`)
const report = (name: string, times: readonly number[], limit: number) =>
  line(name, `p50 ${at(times, 0.5).toFixed(0)} ms   p95 ${at(times, 0.95).toFixed(0)} ms   (limit ${limit} ms at p95, ${times.length} times)`)

const server = await startServer()
const browser = await startBrowser()
try {
  await using opened = await openPage(browser, server)
  const { page } = opened
  await enter(page, accountOf(server))
  const menu = page.getByRole('navigation', { name: '主菜单' })
  for (const group of await menu.locator('.menu-row[aria-expanded="false"]').all()) await group.click()
  const rows = await menu.locator('.menu-list:not(.menu-own) a.menu-row').all()
  const paths = await Promise.all(rows.map(async (row) => ((await row.getAttribute('href')) ?? '').replace(/^\/new/, '') || '/'))

  // First visits: a click in the menu, as people do it, after the pointer has come to the link.
  await pageTimes(page)
  for (const row of rows) {
    await row.click()
    await page.waitForLoadState('networkidle')
  }
  report('first visit, click to painted page', (await pageTimes(page)).filter((one) => one.detail.visit === 'first').map((one) => one.duration), 200)

  // Kept tabs, the newest dozen, one after the other.
  const tabs = (await page.getByRole('tab').all()).slice(-12)
  for (let n = 0; n < SWITCHES; n++) {
    await tabs[n % tabs.length]?.click()
    await page.waitForTimeout(150)
  }
  report('kept tab, click to painted page', (await pageTimes(page)).filter((one) => one.detail.visit === 'kept').map((one) => one.duration), 50)

  // The sidebar over a full list.
  await goTo(page, '/new-study-room/school/school-student')
  await frontPage(page).locator('.ant-table-row').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    const seen = { shift: 0, long: [] as number[] }
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) if (!entry.hadRecentInput) seen.shift += entry.value
    }).observe({ type: 'layout-shift' })
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.long.push(entry.duration) }).observe({ type: 'longtask' })
  })
  for (let n = 0; n < TOGGLES; n++) {
    await page.locator('.topbar .hamburger').click()
    await page.waitForTimeout(400)
  }
  const { shift, long } = await page.evaluate(() => (globalThis as unknown as { seen: { shift: number; long: number[] } }).seen)
  line(`sidebar toggled ${TOGGLES} times: layout shift`, `${shift.toFixed(4)}   (limit 0)`)
  line('sidebar: tasks over 50 ms', `${long.length}${long.length > 0 ? `, longest ${Math.max(...long).toFixed(0)} ms` : ''}   (limit 0)`)

  // Memory: every page once, so that its code is there; then a hundred tabs opened and closed.
  const session = await page.context().newCDPSession(page)
  const used = async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    return usedSize
  }
  const openAndClose = async (times: number) => {
    for (let n = 0; n < times; n++) {
      const path = paths[1 + (n % (paths.length - 1))] ?? '/'
      await goTo(page, path)
      await page.locator(`.kept-page[data-page="${path}"]:visible`).waitFor()
      await page.keyboard.press('Alt+KeyW')
      await page.locator(`.kept-page[data-page="${path}"]`).waitFor({ state: 'detached' })
    }
  }
  await openAndClose(paths.length)
  const before = await used()
  await openAndClose(TABS)
  const after = await used()
  line(`memory after opening and closing ${TABS} tabs`, `${(before / 1e6).toFixed(1)} MB -> ${(after / 1e6).toFixed(1)} MB, ${((after / before - 1) * 100).toFixed(1)} %   (limit 10 %)`)
} finally {
  await browser.close()
  await server.stop()
}
