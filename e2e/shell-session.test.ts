import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { logIn, type Account } from './browser.ts'
import { runConsole } from './console.ts'
import { enter, mainMenu } from './shell-steps.ts'
import { callAs, makeStaff } from './staff-steps.ts'

/** What the error-reporting service was sent. */
let sentry: Server
const envelopes: string[] = []
/** For what the browser does by itself: long enough for a busy machine, over as soon as it is done. */
const PATIENCE = { timeout: 40_000 }
const PARTNERS = '/daoyuan/api/end/self_study_room/partners'

const { open, server } = runConsole(async () => {
  sentry = createServer((request, response) => {
    // The console is on another origin than the service.
    response.setHeader('access-control-allow-origin', '*')
    void request.toArray().then((parts) => {
      envelopes.push(`${request.url}\n${Buffer.concat(parts as Buffer[]).toString()}`)
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => sentry.listen(0, '127.0.0.1', resolve))
  return { SENTRY_DSN: `http://publickey@127.0.0.1:${(sentry.address() as AddressInfo).port}/42` }
})
afterAll(() => void sentry?.close())

function account(name: string): Account {
  const found = server.accounts.find((one) => one.account === name)
  if (!found) throw new Error(`the demo has no ${name}`)
  return found
}

/** Where the page is below /new, with query and hash. */
const at = (page: Page) => {
  const url = new URL(page.url())
  return `${url.pathname.replace(/^\/new/, '')}${url.search}${url.hash}`
}
/** Where the login page leads afterwards. */
const redirectOf = (page: Page) => new URL(page.url()).searchParams.get('redirect')
const toasts = (page: Page) => page.locator('.ant-message-notice')
/** The session is over without anybody having logged out. */
const expire = (page: Page) => page.context().clearCookies({ name: 'session' })

test('17-22, 26, 27: the login page: focus, eye, caps lock, one sending, typed values kept after one message', async () => {
  await using window = await open({ width: 320, height: 640 })
  const { page } = window
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto('/new/login/')
  const name = page.getByLabel('账号', { exact: true })
  const password = page.getByLabel('密码', { exact: true })
  await expect.poll(() => name.evaluate((input) => input === document.activeElement), PATIENCE).toBe(true)
  expect([await name.inputValue(), await password.inputValue()]).toEqual(['', ''])
  expect(calls).not.toContain('/daoyuan/api/end/staff')
  expect(await page.getByText('系统登录').isVisible()).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)

  // Nothing typed: the fields say so and nothing is sent.
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.getByText('请输入密码').waitFor()
  expect(calls).not.toContain('/daoyuan/api/end_access_token')

  await name.fill('  admin ')
  await password.pressSequentially(' wrong Pass ')
  // Shift and a letter is no caps lock.
  await password.press('Shift+A')
  expect(await page.getByText('大写锁定已打开').count()).toBe(0)
  await password.evaluate((input) => input.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, modifierCapsLock: true })))
  await page.getByText('大写锁定已打开').waitFor()
  await password.blur()
  await page.getByText('大写锁定已打开').waitFor({ state: 'detached' })
  await page.locator('.ant-input-password-icon').click()
  expect(await password.getAttribute('type')).toBe('text')
  await expect.poll(() => password.evaluate((input) => input === document.activeElement), PATIENCE).toBe(true)

  let release = () => {}
  const held = new Promise<void>((resolve) => { release = resolve })
  const sent: unknown[] = []
  await page.route('**/end_access_token', async (route) => {
    sent.push(route.request().postDataJSON())
    await held
    await route.continue()
  })
  await password.press('Enter')
  await page.locator('.ant-btn-loading').waitFor()
  await password.press('Enter')
  release()
  await page.getByText('账号或密码错误').waitFor()
  await page.locator('.ant-btn-loading').waitFor({ state: 'detached' })
  expect(sent).toEqual([{ account: 'admin', pwd: ' wrong Pass A' }])
  expect(await toasts(page).count()).toBe(1)
  expect([await name.inputValue(), await password.inputValue()]).toEqual(['  admin ', ' wrong Pass A'])
  expect(at(page)).toBe('/login/')
})

test('9, 12, 23-25: a login leads to what was asked for, inside the console and permitted', async () => {
  await using window = await open()
  const { page } = window
  const enter = async (path: string, person: Account) => {
    await page.goto(`/new${path}`)
    await page.getByLabel('账号', { exact: true }).fill(person.account)
    await page.getByLabel('密码', { exact: true }).fill(person.password)
    await page.keyboard.press('Enter')
    await page.locator('.shell').waitFor()
  }
  await page.goto('/new/new-study-room/partner?keyword=%E5%8D%97&page=2#x')
  await page.waitForURL('**/login?**')
  expect(redirectOf(page)).toBe('/new-study-room/partner?keyword=%E5%8D%97&page=2#x')
  await enter(at(page), account('chakan'))
  expect(at(page)).toBe('/new-study-room/partner?keyword=%E5%8D%97&page=2#x')
  // Somebody who is logged in already sees the form and a way on.
  await page.goto('/new/login?redirect=/account')
  await page.getByRole('link', { name: '继续前往' }).click()
  await page.locator('.account-page').waitFor()
  for (const evil of ['https://evil.example', '//evil.example', '/login?redirect=/x']) {
    await enter(`/login?redirect=${encodeURIComponent(evil)}`, account('chakan'))
    expect(at(page), evil).toMatch(/^\/?$/)
  }
  // Not theirs: home, and no dead end.
  await enter('/login?redirect=/userManagement/staff', account('chakan'))
  expect(at(page)).toMatch(/^\/?$/)
})

test('139, 140: an expired session with nothing to lose is one message and the login page, which leads back', async () => {
  await using window = await open()
  const { page } = window
  await logIn(page, account('chakan'))
  await page.goto('/new/new-study-room/partner')
  await page.locator('.ant-table-row').first().waitFor()
  await expire(page)
  await page.getByLabel('刷新列表').click()
  await page.waitForURL('**/login?**')
  expect(redirectOf(page)).toBe('/new-study-room/partner')
  expect(await toasts(page).allInnerTexts()).toEqual(['登录已失效，请重新登录.'])
})

test('14 of b: with something typed the person logs in again in place: the form stays, what was read is read once more', async () => {
  await using window = await open()
  const { page } = window
  await logIn(page, account('qudao'))
  await page.goto('/new/new-study-room/partner')
  await page.getByRole('button', { name: '新增合伙人' }).click()
  const form = page.locator('.ant-drawer-open')
  await form.getByLabel('合伙人名称', { exact: true }).fill('写了一半的合伙人')
  await expire(page)
  let reads = 0
  page.on('request', (request) => { if (new URL(request.url()).pathname === PARTNERS) reads++ })
  // A read finds out; the page behind the form asks again.
  await page.getByLabel('刷新列表').dispatchEvent('click')
  const dialog = page.getByRole('dialog').filter({ hasText: '登录已过期' })
  await dialog.getByText('未保存的内容会原样保留').waitFor()
  reads = 0
  await dialog.getByLabel('密码', { exact: true }).fill('wrong password')
  await page.keyboard.press('Enter')
  await page.getByText('账号或密码错误').waitFor()
  await dialog.getByLabel('密码', { exact: true }).fill(account('qudao').password)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await form.getByLabel('合伙人名称', { exact: true }).inputValue()).toBe('写了一半的合伙人')
  await expect.poll(() => reads, PATIENCE).toBe(1)
  expect(at(page)).toBe('/new-study-room/partner')

  // A change is not repeated behind anybody's back.
  await form.getByLabel('联系人', { exact: true }).fill('甲')
  await expire(page)
  await page.evaluate(() => fetch('/daoyuan/api/end/preferences'))
  await page.getByRole('button', { name: '切换到深色' }).dispatchEvent('click')
  await dialog.getByLabel('密码', { exact: true }).fill(account('qudao').password)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('登录已恢复，请再次提交').waitFor()
})

test('94-96, 15 of b: windows keep in step: a logout, another account, the theme', async () => {
  await using first = await open()
  const one = first.page
  await logIn(one, account('chakan'))
  await one.goto('/new/new-study-room/partner?keyword=a')
  const two = await one.context().newPage()
  await two.goto('/new/account')
  await two.locator('.account-page').waitFor()

  await one.getByRole('button', { name: '切换到深色' }).click()
  await expect.poll(() => two.evaluate(() => document.documentElement.dataset['mode']), PATIENCE).toBe('dark')

  // The server may refuse: this browser forgets all the same.
  await one.route('**/api/staffLogout', (route) => route.fulfill({ status: 500, body: '{}' }))
  await one.locator('.person').click()
  const items = one.getByRole('menuitem')
  expect(await items.allInnerTexts()).toEqual(['首页', '退出登录'])
  await one.keyboard.press('Escape')
  await items.first().waitFor({ state: 'hidden' })
  await one.locator('.person').click()
  await one.getByRole('menuitem', { name: '退出登录' }).click()
  await one.waitForURL('**/login?**')
  expect(redirectOf(one)).toBe('/new-study-room/partner?keyword=a')
  await two.waitForURL('**/login?**')
  expect(redirectOf(two)).toBe('/account')

  // Somebody else logs in here: a window of the first person begins again as theirs.
  await logIn(two, account('chakan'))
  const third = await one.context().newPage()
  await third.goto('/new/login')
  await third.getByLabel('账号', { exact: true }).fill(account('admin').account)
  await third.getByLabel('密码', { exact: true }).fill(account('admin').password)
  await third.keyboard.press('Enter')
  // By a reload, or by way of the login page when a call of the old session was refused first.
  await expect.poll(() => two.locator('.person').getAttribute('title').catch(() => ''), PATIENCE).toContain('admin')
})

test('138, 140: calls that fail together are one toast; the server\'s own failure carries its number', async () => {
  await using window = await open()
  const { page } = window
  await logIn(page, account('chakan'))
  await page.route('**/self_study_room/**', (route) => route.fulfill({ status: 500, headers: { 'x-request-id': 'abcdef12-3456' }, body: '{}' }))
  await page.goto('/new/new-study-room/school/school-student')
  await toasts(page).first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(await toasts(page).count()).toBe(1)
  expect(await toasts(page).locator('span').filter({ hasText: /^服务器错误！$/ }).count()).toBeGreaterThan(0)
  expect(await toasts(page).innerText()).toContain('编号 abcdef12')
})

test('134, 16 of b: a screen that could not be fetched opens at the second try; after a deployment the window reloads once', async () => {
  await using window = await open()
  const { page } = window
  await logIn(page, account('chakan'))
  let broken = false
  let failed = 0
  // What was fetched once stays to be had, so that the window itself can load again; whatever else a screen needs is gone.
  const had = new Set<string>()
  await page.route(/assets\/.*\.js/, (route) => {
    if (!broken) had.add(route.request().url())
    if (had.has(route.request().url())) return route.continue()
    failed++
    return route.fulfill({ status: 404, body: 'gone' })
  })
  await page.reload()
  await page.waitForLoadState('networkidle')
  broken = true
  await page.getByRole('link', { name: '任务中心' }).click()
  await page.getByText('页面加载失败').waitFor()
  expect(await page.getByRole('navigation', { name: '主菜单' }).isVisible()).toBe(true)
  expect(failed).toBeGreaterThan(0)
  let loads = 0
  page.on('load', () => loads++)
  broken = false
  // The browser keeps the failure; the second try therefore begins the window again, at the same place.
  await page.getByRole('button', { name: '重试' }).click()
  await page.getByRole('radiogroup').or(page.getByRole('columnheader')).first().waitFor()
  expect(at(page)).toBe('/system/jobs')
  expect(loads).toBeLessThanOrEqual(1)

  // Now the server's page names another build: one reload by itself, and never a loop.
  broken = true
  loads = 0
  await page.route('**/new/', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    await route.fulfill({ body: '<script type="module" src="/new/assets/index-other.js"></script>', contentType: 'text/html' })
  })
  const list = page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '合伙人' }).first()
  await page.getByRole('button', { name: /合伙自习室/ }).click()
  await list.click()
  await expect.poll(() => loads, PATIENCE).toBe(1)
  await page.getByText('页面加载失败').waitFor()
  await page.getByText('后台有新版本').waitFor()
  expect(loads).toBe(1)
})

test('17 of b: without a network a bar says so, and what failed is read again when it is back', async () => {
  await using window = await open()
  const { page } = window
  await logIn(page, account('chakan'))
  await page.goto('/new/new-study-room/partner')
  await page.locator('.ant-table-row').first().waitFor()
  await page.context().setOffline(true)
  await page.getByText('网络已断开').waitFor()
  await page.context().setOffline(false)
  await page.getByText('网络已断开').waitFor({ state: 'detached' })
})

test('81-85: an error that nobody caught is in the list, with the administrator and with the service', async () => {
  await using window = await open()
  const { page } = window
  await logIn(page, account('admin'))
  expect(await page.getByRole('button', { name: /错误日志/ }).count()).toBe(0)
  const before = envelopes.length
  await page.evaluate(() => {
    setTimeout(() => { throw new TypeError('一处没有料到的错误') })
    void Promise.reject(new RangeError('没有人接的承诺'))
  })
  await page.getByRole('button', { name: '错误日志，2 条' }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: '错误日志' })
  await dialog.getByText('TypeError: 一处没有料到的错误', { exact: true }).waitFor()
  await dialog.getByText('RangeError: 没有人接的承诺', { exact: true }).waitFor()
  // It grows while it opens.
  await expect.poll(async () => Math.abs(((await dialog.boundingBox())?.width ?? 0) - 1440 * 0.8)).toBeLessThan(2)
  await expect.poll(() => envelopes.length, PATIENCE).toBe(before + 2)
  expect(envelopes.join('\n')).toContain('/api/42/envelope/')
  expect(envelopes.join('\n')).toContain('一处没有料到的错误')
  await dialog.getByRole('button', { name: '清空全部' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: /错误日志/ }).count()).toBe(0)
  // The administrator's list has them too.
  await page.goto('/new/system/errors')
  await page.getByText('TypeError: 一处没有料到的错误').first().waitFor()
})

test('rights that change while a form stands open: what is still granted stays with what was typed', async () => {
  await using administrator = await open()
  const { page: admin } = administrator
  await logIn(admin, account('admin'))
  const [PARTNER, PARTNER_EDIT, SCHOOL] = [1301, 130_101, 1305]
  const person = await makeStaff(open, admin, [PARTNER, PARTNER_EDIT, SCHOOL], '权同事')
  const grant = (...modules: number[]) => callAs(admin, 'PUT', `/daoyuan/api/end/staffs/${person.id}/grants`, { modules, scopes: {} })
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, person, '/new-study-room/partner')
  await page.getByRole('button', { name: '新增合伙人' }).click()
  const drawer = page.locator('.ant-drawer-open:visible')
  const name = drawer.locator('input').first()
  await name.fill('启航教育')
  await drawer.evaluate((element) => element.setAttribute('data-old', ''))
  const stays = async () => {
    expect(await name.inputValue()).toBe('启航教育')
    expect(await page.locator('.ant-drawer-open[data-old]').count(), 'the form is not made anew').toBe(1)
  }
  // The menu gets shorter, the form stays.
  await mainMenu(page).getByRole('link', { name: '学校列表' }).waitFor(PATIENCE)
  await grant(PARTNER, PARTNER_EDIT)
  await mainMenu(page).getByRole('link', { name: '学校列表' }).waitFor({ state: 'detached', ...PATIENCE })
  await stays()
  // Also when it cannot be saved any more.
  await grant(PARTNER)
  await page.locator('.list-page').getByRole('button', { name: '新增合伙人' }).waitFor({ state: 'detached', ...PATIENCE })
  await stays()
  // When the page itself is no longer theirs, it goes, and the person is told what went with it.
  await grant(SCHOOL)
  await page.getByText('您不再有「合伙人」的权限，其中未保存的内容没有提交').waitFor(PATIENCE)
  await drawer.waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

test('whoever has to do something first finds the open form as it was afterwards', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, account('admin'), '/new-study-room/partner')
  await page.getByRole('button', { name: '新增合伙人' }).click()
  const name = page.locator('.ant-drawer-open:visible input').first()
  await name.fill('启航教育')
  let must = true
  await page.route('**/daoyuan/api/end/staff', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()) as object, ...(must && { must: 'password' }) } })
  })
  await page.route('**/daoyuan/api/end/password', (route) => {
    must = false
    return route.fulfill({ json: {} })
  })
  const words = '请先修改密码'
  await page.route(`**${PARTNERS}?*`, (route) => (must ? route.fulfill({ status: 403, json: { detail: words, must: 'password' } }) : route.continue()))
  await page.getByRole('button', { name: '刷新列表' }).evaluate((button) => (button as HTMLElement).click())
  await page.getByRole('heading', { name: words }).waitFor(PATIENCE)
  expect(await page.locator('.ant-drawer-open').isVisible()).toBe(false)
  await page.getByLabel('当前密码', { exact: true }).fill('Old-pass-1')
  for (const label of ['新密码', '再次输入新密码']) await page.getByLabel(label, { exact: true }).fill('New-pass-12')
  await page.keyboard.press('Enter')
  await name.waitFor(PATIENCE)
  expect(await name.inputValue()).toBe('启航教育')
  expect(problems).toEqual([])
})
