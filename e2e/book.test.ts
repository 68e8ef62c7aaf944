import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { openPage, startBrowser, startServer, takeSession, type TestServer } from './browser.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), startBrowser()])
}, 700_000)
afterAll(async () => {
  await browser.close()
  await server.stop()
})

test('a printed code is led to something else with a reason, and who scans it sees that', async () => {
  await using window = await openPage(browser, server)
  const { page, problems } = window
  await takeSession(page, server.accounts[0]!)
  await page.goto('/new/practiceBook/content/ebook/junior?state=1')
  const row = page.locator('.ant-table-row').first()
  await row.waitFor()
  const code = await row.getByText(/^[2-9A-HJKMNP-Z]{8}$/).innerText()
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/)
  await row.getByRole('button', { name: '改指向' }).or(row.getByText('改指向')).first().click()
  const dialog = page.locator('.ant-modal').filter({ hasText: '改指向' })
  await dialog.locator('.ant-segmented-item-label', { hasText: '网址' }).click()
  await dialog.getByRole('textbox', { name: '网址' }).fill('http://192.168.1.1/')
  await dialog.getByRole('textbox', { name: '原因' }).fill('讲解视频重录，先指向说明页')
  await dialog.getByRole('button', { name: /确\s*定/ }).click()
  await dialog.getByText('网址不允许：不能指向内网地址').waitFor()
  await dialog.getByRole('textbox', { name: '网址' }).fill('https://help.example.org/book')
  await dialog.getByRole('button', { name: /确\s*定/ }).click()
  await page.getByText('已改指向，扫码立即生效').waitFor()
  const scanned = await page.request.get(`/q/${code.toLowerCase()}`)
  expect(await scanned.text()).toContain('前往 help.example.org')
  expect(problems).toEqual([])
})

test('places of a page are drawn by the mouse, moved by the keys, numbered, bound and saved', async () => {
  await using window = await openPage(browser, server)
  const { page, problems } = window
  await takeSession(page, server.accounts[0]!)
  await page.goto('/new/practiceBook/content/pebDetail?book_id=1&page=8')
  const canvas = page.locator('.page-canvas').first()
  await canvas.waitFor()
  const spots = canvas.locator('.page-spot')
  await spots.first().waitFor()
  const before = await spots.count()
  const frame = (await canvas.boundingBox())!
  await page.mouse.move(frame.x + frame.width * 0.1, frame.y + frame.height * 0.02)
  await page.mouse.down()
  await page.mouse.move(frame.x + frame.width * 0.3, frame.y + frame.height * 0.05, { steps: 4 })
  await page.mouse.up()
  expect(await spots.count()).toBe(before + 1)
  const fresh = canvas.locator('.page-spot[data-chosen="true"]')
  const left = async () => Number(await fresh.evaluate((spot: HTMLElement) => Number.parseFloat(spot.style.left)))
  const from = await left()
  await fresh.focus()
  await page.keyboard.press('Shift+ArrowRight')
  expect(await left()).toBeCloseTo(from + 1, 2)
  await page.keyboard.press('ArrowRight')
  expect(await left()).toBeCloseTo(from + 1.1, 2)
  await page.getByLabel('题号').fill('附加题')
  await page.getByLabel('绑定的内容').click()
  await page.locator('.ant-select-item-option').first().click()
  await page.getByRole('button', { name: /^保\s*存$/ }).click()
  await page.getByText('热区已保存').waitFor()
  await page.reload()
  await canvas.locator('.page-spot[data-bound="true"]', { hasText: '附加题' }).waitFor()
  expect(problems).toEqual([])
})

test('a book is looked at before it is printed, and its print is in its papers', async () => {
  await using window = await openPage(browser, server)
  const { page, problems } = window
  await takeSession(page, server.accounts[0]!)
  await page.goto('/new/practiceBook/content/pebManage?open=1')
  await page.getByRole('tab', { name: '印次' }).click()
  await page.getByText('第 2 次').waitFor()
  await page.getByText('12,000').waitFor()
  expect(problems).toEqual([])
})
