import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { dialog, drawer, option } from './form-steps.ts'
import { callAs as api } from './staff-steps.ts'

const PARTNERS = '/new/new-study-room/partner'
const LIST = '/daoyuan/api/end/self_study_room/partners'
const RECORD = '/daoyuan/api/end/self_study_room/partner'
const PHONE = { width: 390, height: 844 }

const { open, server } = runConsole()

interface Partner { id: number; name: string; status: number; expire_at: number; mobile: string }
type Found = { items: Partner[]; total: number }

async function enter(page: Page, query = '?look=table'): Promise<void> {
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)
  await page.goto(`${PARTNERS}${query}`)
  await page.locator('.list-head').first().waitFor()
}

const look = (page: Page, word: string) => page.getByRole('group', { name: '查看方式' }).getByRole('button', { name: word }).click()
const numberIn = async (place: Locator) => Number((await place.innerText()).replaceAll(/\D/g, ''))
const total = (page: Page) => numberIn(page.locator('.list-head small').first())

/** Drags something to the middle of something else, as a hand does it. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.scrollIntoViewIfNeeded()
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('nothing to drag')
  await page.mouse.move(start.x + 20, start.y + start.height - 6)
  await page.mouse.down()
  await page.mouse.move(start.x + 40, start.y + start.height, { steps: 4 })
  await page.mouse.move(end.x + end.width / 2, end.y + Math.min(end.height / 2, 300), { steps: 8 })
  await page.mouse.up()
}

test('a list is grouped, seen as a board, a calendar and a chart, and each says the same numbers', async () => {
  await using window = await open()
  const { page, problems } = window
  await enter(page)
  await page.locator('tr[data-row-key]').first().waitFor()
  const all = await total(page)

  // Groups with sums, unfolded in their place.
  await page.getByRole('button', { name: '分组和颜色' }).click()
  await page.locator('#look-group').click()
  await option(page, '级别').click()
  const heads = page.locator('button.group-head')
  await heads.first().waitFor()
  await page.keyboard.press('Escape')
  const counts = await Promise.all((await heads.locator('.group-count').all()).map(numberIn))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all)
  await heads.first().click()
  await expect.poll(() => page.locator('.group-body tr[data-row-key]').count()).toBe(Math.min(counts[0] ?? 0, 20))

  // A card goes where a transition leads, which asks what it needs.
  await look(page, '看板')
  const column = (name: string) => page.locator('.board-column').filter({ has: page.locator('h3', { hasText: name }) })
  const card = column('意向').locator('.record-card').first()
  await card.waitFor()
  const id = Number(await card.getAttribute('data-row-key'))
  const stored = () => api<Partner>(page, 'GET', `${RECORD}/${id}`)
  const signed = await numberIn(column('已签约').locator('h3 small'))
  await drag(page, card, column('到期'))
  await page.getByText('「意向」不能变成「到期」，现在可以签约到「已签约」').waitFor()
  await drag(page, card, column('已签约'))
  await dialog(page, /^签约「/).getByRole('button', { name: /签\s*约/ }).click()
  await expect.poll(async () => (await stored()).status).toBe(1)
  await expect.poll(() => numberIn(column('已签约').locator('h3 small'))).toBe(signed + 1)
  // By keys: to the column beside, with the reason that freezing takes.
  await page.locator(`.board .record-card[data-row-key="${id}"]`).focus()
  await page.keyboard.press('Alt+ArrowRight')
  const freeze = dialog(page, /^冻结「/)
  await freeze.getByRole('textbox').fill('合同有争议')
  await freeze.getByRole('button', { name: /冻\s*结/ }).click()
  await expect.poll(() => column('冻结').locator(`.record-card[data-row-key="${id}"]`).count()).toBe(1)

  // On a calendar the day of a record is changed where it may be.
  const { expire_at: expires } = await stored()
  const dayOf = (at: number) => new Date((at + 8 * 3600) * 1000).toISOString().slice(0, 10)
  await page.goto(`${PARTNERS}?look=calendar.expire_at.week.${dayOf(expires)}`)
  const entry = page.locator(`.calendar-entry[data-row-key="${id}"]`)
  const day = (at: number) => page.locator(`.calendar-day[aria-label^="${dayOf(at)}"]`)
  await day(expires).locator(entry).waitFor()
  const monday = new Date((expires + 8 * 3600) * 1000).getUTCDay() === 1
  const other = expires + (monday ? 1 : -1) * 86_400
  await drag(page, entry, day(other))
  await expect.poll(async () => (await stored()).expire_at).toBe(other)
  await day(other).locator(entry).focus()
  await page.keyboard.press(monday ? 'Alt+ArrowLeft' : 'Alt+ArrowRight')
  await expect.poll(async () => (await stored()).expire_at).toBe(expires)

  // A bar leads to the records that it counts.
  await page.goto(`${PARTNERS}?look=chart.level`)
  const second = page.locator('.chart-rows tbody tr').nth(1)
  await second.waitFor()
  const counted = await numberIn(second.locator('td').first())
  const bars = page.locator('.chart-view [role=img] path[fill="#0170d9"], .chart-view [role=img] path[fill="rgb(1,112,217)"]')
  await bars.nth(1).click()
  await page.locator('tr[data-row-key]').first().waitFor()
  expect(await total(page)).toBe(counted)
  expect(new URL(page.url()).searchParams.get('level')).toBe('2')
  expect(problems).toEqual([])
}, 240_000)

test('colours and columns at an edge are kept in a view, and a look is remembered', async () => {
  await using window = await open()
  const { page, problems } = window
  await enter(page)
  await page.locator('tr[data-row-key]').first().waitFor()
  await page.getByRole('button', { name: '分组和颜色' }).click()
  await page.getByRole('button', { name: '添加规则' }).click()
  await page.getByRole('combobox', { name: '字段' }).click()
  await option(page, '级别').click()
  await page.getByRole('combobox', { name: '值' }).click()
  await option(page, '县级').click()
  const red = page.locator('tr.tone-error')
  await red.first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /列设置/ }).click()
  await page.getByRole('button', { name: '固定联系人' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '保存为视图' }).click()
  await page.getByLabel('视图名称').fill('县级标红')
  await page.locator('.ant-modal').getByRole('button', { name: /保\s*存/ }).click()
  const view = page.getByRole('button', { name: '县级标红', exact: true })
  await view.waitFor()
  const fixed = () => page.locator('thead th.ant-table-cell-fix-start, thead th.ant-table-cell-fix').filter({ hasText: '联系人' }).count()
  expect(await fixed()).toBe(1)
  const [, query] = page.url().split('?')

  // Somebody else gets it by its address, another day it is opened by its name.
  await page.goto(PARTNERS)
  await view.click()
  await red.first().waitFor()
  expect(await fixed()).toBe(1)
  await page.goto(`${PARTNERS}?${query}`)
  await red.first().waitFor()

  await page.goto(`${PARTNERS}?keyword=`)
  await look(page, '看板')
  await page.locator('.board-column').first().waitFor()
  await page.waitForTimeout(300)
  await page.goto(PARTNERS)
  await page.locator('.board-column').first().waitFor()
  await look(page, '表格')
  await page.locator('tr[data-row-key]').first().waitFor()
  expect(problems).toEqual([])
}, 240_000)

test('rows from Excel are pasted, checked as a file is, mended in place and written', async () => {
  await using window = await open()
  const { page, problems } = window
  await enter(page)
  await page.locator('tr[data-row-key]').first().waitFor()
  const before = await total(page)
  const [known] = (await api<Found>(page, 'GET', `${LIST}?page_size=1`)).items
  const types = (await api<{ items: { name: string }[] }>(page, 'GET', '/daoyuan/api/end/self_study_room/room_types/options')).items
  const rows = Array.from({ length: 20 }, (_unused, n) => ['上海粘贴' + String(n), `1991234${String(5000 + n)}`, '县级', '王' + String(n), '江苏省/南京市/玄武区', types[0]?.name ?? '', '2026-11-01', '2027-10-31'])
  const change = (row: number, column: number, text: string) => { const cells = rows[row]; if (cells) cells[column] = text }
  change(3, 1, '12345')
  change(7, 2, '')
  change(12, 1, rows[11]?.[1] ?? '')
  expect(known).toBeDefined()
  const text = [['合伙人名称', '手机号', '级别', '联系人', '所在地区', '自习室类型', '签约日期', '到期日期'], ...rows].map((cells) => cells.join('\t')).join('\r\n')

  await page.getByRole('button', { name: /导入$/ }).click()
  await drawer(page).getByText('粘贴表格').click()
  await page.locator('[data-cell="0 0"]').evaluate((cell, pasted) => {
    const data = new DataTransfer()
    data.setData('text/plain', pasted)
    cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)
  await page.getByText('已粘贴 20 行，按列名对应').waitFor()
  expect(await page.locator('[data-cell="19 0"]').inputValue()).toBe('上海粘贴19')
  await drawer(page).getByRole('button', { name: /检\s*查/ }).click()

  // What is wrong is marked where it stands, with the sentence of the check.
  const bad = drawer(page).locator('.import-cell[data-bad="true"]')
  await expect.poll(() => bad.count(), { timeout: 20_000 }).toBe(3)
  expect(await drawer(page).locator('tr[data-row-key="5"] .problem').innerText()).toContain('手机号')
  const mend = async (row: number, label: string, work: () => Promise<void>) => {
    await drawer(page).getByRole('button', { name: new RegExp(`^改第 ${row} 行的${label}`) }).click()
    await work()
    await drawer(page).locator(`tr[data-row-key="${row}"]`).getByText('新增', { exact: true }).waitFor()
  }
  const type = (words: string) => async () => {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
  }
  await mend(5, '手机号', type('19912345103'))
  await mend(9, '级别', () => option(page, '县级').click())
  await mend(14, '手机号', type('19912345112'))
  expect(await bad.count()).toBe(0)
  await drawer(page).getByRole('button', { name: /提\s*交/ }).click()
  await drawer(page).getByText('导入完成：新增 20 条').waitFor({ timeout: 20_000 })
  await drawer(page).getByRole('button', { name: '完成', exact: true }).click()
  await expect.poll(() => total(page)).toBe(before + 20)
  expect(problems).toEqual([])
}, 240_000)

test('on a phone columns are swiped, chart and calendar fit', async () => {
  await using window = await open(PHONE)
  const { page, problems } = window
  await enter(page)
  for (const word of ['看板', '日历', '图表']) {
    await look(page, word)
    await page.locator('.board-column, .calendar-day, .chart-rows').first().waitFor()
    await page.waitForTimeout(300)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), word).toBe(0)
  }
  await look(page, '表格')
  expect(problems).toEqual([])
}, 240_000)
