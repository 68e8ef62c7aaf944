import { expect, test } from 'vitest'
import { runConsole } from './console.ts'
import { accountOf, arrive, countCalls, drawn, enter, frontPage, goTo, keyword, mainMenu, openAll, PARTNERS, PATIENCE, SCHOOLS, STUDENTS, tab } from './shell-steps.ts'

const { open, server } = runConsole()

test('113, 116-118, 121-122 pages are kept with what was typed, where they were scrolled and what they had read; closed ones begin afresh; noCache ones always', async () => {
  // A list fits a desk; in a narrower window it is scrolled sideways.
  await using opened = await open({ width: 1040, height: 600 })
  const { page, problems } = opened
  await enter(page, accountOf(server), STUDENTS)
  await frontPage(page).locator('.ant-table-row').nth(15).waitFor()
  await keyword(page).fill('没有提交的词')
  await page.evaluate(() => {
    for (const part of [document.querySelector('.main'), document.querySelector('#content')]) if (part) part.scrollTop = 300
    const table = document.querySelector('.kept-page .ant-table-content, .kept-page .ant-table-body')
    if (table) table.scrollLeft = 120
  })
  const places = () => page.evaluate(() => [
    Math.max(document.querySelector('.main')?.scrollTop ?? 0, document.querySelector('#content')?.scrollTop ?? 0),
    document.querySelector('.kept-frame:not([data-behind]) > .kept-page :is(.ant-table-content, .ant-table-body)')?.scrollLeft,
  ])
  await drawn(page)
  const calls = countCalls(page, '/daoyuan/api/end/self_study_room/school_students')
  await openAll(page, SCHOOLS)
  expect((await places())[0], 'a new page begins at the top').toBe(0)
  await tab(page, '学校学生').click()
  await arrive(page, STUDENTS)
  await expect.poll(() => keyword(page).inputValue(), PATIENCE).toBe('没有提交的词')
  await expect.poll(places, PATIENCE).toEqual([300, 120])
  expect(calls.count, 'nothing is read again').toBe(0)
  // Another query of the same page does not make it again, and begins at the top; back is where it was.
  await page.evaluate(() => document.querySelector('.kept-frame:not([data-behind]) > .kept-page')?.setAttribute('data-old', ''))
  await goTo(page, `${STUDENTS}?page=2`)
  await page.locator('.kept-page:visible[data-old]').waitFor()
  // A closed one begins afresh.
  await tab(page, '学校学生').locator('.tab-close').click()
  await openAll(page, STUDENTS)
  expect(await keyword(page).inputValue()).toBe('')
  expect(await page.locator('.kept-page[data-old]').count()).toBe(0)
  // Nothing of a page marked noCache is kept.
  await openAll(page, '/error/404')
  await page.evaluate(() => document.querySelector('[data-page="/error/404"]')?.setAttribute('data-old', ''))
  await openAll(page, SCHOOLS)
  expect(await page.locator('[data-page="/error/404"]').count()).toBe(0)
  await openAll(page, '/error/404')
  expect(await page.locator('[data-page="/error/404"][data-old]').count()).toBe(0)
  expect(problems).toEqual([])
})

test('16 a new address begins at the top, back and forward lead to where one was', async () => {
  await using opened = await open({ width: 1440, height: 600 })
  const { page, problems } = opened
  await enter(page, accountOf(server), STUDENTS)
  await frontPage(page).locator('.ant-table-row').nth(15).waitFor()
  const top = () => page.evaluate(() => Math.max(document.querySelector('.main')?.scrollTop ?? 0, document.querySelector('#content')?.scrollTop ?? 0))
  await page.evaluate(() => { for (const part of document.querySelectorAll('.main, #content')) part.scrollTop = 250 })
  await drawn(page)
  await goTo(page, `${STUDENTS}?page=2`)
  await arrive(page, `${STUDENTS}?page=2`)
  await expect.poll(top, PATIENCE).toBe(0)
  await page.goBack()
  await arrive(page, STUDENTS)
  await expect.poll(top, PATIENCE).toBe(250)
  await page.goForward()
  await expect.poll(top, PATIENCE).toBe(0)
  expect(problems).toEqual([])
})

test('16, 121 a step to where one is leaves nothing to go back over, and a clicked tab no caret that is looked for in every frame', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  await openAll(page, STUDENTS)
  const entries = () => page.evaluate(() => window.history.length)
  const before = await entries()
  await tab(page, '学校学生').click()
  await mainMenu(page).getByRole('link', { name: '学校学生', exact: true }).click()
  expect(await entries()).toBe(before)
  await tab(page, '合伙人').click()
  await arrive(page, PARTNERS)
  expect(await entries()).toBe(before + 1)
  expect(await page.evaluate(() => window.getSelection()?.rangeCount)).toBe(0)
  await keyword(page).fill('启航')
  await page.keyboard.press('Alt+BracketRight')
  await arrive(page, STUDENTS)
  await page.keyboard.press('Alt+BracketLeft')
  await arrive(page, PARTNERS)
  expect(await keyword(page).inputValue()).toBe('启航')
  expect(problems).toEqual([])
})

test('121 a hidden page keeps its open form, stops its timers and its keys', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await page.clock.install()
  await enter(page, accountOf(server))
  const counted = countCalls(page, '/daoyuan/api/end/dashboard')
  await frontPage(page).locator('.home-row strong, .home-none').first().waitFor()
  const once = counted.count
  await expect.poll(async () => {
    await page.clock.fastForward(61_000)
    return counted.count
  }, PATIENCE).toBeGreaterThan(once)
  await openAll(page, PARTNERS)
  await page.getByRole('button', { name: '新增合伙人' }).click()
  const drawer = page.locator('.ant-drawer-open')
  await drawer.locator('input').first().fill('启航教育')
  await page.keyboard.press('Alt+BracketLeft')
  await arrive(page, '/')
  await expect.poll(() => drawer.isVisible(), PATIENCE).toBe(false)
  await page.keyboard.press('Alt+BracketLeft')
  await arrive(page, PARTNERS)
  await expect.poll(() => drawer.isVisible(), PATIENCE).toBe(true)
  expect(await drawer.locator('input').first().inputValue()).toBe('启航教育')
  const before = counted.count
  await page.clock.fastForward(200_000)
  // Whatever was asked before this is answered has been counted.
  await page.evaluate(() => fetch('/healthz').then((answer) => answer.text()))
  expect(counted.count, 'the numbers of home are not counted while nobody sees them').toBe(before)
  expect(problems).toEqual([])
})

test('121 what a list has open above it goes behind with it; a list that rests is not there for eyes, keys and readers', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), STUDENTS)
  await openAll(page, PARTNERS)
  const rowMenu = page.locator('.ant-dropdown:visible')
  await frontPage(page).getByRole('button', { name: /的更多操作$/ }).first().click()
  await rowMenu.waitFor()
  await page.keyboard.press('Alt+BracketLeft')
  await arrive(page, STUDENTS)
  await rowMenu.waitFor({ state: 'hidden' })
  // Nothing is open above this one: it keeps everything, and cannot be met all the same.
  await keyword(page).focus()
  await page.keyboard.press('Alt+BracketRight')
  await arrive(page, PARTNERS)
  expect(await frontPage(page).count()).toBe(1)
  const behind = page.locator(`.kept-page[data-page="${STUDENTS}"]`)
  expect(await behind.isVisible()).toBe(false)
  expect(await page.getByRole('button', { name: '新增学校学生' }).count()).toBe(0)
  await behind.locator('input').first().evaluate((input) => (input as HTMLInputElement).focus())
  expect(await behind.locator(':focus').count()).toBe(0)
  await tab(page, '学校学生').click()
  await arrive(page, STUDENTS)
  await frontPage(page).locator('.ant-table-row').first().waitFor()
  expect(problems).toEqual([])
})

test('101 without the bar pages are kept all the same', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await page.goto('/new/login')
  await page.evaluate(() => localStorage.setItem('daoyuan-settings', JSON.stringify({ tagsView: false })))
  await enter(page, accountOf(server, 'chakan'), PARTNERS)
  expect(await page.locator('.tabs').count()).toBe(0)
  await keyword(page).fill('没有提交的词')
  await mainMenu(page).getByRole('link', { name: '首页' }).click()
  await arrive(page, '/')
  await goTo(page, PARTNERS)
  await expect.poll(() => keyword(page).inputValue(), PATIENCE).toBe('没有提交的词')
  expect(problems).toEqual([])
})
