import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatDate, startOfDay } from '../core/field/time.ts'
import { actionId } from '../core/grant/grant.ts'
import { screenId } from '../modules/screens.ts'
import { weekdayOf } from '../modules/vacation/schedule.ts'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { actOn, buy, giveBack, line } from './course-steps.ts'
import { PATIENCE } from './shell-steps.ts'
import { callAs, makeStaff } from './staff-steps.ts'

const ADMIN = { account: 'admin', password: 'Admin-pass1' }
const { open } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })
const END = '/daoyuan/api/end/vacation'
const COURSE = screenId('/vacation/course')
const NOW = Math.floor(Date.now() / 1000)
const DAY = 86_400

async function sendPicture(page: Page): Promise<string> {
  const csrf = (await page.context().cookies()).find(({ name }) => name === 'csrf')?.value ?? ''
  const answer = await page.request.post('/daoyuan/api/end/files?kind=image', {
    headers: { 'x-csrf-token': csrf }, multipart: { file: { name: '封面.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>') } },
  })
  return ((await answer.json()) as { url: string }).url
}

/** Opens the timetable of a class from its list. */
async function timetable(page: Page, name: string) {
  await page.goto('/new/vacation/class')
  await actOn(page, name, '课表')
  const dialog = page.getByRole('dialog', { name: `课表 · ${name}` })
  await dialog.getByText(/^已排 \d \/ 2 次$/).waitFor(PATIENCE)
  return dialog
}

test.each([[1440, 900], [390, 844]])('at %d pixels a class is timetabled, a teacher is found twice, who waits moves up after a refund, and the roll is called', async (width, height) => {
  await using opened = await open({ width, height })
  const { page, problems } = opened
  await logIn(page, ADMIN)
  const [course, mine, theirs] = [`寒假几何专题 ${width}`, `甲班 ${width}`, `乙班 ${width}`]
  const teacher = await makeStaff(open, page, [COURSE, actionId(COURSE, 11)], '吴老师')
  const offer = await callAs<{ id: number }>(page, 'POST', `${END}/courses`, { title: course, subject_id: 1, price: 1000_00, valid_days: 120, cover: await sendPicture(page) })
  await callAs(page, 'POST', `${END}/courses/${offer.id}/submit`, {})
  await using colleague = await open()
  await logIn(colleague.page, teacher)
  await callAs(colleague.page, 'POST', `${END}/courses/${offer.id}/approve`, {})
  const newClass = (name: string) => callAs<{ id: number }>(page, 'POST', `${END}/classes`, {
    name, offer_id: offer.id, term: 1, year: 2026, teacher_id: teacher.id, capacity: 1, start_on: startOfDay(NOW), meeting_count: 2, times: [{ weekday: weekdayOf(NOW), hours: '00:10-23:50' }], room: `${name} 教室`,
  })
  const { id } = await newClass(mine)
  await newClass(theirs)

  const first = await timetable(page, mine)
  await first.getByRole('button', { name: '自动排课' }).click()
  await first.getByText('第 2 次').waitFor(PATIENCE)
  await first.getByRole('button', { name: '生成课表' }).click()
  await first.getByText('已排 2 / 2 次').waitFor(PATIENCE)

  // The other class has the same teacher at the same time.
  const next = await timetable(page, theirs)
  await next.getByRole('button', { name: '自动排课' }).click()
  await next.getByText(/吴老师.*甲班/).first().waitFor(PATIENCE)
  await next.getByRole('button', { name: '生成课表' }).click()
  await next.getByText(/请填写原因|请输入原因/).first().waitFor(PATIENCE)
  await next.getByLabel('原因').fill('第二次由李老师代课')
  await next.getByRole('button', { name: '生成课表' }).click()
  await next.getByText('2 次课有冲突').waitFor(PATIENCE)
  if (width > 1000) {
    const meeting = next.getByRole('button', { name: new RegExp(`${formatDate(NOW + 7 * DAY)}`) })
    await meeting.focus()
    await page.keyboard.press('ArrowRight')
    await next.getByText(`移到 ${formatDate(NOW + 8 * DAY)}，没有冲突`).waitFor(PATIENCE)
    await page.keyboard.press('Enter')
    await next.getByText('1 次课有冲突').waitFor(PATIENCE)
  }

  const order = `/vacation/order?write=new&class_id=${id}`
  const number = (no: number) => `1391000${String(width + no).padStart(4, '0')}`
  await buy(page, order, number(1), course)
  await page.goto('/new/vacation/class')
  await line(page, mine).getByText('已满').waitFor(PATIENCE)
  await buy(page, order, number(2), course, async (entry) => {
    await entry.getByRole('button', { name: '提交并确认到账' }).click()
    await entry.getByText(/班级已满（1\/1）/).first().waitFor(PATIENCE)
    await entry.locator('.ant-form-item').filter({ hasText: '接受候补' }).getByRole('switch').click()
  })
  const states = async () => (await callAs<{ items: { user_mobile: string; state: number }[] }>(page, 'GET', `${END}/members?class_id=${id}`)).items.map(({ state }) => state).toSorted()
  expect(await states()).toEqual([1, 2])
  await giveBack(page, `/vacation/order?buyer_mobile=${number(1)}`, course)
  await expect.poll(states, PATIENCE).toEqual([2, 4])

  await page.goto('/new/vacation/class')
  await actOn(page, mine, '点名')
  const roll = page.getByRole('dialog', { name: `点名 · ${mine}` })
  const learner = roll.locator('.roll button')
  await expect.poll(() => learner.count(), PATIENCE).toBe(1)
  expect(await learner.innerText()).toContain('到')
  await learner.click()
  await roll.getByText('迟到 1').waitFor(PATIENCE)
  await roll.getByRole('button', { name: '保存点名' }).click()
  await page.getByText('已点名', { exact: true }).first().waitFor(PATIENCE)
  await roll.getByText(/第 1 次.*已点名/).first().waitFor(PATIENCE)
  expect(problems).toEqual([])
}, 300_000)
