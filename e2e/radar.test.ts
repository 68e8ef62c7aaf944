import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { logIn, openPage, startBrowser, startServer, type TestServer } from './browser.ts'
import { record } from './form-steps.ts'

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

test('a province on the radar leads by its batch to a case, which is judged by its evidence', async () => {
  await using window = await openPage(browser, server, { width: 1440, height: 900 })
  const { page } = window
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  await page.goto('/new/new-study-room/authorization-code')
  await page.locator('.lists-switch').getByText('串货雷达').click()
  await page.getByText('近 365 天').click()
  const flows = page.getByRole('region', { name: '去向和批次' }).getByRole('table').first().locator('tbody tr.ant-table-row')
  // Who uses keys chooses a province as well.
  await page.getByRole('button', { name: /^浙：激活 \d+ 个，其中外省合伙人的 [1-9]/ }).press('Enter')
  await expect.poll(async () => (await flows.allInnerTexts()).filter((row) => !row.includes('浙江')).length).toBe(0)
  expect(await flows.count()).toBeGreaterThan(0)
  await page.goto('/new/new-study-room/authorization-code?show=radar')
  // The number of a batch of which there is an open case leads to it.
  const { items } = await (await page.request.get('/daoyuan/api/end/self_study_room/code_diversions?status=1')).json() as { items: { id: number; group_id: number }[] }
  const [found] = items
  if (!found) throw new Error('the demo has no case that is open')
  await page.getByText('近 365 天').click()
  await page.locator(`a.figure[href$="group_id=${found.group_id}"]`).click()
  await page.getByRole('row').filter({ hasText: '疑似' }).first().waitFor()
  await page.goto(`/new/new-study-room/authorization-code?show=cases&open=${found.id}`)
  await record(page).getByRole('tab', { name: '证据' }).click()
  await record(page).getByText('异地占比').waitFor()
  await record(page).getByRole('link', { name: /^查看这 [\d,]+ 个码/ }).waitFor()
  await record(page).getByRole('button', { name: '核实为串货', exact: true }).click()
  await page.getByRole('dialog', { name: /核实为串货/ }).getByLabel('原因').fill('合伙人承认转卖')
  await page.getByRole('dialog', { name: /核实为串货/ }).getByRole('button', { name: '核实为串货' }).click()
  await record(page).getByText('已核实').first().waitFor()
  expect(window.problems).toEqual([])
}, 60_000)
