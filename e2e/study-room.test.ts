import { join } from 'node:path'
import { expect, test } from 'vitest'
import { orderRight } from '../modules/order/flow.ts'
import { screenId } from '../modules/screens.ts'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { act, ask, choose, dialog, drawer, field, option, pickDate, row, save } from './form-steps.ts'
import { callAs as api, makeStaff } from './staff-steps.ts'
import { writeStudents } from './workbook.ts'

const BASE = '/daoyuan/api/end/self_study_room'
const OWN = '/daoyuan/api/end/study_room'
const ADMIN = { account: 'admin', password: 'Admin-pass1' }

const { open, folder } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })

interface Id { id: number }

test('a partner is signed, orders codes, opens a school, whose student activates one, is unbound, and the order is paid back', async () => {
  await using window = await open()
  const { page, problems } = window
  await logIn(page, ADMIN)
  await api(page, 'POST', `${BASE}/unit`, { name: '初中全科年卡', subjects: ['数学'], months: 12, status: 1 })

  // Sign a partner.
  await page.goto('/new/new-study-room/partner')
  await page.getByRole('button', { name: '新增合伙人' }).click()
  await field(page, '合伙人名称').fill('苏州启航教育科技有限公司')
  await field(page, '联系人').fill('陈启航')
  await field(page, '手机号').fill('13800138000')
  await choose(page, '所在地区', '江苏省')
  await page.keyboard.press('Tab')
  await drawer(page).getByText('市级').click()
  await choose(page, '自习室类型', '线下自习室')
  await pickDate(page, '签约日期', '2026-09-01')
  await pickDate(page, '到期日期', '2038-08-31')
  await save(page)
  await (await ask(page, '苏州启航', '签约', /签约/)).getByRole('button', { name: '签约', exact: true }).click()
  await row(page, '苏州启航').getByText('已签约').waitFor()

  // Order twenty codes; the partner is known, so what they buy is asked at once.
  await act(page, '苏州启航', '下单')
  const entry = page.getByRole('region', { name: '录入合伙人订单' })
  await option(page, '初中全科年卡').click()
  await page.locator('#order_info_items_0_price').fill('50')
  await entry.getByRole('spinbutton', { name: '第 1 项数量' }).fill('20')
  await expect.poll(() => entry.locator('.ant-form-item').filter({ hasText: '合伙人' }).first().textContent()).toContain('苏州启航')
  await entry.getByRole('button', { name: /^提交(?!并)/ }).click()
  await page.getByText('提交成功').waitFor()

  // The money comes, and a second person approves the order: the codes are there.
  await page.goto('/new/new-study-room/partner-order')
  await act(page, '苏州启航', '确认到账')
  await dialog(page, /确认到账/).getByLabel('支付方式').click()
  await option(page, '对公').click()
  await dialog(page, /确认到账/).getByRole('button', { name: '确认到账', exact: true }).click()
  await page.getByText('已确认到账').waitFor()
  const auditor = await makeStaff(open, page, [screenId('/new-study-room/partner-order'), orderRight({ grant: screenId('/new-study-room/partner-order') }, 'audit')], '吴财务')
  await using second = await open()
  await logIn(second.page, auditor)
  await second.page.goto('/new/new-study-room/partner-order')
  await act(second.page, '苏州启航', '审核通过')
  await dialog(second.page, /审核通过/).getByRole('button', { name: '审核通过', exact: true }).click()
  await row(second.page, '苏州启航').getByText('已生效').waitFor()
  const partner = () => api<{ items: (Id & { code_quota: number; used_quota: number })[] }>(page, 'GET', `${BASE}/partners`).then(({ items }) => items[0])
  expect(await partner()).toMatchObject({ code_quota: 20, used_quota: 20 })

  // A school of the partner's, and its students from a workbook.
  await page.goto('/new/new-study-room/school/school-list')
  await page.getByRole('button', { name: '新增学校' }).click()
  await field(page, '学校名称').fill('启航自习室（观前店）')
  await choose(page, '合伙人', '苏州启航')
  await choose(page, '自习室类型', '线下自习室')
  await choose(page, '所在地区', '江苏省')
  await page.keyboard.press('Tab')
  await field(page, '详细地址').fill('观前街 1 号')
  await field(page, '负责人').fill('王店长')
  await field(page, '负责人手机').fill('13800138001')
  await pickDate(page, '到期日期', '2038-08-31')
  await save(page)
  await row(page, '观前店').waitFor()
  const file = join(folder, '学生.xlsx')
  await writeStudents(file, [{ 姓名: '李明', 手机: '13900000011', 年级: '初一', 班级: '' }, { 姓名: '张华', 手机: '13900000012', 年级: '初二', 班级: '' }])
  await page.goto('/new/new-study-room/school/school-student')
  await page.getByRole('button', { name: /导入$/ }).click()
  await drawer(page).locator('#fixed-school_id').click()
  await option(page, '启航自习室').click()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('可新增').waitFor()
  await drawer(page).getByRole('button', { name: '开始导入' }).click()
  await page.getByText('导入完成：新增 2 条').waitFor()
  await drawer(page).getByRole('button', { name: '完成' }).click()

  // A code is looked up and activated for one of them.
  await page.goto('/new/new-study-room/authorization-detail')
  await page.getByRole('button', { name: /^查看完整的授权码/ }).first().click()
  const shown = page.locator('.code-text').filter({ hasNotText: '*' }).first()
  await shown.waitFor()
  const code = (await shown.innerText()).replace(/复制|\s/g, '')
  await page.goto('/new/new-study-room/school/school-student')
  await (await ask(page, '李*', '激活授权码', /激活授权码/)).getByLabel('授权码').fill(code)
  await dialog(page, /激活授权码/).getByRole('button', { name: '激活', exact: true }).click()
  await page.getByText(/激活成功，有效期至/).waitFor()

  // It was the wrong student: the code is set free again, and the order can be paid back.
  await page.goto('/new/new-study-room/authorization-detail')
  await act(page, '李*', '解绑')
  await dialog(page, /解绑/).getByLabel('原因').fill('学生选错了')
  await dialog(page, /解绑/).getByRole('button', { name: '解绑', exact: true }).click()
  await page.getByText('解绑成功').waitFor()
  await page.goto('/new/new-study-room/partner-order')
  await act(page, '苏州启航', '退款')
  await dialog(page, /退款/).getByLabel('原因').fill('合伙人暂停合作')
  await dialog(page, /退款/).getByRole('button', { name: '申请退款', exact: true }).click()
  await row(page, '苏州启航').getByText('已退款').waitFor()
  expect(await partner()).toMatchObject({ code_quota: 0, used_quota: 0 })
  const { items } = await api<{ items: { status: number; mobile: string | null }[] }>(page, 'GET', `${BASE}/activation_codes`)
  expect(items).toHaveLength(20)
  expect(items.every(({ status, mobile }) => status === 2 && mobile === null)).toBe(true)
  expect([...problems, ...second.problems]).toEqual([])
}, 300_000)

test('a member of our own room buys a card, comes, changes the seat and leaves, and the day is closed', async () => {
  await using window = await open()
  const { page, problems } = window
  await logIn(page, ADMIN)
  const type = (await api<Record<string, Id>>(page, 'GET', `${BASE}/type`))['common']?.id
  const school = await api<Id>(page, 'POST', `${OWN}/app_school`, { name: '道远自习室（人民路店）', type_id: type, region_code: '320508', address: '人民路 1 号', manager: '李店长', mobile: '13800138002' })
  const room = await api<Id & { rev: number }>(page, 'POST', `${OWN}/room`, { name: '安静区', school_id: school.id, type_id: type, status: 1 })
  await api(page, 'PUT', `${OWN}/room/${room.id}/seat_map`, { rev: room.rev, seats: Array.from({ length: 6 }, (_unused, x) => ({ area: 'A', row: 1, no: x + 1, kind: 1, x, y: 0, status: 1 })) })
  await api(page, 'POST', `${OWN}/member_card`, { name: '十次卡', school_id: school.id, kind: 2, quota: 10, valid_days: 90, price: 20_000, status: 1 })

  // A new member buys a card in cash.
  await page.goto('/new/study-room/user')
  await page.getByRole('button', { name: '新增会员' }).click()
  await field(page, '姓名').fill('周小雨')
  await field(page, '手机号').fill('13700001234')
  await choose(page, '学校', '人民路店')
  await save(page)
  const sale = await ask(page, '周*雨', '开卡', /开卡/)
  await sale.getByLabel('会员卡').click()
  await option(page, '十次卡').click()
  await expect.poll(() => sale.locator('.ant-form-item').filter({ hasText: '收款自习室' }).first().textContent()).toContain('安静区')
  await sale.getByLabel('支付方式').click()
  await option(page, '现金').click()
  await sale.getByRole('button', { name: '开卡', exact: true }).click()
  await page.getByText('开卡成功').waitFor()

  // Comes, sits down, and moves to another seat.
  const arrival = await ask(page, '周*雨', '签到', /签到/)
  await arrival.getByRole('button', { name: /1排1座|1 排 1 座|01号|1号/ }).first().click()
  await arrival.getByRole('button', { name: '签到', exact: true }).click()
  await page.getByText('周*雨已签到').waitFor()
  await page.goto('/new/study-room/list')
  await act(page, '安静区', '在座')
  const board = page.getByRole('group', { name: '在座情况' })
  await board.getByRole('button', { name: /周\*雨在座/ }).click()
  await drawer(page).getByRole('button', { name: '换座', exact: true }).click()
  await board.getByRole('button', { name: /空座/ }).last().click()
  await page.getByText(/周\*雨已换到/).waitFor()
  await drawer(page).getByRole('button', { name: '签退', exact: true }).click()
  await dialog(page, /签退/).getByText(/扣 1 次，剩余 9 次/).waitFor()
  await dialog(page, /签退/).getByRole('button', { name: '签退', exact: true }).click()
  await page.getByText(/周\*雨已签退/).waitFor()

  // The till is counted: five yuan are missing, and that has a reason.
  await page.goto('/new/study-room/user-order')
  await row(page, '周*雨').getByText('十次卡').waitFor()
  await page.getByRole('button', { name: '日结对账' }).click()
  await page.locator('#closing-room').click()
  await option(page, '安静区').click()
  await page.locator('#counted-cash').fill('195')
  await page.getByRole('button', { name: '确认日结' }).click()
  await page.getByRole('alert').filter({ hasText: '请填写原因' }).waitFor()
  await page.getByRole('textbox', { name: '现金差额原因' }).fill('找零差错')
  await page.getByRole('button', { name: '确认日结' }).click()
  await page.getByText('日结完成').waitFor()
  const { items } = await api<{ items: object[] }>(page, 'GET', `${OWN}/day_closings`)
  expect(items).toMatchObject([{ expected: 20_000, counted: 19_500, difference: -500 }])
  expect(problems).toEqual([])
}, 300_000)

test('a list that could not be read shows the error and a way to try again, and does not say that there is nothing', async () => {
  await using window = await open()
  const { page } = window
  await logIn(page, ADMIN)
  await page.route(`**${BASE}/school_teachers?**`, (route) => route.fulfill({ status: 400, contentType: 'application/json', body: '{"detail":"暂时无法读取"}' }))
  await page.goto('/new/new-study-room/school/school-teacher')
  const list = page.getByRole('region', { name: '学校教师列表' })
  await list.getByText('暂时无法读取').waitFor()
  expect(await list.getByText('还没有').count()).toBe(0)
  expect(await list.locator('.ant-table, .list-foot').count()).toBe(0)
  await page.unroute(`**${BASE}/school_teachers?**`)
  await list.getByRole('button', { name: '重试' }).click()
  await list.locator('.ant-table').waitFor()
})
