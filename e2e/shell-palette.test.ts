import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { escapeUntil } from './browser.ts'
import { runConsole } from './console.ts'
import { accountOf, addressOf, arrive, countCalls, enter, frontPage, hits, palette, PATIENCE } from './shell-steps.ts'

const PARTNERS = '/new-study-room/partner'
const STUDENTS = '/new-study-room/school/school-student'

const { open, server } = runConsole()

const searchButton = (page: Page) => page.locator('.menu-search').getByRole('button', { name: '搜索菜单' })
const searchField = (page: Page) => page.locator('.menu-search').getByRole('combobox')
const found = (page: Page) => page.locator('.menu-search-hits').getByRole('option')

test('73-77 menu search: 210 px with the focus, fuzzy by title, path, pinyin and initials; a click elsewhere and Escape close and empty it', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  const [button, field] = [searchButton(page), searchField(page)]
  await button.click()
  await expect.poll(() => field.evaluate((element) => element === document.activeElement), PATIENCE).toBe(true)
  await expect.poll(async () => Math.round((await page.locator('.menu-search-slot').boundingBox())?.width ?? 0), PATIENCE).toBe(210)
  for (const [typed, first] of [['学校教师', '合伙自习室 > 学校教师'], ['xxjs', '合伙自习室 > 学校教师'], ['neibuyuangong', '用户管理 > 内部员工'], ['userManagement/staff', '用户管理 > 内部员工']] as const) {
    await field.fill(typed)
    await expect.poll(() => found(page).first().textContent(), PATIENCE).toBe(first)
    expect(await found(page).first().getAttribute('aria-selected')).toBe('true')
  }
  // Nothing typed is nothing searched for.
  await field.fill('   ')
  await page.locator('.menu-search-hits').waitFor({ state: 'detached' })
  await field.fill('没有这样的菜单')
  await page.locator('.menu-search-hits').getByText('无数据').waitFor()
  await page.mouse.click(700, 700)
  await field.waitFor({ state: 'detached' })
  await button.click()
  expect(await field.inputValue()).toBe('')
  expect(await found(page).count()).toBe(0)
  await escapeUntil(page, async () => await field.count() === 0)
  expect(problems).toEqual([])
})

test('78 menu search by keys: arrows move and wrap, Enter goes and closes, also before typing has paused', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  const field = searchField(page)
  await searchButton(page).click()
  await field.fill('学校')
  await expect.poll(() => found(page).count(), PATIENCE).toBeGreaterThan(2)
  const texts = await found(page).allTextContents()
  await field.press('ArrowUp')
  await expect.poll(() => found(page).last().getAttribute('aria-selected'), PATIENCE).toBe('true')
  await field.press('ArrowDown')
  await expect.poll(() => found(page).first().getAttribute('aria-selected'), PATIENCE).toBe('true')
  await field.press('ArrowDown')
  await expect.poll(() => found(page).nth(1).getAttribute('aria-selected'), PATIENCE).toBe('true')
  await field.press('Enter')
  await field.waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('.crumbs [aria-current="page"]').textContent(), PATIENCE).toBe(texts[1]?.split(' > ').at(-1))
  // Who types and presses Enter in one go means what was typed.
  await searchButton(page).click()
  await field.fill('合伙人订单')
  await field.press('Enter')
  await arrive(page, '/new-study-room/partner-order')
  await searchButton(page).click()
  await field.press('Tab')
  await field.waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

test('78 while an input method composes nothing is searched and Enter is its own', async () => {
  await using opened = await open()
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

test('b6 the palette: menus, open pages, actions and records of what the person may open, and of nothing else', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  const row = frontPage(page).locator('.ant-table-row').first()
  await row.waitFor()
  await page.keyboard.press('ControlOrMeta+KeyK')
  await palette(page).fill('刷新')
  await expect.poll(() => hits(page).filter({ hasText: '刷新当前页面' }).count(), PATIENCE).toBe(1)
  // A record by the name in its row; Enter opens it.
  const name = (await row.locator('.identity-name').textContent()) ?? ''
  expect(name).not.toBe('')
  await palette(page).fill(name)
  await page.getByRole('group', { name: '合伙人', exact: true }).getByRole('option').first().click()
  await page.locator('.record-panel').waitFor()
  expect(addressOf(page)).toMatch(/^\/new-study-room\/partner\?open=\d+$/)
  await page.keyboard.press('ControlOrMeta+KeyK')
  await palette(page).fill('学校学生')
  await expect.poll(() => hits(page).filter({ hasText: '学校学生' }).count(), PATIENCE).toBeGreaterThan(0)
  await palette(page).press('Enter')
  await arrive(page, STUDENTS)
  await palette(page).waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

for (const { what, screen, kind, group } of [
  { what: 'an order by its number', screen: '/new-study-room/partner-order', kind: /^[A-Z]*\d{8,}$/, group: '合伙人订单' },
  { what: 'a pad by its SN', screen: '/study-room/pad', kind: /^[A-Z0-9]{8,24}$/, group: '平板' },
  { what: 'a question by its number', screen: '/practice/back', kind: /^[A-Z]\d-\d{5,}$/, group: '高中后台试题' },
]) {
  test(`b6 the palette finds ${what}`, async () => {
    await using opened = await open()
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

test('b6 answers that come late stand below what is there, and the chosen line stays', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  let answer = () => {}
  const held = new Promise<void>((resolve) => { answer = resolve })
  await page.route((url) => url.searchParams.get('keyword') === '自习室', async (route) => {
    await held
    await route.continue()
  })
  await page.keyboard.press('ControlOrMeta+KeyK')
  await palette(page).fill('自习室')
  await expect.poll(() => hits(page).first().textContent(), PATIENCE).toContain('自习室')
  const before = await hits(page).allTextContents()
  await palette(page).press('ArrowDown')
  const chosen = page.getByRole('listbox', { name: '结果' }).locator('[aria-selected="true"]')
  await expect.poll(() => chosen.textContent(), PATIENCE).toBe(before[1])
  answer()
  await page.getByRole('group', { name: '自习室', exact: true }).getByRole('option').first().waitFor()
  expect((await hits(page).allTextContents()).slice(0, before.length)).toEqual(before)
  expect(await chosen.textContent()).toBe(before[1])
  expect(problems).toEqual([])
})

test('b6 nothing is asked for records that a person may not open', async () => {
  await using opened = await open()
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
