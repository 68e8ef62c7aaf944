import { join } from 'node:path'
import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { choose, drawer, field, pickDate } from './form-steps.ts'
import { writeStudents } from './workbook.ts'

const { open, folder } = runConsole({ DEMO: '0', ADMIN_PASSWORD: 'Admin-pass1' })

test('a day: an operator is made, sees just their screens, signs a partner, opens a school, imports, edits beside a colleague, exports, leaves', async () => {
  await using administrator = await open()
  const { page: admin } = administrator
  await logIn(admin, { account: 'admin', password: 'Admin-pass1' })

  // The administrator makes an operator and grants three screens.
  await admin.goto('/new/userManagement/staff')
  await admin.getByRole('button', { name: '新增员工' }).click()
  await field(admin, '账号').fill('yunying')
  await field(admin, '姓名').fill('周运营')
  await field(admin, '手机号').fill('13700001111')
  await drawer(admin).getByRole('button', { name: '保存', exact: true }).click()
  const dialog = admin.getByRole('dialog').filter({ hasText: '密码' })
  const password = await dialog.getByTestId('password').textContent()
  expect(password).toMatch(/^\S{12,}$/)
  await admin.keyboard.press('Escape')
  const staff = await admin.request.get('/daoyuan/api/end/staffs?keyword=yunying').then((answer) => answer.json() as Promise<{ items: { id: number }[] }>)
  const csrf = (await admin.context().cookies()).find((cookie) => cookie.name === 'csrf')?.value ?? ''
  const screens = [1301, 1305, 1307]
  const granted = await admin.request.put(`/daoyuan/api/end/staffs/${staff.items[0]?.id}/grants`, {
    headers: { 'x-csrf-token': csrf }, data: { modules: screens.flatMap((id) => [id, ...[1, 2, 3, 4].map((n) => id * 100 + n)]), scopes: {} },
  })
  expect(granted.status()).toBe(200)

  // The operator replaces the first password and sees just those three.
  await using operator = await open()
  const { page, problems } = operator
  await page.goto('/new/login')
  await page.getByLabel('账号', { exact: true }).fill('yunying')
  await page.getByLabel('密码', { exact: true }).fill(password ?? '')
  await page.keyboard.press('Enter')
  await page.getByLabel('当前密码').fill(password ?? '')
  await page.getByLabel('新密码', { exact: true }).fill('Yun-ying-2026')
  await page.getByLabel('再次输入新密码').fill('Yun-ying-2026')
  await page.keyboard.press('Enter')
  await page.locator('.shell').waitFor()
  const menu = page.getByRole('navigation', { name: '主菜单' })
  await menu.getByText('合伙自习室').click()
  await expect.poll(() => menu.getByRole('link').allTextContents()).toEqual(expect.arrayContaining(['合伙人', '学校列表', '学校学生']))
  expect(await menu.getByText('学校教师').count()).toBe(0)
  expect(await menu.getByText('内部员工').count()).toBe(0)
  expect((await page.request.get('/daoyuan/api/end/staffs')).status()).toBe(403)

  // A partner and a school.
  await page.goto('/new/new-study-room/partner')
  await page.getByRole('button', { name: '新增合伙人' }).click()
  await field(page, '合伙人名称').fill('苏州启航教育科技有限公司')
  await field(page, '联系人').fill('陈启航')
  await field(page, '手机号').fill('138 0013 8000')
  await choose(page, '所在地区', '江苏省')
  await page.keyboard.press('Tab')
  await drawer(page).getByText('市级').click()
  await choose(page, '自习室类型', '线下自习室')
  await pickDate(page, '签约日期', '2026-09-01')
  await pickDate(page, '到期日期', '2028-08-31')
  await drawer(page).getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('row').filter({ hasText: '苏州启航' }).waitFor()

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
  await pickDate(page, '到期日期', '2028-08-31')
  await drawer(page).getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('row').filter({ hasText: '观前店' }).waitFor()

  // Students come by a workbook with two wrong rows; the good ones land.
  const file = join(folder, '学生名单.xlsx')
  await writeStudents(file, [
    { 姓名: '李明', 手机: '13900000011', 年级: '初一', 班级: '' },
    { 姓名: '张华', 手机: '１３９００００００１２', 年级: '初二', 班级: '' },
    { 姓名: '王错', 手机: '12345', 年级: '初二', 班级: '' },
    { 姓名: '赵缺', 手机: '13900000014', 年级: '', 班级: '' },
  ])
  await page.goto('/new/new-study-room/school/school-student')
  await page.getByRole('button', { name: /导入$/ }).click()
  await drawer(page).locator('#fixed-school_id').click()
  await page.keyboard.type('启航自习室')
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: '启航自习室' }).click()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('可新增').waitFor()
  await expect.poll(() => drawer(page).textContent()).toContain('请输入正确的手机号')
  await drawer(page).getByRole('button', { name: '开始导入' }).click()
  await page.getByText('导入完成：新增 2 条').waitFor()
  await drawer(page).getByRole('button', { name: '完成' }).click()
  await page.getByRole('row').filter({ hasText: '李*' }).waitFor()

  // A colleague edits the same student: the later writer sees the difference and keeps both changes.
  await page.getByRole('row').filter({ hasText: '李*' }).getByRole('button', { name: /更多操作/ }).click()
  await page.getByRole('menuitem', { name: '编辑' }).click()
  await field(page, '学号').fill('20260001')
  const students = await admin.request.get('/daoyuan/api/end/self_study_room/school_students?keyword=李明').then((answer) => answer.json() as Promise<{ items: { id: number; rev: number }[] }>)
  const student = students.items[0]
  await admin.request.put(`/daoyuan/api/end/self_study_room/school_student/${student?.id}`, { headers: { 'x-csrf-token': csrf }, data: { gender: 1, rev: student?.rev } })
  await drawer(page).getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('dialog').filter({ hasText: '该记录已被他人修改' }).getByRole('button', { name: '按所选内容保存' }).click()
  await page.getByText('已保存').waitFor()
  const saved = await admin.request.get(`/daoyuan/api/end/self_study_room/school_student/${student?.id}`).then((answer) => answer.json() as Promise<Record<string, unknown>>)
  expect(saved).toMatchObject({ student_no: '20260001', gender: 1 })

  // Export, then leave.
  await page.getByRole('button', { name: /导出$/ }).click()
  await page.getByRole('button', { name: '开始导出' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: '下载文件' }).click()])
  expect(download.suggestedFilename()).toMatch(/学生.*\.xlsx$/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '周运营' }).click()
  await page.getByText('退出登录').click()
  await page.getByRole('heading', { name: '道远后台' }).waitFor()
  expect((await page.request.get('/daoyuan/api/end/staff')).status()).toBe(401)
  expect(problems).toEqual([])
})
