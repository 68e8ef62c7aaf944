import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { runConsole } from './console.ts'
import { logIn, takeSession } from './browser.ts'
import { option } from './form-steps.ts'
import { accountOf } from './shell-steps.ts'

const { open, server } = runConsole()

const titles = (page: Page) => page.locator('.figure-card .home-figure > span').allTextContents()
const saved = (page: Page) => page.waitForResponse((answer) => answer.url().endsWith('/end/preferences') && answer.request().method() === 'PUT')
const menu = async (page: Page, title: string, what: string) => {
  await page.getByRole('button', { name: `${title}的操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: what, exact: true }).click()
}

test('figures of home are added, moved by mouse and keys, removed, lead to the list with the same number, and are put back', async () => {
  await using window = await open()
  const { page, problems } = window
  await logIn(page, accountOf(server))
  await page.locator('.figure-card').first().waitFor()
  const first = await titles(page)
  expect(first.length).toBeGreaterThan(3)

  await page.getByRole('button', { name: /添\s?加$/ }).click()
  const dialog = page.getByRole('dialog', { name: '添加指标' })
  await dialog.getByText('近 7 天').click()
  await dialog.getByRole('combobox', { name: '指标' }).fill('新增反馈')
  await option(page, '新增反馈').click()
  await Promise.all([saved(page), dialog.getByRole('button', { name: /添\s?加/ }).click()])
  await expect.poll(() => titles(page)).toEqual([...first, '新增反馈 近 7 天'])

  // By keys: up from the last place.
  const handle = page.getByRole('button', { name: '移动 新增反馈' })
  await handle.focus()
  await page.keyboard.press('Space')
  await page.waitForTimeout(300)
  await page.keyboard.press('ArrowUp')
  await page.waitForTimeout(300)
  await Promise.all([saved(page), page.keyboard.press('Space')])
  await expect.poll(() => titles(page).then((all) => all.at(-2))).toBe('新增反馈 近 7 天')

  // By mouse: to the top.
  await handle.hover()
  const [from, to] = [await handle.boundingBox(), await page.locator('.figure-card').first().boundingBox()]
  if (!from || !to) throw new Error('cards are not drawn')
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y - 40, { steps: 5 })
  await page.mouse.move(from.x + 8, to.y + 10, { steps: 20 })
  await page.waitForTimeout(300)
  await Promise.all([saved(page), page.mouse.up()])
  await expect.poll(() => titles(page).then((all) => all[0])).toBe('新增反馈 近 7 天')

  const [, second = ''] = first
  const removed = second.replace(/ 近 30 天$/, '')
  await Promise.all([saved(page), menu(page, removed, '移除')])
  await Promise.all([saved(page), menu(page, '新增反馈', '近 30 天')])
  await expect.poll(() => titles(page)).not.toContain(second)
  await page.reload()
  await expect.poll(() => titles(page).then((all) => all.slice(0, 2))).toEqual(['新增反馈 近 30 天', first[0]])

  const card = page.locator('.home-figure').filter({ hasText: '新增用户' })
  const said = await card.locator('strong').textContent()
  await card.click()
  await expect.poll(() => page.locator('.list-head small').first().textContent()).toBe(said)
  await page.goBack()
  await Promise.all([saved(page), page.getByRole('button', { name: '恢复默认' }).click()])
  await expect.poll(() => titles(page)).toEqual(first)
  expect(problems).toEqual([])
}, 120_000)

test('on a phone, with few rights, only figures of lists that the person may see are there to choose', async () => {
  await using window = await open({ width: 390, height: 844 })
  const { page, problems } = window
  await takeSession(page, accountOf(server, 'chakan'))
  await page.goto('/new/')
  await page.getByRole('button', { name: /添\s?加$/ }).click()
  await page.getByRole('combobox', { name: '指标' }).fill('反馈')
  await page.getByText('没有匹配的指标').waitFor()
  expect(problems).toEqual([])
}, 60_000)
