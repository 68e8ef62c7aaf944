import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { dialog, record } from './form-steps.ts'
import { callAs as api } from './staff-steps.ts'

const CARDS = '/new/new-study-room/self-study-room/membership-card'
const LESSONS = '/new/papers/senior/micro-course'
const PARTNERS = '/new/new-study-room/partner'
const PARTNER = '/daoyuan/api/end/self_study_room/partner'

const { open, server } = runConsole()

async function enter(page: Page, path: string): Promise<void> {
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)
  await page.goto(path)
}

/** The switches of a field, as people and their aids find them. */
const switches = (page: Page, field: string) => page.getByRole('switch', { name: new RegExp(`的${field}`) })

/** What the console sends while something is done. */
async function sent(page: Page, work: () => Promise<void>): Promise<{ path: string; body: unknown }[]> {
  const found: { path: string; body: unknown }[] = []
  const hear = (request: { method(): string; url(): string; postDataJSON(): unknown }) => {
    if (request.method() === 'PUT' && !request.url().includes('/preferences')) found.push({ path: new URL(request.url()).pathname, body: request.postDataJSON() })
  }
  page.on('request', hear)
  await work()
  page.off('request', hear)
  return found
}

test('a toggle is switched in its list, by mouse and by keyboard: the new value alone is sent, and it is said', async () => {
  await using window = await open()
  const { page, problems } = window
  await enter(page, CARDS)
  const first = switches(page, '状态').first()
  await first.waitFor()
  const on = async () => (await first.getAttribute('aria-checked')) === 'true'
  const before = await on()
  const puts = await sent(page, async () => {
    await first.click()
    await page.getByText(before ? '下架成功' : '上架成功').waitFor()
  })
  expect(puts.map(({ body }) => body)).toEqual([{ status: before ? 0 : 1 }])
  await expect.poll(on).toBe(!before)
  await page.getByText(before ? '下架成功' : '上架成功').waitFor({ state: 'detached' })
  await first.focus()
  await page.keyboard.press('Space')
  await page.getByText(before ? '上架成功' : '下架成功').waitFor()
  await expect.poll(on).toBe(before)
  // It stays where the keyboard is.
  expect(await first.evaluate((element) => element === document.activeElement)).toBe(true)

  // The record has the same switch.
  await page.locator('button.identity-name').first().click()
  await record(page).getByRole('switch', { name: /的状态/ }).click()
  await page.getByText(before ? '下架成功' : '上架成功').waitFor()
  await expect.poll(on).toBe(!before)
  await record(page).getByRole('switch', { name: /的状态/ }).click()
  await expect.poll(on).toBe(before)
  expect(problems).toEqual([])
}, 240_000)

test('what the server refuses is said, and the switch stands as it did', async () => {
  await using window = await open()
  const { page } = window
  await enter(page, CARDS)
  const first = switches(page, '状态').first()
  await first.waitFor()
  const before = await first.getAttribute('aria-checked')
  await page.route('**/member_card/*', (route) => route.request().method() === 'PUT'
    ? route.fulfill({ status: 400, contentType: 'application/json', body: JSON.stringify({ detail: '会员卡正在促销，不能下架' }) }) : route.fallback())
  await first.click()
  await page.getByText('会员卡正在促销，不能下架').waitFor()
  await expect.poll(() => first.getAttribute('aria-checked')).toBe(before)
}, 240_000)

test('a thing with states is switched between on the shelf and off it; in other states it is said why not', async () => {
  await using window = await open()
  const { page, problems } = window
  const [drafted] = await (async () => {
    await enter(page, LESSONS)
    return (await api<{ items: { id: number; name: string }[] }>(page, 'GET', '/micro_material/api/end/micro_lessons/senior?state=0')).items
  })()
  await page.goto(`${LESSONS}?state=2`)
  const shelved = switches(page, '上架').first()
  await shelved.waitFor()
  const id = await page.locator('tr[data-row-key]').first().getAttribute('data-row-key')
  const puts = await sent(page, async () => {
    await shelved.click()
    await dialog(page, /^下架「/).getByRole('button', { name: /下\s*架/ }).click()
    await page.getByText('下架成功').waitFor()
  })
  expect(puts.map(({ body }) => body)).toEqual([{ status: 0 }])
  await page.goto(`${LESSONS}?state=3&ids=${id}`)
  const off = switches(page, '上架')
  await off.first().waitFor()
  expect(await off.count()).toBe(1)
  await off.click()
  await page.getByText('上架成功').waitFor()

  await page.goto(`${LESSONS}?state=0`)
  const draft = page.getByRole('switch', { name: new RegExp(`「${(drafted?.name ?? '').replace(/[()（）]/g, '.')}」的上架`) }).first()
  await draft.waitFor()
  expect(await draft.getAttribute('aria-disabled')).toBe('true')
  // Out of reach, but the keyboard gets there and is told.
  await draft.focus()
  await page.keyboard.press('Space')
  await page.getByText('当前状态为「草稿」，不能上架', { exact: true }).waitFor()
  expect(await draft.getAttribute('aria-checked')).toBe('false')
  expect(problems).toEqual([])
}, 240_000)

test('a plain value is changed where it stands: by F2 and by double click, with Tab to the next, and what is refused stays', async () => {
  await using window = await open()
  const { page, problems } = window
  await enter(page, PARTNERS)
  await page.locator('button.identity-name').first().waitFor()
  const id = Number(await page.locator('tr[data-row-key]').first().getAttribute('data-row-key'))
  const stored = () => api<{ name: string; contact: string | null }>(page, 'GET', `${PARTNER}/${id}`)
  const before = await stored()
  const cell = page.locator('.cell-editor input')
  await page.keyboard.press('j')
  await page.keyboard.press('F2')
  await cell.fill('')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('请填写合伙人名称').waitFor()
  await cell.fill(`${before.name}新`)
  await page.keyboard.press('Tab')
  await page.getByText('已保存').first().waitFor()
  await expect.poll(async () => (await stored()).name).toBe(`${before.name}新`)
  // The next cell of the row has the keys; Escape leaves it as it was.
  await page.keyboard.type('谁')
  await page.keyboard.press('Escape')
  await cell.waitFor({ state: 'detached' })
  expect((await stored()).contact).toBe(before.contact)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(async () => (await stored()).name).toBe(before.name)

  await page.locator(`tr[data-row-key="${id}"]`).getByText(before.contact ?? '', { exact: true }).dblclick()
  await cell.fill('郑联系')
  await page.locator('.list-head').first().click({ position: { x: 300, y: 12 } })
  await expect.poll(async () => (await stored()).contact).toBe('郑联系')
  expect(problems).toEqual([])
})
