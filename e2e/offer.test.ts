import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { actionId, standardId } from '../core/grant/grant.ts'
import { screenId } from '../modules/screens.ts'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { actOn, buy, confirm, giveBack, line, newTextbook } from './course-steps.ts'
import { dialog, drawer, save } from './form-steps.ts'
import { PATIENCE } from './shell-steps.ts'
import { callAs, makeStaff } from './staff-steps.ts'

const ADMIN = { account: 'admin', password: 'Admin-pass1' }
const { open, folder } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })
const DETAIL = screenId('/syncCourse/detail')
const DAY = 86_400

interface Spell { status: number; start_at: number; expire_at: number }

test.each([[1440, 900], [390, 844]])('at %d pixels a course is put right until it may be sold; it is bought, bought again and given back', async (width, height) => {
  await using opened = await open({ width, height })
  const { page, problems } = opened
  await logIn(page, ADMIN)
  const [book, course, mobile] = [`必修第二册 ${width}`, `向量与立体几何 ${width}`, `1390000${width.toString().padStart(4, '0')}`]
  const textbook_id = await newTextbook(page, book)
  await callAs(page, 'POST', '/daoyuan/api/end/sync_course/details', { title: course, subject_id: 1, textbook_id, price: 299_00, valid_days: 30 })
  await page.goto('/new/syncCourse/detail')
  await line(page, course).waitFor(PATIENCE)

  // What is missing is said before anybody asks for it, and in the same words when somebody does.
  await actOn(page, course, '上架体检')
  const check = dialog(page, /^上架体检/)
  await check.getByText('请上传封面').waitFor(PATIENCE)
  await check.getByText(/没有填写主讲（建议）/).waitFor(PATIENCE)
  await check.getByRole('button', { name: /^关\s*闭$/ }).first().click()
  await actOn(page, course, '提交审核')
  await confirm(page, '提交审核')
  await page.getByText('还不能上架：请上传封面').first().waitFor(PATIENCE)
  await page.locator('.ant-modal-confirm:visible').getByRole('button', { name: /^取\s*消$/ }).click()

  await actOn(page, course, '编辑')
  const cover = join(folder, '封面.svg')
  writeFileSync(cover, '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="90"><rect width="160" height="90" fill="#1d4ed8"/></svg>')
  await drawer(page).locator('.ant-form-item').filter({ has: page.locator('label[title="封面"]') }).locator('input[type=file]').setInputFiles(cover)
  await drawer(page).getByRole('button', { name: '重新上传' }).waitFor(PATIENCE)
  await save(page)
  await drawer(page).waitFor({ state: 'detached' })
  await actOn(page, course, '提交审核')
  await confirm(page, '提交审核')
  await line(page, course).getByText('待审', { exact: true }).waitFor(PATIENCE)

  // Whoever submitted it does not pass it.
  const second = await makeStaff(open, page, [DETAIL, standardId(DETAIL, 'edit'), actionId(DETAIL, 11)], '吴教研')
  await using other = await open({ width, height })
  await logIn(other.page, second)
  await other.page.goto(`/new/syncCourse/detail?keyword=${width}`)
  await actOn(other.page, course, '审核通过')
  await confirm(other.page, '审核通过')
  await line(other.page, course).getByText('在售', { exact: true }).waitFor(PATIENCE)

  const spells = async () => (await callAs<{ items: Spell[] }>(page, 'GET', `/daoyuan/api/end/sync_course/users?user_mobile=${mobile}`)).items.toSorted((a, b) => a.start_at - b.start_at)
  const days = ({ start_at, expire_at }: Spell) => Math.round((expire_at - start_at) / DAY)
  await buy(page, '/syncCourse/order?write=new', mobile, course)
  expect((await spells()).map(days)).toEqual([30])
  await buy(page, '/syncCourse/order?write=new', mobile, course, (entry) => entry.getByText(/该用户已开通至 .*，再购 1 份顺延至 /).waitFor(PATIENCE))
  const [first, next] = await spells()
  expect(next?.start_at).toBe(first?.expire_at)
  await page.goto(`/new/syncCourse/user?user_mobile=${mobile}`)
  await expect.poll(() => page.locator('.ant-table-row').count(), PATIENCE).toBe(2)
  await giveBack(page, `/syncCourse/order?buyer_mobile=${mobile}`, course)
  await expect.poll(async () => (await spells()).filter(({ status }) => status === 1).length, PATIENCE).toBe(1)
  // What the shelf check refused on the way is the one thing that was said.
  expect([...problems, ...other.problems].filter((said) => !said.includes('还不能上架'))).toEqual([])
}, 300_000)
