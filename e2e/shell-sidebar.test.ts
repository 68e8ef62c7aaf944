import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { runConsole } from './console.ts'
import { accountOf, addressOf, arrive, drawn, enter, frontPage, goTo, mainMenu, PATIENCE } from './shell-steps.ts'

const PARTNERS = '/new-study-room/partner'
const SCHOOLS = '/new-study-room/school/school-list'
const GROUP = '合伙自习室'

const { open, server } = runConsole()

const sidebar = (page: Page) => page.locator('.sidebar')
const drawer = (page: Page) => page.getByRole('dialog', { name: '主菜单' })
const group = (page: Page, title = GROUP) => mainMenu(page).getByRole('button', { name: title, exact: true })
const item = (page: Page, path: string) => mainMenu(page).locator(`.menu-list:not(.menu-own) a[href$="${path}"]`)
const hamburger = (page: Page) => page.locator('.topbar .hamburger')
const width = async (page: Page) => Math.round((await sidebar(page).boundingBox())?.width ?? 0)
const cookie = async (page: Page) => (await page.context().cookies()).find((one) => one.name === 'sidebarStatus')
const colourOf = (page: Page, selector: string, property = 'color') => page.locator(selector).first().evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

test('42, 50, 54, 56-57 the menu: 210 px, links, the page in front marked and in view, its groups open, opening one leaves the others', async () => {
  await using opened = await open({ width: 1440, height: 420 })
  const { page, problems } = opened
  await enter(page, accountOf(server), '/system/health')
  expect(await width(page)).toBe(210)
  expect(await item(page, '/system/health').getAttribute('aria-current')).toBe('page')
  expect(await group(page, '系统管理').getAttribute('aria-expanded')).toBe('true')
  await expect.poll(() => item(page, '/system/health').evaluate((element) => {
    const [own, list] = [element.getBoundingClientRect(), element.closest('.menu-scroll')?.getBoundingClientRect()]
    return list !== undefined && own.top >= list.top && own.bottom <= list.bottom
  }), PATIENCE).toBe(true)
  await group(page).click()
  expect(await group(page).getAttribute('aria-expanded')).toBe('true')
  expect(await group(page, '系统管理').getAttribute('aria-expanded')).toBe('true')
  // The menu scrolls by itself.
  await mainMenu(page).hover()
  await page.mouse.wheel(0, -600)
  expect(await page.evaluate(() => document.querySelector('#content')?.scrollTop)).toBe(0)
  // It is a link: a click with Ctrl opens a window of the browser.
  const [other] = await Promise.all([page.context().waitForEvent('page'), item(page, PARTNERS).click({ modifiers: ['ControlOrMeta'] })])
  await other.waitForURL(`**${PARTNERS}`)
  await other.close()
  expect(addressOf(page)).toBe('/system/health')
  await item(page, PARTNERS).click()
  await arrive(page, PARTNERS)
  await expect.poll(() => colourOf(page, '.side-menu .menu-list [aria-current="page"]'), PATIENCE).toBe('rgb(64, 158, 255)')
  expect(await colourOf(page, '.sidebar', 'background-color')).toBe('rgb(48, 65, 86)')
  await expect.poll(() => colourOf(page, '.menu-group[data-open="true"] > .menu-row[data-within="true"]'), PATIENCE).toBe('rgb(244, 244, 245)')
  expect(await colourOf(page, '.menu-below', 'background-color')).toBe('rgb(31, 45, 61)')
  await expect.poll(() => colourOf(page, '.menu-below a:not([aria-current])'), PATIENCE).toBe('rgb(191, 203, 217)')
  // A group without a page of its own in front closes and opens again.
  await group(page, '系统管理').click()
  expect(await item(page, '/system/health').count()).toBe(0)
  expect(problems).toEqual([])
})

test('42, 51-53, 58-59 collapsed: 54 px, icons with a tip, groups beside it by resting, tap and keyboard; the cookie keeps it', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  expect(await cookie(page)).toBeUndefined()
  await group(page, '系统管理').click()
  await hamburger(page).click()
  await expect.poll(() => width(page), PATIENCE).toBe(54)
  const closed = await cookie(page)
  expect([closed?.value, closed?.path]).toEqual(['0', '/new'])
  expect((closed?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(300 * 86_400)
  // Nothing is open below the icons.
  expect(await mainMenu(page).locator('.menu-below').count()).toBe(0)
  // A page's icon has its name beside it.
  await mainMenu(page).getByRole('link', { name: '任务中心' }).hover()
  await page.getByRole('tooltip', { name: '任务中心' }).waitFor()
  // A group opens after the pointer has rested, and not before; a click of the mouse changes nothing.
  const popup = page.getByRole('group', { name: GROUP, exact: true })
  expect(await group(page).evaluate((element) => {
    for (const type of ['pointerenter', 'pointerleave']) element.dispatchEvent(new PointerEvent(type, { pointerType: 'mouse' }))
    return document.querySelector('.menu-popup')
  }), 'passing over it opens nothing').toBe(null)
  await group(page).hover()
  await popup.waitFor()
  await group(page).click()
  expect(await popup.count()).toBe(1)
  expect(await popup.evaluate((element) => element.parentElement === document.body)).toBe(true)
  await popup.getByRole('link', { name: '学校列表' }).click()
  await arrive(page, SCHOOLS)
  expect(await popup.count()).toBe(0)
  // By keyboard: Enter opens it and goes in, Escape comes back.
  await group(page).focus()
  await page.keyboard.press('Enter')
  await popup.waitFor()
  expect(await page.evaluate(() => document.activeElement?.closest('.menu-popup') !== null)).toBe(true)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await popup.waitFor({ state: 'detached' })
  expect(await group(page).evaluate((element) => element === document.activeElement)).toBe(true)
  // In a low window it scrolls inside.
  await page.setViewportSize({ width: 1440, height: 220 })
  await group(page, '系统管理').focus()
  await page.keyboard.press('Enter')
  const box = await page.getByRole('group', { name: '系统管理', exact: true }).boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(220)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.reload()
  await frontPage(page).waitFor()
  expect(await width(page)).toBe(54)
  await hamburger(page).click()
  await expect.poll(() => width(page), PATIENCE).toBe(210)
  expect((await cookie(page))?.value).toBe('1')
  // Of the groups only that of the page in front is open again.
  expect(await group(page).getAttribute('aria-expanded')).toBe('true')
  expect(await group(page, '系统管理').getAttribute('aria-expanded')).toBe('false')
  expect(problems).toEqual([])
})

test('53 a tap opens a group of the collapsed menu', async () => {
  await using opened = await open()
  const { page } = opened
  await enter(page, accountOf(server), PARTNERS)
  await hamburger(page).click()
  await group(page).evaluate((element) => element.dispatchEvent(new PointerEvent('click', { bubbles: true, detail: 1, pointerType: 'touch' })))
  await page.getByRole('group', { name: GROUP, exact: true }).waitFor()
})

test('55 the logo: 50 px with a link home, its picture alone when collapsed; the menu makes room and still scrolls', async () => {
  await using opened = await open({ width: 1440, height: 420 })
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  const list = page.locator('.menu-scroll')
  const before = (await list.boundingBox())?.height ?? 0
  await page.getByRole('button', { name: '系统布局配置' }).click()
  await page.getByRole('switch', { name: '侧边栏 Logo' }).click()
  await page.mouse.click(600, 300)
  const logo = page.locator('.brand')
  await expect.poll(async () => (await logo.boundingBox())?.height, PATIENCE).toBe(50)
  expect((await list.boundingBox())?.height).toBe(before - 50)
  expect(await list.evaluate((element) => {
    element.scrollTop = 40
    return element.scrollTop
  })).toBe(40)
  expect(await logo.textContent()).toBe('道远后台')
  await hamburger(page).click()
  await expect.poll(() => width(page), PATIENCE).toBe(54)
  expect(await logo.textContent(), 'its picture alone').toBe('')
  expect((await logo.getByRole('presentation').boundingBox())?.width).toBe(28)
  await logo.click()
  await arrive(page, '/')
  expect(problems).toEqual([])
})

test('60-66 below 992 px the menu is a drawer that closes by the backdrop, Escape and every navigation, keeps the focus, and leaves the cookie alone', async () => {
  await using opened = await open({ width: 992, height: 800 })
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  expect(await width(page)).toBe(210)
  // What the bar was asking for is taken back where the window becomes narrow; that loads nothing anew.
  let loads = 0
  page.on('load', () => loads++)
  await page.setViewportSize({ width: 991, height: 800 })
  await sidebar(page).waitFor({ state: 'detached' })
  expect(await drawer(page).count(), 'it does not slide away: it is gone').toBe(0)
  expect((await page.locator('.main').boundingBox())?.width).toBe(991)
  expect(await cookie(page), 'nobody has closed it').toBeUndefined()
  const pullOut = async () => {
    await hamburger(page).click()
    await drawer(page).waitFor()
    await expect.poll(async () => (await drawer(page).boundingBox())?.x, PATIENCE).toBe(0)
  }
  await pullOut()
  expect((await drawer(page).boundingBox())?.width).toBe(210)
  expect(await colourOf(page, '.side-drawer .ant-drawer-mask', 'background-color')).toBe('rgba(0, 0, 0, 0.3)')
  expect(await page.evaluate(() => getComputedStyle(document.body).overflowY)).toBe('hidden')
  // The focus goes round inside.
  for (let i = 0; i < 30; i++) await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.side-drawer') !== null)).toBe(true)
  // A keyboard that slides in, a turned phone: it stays.
  await page.setViewportSize({ width: 991, height: 420 })
  await page.setViewportSize({ width: 800, height: 991 })
  expect(await drawer(page).isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await drawer(page).waitFor({ state: 'hidden' })
  await pullOut()
  await page.mouse.click(600, 400)
  await drawer(page).waitFor({ state: 'hidden' })
  await pullOut()
  await item(page, SCHOOLS).click()
  await arrive(page, SCHOOLS)
  await drawer(page).waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => getComputedStyle(document.body).overflowY)).not.toBe('hidden')
  expect(await cookie(page)).toBeUndefined()
  // Back on a desk it is as it was there.
  await page.setViewportSize({ width: 992, height: 800 })
  await expect.poll(() => width(page), PATIENCE).toBe(210)
  await hamburger(page).click()
  await expect.poll(() => width(page), PATIENCE).toBe(54)
  await page.setViewportSize({ width: 600, height: 800 })
  await sidebar(page).waitFor({ state: 'detached' })
  await pullOut()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1200, height: 800 })
  await expect.poll(() => width(page), PATIENCE).toBe(54)
  expect((await cookie(page))?.value).toBe('0')
  expect(loads).toBe(0)
  expect(problems).toEqual([])
})

test('64 what happens to a hidden window is looked at when it is seen again', async () => {
  await using opened = await open()
  const { page } = opened
  await enter(page, accountOf(server), PARTNERS)
  const hide = (hidden: boolean) => page.evaluate((now) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => now })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
  await hide(true)
  await page.setViewportSize({ width: 700, height: 800 })
  await drawn(page)
  expect(await sidebar(page).count()).toBe(1)
  await hide(false)
  await sidebar(page).waitFor({ state: 'detached' })
})

test('b11 the filter finds by words, pinyin and initials, says what is not open to the person, and Escape empties it; favourites and recent pages are at hand', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server, 'chakan'), PARTNERS)
  const filter = mainMenu(page).getByLabel('筛选菜单')
  const found = () => mainMenu(page).locator('.menu-list a').allTextContents()
  for (const [typed, meant, other] of [['学生', '学校学生', '学校教师'], ['xxjs', '学校教师', '学校学生'], ['hehuoren', '合伙人', '学校教师']] as const) {
    await filter.fill(typed)
    await expect.poll(async () => {
      const titles = await found()
      return [titles.includes(meant), titles.includes(other)]
    }, PATIENCE).toEqual([true, false])
  }
  await filter.fill('内部')
  await expect.poll(() => mainMenu(page).locator('.menu-denied').innerText(), PATIENCE).toMatch(/未对您开放[\s\S]*内部员工[\s\S]*用户管理/)
  await filter.fill('没有这样的')
  await mainMenu(page).getByText('没有匹配的菜单').waitFor()
  await filter.press('Escape')
  expect(await filter.inputValue()).toBe('')
  await item(page, SCHOOLS).hover()
  await mainMenu(page).getByRole('button', { name: '收藏学校列表' }).click()
  const own = mainMenu(page).locator('.menu-own')
  await own.getByRole('link', { name: '合伙·学校列表' }).waitFor()
  await goTo(page, '/')
  await own.getByRole('button', { name: '最近访问' }).click()
  await own.getByRole('link', { name: '合伙人' }).waitFor()
  // A favourite is the person's, wherever they work, and on the home page too.
  await page.reload()
  await mainMenu(page).locator('.menu-own').getByRole('link', { name: '学校列表' }).waitFor()
  await frontPage(page).locator('.home-links').getByText('学校列表').waitFor()
  await own.getByRole('link', { name: '学校列表' }).hover()
  await own.getByRole('button', { name: '取消收藏合伙·学校列表' }).click()
  await expect.poll(() => own.getByText('收藏', { exact: true }).count(), PATIENCE).toBe(0)
  expect(problems).toEqual([])
})

test('the menu is as wide as it was drawn, by pointer or keys, also after a reload; a double click brings 210 px back', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server, 'qudao'), PARTNERS)
  const edge = page.getByRole('separator', { name: '菜单宽度' })
  await page.mouse.move(207, 500)
  await page.mouse.down()
  await page.mouse.move(287, 500, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => width(page), PATIENCE).toBe(290)
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/end/preferences'))
  await edge.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => width(page), PATIENCE).toBe(280)
  await saved
  await page.reload()
  await frontPage(page).waitFor()
  expect(await width(page)).toBe(280)
  await edge.dblclick()
  await expect.poll(() => width(page), PATIENCE).toBe(210)
  expect(problems).toEqual([])
})

test('b20 the code of a page is fetched when the pointer stands on its link', async () => {
  await using opened = await open()
  const { page } = opened
  await enter(page, accountOf(server))
  await group(page, '系统管理').click()
  const code = page.waitForRequest(/assets\/system-screen-.*\.js/)
  await item(page, '/system/health').hover()
  await code
  expect(addressOf(page)).toBe('/')
})

test('70-72 the breadcrumb: home, group, page; all but the last lead on', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), SCHOOLS)
  const crumbs = page.getByRole('navigation', { name: '当前位置' })
  const texts = () => crumbs.getByRole('listitem').allTextContents()
  expect(await texts()).toEqual(['首页', GROUP, '学校列表'])
  expect(await crumbs.getByRole('link').allTextContents()).toEqual(['首页', GROUP])
  expect(await crumbs.locator('[aria-current="page"]').textContent()).toBe('学校列表')
  await crumbs.getByRole('link', { name: GROUP }).click()
  await arrive(page, PARTNERS)
  await expect.poll(texts, PATIENCE).toEqual(['首页', GROUP, '合伙人'])
  await crumbs.getByRole('link', { name: '首页' }).click()
  await arrive(page, '/')
  await expect.poll(texts, PATIENCE).toEqual(['首页'])
  expect(problems).toEqual([])
})

test('b7, b19, 112 a day without a mouse: skip link, menu, tabs, their menu, shortcuts, help, and the focus where it belongs', async () => {
  await using opened = await open()
  const { page, problems } = opened
  const key = (name: string) => page.keyboard.press(name)
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
  await page.goto('/new/login')
  await page.getByLabel('账号', { exact: true }).fill(accountOf(server).account)
  await key('Tab')
  await page.keyboard.type(accountOf(server).password)
  await key('Enter')
  await page.locator('.shell').waitFor()
  // The first stop leads past the menu.
  await page.reload()
  await frontPage(page).waitFor()
  await key('Tab')
  expect(await focused()).toBe('跳到主要内容')
  await key('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), PATIENCE).toBe('content')
  // Menu: by its filter, along the rows, into a page; the focus goes to the page's heading.
  await key('Alt+KeyM')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), PATIENCE).toBe('筛选菜单')
  await page.keyboard.type('合伙人')
  await expect.poll(() => item(page, SCHOOLS).count(), PATIENCE).toBe(0)
  await group(page).focus()
  await key('ArrowDown')
  await expect.poll(focused, PATIENCE).toBe('合伙人')
  await key('Enter')
  await arrive(page, PARTNERS)
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('h1')), PATIENCE).toBe(true)
  await expect.poll(focused, PATIENCE).toBe('合伙人')
  await goTo(page, SCHOOLS)
  await arrive(page, SCHOOLS)
  // Tabs: one stop, arrows along them, Enter goes there and stays in the bar, the menu of a tab, Delete.
  await page.getByRole('tab', { name: /学校列表$/ }).focus()
  expect(await page.locator('.tab[tabindex="0"]').count()).toBe(1)
  await key('ArrowLeft')
  expect(await focused()).toContain('合伙人')
  await key('Enter')
  await arrive(page, PARTNERS)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tab')
  await key('Shift+F10')
  await page.getByRole('menu', { name: /的操作$/ }).waitFor()
  await expect.poll(focused, PATIENCE).toBe('刷新')
  await key('ArrowDown')
  await expect.poll(focused, PATIENCE).toBe('固定')
  await key('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')), PATIENCE).toBe('tab')
  await key('End')
  await key('Delete')
  await expect.poll(() => page.locator('.tab').count(), PATIENCE).toBe(2)
  // Shortcuts, with the sheet that lists them; while one writes a question mark is a letter.
  await key('Alt+BracketRight')
  await arrive(page, '/')
  await key('Alt+BracketLeft')
  await arrive(page, PARTNERS)
  await key('Alt+KeyB')
  await expect.poll(() => width(page), PATIENCE).toBe(54)
  await key('Alt+KeyB')
  await frontPage(page).locator('.list-page input').first().focus()
  await page.keyboard.type('?')
  expect(await frontPage(page).locator('.list-page input').first().inputValue()).toBe('?')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.type('?')
  const help = page.getByRole('dialog').filter({ hasText: '快捷键' })
  await help.getByText('关闭当前标签页').waitFor()
  await key('Escape')
  await help.waitFor({ state: 'hidden' })
  await key('Alt+KeyW')
  await arrive(page, '/')
  await key('Alt+Shift+KeyT')
  await arrive(page, PARTNERS)
  expect(problems).toEqual([])
})
