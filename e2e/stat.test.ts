import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { logIn, openPage, startBrowser, startServer, type TestServer } from './browser.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startServer()
  browser = await startBrowser()
}, 600_000)
afterAll(async () => {
  await browser.close()
  await server.stop()
})

interface Tile { name: string; value: number; behind: { title: string; value: number; to: string | null }[] }

/** What the list at an address says: how many records, and the sum of what was paid. */
async function listed(page: Page, to: string): Promise<{ total: number; paid: number }> {
  const seen = page.waitForResponse((answer) => answer.request().method() === 'GET' && /\/daoyuan\/api\/end\/.*[?&](paid_at|register_at|created_at|activated_at)_start=/.test(answer.url()) && answer.url().includes('page_size'))
  await page.goto(`/new${to}`)
  const answer = await seen
  const url = new URL(answer.url())
  const { total = 0 } = (await answer.json()) as { total?: number }
  for (const key of ['page', 'page_size']) url.searchParams.delete(key)
  const summary = await page.request.get(`${url.pathname}/summary?${url.searchParams}`)
  return { total, paid: summary.ok() ? ((await summary.json()) as { paid?: number }).paid ?? 0 : 0 }
}

test('a tile leads to lists with the same number; a note stands on its day; an alert is looked after and its rule is tried first', async () => {
  await using window = await openPage(browser, server, { width: 1440, height: 900 })
  const { page } = window
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  await page.goto('/new/operate/monitor/dataCenter?range=week')
  await page.getByRole('button', { name: /付款订单/ }).click()
  await page.getByRole('button', { name: '看明细' }).click()
  await page.locator('.stat-lists li').first().waitFor()
  const answer = await page.request.get('/daoyuan/api/end/monitor/stats?range=week')
  const { tiles } = (await answer.json()) as { tiles: Tile[] }
  for (const name of ['orders', 'new_user', 'code_activated']) {
    const tile = tiles.find((one) => one.name === name)
    expect(tile?.behind.reduce((sum, { value }) => sum + value, 0), name).toBe(tile?.value)
    // The smallest of several lists, whose total is not capped, and the one list of a figure that has one.
    const last = tile?.behind.filter(({ value }) => value > 0).at(-1)
    if (last?.to) expect((await listed(page, last.to)).total, `${name} ${last.title}`).toBe(last.value)
  }
  const money = tiles.find(({ name }) => name === 'paid')?.behind.filter(({ value }) => value > 0).at(-1)
  if (money?.to) expect((await listed(page, money.to)).paid, money.title).toBe(money.value)
  // A note, on its day.
  await page.goto('/new/operate/monitor/dataCenter')
  await page.getByRole('button', { name: '记一笔' }).click()
  await page.getByRole('textbox', { name: '发生了什么' }).fill('短信通道切换')
  await page.getByRole('button', { name: '记下' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: '记一笔' }).click()
  await page.getByRole('dialog').getByText('短信通道切换').waitFor()
  await page.keyboard.press('Escape')
  // The open alert: begun with, written about, and then nobody's inbox.
  await page.goto('/new/operate/monitor/detail')
  await page.locator('li').filter({ hasText: '未处理' }).getByRole('link').first().click()
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByRole('main', { name: '告警' }).getByText('处理中').first().waitFor()
  await page.getByRole('searchbox', { name: '处理记录' }).fill('已联系渠道核对')
  await page.keyboard.press('Enter')
  await page.getByText('已联系渠道核对').first().waitFor()
  // A rule is tried on the past before it is saved.
  await page.goto('/new/operate/monitor/index?show=rules')
  await page.getByText('激活授权码骤降').first().click()
  await page.keyboard.press('e')
  await page.getByRole('button', { name: '用近 60 天试算' }).click()
  await page.getByText(/近 60 天会触发/).waitFor()
  expect(window.problems).toEqual([])
}, 180_000)
