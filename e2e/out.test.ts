import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { logIn, openPage, startBrowser, startServer, type TestServer } from './browser.ts'
import { option } from './form-steps.ts'

let server: TestServer
let browser: Browser
let robot: Server
const said: string[] = []
const robotAddress = () => `http://127.0.0.1:${(robot.address() as AddressInfo).port}`
beforeAll(async () => {
  robot = createServer((request, reply) => {
    let text = ''
    request.on('data', (piece: Buffer) => { text += piece.toString() })
    request.on('end', () => {
      said.push(text)
      reply.setHeader('content-type', 'application/json').end('{"errcode":0}')
    })
  })
  await new Promise<void>((resolve) => { robot.listen(0, '127.0.0.1', resolve) })
  server = await startServer({ OUTGOING_ALLOW: robotAddress() })
  browser = await startBrowser()
}, 600_000)
afterAll(async () => {
  await browser.close()
  await server.stop()
  robot.close()
})

test('a group robot is set up and tried, a view is subscribed for it, a record is printed and a template changed', async () => {
  await using opened = await openPage(browser, server)
  const { page, problems } = opened
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  await page.goto('/new/system/health?show=channels')
  await page.getByRole('button', { name: '新增消息通道' }).click()
  await page.getByRole('textbox', { name: '名称' }).fill('运营群')
  await page.getByText('企业微信群机器人').click()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  const keys = page.getByRole('dialog', { name: /设置密钥/ })
  await keys.getByRole('textbox', { name: '机器人地址' }).fill('https://elsewhere.example.com/x')
  await keys.getByRole('button', { name: /保\s*存/ }).click()
  await keys.getByText('请填写在群里添加机器人时得到的完整地址').waitFor()
  await keys.getByRole('textbox', { name: '机器人地址' }).fill(`${robotAddress()}/robot?key=abc`)
  await keys.getByRole('button', { name: /保\s*存/ }).click()
  await keys.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: '发送测试' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: '发送测试' }).click()
  await page.getByText('已发送，请查看是否收到').waitFor()
  expect(said.join()).toContain('道远后台测试消息')
  await page.getByRole('dialog').getByText(/^关\s*闭$/).click()

  // A view, for the group.
  await page.goto('/new/new-study-room/partner?status=1')
  await page.locator('tr[data-row-key]').first().waitFor()
  await page.getByRole('button', { name: '保存为视图' }).click()
  await page.getByRole('textbox', { name: '视图名称' }).fill('在约合伙人')
  await page.getByRole('dialog').getByRole('button', { name: /保\s*存/ }).click()
  await page.getByRole('button', { name: '视图「在约合伙人」的操作' }).click()
  await page.getByRole('menuitem', { name: '订阅此视图' }).click()
  await page.getByRole('combobox', { name: '发送方式' }).click()
  await option(page, '运营群（群）').click()
  await page.getByText('群里不发具体记录').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: /^订\s*阅$/ }).click()
  await page.getByText('订阅成功').waitFor()
  await page.goto('/new/account')
  const end = page.getByRole('button', { name: '取消订阅在约合伙人' })
  await end.click()
  await end.waitFor({ state: 'hidden' })

  // A contract, as the printer gets it.
  await page.goto('/new/new-study-room/partner')
  await page.locator('tr[data-row-key] input[type=checkbox]').nth(1).check({ force: true })
  await page.locator('tr[data-row-key] input[type=checkbox]').nth(2).check({ force: true })
  await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: /打\s*印/ }).click()
  await page.getByRole('dialog').getByText('自习室合作合同').first().waitFor()
  await page.evaluate(() => { window.print = () => undefined })
  await page.getByRole('dialog').getByRole('button', { name: /打\s*印 2 条/ }).click()
  await page.locator('.sheet-only .sheet-page').nth(1).waitFor({ state: 'attached' })
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))

  // A field is put into a template; it becomes its second version.
  await page.goto('/new/system/health?show=templates')
  await page.getByRole('button', { name: '编辑模板' }).first().click()
  const text = page.getByRole('textbox', { name: '模板内容' })
  await text.click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.getByLabel('字段', { exact: true }).getByRole('button', { name: '余额', exact: true }).click()
  await text.locator('.rich-chip', { hasText: '余额' }).waitFor()
  // What is typed is read when typing pauses.
  await page.getByRole('textbox', { name: '模板名称' }).click()
  await page.getByRole('button', { name: /保\s*存/ }).click()
  await page.getByText('已保存为第 2 版').waitFor()
  expect(problems).toEqual([])
}, 240_000)

test('it can be installed, says so without network, and asks the server for everything else', async () => {
  await using opened = await openPage(browser, server, { width: 390, height: 844 }, 'allow')
  const { page } = opened
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  const manifest = await (await page.request.get('/new/manifest.webmanifest')).json() as { icons: { src: string }[] }
  for (const { src } of manifest.icons) expect((await page.request.get(`/new/${src}`)).headers()['content-type']).toBe('image/png')
  await page.evaluate(async () => { await navigator.serviceWorker.ready })
  await page.reload()
  await page.locator('.shell').waitFor()
  const kept = await page.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())
  expect(kept).toEqual(['/new/offline.html'])
  await page.context().setOffline(true)
  await page.goto('/new/inbox').catch(() => undefined)
  await page.getByText('打不开道远后台').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: '重试' }).click()
  await page.locator('.shell').waitFor()
}, 120_000)
