import { expect, test } from 'vitest'
import { formatTime } from '../core/field/time.ts'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { dialog, record } from './form-steps.ts'
import { callAs as api } from './staff-steps.ts'

const PATIENCE = 20_000
const STUDENTS = '/new/new-study-room/school/school-student'
const STUDENT = '/daoyuan/api/end/self_study_room/school_student'

const { open, server } = runConsole()

test('a record is looked at as it was, from one of its changes and from its menu, and nothing can be done there', async () => {
  await using window = await open()
  const { page, problems } = window
  page.setDefaultTimeout(PATIENCE)
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)
  await page.goto(STUDENTS)
  await page.locator('button.identity-name').first().click()
  await record(page).locator('.record-actions').waitFor()
  const id = Number(new URL(page.url()).searchParams.get('open'))
  for (const student_no of ['先前的学号', '后来的学号']) await api(page, 'PUT', `${STUDENT}/${id}`, { student_no })
  await page.reload()

  const change = record(page).locator('.timeline > li').filter({ hasText: '先前的学号' }).last()
  await change.getByRole('button', { name: '看当时的样子' }).click()
  const bar = record(page).getByRole('status')
  await bar.getByText(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} 的样子$/).waitFor()
  const number = record(page).locator('.past-facts > div[data-changed=true]').filter({ hasText: '学号' })
  expect(await number.textContent()).toMatch(/先前的学号.*现在.*后来的学号/)
  expect(await record(page).locator('.record-actions, .composer').count()).toBe(0)
  await bar.getByRole('button', { name: '回到现在' }).click()
  await record(page).locator('.record-actions').waitFor()

  await record(page).getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '时光机…' }).click()
  const past = dialog(page, '时光机')
  const now = formatTime(Math.floor(Date.now() / 1000)).slice(0, 16)
  for (const [label, text] of [['日期', now.slice(0, 10)], ['时间', now.slice(11)]] as const) {
    await past.getByLabel(label).fill(text)
    await page.keyboard.press('Enter')
  }
  await past.getByRole('button', { name: '看当时的样子' }).click()
  await record(page).getByText(`${now} 的样子`, { exact: true }).waitFor()
  expect(problems).toEqual([])
}, 240_000)
