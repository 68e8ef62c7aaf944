import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, openPage, startBrowser, startServer, type TestServer } from './browser.ts'
import { act, choose, dialog, drawer, field, option, row, save } from './form-steps.ts'
import { callAs as api } from './staff-steps.ts'

const BASE = '/daoyuan/api/end/self_study_room'
const OWN = '/daoyuan/api/end/study_room'
const ADMIN = { account: 'admin', password: 'Admin-pass1' }

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startServer({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })
  browser = await startBrowser()
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

interface Id { id: number }

test('a member of our own room buys a card, comes, changes the seat and leaves, and the day is closed', async () => {
  await using window = await openPage(browser, server)
  const { page, problems } = window
  await logIn(page, ADMIN)
  const type = (await api<Record<string, Id>>(page, 'GET', `${BASE}/type`))['common']?.id
  const school = await api<Id>(page, 'POST', `${OWN}/app_school`, { name: '道远自习室（人民路店）', type_id: type, region_code: '320508', address: '人民路 1 号', manager: '李店长', mobile: '13800138002' })
  const room = await api<Id & { rev: number }>(page, 'POST', `${OWN}/room`, { name: '安静区', school_id: school.id, type_id: type, status: 1 })
  await api(page, 'PUT', `${OWN}/room/${room.id}/seat_map`, { rev: room.rev, seats: Array.from({ length: 6 }, (_unused, x) => ({ area: 'A', row: 1, no: x + 1, kind: 1, x, y: 0, status: 1 })) })
  await api(page, 'POST', `${OWN}/member_card`, { name: '十次卡', school_id: school.id, kind: 2, quota: 10, valid_days: 90, price: 20_000, status: 1 })

  // A new member buys a card in cash.
  await page.goto('/new/study-room/user')
  await page.getByRole('button', { name: '新增会员' }).click()
  await field(page, '姓名').fill('周小雨')
  await field(page, '手机号').fill('13700001234')
  await choose(page, '学校', '人民路店')
  await save(page)
  await act(page, '周小雨', '开卡')
  const sale = dialog(page, /开卡/)
  await sale.getByLabel('会员卡').click()
  await option(page, '十次卡').click()
  await expect.poll(() => sale.locator('.ant-form-item').filter({ hasText: '收款自习室' }).first().textContent()).toContain('安静区')
  await sale.getByLabel('支付方式').click()
  await option(page, '现金').click()
  await sale.getByRole('button', { name: '开卡', exact: true }).click()
  await page.getByText('开卡成功').waitFor()

  // Comes, sits down, and moves to another seat.
  await act(page, '周小雨', '签到')
  const arrival = dialog(page, /签到/)
  await arrival.getByRole('button', { name: /1排1座|1 排 1 座|01号|1号/ }).first().click()
  await arrival.getByRole('button', { name: '签到', exact: true }).click()
  await page.getByText('周小雨已签到').waitFor()
  await page.goto('/new/study-room/list')
  await act(page, '安静区', '在座')
  const board = page.getByRole('group', { name: '在座情况' })
  await board.getByRole('button', { name: /周小雨在座/ }).click()
  await drawer(page).getByRole('button', { name: '换座', exact: true }).click()
  await board.getByRole('button', { name: /空座/ }).last().click()
  await page.getByText(/周小雨已换到/).waitFor()
  await drawer(page).getByRole('button', { name: '签退', exact: true }).click()
  await dialog(page, /签退/).getByText(/扣 1 次，剩余 9 次/).waitFor()
  await dialog(page, /签退/).getByRole('button', { name: '签退', exact: true }).click()
  await page.getByText(/周小雨已签退/).waitFor()

  // The till is counted: five yuan are missing, and that has a reason.
  await page.goto('/new/study-room/user-order')
  await row(page, '周小雨').getByText('十次卡').waitFor()
  await page.getByRole('button', { name: '日结对账' }).click()
  await page.locator('#closing-room').click()
  await option(page, '安静区').click()
  await page.locator('#counted-cash').fill('195')
  await page.getByRole('button', { name: '确认日结' }).click()
  await page.getByRole('alert').filter({ hasText: '请填写原因' }).waitFor()
  await page.getByRole('textbox', { name: '现金差额原因' }).fill('找零差错')
  await page.getByRole('button', { name: '确认日结' }).click()
  await page.getByText('日结完成').waitFor()
  const { items } = await api<{ items: object[] }>(page, 'GET', `${OWN}/day_closings`)
  expect(items).toMatchObject([{ expected: 20_000, counted: 19_500, difference: -500 }])
  expect(problems).toEqual([])
}, 300_000)
