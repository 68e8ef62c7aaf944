import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, startBrowser, startServer, type TestServer } from './browser.ts'
import { accountOf, addressOf, arrive, countCalls, enter, frontPage, PATIENCE, takeSession } from './shell-steps.ts'

const PARTNERS = '/new-study-room/partner'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const palette = (page: Page) => page.getByRole('combobox', { name: '命令面板' })

test('67-69, 87-88 the bar: 50 px, hamburger, the old console at the site\'s root, fullscreen that says when it cannot', async () => {
  await using opened = await openPage(browser, server)
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  expect((await page.locator('.topbar').boundingBox())?.height).toBe(50)
  const hamburger = page.locator('.topbar .hamburger')
  expect(await hamburger.evaluate((element) => [element.tagName, element.getAttribute('aria-expanded')])).toEqual(['BUTTON', 'true'])
  await hamburger.click()
  expect(await hamburger.getAttribute('aria-expanded')).toBe('false')
  expect(await page.getByRole('link', { name: '返回旧版' }).evaluate((element) => new URL((element as HTMLAnchorElement).href).pathname)).toBe('/')
  // The icon follows the browser, so Escape or F11 cannot leave it wrong.
  await page.evaluate(() => {
    Object.defineProperty(document, 'fullscreenElement', { configurable: true, get: () => document.documentElement })
    document.dispatchEvent(new Event('fullscreenchange'))
  })
  await page.getByRole('button', { name: '退出全屏' }).waitFor()
  await page.evaluate(() => {
    Object.defineProperty(document, 'fullscreenElement', { configurable: true, get: () => null })
    Object.defineProperty(document, 'fullscreenEnabled', { configurable: true, get: () => false })
    document.dispatchEvent(new Event('fullscreenchange'))
  })
  await page.getByRole('button', { name: '全屏', exact: true }).click()
  await page.getByText('you browser can not work').waitFor()
  expect(problems).toEqual([])
})

test('78 while an input method composes nothing is searched and Enter is its own', async () => {
  await using opened = await openPage(browser, server)
  const { page } = opened
  await enter(page, accountOf(server), PARTNERS)
  await page.locator('.menu-search').getByRole('button', { name: '搜索菜单' }).click()
  const field = page.locator('.menu-search').getByRole('combobox')
  await field.dispatchEvent('compositionstart')
  await field.fill('xue')
  await field.press('Enter')
  expect(addressOf(page)).toBe(PARTNERS)
  expect(await page.locator('.menu-search-hits').count()).toBe(0)
  await field.dispatchEvent('compositionend')
  await page.locator('.menu-search-hits').getByRole('option').first().waitFor()
})

for (const { what, screen, kind, group } of [
  { what: 'an order by its number', screen: '/new-study-room/partner-order', kind: /^[A-Z]*\d{8,}$/, group: '合伙人订单' },
  { what: 'a pad by its SN', screen: '/study-room/pad', kind: /^[A-Z0-9]{8,24}$/, group: '平板' },
  { what: 'a question by its number', screen: '/practice/back', kind: /^[A-Z]\d-\d{5,}$/, group: '高中后台试题' },
]) {
  test(`b6 the palette finds ${what}`, async () => {
    await using opened = await openPage(browser, server)
    const { page, problems } = opened
    await enter(page, accountOf(server), screen)
    let number = ''
    await expect.poll(async () => {
      number = (await frontPage(page).innerText()).split(/\s+/).find((word) => kind.test(word)) ?? ''
      return number
    }, PATIENCE).not.toBe('')
    await page.keyboard.press('ControlOrMeta+KeyK')
    await palette(page).fill(number)
    const record = page.getByRole('group', { name: group, exact: true }).getByRole('option', { name: number })
    await record.first().waitFor()
    await record.first().click()
    await palette(page).waitFor({ state: 'detached' })
    await expect.poll(() => addressOf(page), PATIENCE).not.toBe(screen)
    expect(problems).toEqual([])
  })
}

test('b6 nothing is asked for records that a person may not open', async () => {
  await using opened = await openPage(browser, server)
  const { page } = opened
  await enter(page, accountOf(server, 'chakan'), PARTNERS)
  const staff = countCalls(page, '/daoyuan/api/end/staffs')
  const pads = countCalls(page, '/daoyuan/api/end/study_room/pads')
  const asked = page.waitForRequest((request) => request.url().includes('keyword=DYPAD2026'))
  await page.keyboard.press('ControlOrMeta+KeyK')
  await palette(page).fill('DYPAD2026A0')
  await asked
  await page.waitForLoadState('networkidle')
  expect([staff.count, pads.count]).toEqual([0, 0])
})

test('92-93 the avatar menu: home and leaving, closed by Escape; the usual picture for a broken one', async () => {
  await using opened = await openPage(browser, server)
  const { page } = opened
  await takeSession(page, accountOf(server))
  await page.route('**/daoyuan/api/end/staff', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()) as object, avatar: '/no/such/picture.png' } })
  })
  await page.goto(`/new${PARTNERS}`)
  await frontPage(page).waitFor()
  await expect.poll(() => page.locator('.person img').getAttribute('src'), PATIENCE).toBe('/new/avatar.svg')
  await page.locator('.person').click()
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  expect(await items.allTextContents()).toEqual(['首页', '退出登录'])
  await page.keyboard.press('Escape')
  await items.first().waitFor({ state: 'hidden' })
  await page.locator('.person').click()
  await page.getByRole('menuitem', { name: '首页' }).click()
  await arrive(page, '/')
})

