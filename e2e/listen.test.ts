import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
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

test('an application is asked for more, a ticket is answered with a reply given often, an order is found by its number with its lines', async () => {
  await using window = await openPage(browser, server, { width: 1440, height: 900 })
  const { page } = window
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  // Papers beside the form: what is missing is ticked.
  await page.goto('/new/operate/teacherApply?status=1')
  await page.locator('.ant-table-row').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: '材料与查重' }).click()
  await page.getByRole('checkbox', { name: '本人照片' }).check()
  await page.getByRole('button', { name: '要求补件' }).last().click()
  await page.getByText('已通知补件').waitFor()
  // The queue by the clock, a reply given often at the cursor, the next one.
  await page.goto('/new/operate/feedbackDetail')
  await page.getByText('未分配', { exact: true }).first().click()
  await page.locator('.ticket-sides nav li a').first().click()
  await page.getByRole('textbox', { name: '回复' }).click()
  await page.keyboard.press('/')
  await page.getByPlaceholder('按快捷码或内容查找').fill('报错')
  await page.getByText(/教研老师/).last().waitFor()
  await page.keyboard.press('Enter')
  const reply = page.getByRole('textbox', { name: '回复', exact: true })
  await expect.poll(() => reply.inputValue()).toContain('教研老师')
  await expect.poll(() => reply.evaluate((box) => box === document.activeElement)).toBe(true)
  await page.keyboard.press('Control+Enter')
  await page.locator('.ticket-said li[data-side="staff"]').last().getByText('教研老师').waitFor()
  // A number of an order, from its screen to the lines of all kinds.
  await page.goto('/new/operate/orderDetail')
  await page.locator('.order-sides nav li a').first().click()
  await page.getByText('净收').waitFor()
  const no = (await page.locator('.order-sides nav li[data-chosen="true"] .figure').textContent()) ?? ''
  await page.goto('/new/operate/query/sn')
  await page.getByRole('textbox', { name: '查询内容' }).fill(`${no}\n${no}\n不是号码`)
  await page.keyboard.press('Control+Enter')
  await page.getByText('与第 1 行相同').waitFor()
  await page.getByRole('link', { name: new RegExp(no) }).click()
  await page.waitForURL(/open=/)
}, 120_000)

test('a clue is moved on the board, which asks for when its test is', async () => {
  await using window = await openPage(browser, server, { width: 1440, height: 900 })
  const { page } = window
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  await page.goto('/new/excellent-training/clue?show=board')
  const column = (name: string) => page.getByRole('region', { name })
  const total = async (name: string) => Number(await column(name).locator('h3 a').textContent())
  await column('新线索').locator('.clue-card').first().waitFor()
  const before = await total('已测评')
  await column('已联系').getByRole('button', { name: /的操作/ }).first().click()
  await page.getByRole('menuitem', { name: '移到「已测评」' }).click()
  await expect.poll(() => total('已测评')).toBe(before + 1)
  await column('已联系').getByRole('button', { name: /的操作/ }).first().click()
  await page.getByRole('menuitem', { name: '移到「已约测」' }).click()
  await page.getByRole('button', { name: '保 存' }).or(page.getByRole('button', { name: '保存' })).last().click()
  await page.getByText('请选择测评时间').first().waitFor()
}, 60_000)
