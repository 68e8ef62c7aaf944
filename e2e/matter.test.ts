import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { dialog, row } from './form-steps.ts'
import { callAs as api } from './staff-steps.ts'

const ADMIN = { account: 'admin', password: 'Admin-pass1' }
const BASE = '/daoyuan/api/end/practice_book'
const PACKS = '/daoyuan/api/end/accompany/research/packs'

const { open } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })

interface Id { id: number }

/** Picks in a select of a dialog, whose options come from the server. */
async function pick(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('dialog').last().locator('.ant-form-item').filter({ has: page.locator(`label[title="${label}"]`) }).locator('input').first().click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: text }).first().click()
}

test('cards are scanned out to a bookshop and stand in the book; a count says what is missing', async () => {
  await using window = await open()
  const { page, problems } = window
  await logIn(page, ADMIN)
  const { id: main } = await api<Id>(page, 'POST', `${BASE}/warehouse`, { name: '苏州总仓' })
  const { id: cards } = await api<Id>(page, 'POST', `${BASE}/matter`, { name: '激活码刮刮卡', sku: 'CARD-01', kind: 'card', unit: '张', lead_days: 12, floor: 100, cost: 35 })
  await api(page, 'POST', `${BASE}/matters/moves`, { kind: 'in', warehouse_id: main, lines: [{ matter_id: cards, qty: 300 }] })

  await page.goto('/new/practiceBook/matter')
  await row(page, '激活码刮刮卡').getByText('300 张').waitFor()
  // The list's own button comes before those of its rows.
  await page.getByRole('button', { name: /^出\s*库$/ }).first().click()
  await pick(page, '出库仓库', '苏州总仓')
  await pick(page, '用途', '代理领用')
  const form = dialog(page, '物料出库')
  await form.getByLabel('领用人').fill('江苏启明书店')
  const scan = form.getByRole('textbox', { name: '扫码或输入编码' })
  // A scanner does not wait for answers.
  for (let times = 0; times < 3; times++) {
    await scan.fill('card-01')
    await scan.press('Enter')
  }
  await expect.poll(() => form.getByRole('spinbutton', { name: '激活码刮刮卡的数量' }).inputValue()).toBe('3')
  await form.getByRole('button', { name: '出库 3 件' }).click()
  await page.getByText(/已出库 1 种 3 件/).waitFor()
  await row(page, '激活码刮刮卡').getByText('297 张').waitFor()
  await page.goto('/new/practiceBook/matter?show=move')
  await row(page, '−3').getByText('代理领用').waitFor()

  const { id: sheet } = await api<Id>(page, 'POST', `${BASE}/matter_check`, { kind: 'count', warehouse_id: main, name: '月末盘点' })
  await page.goto(`/new/practiceBook/matter?show=check&open=${sheet}`)
  await page.getByRole('tab', { name: '清点' }).click()
  await page.getByText('该仓还有 1 种没有清点').waitFor()
  const counted = page.getByRole('spinbutton', { name: '激活码刮刮卡的实际数量' })
  await counted.fill('295')
  await counted.press('Enter')
  await page.getByText('1 种有差异').waitFor()
  expect(problems).toEqual([])
}, 120_000)

test('terms are pasted from a sheet, used by an item and kept in their order', async () => {
  await using window = await open()
  const { page, problems } = window
  await logIn(page, ADMIN)
  const pack = await api<Id>(page, 'POST', PACKS, { name: '全等三角形', subject_id: 101, sort: 10 })
  await api(page, 'PUT', `${PACKS}/${pack.id}`, { items: [{ key: 'item-one', kind: 'article', term: '第 1 课', title: '三线合一：预习', body: '等腰三角形的三线合一。' }] })
  await page.goto(`/new/accompany/research/material/${pack.id}`)
  await page.getByRole('link', { name: '词条 0 个' }).click()
  await page.getByRole('button', { name: '从表格粘贴' }).click()
  await page.getByRole('textbox', { name: '粘贴的词条' }).fill('词条\t释义\n三线合一\t顶角平分线、底边上的中线和高互相重合\n全等形\t能够完全重合的图形\n全等形\t又一次')
  await page.getByText('与第 3 行相同').waitFor()
  await page.getByRole('button', { name: '应用 2 条' }).click()
  await page.locator('.term-row').filter({ hasText: '三线合一' }).click()
  await page.getByText('1 项内容的正文提到它，还没有关联').waitFor()
  await page.getByRole('button', { name: '全部关联' }).click()
  await page.getByRole('button', { name: '拖动 三线合一' }).focus()
  for (const key of ['Space', 'ArrowDown', 'Space']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(300)
  }
  await page.getByRole('button', { name: '保存词条' }).click()
  await page.getByText('词条已保存').waitFor()
  await expect.poll(() => page.locator('.term-row').allTextContents()).toEqual([expect.stringContaining('全等形'), expect.stringContaining('1 项内容用到')])
  expect(problems).toEqual([])
}, 120_000)

test('a tool works beside the page, and what is of people is not kept', async () => {
  await using window = await open()
  const { page, problems } = window
  await logIn(page, ADMIN)
  await page.goto('/new/tools/index?tool=mobiles')
  await page.getByRole('button', { name: '试一个例子' }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('得到 3 个手机号').first().waitFor()
  await page.getByRole('navigation', { name: '工具' }).getByRole('button', { name: '批量二维码' }).click()
  await page.getByRole('button', { name: '试一个例子' }).click()
  await page.getByRole('button', { name: '运行' }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '下载 2 个 SVG' }).click()])
  expect(file.suggestedFilename()).toBe('批量二维码.zip')
  const kept = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('tools-runs')).map(([, value]) => value).join(''))
  expect(kept).toContain('example.com')
  expect(kept).not.toContain('13800138000')
  expect(problems).toEqual([])
}, 120_000)
