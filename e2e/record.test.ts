import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { escapeUntil, logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { dialog, drawer, option, record, save } from './form-steps.ts'
import { callAs as api } from './staff-steps.ts'

const STUDENTS = '/new/new-study-room/school/school-student'
const STUDENT = '/daoyuan/api/end/self_study_room/school_student'
const PATIENCE = { timeout: 20_000 }

const { open, server } = runConsole()

async function enter(page: Page, path: string): Promise<void> {
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)
  await page.goto(path)
  await page.locator('button.identity-name').first().waitFor()
}

const student = (page: Page, id: number) => api<Record<string, unknown>>(page, 'GET', `${STUDENT}/${id}`)
/** The bar that says what was done. */
const bar = (page: Page) => page.locator('.undo-bar')
const openId = (page: Page) => Number(new URL(page.url()).searchParams.get('open'))

test('a record beside its list: neighbours by keys, what belongs to it, a word with a follow-up, a tab of its own', async () => {
  await using window = await open()
  const { page, problems } = window
  page.setDefaultTimeout(PATIENCE.timeout)
  await enter(page, STUDENTS)
  await page.locator('button.identity-name').first().click()
  await record(page).getByText(/^第 1 \/ /).waitFor()
  const first = openId(page)
  await page.keyboard.press('j')
  await record(page).getByText(/^第 2 \/ /).waitFor()
  const second = openId(page)
  expect(second).not.toBe(first)
  await record(page).getByRole('button', { name: '上一条' }).click()
  await expect.poll(() => openId(page), PATIENCE).toBe(first)

  // No mask: the list goes on to be worked with.
  await page.locator('tr[data-row-key] input[type=checkbox]').nth(1).check()
  await page.locator('tr[data-row-key] input[type=checkbox]').nth(1).uncheck()

  // A word to a colleague, with what is to be done until when.
  const box = record(page).getByLabel('写讨论')
  await box.click()
  await box.pressSequentially('家长想换班 @')
  await page.locator('.ant-mentions-dropdown-menu-item').first().click()
  await record(page).getByRole('button', { name: '设跟进' }).click()
  await record(page).getByLabel('跟进时间').click()
  await page.locator('.ant-picker-now-btn').click()
  await record(page).getByRole('button', { name: '发送' }).click()
  const said = record(page).locator('.timeline > li').filter({ hasText: '家长想换班' })
  await said.waitFor()
  expect(await said.locator('.timeline-words b').textContent()).toMatch(/^@/)
  // The mark stands at once, before the server has answered.
  await said.getByRole('checkbox').check()
  await expect.poll(() => said.locator('.timeline-follow').getAttribute('data-done'), PATIENCE).toBe('true')

  await record(page).getByRole('button', { name: '在标签页中打开' }).click()
  await page.locator('.record-page').getByText('家长想换班').waitFor()
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`/record/\\d+/school_student/${first}$`))
  await page.getByRole('tab', { name: /^学生 / }).waitFor()
  await page.goBack()
  await escapeUntil(page, async () => (await record(page).count()) === 0)
  expect(problems).toEqual([])
}, 240_000)

test('an edit, a removal and a bulk change are taken back where they were done, and for a day in 任务中心', async () => {
  await using window = await open()
  const { page, problems } = window
  page.setDefaultTimeout(PATIENCE.timeout)
  await enter(page, STUDENTS)
  await page.locator('button.identity-name').first().click()
  await record(page).locator('.record-actions').waitFor()
  const id = openId(page)
  const before = await student(page, id)

  await page.keyboard.press('e')
  await drawer(page).locator('.ant-form-item').filter({ has: page.locator('label[title="学号"]') }).locator('input').fill('R-1')
  await save(page)
  await bar(page).getByText('已保存').waitFor()
  expect(await student(page, id)).toMatchObject({ student_no: 'R-1' })
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByText('已撤销').waitFor()
  expect(await student(page, id)).toMatchObject({ student_no: before['student_no'] })

  // Two rows at once: old and new first, then the way back in 任务中心.
  await page.keyboard.press('Escape')
  for (const place of [0, 1]) await page.locator('tr[data-row-key] input[type=checkbox]').nth(place).check()
  await page.getByRole('button', { name: '批量修改' }).click()
  const bulk = dialog(page, /批量修改/)
  await bulk.getByLabel('要修改的字段').click()
  await option(page, '年级').click()
  await bulk.getByLabel('改为').click()
  await option(page, '五年级').click()
  await expect.poll(() => bulk.getByRole('listitem').filter({ hasText: '→ 五年级' }).count(), PATIENCE).toBe(2)
  await bulk.getByRole('button', { name: '改 2 条' }).click()
  await bar(page).getByText('已修改 2 条').waitFor()
  await page.goto('/new/system/jobs?status=undo')
  const act = page.getByRole('row').filter({ hasText: '修改学生 2 条' })
  await act.getByRole('button', { name: '撤销' }).click()
  await page.getByText('正在撤销').waitFor()
  await expect.poll(async () => (await student(page, id))['grade'], PATIENCE).toBe(before['grade'])

  // What cannot be done is known before; what is dangerous asks for the count.
  const begin = async (address: string) => {
    await page.goto(address)
    await page.locator('tr[data-row-key] input[type=checkbox]').first().check()
    await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: '删除' }).click()
    return dialog(page, /删除/)
  }
  // Which students have codes, and which of them comes first, depends on the hour.
  const codes = await api<{ items: { student_id: number | null }[] }>(page, 'GET', '/daoyuan/api/end/self_study_room/activation_codes?status=3&page_size=50')
  const used = codes.items.find(({ student_id }) => student_id !== null)?.student_id ?? 0
  const refused = await begin(`${STUDENTS}?ids=${used}`)
  await refused.getByText(/跳过：该学生还被 \d+ 个授权码使用/).waitFor()
  expect(await refused.getByRole('button', { name: '删除 1 条' }).isDisabled()).toBe(true)
  const fresh = await api<{ id: number }>(page, 'POST', STUDENT, { name: '童新', mobile: '13912340001', school_id: before['school_id'], grade: before['grade'] })
  const removal = await begin(`${STUDENTS}?mobile=13912340001`)
  await removal.getByLabel('输入 1 确认').waitFor()
  await removal.getByRole('button', { name: '删除 1 条' }).click()
  await removal.getByText('输入 1 才能删除').waitFor()
  await removal.getByLabel('输入 1 确认').fill('1')
  await removal.getByRole('button', { name: '删除 1 条' }).click()
  await bar(page).getByRole('button', { name: '撤销' }).click()
  await page.getByText(/已撤销|正在撤销/).waitFor()
  await expect.poll(() => student(page, fresh.id).then(({ deleted_at }) => deleted_at, () => 'gone'), PATIENCE).toBe(null)
  expect(problems).toEqual([])
}, 240_000)

test('who else has a record open is said before both have typed, and is over when they leave', async () => {
  await using one = await open()
  await using other = await open()
  one.page.setDefaultTimeout(PATIENCE.timeout)
  await enter(one.page, STUDENTS)
  await one.page.locator('button.identity-name').first().click()
  await record(one.page).locator('.record-actions').waitFor()
  const [, colleague] = server.accounts
  if (!colleague) throw new Error('no second demo account')
  await logIn(other.page, colleague)
  await other.page.goto(`${STUDENTS}?open=${openId(one.page)}`)
  await record(other.page).getByText('也在查看').waitFor()
  await record(one.page).getByText('也在查看').waitFor()
  await other.page.keyboard.press('e')
  await drawer(other.page).getByText('也在查看').waitFor()
  await record(one.page).getByText('正在编辑').waitFor()
  await escapeUntil(other.page, async () => (await record(other.page).count()) === 0)
  await record(one.page).getByText(/也在查看|正在编辑/).waitFor({ state: 'detached' })
  expect([...one.problems, ...other.problems]).toEqual([])
}, 240_000)
