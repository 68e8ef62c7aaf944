import { generate } from 'otplib'
import { expect, test } from 'vitest'
import { escapeUntil, logIn } from './browser.ts'
import { answer } from './form-steps.ts'
import { runConsole } from './console.ts'
import { actOnStaff, box, callAs, grantDrawer, makeStaff, saveGrants } from './staff-steps.ts'

const ADMIN = { account: 'admin', password: 'Admin-pass1' }
const { open } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })
/** 内部员工 with 授权; 合伙人 with 新增和编辑. */
const [STAFF, STAFF_GRANT, PARTNER, PARTNER_EDIT] = [102, 10211, 1301, 130101]

const grantsOf = async (page: Parameters<typeof callAs>[0], id: number) => (await callAs<{ modules: number[] }>(page, 'GET', `/daoyuan/api/end/staffs/${id}/grants`)).modules

test('a new person gets a first password once, has to replace it, and sees what was granted', async () => {
  await using administrator = await open()
  const { page: admin } = administrator
  await logIn(admin, ADMIN)
  await admin.goto('/new/userManagement/staff')
  await admin.getByRole('button', { name: '新增员工' }).click()
  const form = admin.locator('.ant-drawer-open').last()
  await form.getByLabel('账号', { exact: true }).fill('xinren')
  await form.getByLabel('姓名', { exact: true }).fill('何新人')
  await form.getByLabel('手机号', { exact: true }).fill('13812340000')
  await form.getByRole('button', { name: '保存', exact: true }).click()
  const password = await admin.getByTestId('password').innerText()
  // Closing without having copied it asks first.
  await admin.keyboard.press('Escape')
  await answer(admin, '密码还没有复制', '仍要关闭')
  await admin.getByTestId('password').waitFor({ state: 'detached' })

  // The administrator finds a screen by the initials of its name, looks at the difference and saves.
  await actOnStaff(admin, 'xinren', '授权')
  const drawer = await grantDrawer(admin)
  await drawer.getByLabel('搜索权限').fill('xxlb')
  await box(drawer, '学校列表', '导出').check()
  // Two screens bear the name: partners' schools and our own.
  expect(await drawer.locator('.grant-row').count()).toBe(2)
  expect(await saveGrants(admin)).toContain('新增 2 项 合伙自习室（2） ＋ 学校列表：查看，导出')
  await drawer.waitFor({ state: 'hidden' })

  await using newcomer = await open()
  const { page } = newcomer
  await page.goto('/new/login?redirect=/userManagement/staff')
  await page.getByLabel('账号', { exact: true }).fill('  xinren ')
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('请先修改密码').waitFor()
  await page.getByLabel('当前密码').fill(password)
  await page.getByLabel('新密码', { exact: true }).fill('xinren-123456')
  await page.getByLabel('再次输入新密码').fill('xinren-123456')
  await page.getByRole('button', { name: '修改密码' }).click()
  await page.getByText('密码不能包含账号').waitFor()
  await page.getByLabel('新密码', { exact: true }).fill('password123')
  await page.getByLabel('再次输入新密码').fill('password123')
  await page.getByRole('button', { name: '修改密码' }).click()
  await page.getByText('该密码过于常见，容易被猜到，请换一个').waitFor()
  await page.getByLabel('新密码', { exact: true }).fill('Kongtian-88')
  await page.getByLabel('再次输入新密码').fill('Kongtian-88')
  await page.getByRole('button', { name: '修改密码' }).click()
  await page.locator('.shell').waitFor()
  // The page that was asked for is not theirs, so they are at home; the menu has the one screen.
  expect(new URL(page.url()).pathname, 'home is below the base path').toBe('/new/')
  const menu = page.getByRole('navigation', { name: '主菜单' })
  // Our own rooms have a screen of the same name, so that it stays below its group.
  await menu.getByText('合伙自习室', { exact: true }).click()
  await menu.getByRole('link', { name: '学校列表' }).click()
  await page.getByRole('heading', { name: '学校' }).or(page.locator('.list-page')).first().waitFor()
  expect(await page.getByRole('link', { name: '内部员工' }).count()).toBe(0)
  expect([...administrator.problems, ...newcomer.problems]).toEqual([])
})

test('nobody grants or takes what they do not hold, by hand or by copying', async () => {
  await using administrator = await open()
  const { page: admin } = administrator
  await logIn(admin, ADMIN)
  const boss = await makeStaff(open, admin, [STAFF, STAFF_GRANT, PARTNER, 1305], '钱主管')
  const rich = await makeStaff(open, admin, [PARTNER, PARTNER_EDIT, 1305], '富同事')
  const poor = await makeStaff(open, admin, [1305], '穷同事')

  await using actor = await open()
  const { page } = actor
  await logIn(page, boss)
  await actOnStaff(page, poor.account, '授权')
  const drawer = await grantDrawer(page)
  await drawer.getByRole('button', { name: '全部展开' }).click()
  expect(await box(drawer, '合伙人').isEnabled()).toBe(true)
  expect(await box(drawer, '合伙人', '新增和编辑').isDisabled()).toBe(true)
  await drawer.getByText('新增和编辑').first().hover()
  await page.getByRole('tooltip', { name: '您自己没有该权限' }).waitFor()
  // What somebody above has is not read either.
  const ABOVE = '您自己没有「合伙人 · 新增和编辑」权限，不能管理拥有该权限的员工'
  await drawer.locator('.grant-copy .ant-select').last().click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: '富同事' }).click()
  await page.getByText(ABOVE).first().waitFor()
  await box(drawer, '合伙人').check()

  // The proof that the person is there has grown old: it is asked for, and nothing of the work is lost.
  let asked = false
  await page.route('**/grants', (route) => {
    if (asked || route.request().method() !== 'PUT') return route.continue()
    asked = true
    return route.fulfill({ status: 403, json: { detail: '请先确认身份再继续', verify: true } })
  })
  expect(await saveGrants(page)).toContain('新增 1 项')
  const proof = page.getByRole('dialog').filter({ hasText: '请再次确认身份' })
  await proof.getByLabel('登录密码').fill('Wrong-pass1')
  await page.keyboard.press('Enter')
  await proof.getByText('密码不正确').waitFor()
  await proof.getByLabel('登录密码').fill(boss.password)
  await page.keyboard.press('Enter')
  await drawer.waitFor({ state: 'hidden' })
  expect(await grantsOf(admin, poor.id)).toEqual([PARTNER, 1305])

  await actOnStaff(page, rich.account, '授权')
  await page.locator('.ant-drawer-open').last().getByText(ABOVE).waitFor()
  expect(await grantsOf(admin, rich.id)).toEqual([PARTNER, 1305, PARTNER_EDIT])
  expect([...administrator.problems, ...actor.problems]).toEqual([])
})

test('two administrators change one person: the second sees what the first did and loses nothing', async () => {
  await using first = await open()
  await using second = await open()
  await logIn(first.page, ADMIN)
  await logIn(second.page, ADMIN)
  const person = await makeStaff(open, first.page, [PARTNER], '共同事')
  for (const { page } of [first, second]) await actOnStaff(page, person.account, '授权')
  const [one, two] = [await grantDrawer(first.page), await grantDrawer(second.page)]
  await box(one, '合伙人', '新增和编辑').check()
  await box(two, '学校列表').check()
  await saveGrants(first.page)
  await one.waitFor({ state: 'hidden' })
  await saveGrants(second.page)
  const dialog = second.page.getByRole('dialog').filter({ hasText: '被他人修改' })
  expect(await dialog.innerText()).toContain('合伙人：新增和编辑')
  await dialog.getByRole('button', { name: '在最新权限上保留我的修改' }).click()
  expect(await saveGrants(second.page)).toContain('新增 1 项')
  await two.waitFor({ state: 'hidden' })
  expect(await grantsOf(first.page, person.id)).toEqual([PARTNER, 1305, PARTNER_EDIT])

  // Unsaved rights are not lost to a slip of the finger.
  await actOnStaff(second.page, person.account, '授权')
  const again = await grantDrawer(second.page)
  await box(again, '合伙人').uncheck()
  expect(await box(again, '合伙人', '新增和编辑').isChecked()).toBe(false)
  await escapeUntil(second.page, () => second.page.getByRole('button', { name: '继续编辑' }).isVisible())
  await second.page.getByRole('button', { name: '继续编辑' }).click()
  await again.getByRole('button', { name: '撤销修改' }).click()
  await escapeUntil(second.page, () => again.isHidden())
  expect([...first.problems, ...second.problems]).toEqual([])
})

test('a role template is made of rights and given to somebody', async () => {
  await using administrator = await open()
  const { page } = administrator
  await logIn(page, ADMIN)
  const person = await makeStaff(open, page, [STAFF], '模板用户')
  await page.goto('/new/system/role-template')
  await page.getByRole('button', { name: '新增角色模板' }).click()
  const form = page.locator('.ant-drawer-open').last()
  await form.getByLabel('模板名称').fill('督学')
  await form.locator('.grant-tree').waitFor()
  await form.getByRole('checkbox', { name: '合伙自习室全部权限' }).check()
  await form.getByRole('button', { name: '保存', exact: true }).click()
  const row = page.locator('.ant-table-row', { hasText: '督学' })
  await row.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: '应用到员工' }).click()
  await page.getByRole('dialog').getByLabel('员工').fill('模板用户')
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: '模板用户' }).click()
  await page.getByRole('button', { name: '下一步：核对权限' }).click()
  const drawer = await grantDrawer(page)
  expect(await saveGrants(page)).toMatch(/新增 \d+ 项 合伙自习室/)
  await drawer.waitFor({ state: 'hidden' })
  expect(await grantsOf(page, person.id)).toContain(PARTNER_EDIT)
  expect(administrator.problems).toEqual([])
})

test('a password that was tried too often costs the browser work; a second factor is asked for, or a recovery code', async () => {
  await using administrator = await open()
  await logIn(administrator.page, ADMIN)
  const person = await makeStaff(open, administrator.page, [STAFF], '安全员')
  await using opened = await open()
  const { page } = opened
  await logIn(page, person)
  await page.getByRole('button', { name: '账号与安全' }).click()
  await page.getByRole('button', { name: '开启两步验证' }).click()
  const secret = (await page.locator('.totp-steps code').innerText()).replace(/\s/g, '')
  await page.getByLabel('验证码').fill(await generate({ secret }))
  await page.keyboard.press('Enter')
  const code = await page.locator('.recovery-codes li').first().innerText()
  await page.getByLabel('我已妥善保存恢复码').check()
  await page.getByRole('button', { name: '完成' }).click()
  await page.getByText('已开启').waitFor()

  await page.goto('/new/login?redirect=/account')
  await page.getByText('继续前往').waitFor()
  await page.getByLabel('账号', { exact: true }).fill(person.account)
  for (let i = 0; i < 3; i++) {
    await page.getByLabel('密码', { exact: true }).fill(`wrong-${i}`)
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/end_access_token'))
    await page.keyboard.press('Enter')
    await answered
    await page.getByText('账号或密码错误').waitFor()
  }
  const puzzle = page.waitForResponse((answer) => answer.url().endsWith('/end/captcha'))
  await page.getByLabel('密码', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await puzzle
  await page.getByRole('button', { name: /使用恢复码/ }).click()
  await page.getByLabel('恢复码').fill(code)
  await page.keyboard.press('Enter')
  await page.locator('.account-page').waitFor()
  expect(opened.problems).toEqual([])
})

test('after 新增 the next step is 去授权: a role template, looked at and saved', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await logIn(page, ADMIN)
  await page.goto('/new/userManagement/staff')
  await page.getByRole('button', { name: '新增员工' }).click()
  const form = page.locator('.ant-drawer-open').last()
  await form.getByLabel('账号', { exact: true }).fill('xinren_2')
  await form.getByLabel('姓名', { exact: true }).fill('钱新人')
  await form.getByLabel('手机号', { exact: true }).fill('13812340009')
  await form.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByTestId('password').waitFor()
  await page.getByRole('button', { name: '去授权' }).click()
  await answer(page, '密码还没有复制', '仍要离开')
  await page.locator('.templates').getByRole('button', { name: /^客服/ }).click()
  const drawer = await grantDrawer(page)
  await drawer.getByText('已追加角色模板「客服」的权限').waitFor()
  expect(await saveGrants(page)).toMatch(/新增 \d+ 项/)
  await drawer.waitFor({ state: 'hidden' })
  expect(problems).toEqual([])
})
