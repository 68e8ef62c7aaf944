import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'

const running = runConsole()

test('a hole is given to somebody, a chapter is laid out, finished and led back, and a measurement shows its report', async () => {
  await using window = await running.open({ width: 1440, height: 900 })
  const { page } = window
  const [account] = running.server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  // A hole that nobody writes yet becomes an order, which the map shows at once.
  await page.goto('/new/practiceBook/content/training?book_id=1')
  const hole = page.locator('.bc-cell[data-state="short"]').first()
  await hole.click()
  await page.getByRole('button', { name: '派写题任务' }).click()
  const dialog = page.getByRole('dialog', { name: /派写题任务/ })
  await dialog.getByLabel('写题人').click()
  await page.locator('.ant-select-item-option').first().click()
  await dialog.getByRole('button', { name: /派\s?单/ }).click()
  await page.getByText(/已派给/).waitFor()
  await page.getByText(/，已派 \d+ 道/).last().waitFor()
  // The pages of a chapter: what is added is saved by itself, finished as a version, and led back to the one before.
  await page.goto('/new/practiceBook/trainMaterialEdit/1')
  await page.locator('.print-page').first().waitFor()
  const pieces = page.locator('.bc-piece')
  const before = await pieces.count()
  await page.getByRole('button', { name: /文字$/ }).click()
  await page.getByRole('textbox', { name: '文字' }).fill('先看清条件，再动笔。')
  await page.getByRole('button', { name: /保\s?存/ }).click()
  await expect.poll(() => pieces.count()).toBe(before + 1)
  await page.getByText('已保存').waitFor()
  await page.getByRole('button', { name: /定\s?稿/ }).click()
  await page.getByText(/已定稿为第 \d+ 版/).waitFor()
  await page.getByRole('button', { name: /版\s?本/ }).click()
  await page.getByRole('button', { name: '恢复为此版' }).last().click()
  await expect.poll(() => pieces.count()).toBe(before)
  await page.getByText('已保存').waitFor()
  // The report is worked out from answers that are tried.
  await page.goto('/new/practiceBook/content/ai-measurement?state=1')
  const row = page.locator('.ant-table-row').first()
  await row.hover()
  await row.getByRole('button', { name: '组卷和预览' }).click()
  await page.getByRole('tab', { name: '报告预览' }).click()
  await page.getByText('自己试答').click()
  const score = page.locator('.bc-report header b')
  const told = await score.textContent()
  await page.getByRole('group', { name: '逐题对错' }).getByRole('button').first().click()
  await expect.poll(() => score.textContent()).not.toBe(told)
  expect(window.problems).toEqual([])
}, 120_000)
