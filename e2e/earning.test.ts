import { expect, test } from 'vitest'
import { screenId } from '../modules/screens.ts'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { ask, dialog, row } from './form-steps.ts'
import { callAs as api, makeStaff } from './staff-steps.ts'

const BASE = '/daoyuan/api/end/distribution'
const ORDERS = '/daoyuan/api/end/accompany/teacher/orders'
const ADMIN = { account: 'admin', password: 'Admin-pass1' }

const { open } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })

interface Id { id: number }

test('a sale earns a commission that says how it came about; it is settled by two people, asked for and paid out', async () => {
  await using window = await open()
  const { page, problems } = window
  await logIn(page, ADMIN)
  const agent = await api<Id>(page, 'POST', '/daoyuan/api/end/proxy_users', { name: '苏州书店', mobile: '13900001111', type: 2, level_id: 1 })
  await api(page, 'POST', `/daoyuan/api/end/proxy_users/${agent.id}/approve`, {})
  await api(page, 'POST', `${BASE}/rate_plan`, { name: '2026 版', line: 'any', level: 1, first: 12, second: 5, hold_days: 0, valid_from: 1_790_000_000 })
  const order = await api<Id & { amount: number; order_no: string }>(page, 'POST', ORDERS, { order_info: { items: [{ kind: 'lessons', qty: 10, price: 100_00 }] }, user_info: { mobile: '13700001111', name: '林小满' }, referrer_info: { agent_id: agent.id } })
  await api(page, 'POST', `${ORDERS}/${order.id}/pay`, { amount: order.amount, channel: 'wechat' })

  // The line, and how it is worked out, by the number of the order.
  await page.goto('/new/distribution/order')
  await row(page, '苏州书店').getByText('¥120.00').waitFor()
  await page.getByLabel('按订单号查佣金').fill(order.order_no)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('实付 1,000.00 = 1,000.00 × 12%（一级·2026 版）= 120.00').waitFor()
  await page.getByText('与重新计算一致').waitFor()
  await page.keyboard.press('Escape')

  // It is settled: the person who made it may not let it through.
  await page.getByRole('button', { name: '生成结算单' }).click()
  await dialog(page, '生成结算单').getByRole('button', { name: /^生\s*成$/ }).click()
  await page.getByText('已生成 1 张结算单').waitFor()
  await page.goto('/new/distribution/order?show=settlements')
  await (await ask(page, '苏州书店', '提交', /提交/)).getByRole('button', { name: /^提\s*交$/ }).click()
  await row(page, '苏州书店').getByText('待审').waitFor()
  const auditor = await makeStaff(open, page, [screenId('/distribution/order'), screenId('/distribution/account/proxy'), 240112, 240215, 240216], '吴财务')
  await using second = await open()
  await logIn(second.page, auditor)
  await second.page.goto('/new/distribution/order?show=settlements')
  await (await ask(second.page, '苏州书店', '通过', /通过/)).getByRole('button', { name: /^通\s*过$/ }).click()
  await row(second.page, '苏州书店').getByText('已入余额').waitFor()

  // The money is asked for, let through and paid.
  await page.goto('/new/distribution/account/proxy')
  const asked = await ask(page, '苏州书店', '申请提现', /申请提现/)
  await asked.getByLabel('收款人').fill('王启航')
  await asked.getByLabel('开户行').fill('中国银行苏州分行')
  await asked.getByLabel('银行卡号').fill('6217 0000 1111 2222 333')
  await asked.getByRole('button', { name: /^申\s*请$/ }).click()
  await page.getByText(/已申请提现/).waitFor()
  await second.page.goto('/new/distribution/account/proxy?show=withdrawals')
  await (await ask(second.page, '苏州书店', '通过', /通过/)).getByRole('button', { name: /^通\s*过$/ }).click()
  await row(second.page, '苏州书店').getByText('打款中').waitFor()
  const paid = await ask(second.page, '苏州书店', '确认打款', /确认打款/)
  await paid.getByLabel('打款流水号').fill('BOC20261125001')
  await paid.getByRole('button', { name: '确认打款', exact: true }).click()
  await row(second.page, '苏州书店').getByText('已打款').waitFor()
  expect(await api(page, 'GET', `/daoyuan/api/end/proxy_users/${agent.id}`)).toMatchObject({ balance: 0, frozen: 0, withdrawn: 120_00 })
  expect([...problems, ...second.problems]).toEqual([])
})
