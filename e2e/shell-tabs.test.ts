import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { runConsole } from './console.ts'
import { accountOf, addressOf, arrive, enter, frontPage, goTo, hits, openAll, palette, PARTNERS, PATIENCE, SCHOOLS, STAFF, STUDENTS, tab, tabTitles, USERS } from './shell-steps.ts'

const { open, server } = runConsole()

const titles = (page: Page, ...expected: string[]) => expect.poll(() => tabTitles(page), PATIENCE).toEqual(['首页', ...expected])
const menuOf = (page: Page) => page.getByRole('menu', { name: /的操作$/ })

test('97-98, 100, 102, 106, 111-112 tabs: one for a path at its last address, home stays, the newest used comes after the active one', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  await openAll(page, SCHOOLS, STUDENTS, USERS)
  await titles(page, '合伙人', '合伙·学校列表', '学校学生', '用户总中心')
  await goTo(page, `${SCHOOLS}?page=2`)
  await goTo(page, `${SCHOOLS}?keyword=a#h`)
  await titles(page, '合伙人', '合伙·学校列表', '学校学生', '用户总中心')
  await tab(page, '合伙人').click()
  await tab(page, '合伙·学校列表').click()
  await arrive(page, `${SCHOOLS}?keyword=a#h`)
  // The height of the bar and of a tab, and the theme's colour on the active one.
  expect((await page.locator('.tabs-line').boundingBox())?.height).toBe(34)
  expect((await tab(page, '合伙·学校列表').boundingBox())?.height).toBe(26)
  const [ground, accent] = await tab(page, '合伙·学校列表').evaluate((element) => [getComputedStyle(element).backgroundColor, getComputedStyle(document.documentElement).getPropertyValue('--accent')])
  expect(ground).toBe(`rgb(${[1, 3, 5].map((at) => Number.parseInt((accent ?? '').trim().slice(at, at + 2), 16)).join(', ')})`)
  // The × of a tab behind closes it and goes nowhere; closing the one in front leads to the one used before it.
  await tab(page, '学校学生').locator('.tab-close').click()
  await titles(page, '合伙人', '合伙·学校列表', '用户总中心')
  expect(addressOf(page)).toBe(`${SCHOOLS}?keyword=a#h`)
  await tab(page, '合伙·学校列表').click({ button: 'middle' })
  await titles(page, '合伙人', '用户总中心')
  await arrive(page, PARTNERS)
  // Home has no × and does not mind the middle button.
  expect(await tab(page, '首页').locator('.tab-close').count()).toBe(0)
  await tab(page, '首页').click({ button: 'middle' })
  await titles(page, '合伙人', '用户总中心')
  await tab(page, '合伙人').locator('.tab-close').click()
  await arrive(page, USERS)
  await tab(page, '用户总中心').locator('.tab-close').click()
  await arrive(page, '/')
  expect(problems).toEqual([])
})

test('103-105, 108-110, 113 the menu of a tab: beside the pointer, for the tab it was called on; close, others, left, right, all, refresh, pin, reopen', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  await openAll(page, SCHOOLS, STUDENTS, USERS, STAFF)
  const choose = async (title: string, line: string) => {
    await tab(page, title).click({ button: 'right' })
    await menuOf(page).getByRole('menuitem', { name: line, exact: true }).click()
    await menuOf(page).waitFor({ state: 'detached' })
  }
  const button = await tab(page, '合伙人').boundingBox()
  const x = Math.round((button?.x ?? 0) + 10)
  await page.mouse.click(x, (button?.y ?? 0) + 10, { button: 'right' })
  const box = await menuOf(page).boundingBox()
  expect(box?.x).toBe(x + 15)
  expect(box?.width).toBeGreaterThanOrEqual(105)
  expect(await menuOf(page).getByRole('menuitem').allTextContents()).toEqual(['刷新', '固定', '在新窗口打开', '关闭', '关闭左侧', '关闭右侧', '关闭其它', '关闭所有', '重新打开关闭的页面'])
  // It closes on Escape, a click elsewhere, another call, and when the window is left; at the right edge it stays inside.
  await page.keyboard.press('Escape')
  await menuOf(page).waitFor({ state: 'detached' })
  await tab(page, '合伙人').click({ button: 'right' })
  await page.mouse.click(700, 600)
  await menuOf(page).waitFor({ state: 'detached' })
  await tab(page, '合伙人').click({ button: 'right' })
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await menuOf(page).waitFor({ state: 'detached' })
  await tab(page, '合伙人').click({ button: 'right' })
  // The menu begins where the pointer is: above it the next tab can be reached.
  await tab(page, '合伙·学校列表').click({ button: 'right', position: { x: 12, y: 3 } })
  expect(await menuOf(page).count()).toBe(1)
  await goTo(page, `${STAFF}?page=1`)
  await menuOf(page).waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1000, height: 800 })
  await tab(page, '内部员工').click({ button: 'right' })
  const right = await menuOf(page).boundingBox()
  expect((right?.x ?? 0) + (right?.width ?? 0)).toBeLessThanOrEqual(1000)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })
  // The browser's own menu does not come.
  expect(await tab(page, '合伙人').evaluate((element) => element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 300, clientY: 60 })))).toBe(false)
  await page.keyboard.press('Escape')

  await choose('合伙·学校列表', '固定')
  await titles(page, '合伙·学校列表', '合伙人', '学校学生', '用户总中心', '内部员工')
  expect(await tab(page, '已固定 学校列表').or(tab(page, '合伙·学校列表')).first().locator('.tab-close').count()).toBe(0)
  await choose('合伙人', '关闭')
  await titles(page, '合伙·学校列表', '学校学生', '用户总中心', '内部员工')
  await choose('用户总中心', '关闭左侧')
  await titles(page, '合伙·学校列表', '用户总中心', '内部员工')
  await openAll(page, PARTNERS, STAFF)
  await choose('用户总中心', '关闭右侧')
  await titles(page, '合伙·学校列表', '用户总中心')
  await arrive(page, USERS)
  await choose('用户总中心', '重新打开关闭的页面')
  await arrive(page, PARTNERS)
  await openAll(page, STUDENTS)
  // Closing others goes to the tab it was called on.
  await choose('用户总中心', '关闭其它')
  await titles(page, '合伙·学校列表', '用户总中心')
  await arrive(page, USERS)
  // The page is mounted again, also of a tab behind, which comes to the front.
  await openAll(page, PARTNERS)
  await page.evaluate((path) => document.querySelector(`[data-page="${path}"]`)?.setAttribute('data-old', ''), USERS)
  const read = page.waitForRequest((request) => new URL(request.url()).pathname === '/daoyuan/api/end/users')
  await choose('用户总中心', '刷新')
  await arrive(page, USERS)
  await read
  await page.locator(`[data-page="${USERS}"]:visible:not([data-old])`).waitFor()
  // Everything is closed except home and what is pinned, judged by the page in front, also when called on home.
  await choose('首页', '关闭所有')
  await titles(page, '合伙·学校列表')
  await arrive(page, SCHOOLS)
  expect(problems).toEqual([])
})

test('b1, 96, 99 a reload brings the tabs back in their order, with pins and names, without what is not granted any more', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server, 'qudao'), PARTNERS)
  await openAll(page, `${SCHOOLS}?page=2`, USERS)
  await tab(page, '用户总中心').click({ button: 'right' })
  await menuOf(page).getByRole('menuitem', { name: '固定', exact: true }).click()
  await titles(page, '用户总中心', '合伙人', '合伙·学校列表')
  await page.reload()
  await frontPage(page).waitFor()
  await titles(page, '用户总中心', '合伙人', '合伙·学校列表')
  // Only the page in front is made.
  expect(await page.locator('.kept-page').count()).toBe(1)
  await tab(page, '合伙·学校列表').click()
  await arrive(page, `${SCHOOLS}?page=2`)
  // Rights are fewer at the next reload.
  await page.route('**/daoyuan/api/end/staff', async (route) => {
    const answer = await route.fetch()
    const person = (await answer.json()) as { modules: number[] }
    await route.fulfill({ response: answer, json: { ...person, modules: person.modules.filter((id) => id !== 1301) } })
  })
  await page.reload()
  await frontPage(page).waitFor()
  await titles(page, '用户总中心', '合伙·学校列表')
  expect(problems).toEqual([])
})

test('b5, 105 unsaved work has a dot; closing, refreshing and leaving ask once and name the tabs; what is not concerned is not asked for', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), USERS)
  for (const [path, button] of [[PARTNERS, '新增合伙人'], [SCHOOLS, '新增学校']] as const) {
    await openAll(page, path)
    await page.getByRole('button', { name: button }).click()
    await page.locator('.ant-drawer-open:visible input').first().fill('写了一半')
  }
  await expect.poll(() => page.locator('.tab:has(.dot) .tab-title').allTextContents(), PATIENCE).toEqual(['合伙人', '合伙·学校列表'])
  const question = page.getByRole('dialog').filter({ hasText: '以下页面有未保存的内容' })
  const named = () => question.locator('li b').allTextContents()
  const stay = async () => {
    await question.getByRole('button', { name: '返回' }).click()
    await question.waitFor({ state: 'hidden' })
  }
  const call = async (title: string, line: string) => {
    await page.locator('.tab', { hasText: title }).first().evaluate((element) => element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 300, clientY: 60 })))
    await menuOf(page).getByRole('menuitem', { name: line, exact: true }).click()
  }
  for (const [title, line, expected] of [
    ['合伙人', '关闭', ['合伙人']], ['合伙人', '刷新', ['合伙人']], ['用户总中心', '关闭其它', ['合伙人', '合伙·学校列表']], ['首页', '关闭所有', ['合伙人', '合伙·学校列表']],
    ['合伙人', '关闭右侧', ['合伙·学校列表']], ['合伙·学校列表', '关闭左侧', ['合伙人']],
  ] as const) {
    await call(title, line)
    await question.waitFor()
    expect(await named(), line).toEqual(expected)
    await stay()
  }
  // A tab without work closes without a word.
  await call('用户总中心', '关闭')
  await titles(page, '合伙人', '合伙·学校列表')
  expect(await question.count()).toBe(0)
  // Leaving the window: the browser's own question.
  let asked = ''
  page.on('dialog', (dialog) => {
    asked = dialog.type()
    void dialog.dismiss()
  })
  await page.evaluate(() => window.setTimeout(() => window.location.reload(), 0))
  await expect.poll(() => asked, PATIENCE).toBe('beforeunload')
  // Logging out names all of them; a person who insists is out. The drawer lies over the bar, so no pointer gets there.
  await page.locator('.person').dispatchEvent('click')
  await page.getByText('退出登录').dispatchEvent('click')
  await question.waitFor()
  expect(await named()).toEqual(['合伙人', '合伙·学校列表'])
  await question.getByRole('button', { name: '放弃并继续' }).click()
  await page.getByLabel('账号', { exact: true }).waitFor()
  expect(problems).toEqual([])
})

test('114-115, b4 the bar: wheel and overflow, the active tab in view, drawn and moved by keys, the list of all, the newest closed again', async () => {
  await using opened = await open({ width: 1000, height: 700 })
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  await openAll(page, SCHOOLS, STUDENTS, '/new-study-room/school/school-teacher', USERS, STAFF, '/system/jobs', '/system/audit', '/system/errors', '/account')
  const bar = page.locator('.tabs')
  const seen = (title: string) => tab(page, title).evaluate((element) => {
    const [own, around] = [element.getBoundingClientRect(), element.parentElement?.getBoundingClientRect()]
    return around !== undefined && own.left >= around.left - 1 && own.right <= around.right + 1
  })
  await expect.poll(() => seen('账号与安全'), PATIENCE).toBe(true)
  await expect.poll(() => seen('首页'), PATIENCE).toBe(false)
  expect(await page.getByRole('button', { name: /^全部页面/ }).getAttribute('data-overflowing')).toBe('true')
  const scrollLeft = () => bar.evaluate((element) => element.scrollLeft)
  const far = await scrollLeft()
  await bar.hover()
  await page.mouse.wheel(0, -200)
  await expect.poll(scrollLeft, PATIENCE).toBeLessThan(far)
  const nearer = await scrollLeft()
  await page.mouse.wheel(0, 100)
  await expect.poll(scrollLeft, PATIENCE).toBeGreaterThan(nearer)
  // A tab in the middle comes into view with its neighbours, the first with the bar's beginning.
  await page.getByRole('button', { name: /^全部页面/ }).click()
  await page.locator('.tabs-all').getByRole('menuitem', { name: '合伙·学校列表' }).click()
  await arrive(page, SCHOOLS)
  await expect.poll(async () => [await seen('合伙人'), await seen('合伙·学校列表'), await seen('学校学生')], PATIENCE).toEqual([true, true, true])
  await tab(page, '首页').click()
  await expect.poll(scrollLeft, PATIENCE).toBe(0)
  // Drawn to another place, and moved by keys; home stays the first.
  const order = async () => (await tabTitles(page)).slice(0, 4)
  const [from, to] = [await tab(page, '合伙人').boundingBox(), await tab(page, '学校学生').boundingBox()]
  if (!from || !to) throw new Error('a tab has no place')
  await page.mouse.move(from.x + 20, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 60, from.y + 10, { steps: 4 })
  await page.mouse.move(from.x + 20 + to.x - from.x, to.y + 10, { steps: 8 })
  await page.mouse.up()
  await expect.poll(order, PATIENCE).toEqual(['首页', '合伙·学校列表', '学校学生', '合伙人'])
  await tab(page, '合伙人').focus()
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await expect.poll(order, PATIENCE).toEqual(['首页', '合伙·学校列表', '合伙人', '学校学生'])
  await tab(page, '合伙人').focus()
  for (let i = 0; i < 3; i++) await page.keyboard.press('Control+Shift+ArrowLeft')
  await expect.poll(order, PATIENCE).toEqual(['首页', '合伙人', '合伙·学校列表', '学校学生'])
  // What was closed last is opened again by its keys.
  await tab(page, '合伙·学校列表').locator('.tab-close').click()
  await page.keyboard.press('Alt+Shift+KeyT')
  await arrive(page, SCHOOLS)
  expect(problems).toEqual([])
})


test('pages of one record are called after it, and those of one title after their groups, in the bar and in the palette, which shows no paths', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), '/study-room/member-card')
  await openAll(page, '/new-study-room/self-study-room/membership-card', '/study-room/list', '/papers/senior/base-paper')
  const id = await frontPage(page).locator('.ant-table-row').first().getAttribute('data-row-key')
  await openAll(page, `/papers/detail/${id}`)
  const name = (await frontPage(page).locator('.paper-head h1').textContent())?.trim() ?? ''
  expect(name).not.toBe('')
  await openAll(page, `/papers/addPractice/${id}`)
  await frontPage(page).locator('.paper-head h1').waitFor()
  await titles(page, '自营·会员卡', '合伙·会员卡', '自营·自习室列表', '高中基础试卷', name, `${name} · 添加试题`)
  await expect.poll(() => page.title(), PATIENCE).toContain(`${name} · 添加试题`)
  await page.keyboard.press('ControlOrMeta+KeyK')
  await palette(page).waitFor()
  const lines = await hits(page).allTextContents()
  expect(lines).toEqual(expect.arrayContaining(['自营·会员卡自营自习室', `${name}基础资源 · 试卷详情`]))
  expect(lines.filter((line) => line.includes('/'))).toEqual([])
  expect(problems).toEqual([])
})

test('97 more tabs than may be open: the oldest make room, and one notice says so', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  for (let n = 0; n < 54; n++) await goTo(page, `/practice/back/${n + 1}`)
  await expect.poll(async () => (await tabTitles(page)).length, PATIENCE).toBe(50)
  const notices = page.locator('.ant-message-notice', { hasText: '最多同时打开 50 个页面' })
  await notices.first().waitFor()
  expect(await notices.count()).toBe(1)
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
})

test('107 home is `/new/`, however one comes there', async () => {
  await using opened = await open()
  const { page } = opened
  await enter(page, accountOf(server), PARTNERS)
  const path = () => page.evaluate(() => window.location.pathname)
  await tab(page, '首页').click()
  await expect.poll(path, PATIENCE).toBe('/new/')
  await tab(page, '合伙人').click()
  await page.locator('.crumbs').getByRole('link', { name: '首页' }).click()
  await expect.poll(path, PATIENCE).toBe('/new/')
  await openAll(page, `${PARTNERS}?page=2#here`)
  await page.locator('.person').click()
  await page.getByText('退出登录').click()
  await page.getByLabel('账号', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('redirect')).toBe(`${PARTNERS}?page=2#here`)
})
