import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'

const { open, server } = runConsole()

test('comments are decided by keys and taken back, an author is silenced, a word is tried before it is saved, and a bar leads into the video', async () => {
  await using window = await open({ width: 1440, height: 900 })
  const { page } = window
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  await page.goto('/new/comment/manage')
  const rows = page.locator('.review-list li')
  const words = () => page.locator('.review-words').textContent()
  await page.locator('.review-words').waitFor()
  // One after the other by keys; what was decided last is taken back and comes again.
  for (const key of ['p', 'h', 'p', 'h', 'p']) {
    const before = await rows.first().textContent()
    await page.locator('.review-keys').waitFor()
    await page.keyboard.press(key)
    await expect.poll(() => rows.first().textContent()).not.toBe(before)
  }
  await page.locator('.review-keys').waitFor()
  const last = await words()
  await page.keyboard.press('d')
  await page.getByText('已删除').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('已撤销，重新待审').waitFor()
  await expect.poll(words).toBe(last)
  // Who wrote it may not speak for a week.
  await page.locator('.review-keys').waitFor()
  await page.keyboard.press('m')
  await page.getByRole('textbox', { name: '原因' }).fill('多次发布广告')
  await page.getByRole('dialog').getByRole('button', { name: /禁\s*言/ }).click()
  await page.getByText(/已禁言并屏蔽/).waitFor()
  await page.getByText('禁言', { exact: true }).first().click()
  await page.getByText('多次发布广告').first().waitFor()
  // A word that everybody writes asks twice.
  await page.goto('/new/comment/manage?show=words')
  await page.getByRole('button', { name: '新增敏感词' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: /词$/ }).fill('的')
  await page.getByRole('button', { name: /试\s*词/ }).click()
  await page.getByText(/近 30 天命中 \d+ 条/).first().waitFor()
  await page.getByRole('dialog').getByRole('button', { name: /保\s*存/ }).click()
  await page.getByRole('checkbox', { name: '我已看过命中的评论，仍要保存' }).waitFor()
  await page.getByRole('button', { name: /取\s*消/ }).click()
  await page.getByRole('button', { name: '检查文字' }).click()
  await page.getByRole('textbox', { name: '要检查的文字' }).fill('有问题 加 薇 信 问我')
  await page.getByRole('button', { name: /检\s*查$/ }).last().click()
  await page.getByText('会等待人工审核').waitFor()
  await page.keyboard.press('Escape')
  // Totals lead to exactly these comments, and those into the video.
  await page.goto('/new/comment/search/totalDetail')
  const first = page.locator('.ant-table-row a').first()
  const n = (await first.textContent())?.trim()
  await first.click()
  await page.waitForURL(/created_at_start/)
  await expect.poll(async () => (await page.locator('.list-head, .list-page').first().textContent())?.includes(n ?? '?')).toBe(true)
  await page.goto('/new/comment/search/detail')
  await page.getByRole('combobox', { name: '视频' }).click()
  await page.locator('.ant-select-item-option').first().click()
  await page.locator('.talk-thread').first().waitFor()
  await page.getByRole('button', { name: /· \d+ 条$/ }).first().click()
  await page.getByRole('button', { name: '看全部' }).waitFor()
}, 120_000)
