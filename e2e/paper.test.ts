import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { act, choose, dialog, drawer, field, option, save } from './form-steps.ts'
import { callAs as api } from './staff-steps.ts'

const SUBJECT = '数学（高中）'

const { open, server } = runConsole()

async function enter(page: Page): Promise<void> {
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)
}

const head = (page: Page) => page.locator('.paper-head')
const says = (page: Page, text: string | RegExp) => head(page).getByText(text, { exact: typeof text === 'string' }).waitFor()
test('a smart paper: what the bank lacks is said, one click helps, the paper is kept and becomes one to edit', async () => {
  await using window = await open()
  const { page, problems } = window
  await enter(page)
  await page.goto('/new/papers/smart-test-paper')
  await page.getByRole('button', { name: '智能组卷' }).click()
  await field(page, '名称').fill('函数过关（浏览器）')
  await choose(page, '学科', SUBJECT)
  const section = drawer(page).getByRole('group', { name: '第 1 大题' })
  await section.locator('.ant-form-item').filter({ hasText: '题型' }).getByRole('combobox').click()
  await option(page, '单选题').click()
  await page.keyboard.press('Escape')
  await section.getByLabel('题数').first().fill('5')
  await section.getByRole('button', { name: '添加细目' }).click()
  await section.getByLabel('细目的认知层次').click()
  await option(page, '评价').click()
  await section.getByLabel('细目的题数').fill('5')
  await drawer(page).getByRole('button', { name: /组\s*卷$/ }).click()
  await drawer(page).getByText('题库中的试题不够，还不能成卷').waitFor()
  await drawer(page).getByRole('button', { name: /^不限认知层次/ }).click()
  await drawer(page).locator('.smart-result .paper-item').nth(4).waitFor()
  await save(page)
  await act(page, '函数过关（浏览器）', '转为试卷')
  const made = dialog(page, /转为试卷/)
  await made.getByRole('button', { name: '生成试卷' }).click()
  await made.getByRole('link', { name: '函数过关（浏览器）' }).click()
  await says(page, '5 题')
  await says(page, '25 分')
  expect(problems).toEqual([])
})

test('two people edit one paper at once, and nothing of either is lost', async () => {
  await using mine = await open()
  await using theirs = await open()
  await enter(mine.page)
  await enter(theirs.page)
  await mine.page.goto('/new/')
  const { items } = await api<{ items: { id: number; name: string }[] }>(mine.page, 'GET', '/daoyuan/api/end/base_practice_papers/senior?status=0')
  const paper = items[0]
  if (!paper) throw new Error('no draft in the demo data')
  const pages = [mine.page, theirs.page]
  for (const page of pages) {
    await page.goto(`/new/papers/detail/${paper.id}`)
    await page.locator('.paper-section').first().waitFor()
  }
  const add = async (page: Page, name: string) => {
    await page.getByRole('button', { name: '添加大题' }).click()
    await dialog(page, '添加大题').getByLabel('大题名称').fill(name)
    await dialog(page, '添加大题').getByRole('button', { name: /确\s*定/ }).click()
    await page.locator('.paper-section').filter({ hasText: name }).waitFor()
    await head(page).getByText('已保存').waitFor()
  }
  await Promise.all([add(mine.page, '甲加的大题'), add(theirs.page, '乙加的大题')])
  for (const page of pages) {
    await page.reload()
    await page.locator('.paper-section').filter({ hasText: '甲加的大题' }).waitFor()
    await page.locator('.paper-section').filter({ hasText: '乙加的大题' }).waitFor()
  }
  expect([...mine.problems, ...theirs.problems]).toEqual([])
})
