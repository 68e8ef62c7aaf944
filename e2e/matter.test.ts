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

test('a card is scanned out to a bookshop and stands in the book; terms are pasted and used; numbers are made unique', async () => {
  await using window = await openPage(browser, server, { width: 1440, height: 900 })
  const { page } = window
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  await page.goto('/new/practiceBook/matter')
  await page.locator('.ant-table-row').first().waitFor()
  await page.getByRole('button', { name: '出库', exact: true }).or(page.getByRole('button', { name: '出 库', exact: true })).first().click()
  const form = page.getByRole('dialog', { name: '物料出库' })
  const pick = async (label: string, text: string) => {
    await form.locator('.ant-form-item').filter({ has: page.locator(`label[title="${label}"]`) }).locator('input').first().click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: text }).first().click()
  }
  await pick('出库仓库', '苏州总仓')
  await pick('用途', '代理领用')
  await form.getByLabel('领用人').fill('江苏启明书店')
  const scan = form.getByRole('textbox', { name: '扫码或输入编码' })
  for (let times = 0; times < 2; times++) {
    await scan.fill('CARD-GZ-01')
    await scan.press('Enter')
    await expect.poll(() => scan.inputValue()).toBe('')
  }
  const qty = form.getByRole('spinbutton', { name: '激活码刮刮卡（高中）的数量' })
  await expect.poll(() => qty.inputValue()).toBe('2')
  await form.getByRole('button', { name: '出库 2 件' }).click()
  await page.getByText(/已出库 1 种 2 件/).waitFor()
  await page.goto('/new/practiceBook/matter?show=move')
  await page.locator('.ant-table-row').filter({ hasText: '激活码刮刮卡（高中）' }).filter({ hasText: '−2' }).first().waitFor()
  // Terms from a sheet, used by an item, in the version of the pack.
  await page.goto('/new/accompany/research/material')
  await page.locator('.ant-table-row a[href*="/material/terms/"]').first().click()
  await page.getByRole('button', { name: '从表格粘贴' }).click()
  await page.getByRole('textbox', { name: '粘贴的词条' }).fill('三线合一\t等腰三角形的顶角平分线、底边上的中线和高重合')
  await page.getByRole('button', { name: '应用 1 条' }).click()
  await page.locator('.term-row').filter({ hasText: '三线合一' }).click()
  await page.locator('.term-uses').getByRole('checkbox').first().check()
  await page.getByRole('button', { name: '保存词条' }).click()
  await page.getByText('词条已保存').waitFor()
  await page.locator('.term-row').filter({ hasText: '三线合一' }).filter({ hasText: '1 项内容用到' }).waitFor()
  // A tool, beside the page.
  await page.goto('/new/tools/index?tool=mobiles')
  await page.getByRole('button', { name: '试一个例子' }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('得到 3 个手机号').first().waitFor()
}, 120_000)
