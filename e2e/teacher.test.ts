import { expect, test } from 'vitest'
import { takeSession } from './browser.ts'
import { runConsole } from './console.ts'

const { open, server } = runConsole()

test('a teacher is spoken with, a class gets another code, questions of a teacher are read, and a number of the funnel opens its people', async () => {
  await using window = await open()
  const { page, problems } = window
  const [account] = server.accounts
  if (!account) throw new Error('the demo has no accounts')
  await takeSession(page, account)
  // Whom to speak with this week, and why; what came of it stands where it was asked.
  await page.goto('/new/teacher/operation')
  const needy = page.locator('.teacher-needy li').first()
  await needy.waitFor()
  const name = (await needy.locator('a').first().innerText()).trim()
  await needy.getByRole('button', { name: /^跟进/ }).click()
  const talk = page.getByRole('dialog', { name: `跟进 · ${name}` })
  await talk.getByRole('textbox', { name: '跟进内容' }).fill('电话约好下周到校，演示布置作业')
  await talk.getByRole('button', { name: /保\s*存/ }).click()
  await page.getByText(`已记录对「${name}」的跟进`).waitFor()
  // Behind each number stand as many people.
  const number = page.locator('.teacher-funnel button:not([disabled])').first()
  const count = (await number.innerText()).trim()
  await number.click()
  await page.getByRole('heading', { name: new RegExp(`申请」：${count} 人$`) }).waitFor()
  // The old code leads nowhere any more.
  await page.goto('/new/teacher/class?status=1')
  const line = page.locator('.ant-table-row').first()
  await line.waitFor()
  await line.getByRole('button', { name: /的更多操作$/ }).click()
  await page.getByRole('menuitem', { name: '更换班级码' }).click()
  await page.getByRole('button', { name: /^更\s*换$/ }).click()
  await page.getByText(/新班级码 [A-Z2-9]{6}/).waitFor()
  // The questions of a paper, one after the other.
  await page.goto('/new/teacher/paper?review=1')
  await page.locator('.ant-table-row').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: '自编题审核' }).click()
  await page.locator('.review-current').getByRole('button', { name: /退\s*回/ }).click()
  const back = page.getByRole('dialog', { name: /^退回第/ })
  await back.getByRole('textbox', { name: '原因' }).fill('条件不完整，无法求解')
  await back.getByRole('button', { name: /退\s*回/ }).click()
  await page.locator('.review-others').getByText('条件不完整，无法求解').waitFor()
  expect(problems).toEqual([])
}, 90_000)
