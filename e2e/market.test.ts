import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { ask, dialog, option, record, row } from './form-steps.ts'

const { open, server } = runConsole()

test('a list is checked before it is asked for; somebody else approves; the customer has it, and it is taken back', async () => {
  await using window = await open()
  const { page, problems } = window
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await logIn(page, account)
  // What is asked for, and what becomes of each pasted line.
  await page.goto('/new/practiceBook/marketVirtual')
  await page.getByRole('button', { name: '申请开通' }).click()
  const form = dialog(page, '申请开通')
  await form.getByLabel('客户单位').fill('星海实验中学')
  await form.getByLabel('联系人').fill('王老师')
  await form.getByLabel('联系电话').fill('13912345678')
  await form.getByLabel('所在地区').click()
  for (const place of ['江苏', '苏州', '姑苏']) await option(page, place).click()
  await form.getByLabel('开通商品').click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
  await form.getByLabel('名单').fill('19911110001 陈一诺\n19911110001\n不是号码')
  await form.getByRole('button', { name: '核对名单' }).click()
  await form.getByText('与第 1 行重复').waitFor()
  await form.getByText('没有 11 位手机号').waitFor()
  await form.getByRole('button', { name: '提交 1 人' }).click()
  await row(page, '星海实验中学').getByText('待审').waitFor()
  // One of a colleague's that the quota reaches.
  const { items } = await (await page.request.get('/daoyuan/api/end/practice_book/market_virtuals?status=1')).json() as { items: { id: number; org: string; can: string[] }[] }
  let chosen: { id: number; org: string } | undefined
  for (const one of items.filter(({ can }) => can.includes('approve'))) {
    const seen = await (await page.request.get(`/daoyuan/api/end/practice_book/market_virtual/${one.id}/list`)).json() as { problems: string[] }
    if (seen.problems.length === 0) chosen ??= one
  }
  if (!chosen) throw new Error('the demo has no request that can be approved')
  await page.goto(`/new/practiceBook/marketVirtual?open=${chosen.id}`)
  await record(page).getByRole('tab', { name: '名单核对' }).click()
  await record(page).getByText('之后剩余').waitFor()
  await record(page).getByRole('button', { name: '通过', exact: true }).click()
  await dialog(page, /通过/).getByRole('button', { name: /^通\s?过$/ }).click()
  await record(page).getByText('已通过').first().waitFor()
  // The customer has it, by an order that costs nothing.
  await page.goto(`/new/practiceBook/marketUser?apply_id=${chosen.id}`)
  const users = page.getByRole('row').filter({ hasText: '在用' })
  await users.first().waitFor()
  const before = await users.count()
  const recall = await ask(page, '在用', '收回', /收回/)
  await recall.getByLabel('原因').fill('试用结束')
  await recall.getByRole('button', { name: '收 回' }).or(recall.getByRole('button', { name: '收回', exact: true })).click()
  await expect.poll(() => users.count()).toBe(before - 1)
  await page.goto('/new/practiceBook/order/virtual?force=back')
  await page.getByRole('row').filter({ hasText: '已退款' }).first().waitFor()
  expect(problems).toEqual([])
}, 90_000)
