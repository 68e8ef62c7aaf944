/** A line of courses that nobody has: one row of PRODUCT_LINES and its ids in screens.ts, in a copy of the product that is built with them. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, openPage, startBrowser, startServer, type TestServer } from './browser.ts'
import { callAs } from './staff-steps.ts'

const ADMIN = { account: 'admin', password: 'Admin-pass1' }
const root = join(import.meta.dirname, '..')
const home = mkdtempSync(join(tmpdir(), 'daoyuan-seventh-'))

const ROW = "  { code: 'senior_bridge', name: '高中衔接', level: 0, path: '/seniorBridge', screens: SYNC_SCREENS, textbook: 'partwork', content: 'outline', difficulty: true, blocks: LESSON_BLOCKS },\n"
const SCREENS = [['textbook', '教材管理'], ['series', '系列管理'], ['detail', '课程详情'], ['catalog', '教材目录'], ['user', '用户列表'], ['order', '订单列表']] as const
const GROUP = `  { id: 97, title: '高中衔接', icon: 'book', screens: [\n${SCREENS.map(([path, title], index) => `    [${9701 + index}, '/seniorBridge/${path}', '${title}'],\n`).join('')}  ] },\n`

/** Puts lines into a file of the copy, behind a line that it has. */
function insert(file: string, behind: string, lines: string): void {
  const path = join(home, file)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(behind)) throw new Error(`${file} has no ${behind}`)
  writeFileSync(path, text.replace(behind, `${behind}${lines}`))
}

let server: TestServer
let browser: Browser
beforeAll(async () => {
  cpSync(root, home, { recursive: true, filter: (path) => !/^(?:node_modules|dist|\.git|\.runtime|e2e|bench|docs)(?:\/|$)/.test(relative(root, path)) })
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  insert('modules/reference/product-line.ts', 'export const PRODUCT_LINES: readonly ProductLine[] = [\n', ROW)
  insert('modules/screens.ts', 'const groups = [\n', GROUP)
  const built = spawnSync(process.execPath, ['scripts/build.ts'], { cwd: home, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`the copy was not built:\n${built.stdout}${built.stderr}`)
  ;[server, browser] = await Promise.all([startServer({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password }, home), startBrowser()])
}, 600_000)
afterAll(async () => {
  await browser.close()
  await server.stop()
  rmSync(home, { recursive: true, force: true })
})

test.each([[1440, 900], [390, 844]])('every screen of it opens at %d pixels, and it sells what it has', async (width, height) => {
  await using opened = await openPage(browser, server, { width, height })
  const { page, problems } = opened
  await logIn(page, ADMIN)
  const END = '/daoyuan/api/end'
  const version = await callAs<{ id: number }>(page, 'POST', `${END}/material_version`, { subject_id: 1, name: `衔接 ${width}`, status: 1 })
  const partwork = await callAs<{ id: number }>(page, 'POST', `${END}/partwork`, { version_id: version.id, name: '初高衔接', status: 1 })
  const book = await callAs<{ id: number }>(page, 'POST', `${END}/senior_bridge/textbooks`, { subject_id: 1, partwork_id: partwork.id, name: `初高衔接 ${width}`, status: 1 })
  await callAs(page, 'POST', `${END}/senior_bridge/series`, { subject_id: 1, name: `衔接系列 ${width}`, status: 1 })
  const course = await callAs<{ id: number }>(page, 'POST', `${END}/senior_bridge/details`, { title: `函数衔接 ${width}`, subject_id: 1, textbook_id: book.id, price: 100_00, valid_days: 90, difficulty: 3 })
  const check = await callAs<{ items: { label: string; ok: boolean; must: boolean }[] }>(page, 'GET', `${END}/senior_bridge/details/${course.id}/check`)
  expect(check.items.filter(({ ok, must }) => must && !ok).map(({ label }) => label)).toEqual(['封面'])
  for (const list of ['users', 'orders']) expect((await callAs<{ total: number }>(page, 'GET', `${END}/senior_bridge/${list}`)).total).toBe(0)

  for (const [screen] of SCREENS) {
    await page.goto(`/new/seniorBridge/${screen}${screen === 'catalog' ? `?textbook_id=${book.id}` : ''}`)
    await page.locator('.kept-page:visible').getByText(screen === 'catalog' ? '还没有目录' : screen === 'textbook' ? `初高衔接 ${width}` : screen === 'series' ? `衔接系列 ${width}` : screen === 'detail' ? `函数衔接 ${width}` : /暂无|没有/).first().waitFor({ timeout: 40_000 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
  }
  expect(problems).toEqual([])
}, 240_000)
