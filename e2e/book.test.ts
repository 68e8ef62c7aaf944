import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { madePdf } from '../modules/book/pdf/made-pdf-testing.server.ts'
import { openPage, startBrowser, startServer, takeSession, type TestServer } from './browser.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), startBrowser()])
}, 700_000)
afterAll(async () => {
  await browser.close()
  await server.stop()
})

test('a printed code is led to something else with a reason, and who scans it sees that', async () => {
  await using window = await openPage(browser, server)
  const { page, problems } = window
  await takeSession(page, server.accounts[0]!)
  await page.goto('/new/practiceBook/content/ebook/junior?state=1')
  const row = page.locator('.ant-table-row').first()
  await row.waitFor()
  const code = await row.getByText(/^[2-9A-HJKMNP-Z]{8}$/).innerText()
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/)
  await row.getByRole('button', { name: '改指向' }).or(row.getByText('改指向')).first().click()
  const dialog = page.locator('.ant-modal').filter({ hasText: '改指向' })
  await dialog.locator('.ant-segmented-item-label', { hasText: '网址' }).click()
  await dialog.getByRole('textbox', { name: '网址' }).fill('http://192.168.1.1/')
  await dialog.getByRole('textbox', { name: '原因' }).fill('讲解视频重录，先指向说明页')
  await dialog.getByRole('button', { name: /确\s*定/ }).click()
  await dialog.getByText('网址不允许：不能指向内网地址').waitFor()
  await dialog.getByRole('textbox', { name: '网址' }).fill('https://help.example.org/book')
  await dialog.getByRole('button', { name: /确\s*定/ }).click()
  await page.getByText('已改指向，扫码立即生效').waitFor()
  const scanned = await page.request.get(`/q/${code.toLowerCase()}`)
  expect(await scanned.text()).toContain('前往 help.example.org')
  expect(problems).toEqual([])
})

test('places of a page are drawn by the mouse, moved by the keys, numbered, bound and saved', async () => {
  await using window = await openPage(browser, server)
  const { page, problems } = window
  await takeSession(page, server.accounts[0]!)
  await page.goto('/new/practiceBook/content/pebDetail?book_id=1&page=8')
  const canvas = page.locator('.page-canvas').first()
  await canvas.waitFor()
  const spots = canvas.locator('.page-spot')
  await spots.first().waitFor()
  const before = await spots.count()
  const frame = (await canvas.boundingBox())!
  await page.mouse.move(frame.x + frame.width * 0.1, frame.y + frame.height * 0.02)
  await page.mouse.down()
  await page.mouse.move(frame.x + frame.width * 0.3, frame.y + frame.height * 0.05, { steps: 4 })
  await page.mouse.up()
  expect(await spots.count()).toBe(before + 1)
  const fresh = canvas.locator('.page-spot[data-chosen="true"]')
  const left = async () => Number(await fresh.evaluate((spot: HTMLElement) => Number.parseFloat(spot.style.left)))
  const from = await left()
  await fresh.focus()
  await page.keyboard.press('Shift+ArrowRight')
  expect(await left()).toBeCloseTo(from + 1, 2)
  await page.keyboard.press('ArrowRight')
  expect(await left()).toBeCloseTo(from + 1.1, 2)
  await page.getByLabel('题号').fill('附加题')
  await page.getByLabel('绑定的内容').click()
  await page.locator('.ant-select-item-option').first().click()
  await page.getByRole('button', { name: /^保\s*存$/ }).click()
  await page.getByText('热区已保存').waitFor()
  await page.reload()
  await canvas.locator('.page-spot[data-bound="true"]', { hasText: '附加题' }).waitFor()
  expect(problems).toEqual([])
})

test('a book is looked at before it is printed, and its print is in its papers', async () => {
  await using window = await openPage(browser, server)
  const { page, problems } = window
  await takeSession(page, server.accounts[0]!)
  await page.goto('/new/practiceBook/content/pebManage?open=1')
  await page.getByRole('tab', { name: '印次' }).click()
  await page.getByText('第 2 次').waitFor()
  await page.getByText('12,000').waitFor()
  expect(problems).toEqual([])
})

/** Pages with two questions each, a code of nobody on the first. */
const printed = (words: readonly (readonly [string, string])[]) => madePdf(words.map(([first, second]) => ({ lines: [{ text: `1. ${first}`, x: 20, y: 40 }, { text: `2. ${second}`, x: 20, y: 140 }] })))

test('a file for printing is read, its questions found; the next one is compared page by page, and what was lost is decided', async () => {
  await using window = await openPage(browser, server)
  const { page, problems } = window
  await takeSession(page, server.accounts[0]!)
  await page.goto('/new/practiceBook/content/pebDetail?book_id=7')
  const bar = page.getByRole('region', { name: '印刷文件' })
  const send = async (name: string, content: Buffer) => {
    await bar.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer: content })
    await bar.getByRole('link', { name: '对版' }).click({ timeout: 60_000 })
    await page.getByRole('region', { name: '对版' }).waitFor()
  }
  await send('首印.pdf', printed([['已知集合甲乙丙丁的元素个数', '函数的单调区间怎样求出'], ['等差数列前十项之和是多少', '抛物线焦点到准线的距离']]))
  await page.locator('.compare .page-spot').nth(1).waitFor()
  await page.getByRole('button', { name: /采\s*用$/ }).click()
  await page.locator('.ant-modal').getByRole('button', { name: /采\s*用$/ }).click()
  await page.getByText('共 2 页').waitFor()
  await send('二印.pdf', printed([['本页为新增的复习提要内容', '请先阅读后再完成练习'], ['已知集合甲乙丙丁的元素个数', '函数的单调区间怎样求出']]))
  const lost = page.getByRole('region', { name: '没有对上的热区' })
  await lost.getByText('没有对上的热区（2 / 2）').waitFor()
  expect(await page.getByRole('button', { name: /采\s*用$/ }).isDisabled()).toBe(true)
  await page.keyboard.press('j')
  await page.getByText('新第 2 页').waitFor()
  await page.getByText('原第 1 页', { exact: true }).waitFor()
  await page.locator('.ant-segmented-item-label', { hasText: '重叠' }).click()
  await lost.getByRole('button', { name: '放到第 2 页' }).first().click()
  await lost.getByText('没有对上的热区（1 / 2）').waitFor()
  await lost.getByRole('button', { name: '不再需要' }).click()
  await lost.getByText('没有对上的热区（0 / 2）').waitFor()
  // The one that was put there is moved by keys and saved.
  const moved = page.locator('.compare-pages figure').last().locator('.page-spot').last()
  await moved.focus()
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByRole('button', { name: '保存本页' }).click()
  await page.getByText('热区已保存').waitFor()
  await page.getByRole('button', { name: /采\s*用$/ }).click()
  await page.locator('.ant-modal').getByRole('button', { name: /采\s*用$/ }).click()
  await bar.getByText('二印.pdf').waitFor()
  await bar.getByRole('button', { name: /^显示换下的 \d 份$/ }).waitFor()
  expect(problems).toEqual([])
})

test('an erratum is confirmed from its list and stands behind the code at once, and in the table that is printed', async () => {
  await using opened = await openPage(browser, server)
  const { page, problems } = opened
  await takeSession(page, server.accounts[0]!)
  await page.goto('/new/practiceBook/content/pebManage?show=errata&state=1')
  const row = page.locator('.ant-table-row').filter({ hasText: '答案：B' })
  await row.waitFor()
  const codes = await page.request.get('/daoyuan/api/end/practice_book/errata?state=1')
  const draft = ((await codes.json()) as { items: { id: number; book_id: number; page_no: number; wrong: string }[] }).items.find(({ wrong }) => wrong === '答案：B')!
  const { items } = (await (await page.request.get(`/daoyuan/api/end/practice_book/senior_ebooks?book_id=${draft.book_id}&page_size=100`)).json()) as { items: { code: string; page_no: number | null }[] }
  const scanned = async () => (await page.request.get(`/q/${items.find(({ page_no }) => page_no === draft.page_no)!.code}`)).text()
  expect(await scanned()).not.toContain('答案：C')
  await row.getByText('确认', { exact: true }).first().click()
  await page.locator('.ant-modal, .ant-popover').getByRole('button', { name: /确\s*[定认]/ }).last().click()
  await expect.poll(scanned).toContain('答案：C')
  await page.goto(`/new/practiceBook/content/pebManage?open=${draft.book_id}`)
  await page.getByRole('tab', { name: '勘误表' }).click()
  const table = page.getByRole('article', { name: '勘误表' })
  await table.getByText('答案：C').waitFor()
  await page.evaluate(() => { globalThis.print = () => { document.body.dataset['printed'] = String(document.querySelectorAll('body > .sheet-only tbody tr').length) } })
  await page.getByRole('button', { name: '打印或存为 PDF' }).click()
  await expect.poll(() => page.evaluate(() => Number(document.body.dataset['printed'] ?? 0))).toBeGreaterThan(0)
  expect(problems).toEqual([])
})
