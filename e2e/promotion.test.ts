import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { act, choose, dialog, drawer, field, option, record, save } from './form-steps.ts'

const { open, server } = runConsole()

test('a link over two lines is made, opened by a stranger who orders, paid at once, and seen in its funnel', async () => {
  await using window = await open({ width: 1440, height: 900 })
  const { page } = window
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  await page.goto('/new/operate/paylink')
  await page.getByRole('button', { name: '新增', exact: false }).first().click()
  await field(page, '链接名称').fill('走查联报链接')
  const suite = drawer(page).getByRole('group', { name: '套餐 1' })
  await suite.getByRole('textbox', { name: '套餐 1名称' }).fill('双科')
  await suite.getByRole('button', { name: '加商品' }).click()
  for (const [place, words] of [[1, '选择性必修'], [2, '七年级上册']] as const) {
    await suite.getByRole('combobox', { name: `套餐 1商品 ${place}` }).click()
    await page.keyboard.type(words)
    await option(page, words).click()
  }
  await suite.getByText('单买').waitFor()
  await suite.getByRole('spinbutton', { name: '套餐 1价格' }).fill('1100')
  await choose(page, '代理', '书')
  await save(page)
  await page.getByRole('row').filter({ hasText: '走查联报链接' }).waitFor()
  await act(page, '走查联报链接', '链接和海报')
  const url = String(await dialog(page, /链接和海报/).locator('.promo-url').textContent())
  await page.keyboard.press('Escape')

  const stranger = await page.context().newPage()
  await stranger.goto(url.replace(/^https?:\/\/[^/]+/, server.base))
  await stranger.getByText(/^双科 · /).click()
  await stranger.getByLabel('学员姓名').fill('陈一诺')
  await stranger.getByLabel(/^手机号/).fill('13912340099')
  await stranger.getByRole('button', { name: '提交订单' }).click()
  await stranger.getByText(/订单已提交，应付 ¥1,100.00/).waitFor()
  await stranger.close()

  await page.getByRole('row').filter({ hasText: '走查联报链接' }).getByText('走查联报链接').click()
  await record(page).getByRole('tab', { name: '成交' }).click()
  await record(page).getByRole('button', { name: '收款' }).click()
  await dialog(page, /收款/).getByRole('button', { name: /收 ¥1,100.00/ }).click()
  await page.getByText('已收款 ¥1,100.00').waitFor()
  await expect.poll(async () => record(page).locator('.promo-item').first().textContent()).toContain('已付款')
}, 90_000)
