import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { person, PEOPLE } from '../core/setup/people.ts'
import { logIn, openPage, startBrowser, startServer, type TestServer } from './browser.ts'
import { callAs } from './staff-steps.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startServer()
  browser = await startBrowser()
}, 600_000)
afterAll(async () => {
  await browser.close()
  await server.stop()
})

async function entered(path: string) {
  const window = await openPage(browser, server, { width: 1440, height: 900 })
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(window.page, account)
  await window.page.goto(path)
  return window
}

test('pasted people are seen on one time axis, given more time after a look at it, and it is taken back', async () => {
  await using window = await entered('/new/operate/query/validity')
  const { page } = window
  await page.getByRole('textbox', { name: '手机号' }).fill([...Array.from({ length: 30 }, (_, index) => person(PEOPLE.student + index * 7, 'child').mobile), '123'].join('\n'))
  await page.getByText('已填 31 个').waitFor()
  await page.getByRole('textbox', { name: '手机号' }).press('Control+Enter')
  await page.locator('.validity-row').first().waitFor()
  await page.getByText('1 行没有找到').waitFor()
  await page.locator('.validity-row').getByRole('checkbox', { disabled: false }).first().check()
  await page.getByRole('button', { name: '延期 1 项' }).click()
  const dialog = page.getByRole('dialog', { name: '延期 · 1 项权益' })
  await dialog.getByRole('button', { name: '90 天' }).click()
  await dialog.getByRole('spinbutton', { name: '延期天数' }).fill('91')
  await dialog.getByText('91 天，超过 90 天，要由另一个人批准后才生效').waitFor()
  await dialog.getByRole('button', { name: '7 天', exact: true }).click()
  await dialog.getByLabel('原因').fill('直播故障补偿')
  await dialog.getByRole('button', { name: '延期 1 项' }).click()
  await page.getByText('已延期 1 项').waitFor()
  await page.getByRole('button', { name: '撤销' }).first().click()
  await page.getByText(/已撤销/).first().waitFor()
}, 60_000)

test('a questionnaire is made from a template, published, answered on a phone by somebody who goes back, and counted', async () => {
  await using window = await entered('/new/')
  const { page } = window
  const made = await callAs<{ id: number }>(page, 'POST', '/daoyuan/api/end/questionnaire', { title: '体验课回访' })
  await page.goto(`/new/operate/questionnaire/index?show=design&id=${made.id}`)
  await page.getByRole('button', { name: '套用模板' }).click()
  await page.getByRole('menuitem', { name: '新用户来源' }).click()
  await page.getByText('分支试走').click()
  await page.getByText(/每道题都能到达/).waitFor()
  await page.getByRole('button', { name: /^保\s?存$/ }).click()
  await page.getByText('已保存').first().waitFor()
  await page.getByRole('button', { name: /^发\s?布$/ }).click()
  await page.getByText('进行中').first().waitFor()
  const { path } = await callAs<{ path: string }>(page, 'GET', `/daoyuan/api/end/questionnaire/${made.id}/link`)
  await using phone = await openPage(browser, server, { width: 390, height: 844 })
  await phone.page.goto(path)
  await phone.page.getByRole('radio', { name: '其他' }).check()
  await phone.page.getByRole('textbox', { name: '请填写具体来源' }).fill('传单')
  // Another answer leads past what was typed.
  await phone.page.getByRole('radio', { name: '书店' }).check()
  expect(await phone.page.getByRole('textbox', { name: '请填写具体来源' }).count()).toBe(0)
  await phone.page.getByRole('checkbox', { name: '题库' }).check()
  await phone.page.getByRole('button', { name: '提交' }).click()
  await phone.page.getByText('这道题还没有回答').waitFor()
  await phone.page.locator('.survey-scale label').nth(9).click()
  await phone.page.getByRole('button', { name: '提交' }).click()
  await phone.page.getByText('已收到您的回答').waitFor()
  await page.goto(`/new/operate/questionnaire/index?show=figures&id=${made.id}`)
  await page.getByText('包含敷衍的答卷').click()
  await page.getByRole('region', { name: '请填写具体来源' }).getByText('0 人看到').waitFor()
  await page.getByRole('region', { name: '您从哪里知道我们？' }).getByText('1 人 100.0%').waitFor()
}, 60_000)

test('a sharer is frozen by a person on evidence, and the family stands in no list', async () => {
  await using window = await entered('/new/operate/accountMonitoring')
  const { page } = window
  const { items } = await callAs<{ items: { id: number; user_id: number; rules: string[] }[] }>(page, 'GET', '/daoyuan/api/end/account_monitors?status=1&status=2&page_size=100')
  const sharer = items.find(({ rules }) => rules.includes('share'))
  if (!sharer) throw new Error('the demo has no sharer')
  await page.goto(`/new/operate/accountMonitoring?open=${sharer.id}`)
  await page.getByRole('tab', { name: '证据与处置' }).click()
  await page.locator('.risk-lane').first().waitFor()
  await page.getByText(/同时在线 \d+ 分钟/).first().waitFor()
  await callAs(page, 'POST', `/daoyuan/api/end/account_monitor/${sharer.id}/freeze`, { reason: '多地同时登录，证据充分' })
  await page.goto(`/new/userManagement/total?open=${sharer.user_id}`)
  await page.getByText('冻结').first().waitFor()
  await page.getByText('账号风险').first().waitFor()
}, 60_000)
