import { expect, test } from 'vitest'
import { runConsole } from './console.ts'
import { logIn, takeSession } from './browser.ts'
import { accountOf, addressOf, arrive, countCalls, enter, frontPage, goTo, mainMenu, PATIENCE } from './shell-steps.ts'

const STAFF = '/daoyuan/api/end/staff'
const SUBJECTS = '/daoyuan/api/cats'
const PARTNERS = '/new-study-room/partner'
const SCHOOLS = '/new-study-room/school/school-list'

const { open, server } = runConsole()

/** What the login page was asked to lead back to. */
const redirectOf = (address: string) => new URL(address).searchParams.get('redirect')

test('1-2, 4-5, 13, 130 a deep link opens after a reload; title, staff, subjects, page; staff once, subjects before every navigation', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await takeSession(page, accountOf(server))
  const staff = countCalls(page, STAFF)
  const subjects = countCalls(page, SUBJECTS)
  // The title is set before anything is asked of the server.
  let early: Promise<string> | undefined
  await page.route(`**${STAFF}`, async (route) => {
    early ??= page.title()
    await early
    expect(await page.locator('.shell').count(), 'the shell waits for the person').toBe(0)
    await route.continue()
  })
  const order: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (request.method() === 'GET' && [STAFF, SUBJECTS, '/daoyuan/api/end/self_study_room/partners'].includes(path)) order.push(path)
  })
  await page.goto(`/new${PARTNERS}?keyword=a#top`)
  await page.locator('.list-page').waitFor()
  expect(await early).toBe('合伙人 - 道远后台')
  expect(addressOf(page)).toBe(`${PARTNERS}?keyword=a#top`)
  expect(order[0]).toBe(STAFF)
  expect(order).toContain(SUBJECTS)
  const before = subjects.count
  await goTo(page, SCHOOLS)
  await arrive(page, SCHOOLS)
  await expect.poll(() => page.title(), PATIENCE).toBe('合伙·学校列表 - 道远后台')
  await expect.poll(() => subjects.count, PATIENCE).toBeGreaterThan(before)
  expect(staff.count).toBe(1)
  // Nothing half loaded stands in the history: one step back is the first page.
  await page.goBack()
  await arrive(page, `${PARTNERS}?keyword=a#top`)
  await page.goto('/new')
  await frontPage(page).waitFor()
  await expect.poll(() => page.title(), PATIENCE).toBe('首页 - 道远后台')
  expect(problems).toEqual([])
})

test('3, 10, 12-13 without a session the login page, with path, query and hash; it asks for nobody and no subjects, however it is spelled', async () => {
  await using opened = await open()
  const { page } = opened
  const staff = countCalls(page, STAFF)
  const subjects = countCalls(page, SUBJECTS)
  let shell = 0
  await page.exposeFunction('sawShell', () => { shell++ })
  await page.addInitScript(() => new MutationObserver(() => {
    if (document.querySelector('.shell')) (globalThis as unknown as { sawShell: () => void }).sawShell()
  }).observe(document, { childList: true, subtree: true }))
  await page.goto(`/new${PARTNERS}?keyword=a&page=2#h`)
  await page.getByLabel('账号', { exact: true }).waitFor()
  expect(redirectOf(page.url())).toBe(`${PARTNERS}?keyword=a&page=2#h`)
  for (const path of ['/new/login/', '/new/auth-redirect/']) {
    await page.goto(path)
    await page.locator('.login-card, .login').first().waitFor()
  }
  expect([shell, staff.count, subjects.count]).toEqual([0, 0, 0])
})

for (const { what, answer, words } of [
  { what: 'an envelope of an error', answer: { status: 200, body: '{"code":0,"data":null,"msg":"账号维护中"}' }, words: '账号维护中' },
  { what: 'a broken connection', answer: undefined, words: '网络连接失败，请检查网络后重试' },
  { what: 'an answer without a person', answer: { status: 200, body: '{}' }, words: '登录已失效，请重新登录.' },
  { what: 'an empty answer', answer: { status: 200, body: '' }, words: '登录已失效，请重新登录.' },
  { what: 'a failure of the server', answer: { status: 500, body: '{"detail":"服务器错误！"}' }, words: '服务器错误！' },
]) {
  test(`6-8, 41 ${what} instead of the person: one message, the token is gone, the login page leads back`, async () => {
    await using opened = await open()
    const { page } = opened
    await takeSession(page, accountOf(server))
    await page.route(`**${STAFF}`, (route) => (answer ? route.fulfill({ ...answer, contentType: 'application/json' }) : route.abort()))
    const staff = countCalls(page, STAFF)
    await page.goto(`/new${PARTNERS}`)
    await page.getByLabel('账号', { exact: true }).waitFor()
    // The message is drawn by itself, and may come after the page behind it.
    await expect.poll(() => page.locator('.ant-message-notice').allTextContents(), PATIENCE).toEqual([words])
    expect(redirectOf(page.url())).toBe(PARTNERS)
    await expect.poll(async () => (await page.context().cookies()).filter((cookie) => cookie.name === 'csrf'), PATIENCE).toEqual([])
    expect(staff.count).toBe(1)
    // The next visit does not try with what was cleared.
    await page.goto(`/new${SCHOOLS}`)
    await page.getByLabel('账号', { exact: true }).waitFor()
    expect(staff.count).toBe(1)
  })
}

test('11, 15 a person without a role enters; navigations meanwhile share one call, and its answer leads nowhere else', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await takeSession(page, accountOf(server))
  const staff = countCalls(page, STAFF)
  let go = () => {}
  const held = new Promise<void>((resolve) => { go = resolve })
  await page.route(`**${STAFF}`, async (route) => {
    const answer = await route.fetch()
    const person = (await answer.json()) as Record<string, unknown>
    await held
    await route.fulfill({ response: answer, json: { ...person, role: '' } })
  })
  await page.goto(`/new${PARTNERS}`)
  // 14: while the person is waited for there is the thin line, and no shell.
  await page.locator('.progress-bar[data-waiting="true"]').waitFor({ state: 'attached' })
  await goTo(page, SCHOOLS)
  await goTo(page, '/account')
  go()
  await page.locator('.account-page').waitFor()
  expect(addressOf(page)).toBe('/account')
  expect(staff.count).toBe(1)
  await page.locator('.progress-bar[data-waiting="false"]').waitFor({ state: 'attached' })
  expect(problems).toEqual([])
})

test('13 subjects that cannot be had stop nobody and are not complained about', async () => {
  await using opened = await open()
  const { page } = opened
  await page.route(`**${SUBJECTS}**`, (route) => route.fulfill({ status: 503, contentType: 'application/json', body: '{"detail":"科目服务不可用"}' }))
  await enter(page, accountOf(server), PARTNERS)
  await page.locator('.list-page').waitFor()
  expect(await page.getByText('科目服务不可用').count()).toBe(0)
})

test('28 /auth-redirect leaves the answer for the window that opened it and closes; opened by hand it leads to the login page', async () => {
  await using opened = await open()
  const { page, problems } = opened
  const staff = countCalls(page, STAFF)
  await page.goto('/new/login')
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => { window.open('/new/auth-redirect?code=a%20b&more=%E4%B8%AD') })])
  if (!popup.isClosed()) await popup.waitForEvent('close')
  const answer = () => page.evaluate(() => localStorage.getItem('x-admin-oauth-code'))
  expect(await answer()).toBe('code=a%20b&more=%E4%B8%AD')
  await page.goto('/new/auth-redirect?code=c')
  await page.getByRole('link', { name: '返回登录' }).click()
  await arrive(page, '/login')
  expect(await answer()).toBe('code=c')
  expect(staff.count, 'nobody is asked who they are').toBe(0)
  expect(problems).toEqual([])
})

test('29-31 a refresh makes the page anew in place: no step in the history, no change of title, query and hash stay', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), '/account')
  await goTo(page, `${PARTNERS}?keyword=%E6%95%99#top`)
  await page.locator('.list-page').waitFor()
  const length = await page.evaluate(() => window.history.length)
  await page.evaluate(() => {
    document.querySelector('.kept-frame:not([data-behind]) > .kept-page')?.setAttribute('data-old', '')
    document.querySelector('.side-menu')?.setAttribute('data-old', '')
    const titles: string[] = []
    const seen = globalThis as unknown as { titles: string[] }
    seen.titles = titles
    new MutationObserver(() => titles.push(document.title)).observe(document.querySelector('title') ?? document.head, { childList: true })
  })
  // As the tabs do it: in the place of the entry.
  await page.evaluate(() => {
    window.history.replaceState(window.history.state, '', window.location.href.replace('/new/', '/new/redirect/'))
    window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state as unknown }))
  })
  await arrive(page, `${PARTNERS}?keyword=%E6%95%99#top`)
  await page.locator('.kept-page:visible:not([data-old])').waitFor()
  expect(await page.locator('.side-menu[data-old]').count(), 'the shell stays').toBe(1)
  expect(await page.evaluate(() => window.history.length)).toBe(length)
  expect(await page.evaluate(() => (globalThis as unknown as { titles: string[] }).titles.filter((title) => title !== '合伙人 - 道远后台'))).toEqual([])
  expect(await page.locator('.tab').count()).toBe(3)
  await page.goBack()
  await arrive(page, '/account')
  // 39: from the address bar it works too.
  await page.goto(`/new/redirect${SCHOOLS}?page=2`)
  await arrive(page, `${SCHOOLS}?page=2`)
  await page.locator('.list-page').waitFor()
  expect(problems).toEqual([])
})

test('32-34, 37-40, 132 a page that is not granted is the 404 page that names the module; an unknown one names its address; a group leads to its first page', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server, 'chakan'))
  expect(await mainMenu(page).getByText('系统管理').count(), 'a group of which nothing is granted').toBe(0)
  await page.goto('/new/userManagement/staff')
  await page.locator('.outcome', { hasText: '请联系管理员开通「内部员工」模块' }).waitFor()
  expect(await page.locator('.outcome').textContent()).toContain('/userManagement/staff')
  await expect.poll(() => page.title(), PATIENCE).toBe('内部员工 - 道远后台')
  await page.goto('/new/no/such/screen?x=1')
  await page.locator('.outcome', { hasText: '/no/such/screen' }).waitFor()
  await expect.poll(() => page.title(), PATIENCE).toBe('页面不存在 - 道远后台')
  // 97: neither has a tab.
  await expect.poll(() => page.locator('.tab').count(), PATIENCE).toBe(1)
  await page.getByRole('link', { name: '回到首页' }).click()
  await arrive(page, '/')
  await goTo(page, '/userManagement')
  await arrive(page, '/userManagement/total')
  await goTo(page, '/NEW-study-room/Partner/')
  await arrive(page, PARTNERS)
  expect(problems).toEqual([])
})

test('41, 96 what one account had is gone for the next: menu, tabs, pages', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), '/userManagement/staff')
  await goTo(page, PARTNERS)
  await page.getByRole('button', { name: '超级管理员' }).click()
  await page.getByText('退出登录').click()
  await page.getByLabel('账号', { exact: true }).waitFor()
  const { account, password } = accountOf(server, 'chakan')
  await page.getByLabel('账号', { exact: true }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.locator('.shell').waitFor()
  await expect.poll(() => page.locator('.tab .tab-title').allTextContents(), PATIENCE).toEqual(['首页', '合伙人'])
  expect(await mainMenu(page).getByText('内部员工').count()).toBe(0)
  await goTo(page, '/userManagement/staff')
  await page.locator('.outcome', { hasText: '404' }).waitFor()
  expect(problems).toEqual([])
})

test('131-133 the error pages: two inside the shell, two beside it which lose nothing; back, or home when there is nothing to go back to', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await enter(page, accountOf(server), PARTNERS)
  await page.locator('.list-page input').first().fill('没有提交的词')
  for (const code of ['404', '401']) {
    await goTo(page, `/${code}`)
    await page.locator('.outside .outcome', { hasText: code }).waitFor()
    expect(await page.locator('.side-menu:visible').count(), 'no shell around it').toBe(0)
    await page.getByRole('button', { name: '返回上一页' }).click()
    await arrive(page, PARTNERS)
    await expect.poll(() => page.locator('.list-page input').first().inputValue(), PATIENCE).toBe('没有提交的词')
    await goTo(page, `/error/${code}`)
    await frontPage(page).locator('.outcome', { hasText: code }).waitFor()
    await expect.poll(() => page.getByRole('tab', { name: code, exact: true }).count(), PATIENCE).toBe(1)
    expect(await page.locator('.side-menu:visible').count()).toBe(1)
    await goTo(page, PARTNERS)
  }
  // Nothing of ours is before a page that was opened by hand; and a person who says so is led home too.
  await page.goto('/new/401')
  await page.getByRole('link', { name: '回到首页' }).waitFor()
  expect(await page.getByRole('button', { name: '返回上一页' }).count()).toBe(0)
  await page.getByRole('link', { name: '回到首页' }).click()
  await arrive(page, '/')
  await goTo(page, '/error/401?noGoBack=1')
  await frontPage(page).locator('.outcome', { hasText: '401' }).waitFor()
  expect(await frontPage(page).getByRole('button', { name: '返回上一页' }).count()).toBe(0)
  expect(problems).toEqual([])
})

test('134, b17 a page that fails leaves menu and tabs alone, names its error, and can be tried again; so can one whose code does not come', async () => {
  await using opened = await open()
  const { page } = opened
  await enter(page, accountOf(server))
  let broken = true
  await page.route('**/self_study_room/partners?**', (route) => (broken ? route.fulfill({ json: { partners: [{ id: 1, name: {} }], items: [{ id: 1, name: { nobody: 'can draw this' } }], total: 1 } }) : route.continue()))
  const reported = page.waitForRequest('**/end/client_errors')
  await mainMenu(page).getByText('合伙自习室').click()
  await mainMenu(page).getByRole('link', { name: '合伙人', exact: true }).click()
  const failed = frontPage(page).locator('.outcome', { hasText: '页面出错了' })
  await failed.waitFor()
  const id = await failed.locator('code').textContent()
  expect(id).toMatch(/^[2-9A-HJ-NP-Z]{8}$/)
  expect(((await reported).postDataJSON() as { stack: string }).stack).toContain(`错误编号 ${id}`)
  // The rest goes on.
  await mainMenu(page).locator('a[href$="/school/school-list"]').click()
  await page.locator('.list-page:visible').waitFor()
  await page.getByRole('tab', { name: '合伙人', exact: true }).click()
  await page.getByRole('button', { name: '复制编号' }).click()
  await page.getByText(/已复制|复制失败/).waitFor()
  broken = false
  // What the page had read is forgotten with it: the second try reads again.
  await page.getByRole('button', { name: '重试' }).click()
  await page.locator('.kept-page:visible .list-page').waitFor()

  // The code of the jobs page does not come at first.
  let gone = true
  await page.route(/assets\/jobs-page-.*\.js/, (route) => (gone ? route.abort() : route.continue()))
  await mainMenu(page).getByRole('link', { name: '任务中心' }).click()
  await frontPage(page).locator('.outcome', { hasText: '页面加载失败' }).waitFor()
  gone = false
  await frontPage(page).getByRole('button', { name: '重试' }).click()
  await frontPage(page).locator('.ant-table, .ant-empty').first().waitFor()
})

test('a screen that is not granted and one that does not exist are the 404 page', async () => {
  const looker = server.accounts.find((one) => one.account === 'chakan')
  if (!looker) throw new Error('no demo account')
  await using window = await open()
  const { page } = window
  await logIn(page, looker)
  await page.goto('/new/userManagement/staff')
  await expect.poll(() => page.locator('.outcome').textContent(), { timeout: 20_000 }).toContain('内部员工')
  await page.goto('/new/no/such/screen')
  await expect.poll(() => page.locator('.outcome').textContent(), { timeout: 20_000 }).toContain('/no/such/screen')
})
