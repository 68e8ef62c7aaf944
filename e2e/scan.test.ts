import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBuffer } from 'qrcode'
import sharp from 'sharp'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, openPage, startBrowser, startServer, type Account, type TestServer } from './browser.ts'
import { callAs } from './staff-steps.ts'

const OWN = '/daoyuan/api/end/study_room'
const folder = mkdtempSync(join(tmpdir(), 'daoyuan-e2e-scan-'))
let server: TestServer
const browsers: Browser[] = []

beforeAll(async () => {
  server = await startServer()
}, 600_000)
afterAll(async () => {
  for (const browser of browsers) await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const admin = (): Account => {
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  return account
}

/** A browser before whose camera a code is held. */
async function browserWith(text: string): Promise<Browser> {
  const code = await toBuffer(text, { width: 360, margin: 4 })
  const frame = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#b9c2cc' } }).composite([{ input: code }]).jpeg({ quality: 90 }).toBuffer()
  const file = join(folder, `${text}.mjpeg`)
  writeFileSync(file, Buffer.concat(Array.from({ length: 5 }, () => frame)))
  const browser = await startBrowser(['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${file}`])
  browsers.push(browser)
  return browser
}

const press = (page: Page) => page.getByRole('button', { name: '用相机扫码' }).first().click()

test('at the counter a card before the camera finds its member; without permission one sentence, and the field still works', async () => {
  const window = await openPage(await startBrowser().then((browser) => { browsers.push(browser); return browser }), server)
  await logIn(window.page, admin())
  const { items } = await callAs<{ items: { card_no: string; member_id: number; room_id: number | null }[] }>(window.page, 'GET', `${OWN}/user_cards?page_size=50`)
  const rooms = (await callAs<{ items: { id: number; school_id: number }[] }>(window.page, 'GET', `${OWN}/rooms?page_size=200`)).items
  const members = (await callAs<{ items: { id: number; school_id: number }[] }>(window.page, 'GET', `${OWN}/users?page_size=200`)).items
  const card = items.find(({ member_id }) => members.some(({ id, school_id }) => id === member_id && rooms.some((room) => room.school_id === school_id)))
  const school = members.find(({ id }) => id === card?.member_id)?.school_id
  const room = rooms.find(({ school_id }) => school_id === school)
  if (!card || !room) throw new Error('the demo has no card in a room')

  // Nobody allowed the camera, and there is none.
  await window.page.goto(`/new/study-room/list?front=${room.id}`)
  await press(window.page)
  await window.page.getByRole('alert').filter({ hasText: /没有使用相机的权限|没有可用的相机/ }).waitFor()
  await window.page.keyboard.press('Escape')
  await window.page.getByRole('combobox', { name: /姓名/ }).fill(card.card_no)
  await window.page.keyboard.press('Enter')
  await window.page.getByRole('region', { name: /^会员/ }).waitFor()
  expect(window.problems).toEqual([])

  const scanning = await openPage(await browserWith(card.card_no), server)
  await scanning.page.context().grantPermissions(['camera'])
  await logIn(scanning.page, admin())
  await scanning.page.goto(`/new/study-room/list?front=${room.id}`)
  await press(scanning.page)
  await scanning.page.getByRole('region', { name: /^会员/ }).waitFor()
  await scanning.page.getByRole('dialog', { name: '用相机扫码' }).waitFor({ state: 'hidden' })
  expect(scanning.problems).toEqual([])
}, 180_000)

test('on a phone a list that searches by a printed number takes it from the camera, and so does the palette; a list of names and a desk do not offer it', async () => {
  const look = await openPage(await startBrowser().then((browser) => { browsers.push(browser); return browser }), server)
  await logIn(look.page, admin())
  const [order] = (await callAs<{ items: { order_no: string }[] }>(look.page, 'GET', '/daoyuan/api/end/self_study_room/partner_orders')).items
  if (!order) throw new Error('the demo has no order')
  await look.page.goto('/new/new-study-room/partner-order')
  await look.page.locator('.list-search').waitFor()
  expect(await look.page.getByRole('button', { name: '用相机扫码' }).count()).toBe(0)

  const browser = await browserWith(order.order_no)
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL: server.base, locale: 'zh-CN', hasTouch: true, isMobile: true, serviceWorkers: 'block', permissions: ['camera'] })
  const page = await context.newPage()
  await logIn(page, admin())
  await page.goto('/new/new-study-room/partner-order')
  await press(page)
  await expect.poll(() => new URL(page.url()).searchParams.get('keyword')).toBe(order.order_no)
  await expect.poll(() => page.locator('.list-head small').first().textContent()).toBe('1')
  await page.goto('/new/new-study-room/partner')
  await page.locator('.list-search').waitFor()
  expect(await page.getByRole('button', { name: '用相机扫码' }).count()).toBe(0)
  await page.keyboard.press('Control+k')
  await press(page)
  await expect.poll(() => page.getByRole('combobox', { name: '命令面板' }).inputValue()).toBe(order.order_no)
  await page.getByRole('option').filter({ hasText: order.order_no }).first().waitFor()
  await context.close()
}, 180_000)
