import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { escapeUntil, takeSession } from './browser.ts'
import { runConsole } from './console.ts'
import { accountOf, addressOf, arrive, countCalls, drawn, enter, frontPage, hits, mainMenu, palette, PATIENCE } from './shell-steps.ts'

const PARTNERS = '/new-study-room/partner'

const { open, server } = runConsole()

const paint = (page: Page) => page.evaluate(() => ({ ...document.documentElement.dataset }))
const rootVar = (page: Page, name: string) => page.evaluate((key) => document.documentElement.style.getPropertyValue(key), name)
const panel = (page: Page) => page.getByRole('dialog', { name: '系统布局配置' })
const handle = (page: Page) => page.locator('.settings-handle')
const kept = (page: Page) => page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/end/preferences') && answer.ok())

test('67-69, 87-88 the bar: 50 px, hamburger, the old console at the site\'s root, fullscreen that says when it cannot', async () => {
  await using opened = await open()
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

test('89-91 size: four, medium first, live, kept in a cookie; what is typed stays', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  expect((await paint(page))['size']).toBe('medium')
  const keyword = frontPage(page).locator('.list-page input').first()
  await keyword.fill('没有提交的词')
  const height = async () => Math.round((await frontPage(page).locator('.list-page .ant-input-affix-wrapper, .list-page .ant-input').first().boundingBox())?.height ?? 0)
  const before = await height()
  await page.getByRole('button', { name: '全局尺寸' }).click()
  const items = page.getByRole('menuitem')
  expect(await items.allTextContents()).toEqual(['Default', 'Medium', 'Small', 'Mini'])
  expect(await items.filter({ hasText: 'Medium' }).getAttribute('aria-disabled')).toBe('true')
  await items.filter({ hasText: 'Mini' }).click()
  await page.getByText('Switch Size Success').waitFor()
  await expect.poll(height, PATIENCE).toBeLessThan(before)
  expect(await keyword.inputValue()).toBe('没有提交的词')
  expect((await page.context().cookies()).find((cookie) => cookie.name === 'size')?.value).toBe('mini')
  await page.reload()
  await frontPage(page).waitFor()
  expect((await paint(page))['size']).toBe('mini')
  await page.context().addCookies([{ name: 'size', value: 'enormous', domain: new URL(server.base).hostname, path: '/new' }])
  await page.reload()
  await frontPage(page).waitFor()
  expect((await paint(page))['size']).toBe('medium')
  expect(problems).toEqual([])
})

test('123-129 settings: the handle, every choice at once, kept on the server, there before the first paint; reset', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server, 'qudao'), PARTNERS)
  const box = await handle(page).evaluate((element) => ({ width: (element as HTMLElement).offsetWidth, height: (element as HTMLElement).offsetHeight, top: (element as HTMLElement).offsetTop, seen: window.innerWidth - element.getBoundingClientRect().left }))
  expect(box).toMatchObject({ width: 48, height: 48, top: 250 })
  expect(box.seen, 'at rest it covers the margin only').toBeLessThanOrEqual(12)
  // It catches the pointer where it is seen and nowhere else, also once the pointer is on it.
  const caught = (fromRight: number) => page.evaluate((x) => document.elementFromPoint(window.innerWidth - x, 274)?.closest('.settings-handle') !== null, fromRight)
  await page.mouse.move(1440 - 6, 274)
  await page.waitForTimeout(400)
  expect([await caught(6), await caught(14), await caught(40)]).toEqual([true, false, false])
  await handle(page).click()
  await panel(page).waitFor()
  await expect.poll(async () => Math.round((await panel(page).boundingBox())?.width ?? 0), PATIENCE).toBe(260)
  for (const words of ['系统布局配置', '主题色', '开启 Tags-View', '固定 Header', '侧边栏 Logo']) expect(await panel(page).getByText(words, { exact: true }).count(), words).toBe(1)
  expect(await panel(page).locator('.swatches .swatch[aria-label^="主题色"]').count()).toBe(8)
  expect(await panel(page).getByRole('button', { name: '主题色 #1890ff' }).getAttribute('aria-pressed')).toBe('true')
  const flag = (name: string) => panel(page).getByRole('switch', { name })
  await flag('开启 Tags-View').click()
  await page.locator('.tabs').waitFor({ state: 'detached' })
  await flag('开启 Tags-View').click()
  await page.locator('.tabs').waitFor()
  await flag('侧边栏 Logo').click()
  await expect.poll(async () => (await page.locator('.brand').boundingBox())?.height, PATIENCE).toBe(50)
  await flag('固定 Header').click()
  expect((await paint(page))['header']).toBe('fixed')
  await panel(page).getByText('深色', { exact: true }).click()
  await expect.poll(async () => (await paint(page))['mode'], PATIENCE).toBe('dark')
  const saved = kept(page)
  await panel(page).getByRole('button', { name: '主题色 #13c2c2' }).click()
  await expect.poll(() => rootVar(page, '--primary'), PATIENCE).toBe('#13c2c2')
  await saved
  // Text on and in the colour can be read.
  await page.mouse.click(400, 500)
  await panel(page).waitFor({ state: 'hidden' })

  // The next visit looks so before a line of the console has run.
  await page.route('**/assets/*.js', async (route) => {
    await early
    await route.continue()
  })
  let go = () => {}
  const early = new Promise<void>((resolve) => { go = resolve })
  await page.reload({ waitUntil: 'commit' })
  await expect.poll(() => paint(page), PATIENCE).toMatchObject({ mode: 'dark', header: 'fixed' })
  expect(await rootVar(page, '--primary')).toBe('#13c2c2')
  go()
  await frontPage(page).waitFor()
  await page.unroute('**/assets/*.js')

  // Another computer: the server has them.
  await using other = await open()
  await enter(other.page, accountOf(server, 'qudao'), PARTNERS)
  expect(await paint(other.page)).toMatchObject({ mode: 'dark', header: 'fixed' })
  await other.page.getByRole('button', { name: '系统布局配置' }).click()
  const reset = kept(other.page)
  await panel(other.page).getByRole('button', { name: '恢复默认' }).click()
  await expect.poll(() => paint(other.page), PATIENCE).toMatchObject({ mode: 'light', header: 'moving' })
  await reset
  expect([...problems, ...other.problems]).toEqual([])
})

test('b12 the menu at the side, at the top, or both; on a phone always in its drawer', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server, 'qudao'), PARTNERS)
  const [top, side] = [page.locator('.top-menu'), page.locator('.sidebar')]
  const choose = async (layout: string) => {
    await page.getByRole('button', { name: '系统布局配置' }).click()
    const saved = kept(page)
    await panel(page).getByRole('radio', { name: layout }).click()
    await saved
    await escapeUntil(page, () => panel(page).isHidden())
  }
  // Both: the groups with their pictures in the bar, the pages of the group in front at the side.
  await choose('混合菜单')
  await top.getByRole('menuitem', { name: '合伙自习室' }).first().waitFor()
  expect(await top.getByRole('menuitem', { name: '合伙自习室' }).first().locator('svg').count()).toBe(1)
  await side.getByRole('link', { name: '学校列表' }).click()
  await arrive(page, '/new-study-room/school/school-list')
  expect(await side.getByRole('button', { name: '合伙自习室', exact: true }).count(), 'only what is in the group').toBe(0)
  // At the top: no column at all, the pages open below their group.
  await choose('顶部菜单')
  await side.waitFor({ state: 'detached' })
  await top.getByRole('menuitem', { name: '合伙自习室' }).first().hover()
  await page.locator('.ant-menu-submenu-popup').getByRole('link', { name: '合伙人', exact: true }).click()
  await arrive(page, PARTNERS)
  await page.setViewportSize({ width: 390, height: 844 })
  await top.waitFor({ state: 'detached' })
  await page.locator('.topbar .hamburger').click()
  await mainMenu(page).getByRole('button', { name: '合伙自习室', exact: true }).waitFor()
  await page.locator('.drawer-settings').click()
  const reset = kept(page)
  await panel(page).getByRole('button', { name: '恢复默认' }).click()
  await reset
  expect(problems).toEqual([])
})

test('b19 without a mouse: theme and size from the bar, a page and the settings from the palette, and back', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server, 'chakan'), '/')
  const key = (name: string) => page.keyboard.press(name)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '')
  /** Presses a key until something of this name has the focus. */
  const walk = async (by: string, to: string) => {
    for (let n = 0; n < 150; n++) {
      if (await focused() === to) return
      await key(by)
    }
    throw new Error(`${by} does not lead to ${to}`)
  }
  /** The palette by its keys: types, picks by the arrows, opens. */
  const command = async (words: string, title: string) => {
    await key('ControlOrMeta+KeyK')
    await expect.poll(focused, PATIENCE).toBe('命令面板')
    await page.keyboard.type(words)
    const wanted = hits(page).filter({ hasText: title }).first()
    await wanted.waitFor()
    for (let n = await hits(page).count(); n > 0 && await wanted.getAttribute('aria-selected') !== 'true'; n--) {
      await key('ArrowDown')
      await drawn(page)
    }
    await key('Enter')
    await palette(page).waitFor({ state: 'detached' })
  }
  await walk('Tab', '切换到深色')
  await key('Enter')
  await expect.poll(async () => (await paint(page))['mode'], PATIENCE).toBe('dark')
  await expect.poll(focused, PATIENCE).toBe('切换到浅色')
  await walk('Shift+Tab', '全局尺寸')
  await key('Enter')
  await page.getByRole('menuitem', { name: 'Mini' }).waitFor()
  await walk('Tab', 'Default')
  await walk('ArrowDown', 'Mini')
  await key('Enter')
  await expect.poll(async () => (await paint(page))['size'], PATIENCE).toBe('mini')

  await command('任务中心', '任务中心')
  await arrive(page, '/system/jobs')
  await command('系统布局', '系统布局配置')
  await panel(page).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.ant-drawer') !== null), PATIENCE).toBe(true)
  await walk('Tab', '主题色 #13c2c2')
  const saved = kept(page)
  await key('Enter')
  await expect.poll(() => rootVar(page, '--primary'), PATIENCE).toBe('#13c2c2')
  await saved
  await walk('Tab', '恢复默认')
  const reset = kept(page)
  await key('Enter')
  await expect.poll(async () => (await paint(page))['mode'], PATIENCE).toBe('light')
  await reset
  await escapeUntil(page, () => panel(page).isHidden())
  expect(problems).toEqual([])
})

test('b18 the watermark says who is there and when; taken away or changed it is there again', async () => {
  await using opened = await open()
  const { page, problems } = opened
  // What is written into its picture.
  await page.addInitScript(() => {
    const written: string[] = []
    Object.assign(window, { written })
    const write = CanvasRenderingContext2D.prototype.fillText
    CanvasRenderingContext2D.prototype.fillText = function fillText(text, ...place) {
      written.push(text)
      write.call(this, text, ...place)
    }
  })
  await enter(page, accountOf(server), PARTNERS)
  await handle(page).click()
  await panel(page).getByRole('switch', { name: '显示水印' }).click()
  const sheet = page.locator('.watermark')
  await sheet.waitFor({ state: 'attached' })
  const written = await page.evaluate(() => (window as unknown as { written: string[] }).written)
  expect(written[0]).toMatch(/\S+ admin$/)
  expect(written[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
  const look = () => sheet.evaluate(({ style }) => [style.pointerEvents, style.display, style.backgroundImage.startsWith('url("data:image/png')])
  const asDrawn = ['none', '', true]
  expect(await look()).toEqual(asDrawn)
  await sheet.evaluate((element) => element.remove())
  await expect.poll(() => sheet.count(), PATIENCE).toBe(1)
  await sheet.evaluate((element) => element.style.setProperty('display', 'none'))
  await expect.poll(look, PATIENCE).toEqual(asDrawn)
  await panel(page).getByRole('switch', { name: '显示水印' }).click()
  await sheet.waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

test('b18 a screen left alone is covered, also after a reload; the password opens it, and what was typed is still there', async () => {
  await using opened = await open()
  const { page, problems } = opened
  const account = accountOf(server)
  await enter(page, account, PARTNERS)
  const keyword = frontPage(page).locator('.list-page input').first()
  await keyword.fill('没有提交的词')
  await handle(page).click()
  await panel(page).getByRole('combobox', { name: '离开后遮挡屏幕' }).click()
  const saved = kept(page)
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: /^5 分钟$/ }).click()
  await saved
  await handle(page).click()
  await panel(page).waitFor({ state: 'hidden' })
  const lock = page.getByRole('dialog').filter({ hasText: '屏幕已锁定' })
  /** Six minutes pass without a sign of life. */
  const leave = () => page.evaluate(() => {
    const now = Date.now
    Date.now = () => now() + 6 * 60_000
  })
  const unlock = async (password: string) => {
    await lock.getByLabel('密码', { exact: true }).fill(password)
    await lock.getByRole('button', { name: '解锁' }).click()
  }
  await leave()
  await lock.waitFor(PATIENCE)
  await page.keyboard.press('Escape')
  await unlock('不是这个密码')
  await lock.locator('.ant-form-item-explain-error').waitFor(PATIENCE)
  await unlock(account.password)
  await lock.waitFor({ state: 'hidden', ...PATIENCE })
  expect(await keyword.inputValue()).toBe('没有提交的词')
  await leave()
  await lock.waitFor(PATIENCE)
  await page.reload()
  await lock.waitFor(PATIENCE)
  await unlock(account.password)
  await lock.waitFor({ state: 'hidden', ...PATIENCE })
  expect(problems).toEqual([])
})

test('92-93 the avatar menu: home and leaving, closed by Escape; the usual picture for a broken one', async () => {
  await using opened = await open()
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

test('b11 home: what waits leads to the list behind it, figures of what is granted; without a grant nothing is asked', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server))
  const row = frontPage(page).locator('.home-row').filter({ hasText: '待审核的合伙人订单' })
  const [count, to] = [await row.locator('strong').textContent(), await row.getByRole('link', { name: '待审核的合伙人订单' }).getAttribute('href')]
  await frontPage(page).getByRole('heading', { name: /^指标/ }).waitFor()
  await frontPage(page).locator('.home-figure').first().waitFor()
  expect(Number(count?.replace(/\D/g, ''))).toBeGreaterThan(0)
  await row.getByRole('link', { name: '待审核的合伙人订单' }).click()
  await expect.poll(() => addressOf(page), PATIENCE).toBe((to ?? '').replace(/^\/new/, ''))
  await expect.poll(() => frontPage(page).locator('.list-head small').textContent(), PATIENCE).toBe(count)

  await using nobody = await open()
  const trends = countCalls(nobody.page, '/daoyuan/api/end/dashboard/trends')
  await takeSession(nobody.page, accountOf(server, 'chakan'))
  await nobody.page.route('**/daoyuan/api/end/dashboard', (route) => route.fulfill({ json: { waiting: [], has_trends: false } }))
  await nobody.page.goto('/new/')
  await frontPage(nobody.page).getByText('快捷入口').waitFor()
  await frontPage(nobody.page).getByText('今天没有等你处理的事').waitFor()
  await drawn(nobody.page)
  expect(trends.count).toBe(0)
  expect([...problems, ...nobody.problems]).toEqual([])
})
