import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { act, choose, dialog, drawer, field, option, row, save } from './form-steps.ts'
import { callAs as api } from './staff-steps.ts'

const LIST = '/new/papers/senior/base-paper'
const SUBJECT = '数学（高中）'

const { open, server } = runConsole()

async function enter(page: Page): Promise<void> {
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)
}

const head = (page: Page) => page.locator('.paper-head')
const says = (page: Page, text: string | RegExp) => head(page).getByText(text, { exact: typeof text === 'string' }).waitFor()
/** Takes the next question that the picker offers. */
const pickNext = (page: Page) => page.locator('.paper-candidates').getByRole('button', { name: /^选入/, disabled: false }).first().click()

/** Pages of a PDF, and whether its fonts are inside: a printer needs none of its own. */
function describePdf(bytes: Buffer): { pages: number; fonts: boolean } {
  const text = bytes.toString('latin1')
  return { pages: text.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0, fonts: /\/Subtype\s*\/Type3\b|\/FontFile[23]?\b/.test(text) }
}

test('a paper from nothing: questions, order, points, a step back and forth, another question, print and Word', async () => {
  await using window = await open()
  const { page, problems } = window
  await enter(page)
  await page.goto(LIST)
  await page.getByRole('button', { name: '新增试卷' }).click()
  await field(page, '试卷名称').fill('高三第一次模拟考试（浏览器）')
  await choose(page, '学科', '数学')
  await save(page)
  await row(page, '高三第一次模拟考试（浏览器）').getByRole('link', { name: '高三第一次模拟考试（浏览器）' }).click()
  await page.locator('.paper-candidates > li').first().waitFor()
  for (let count = 1; count <= 4; count++) {
    await pickNext(page)
    await says(page, `${count} 题`)
  }
  await head(page).getByText('已保存').waitFor()
  await page.getByRole('button', { name: '按题型排序' }).click()
  await page.getByRole('region', { name: /^一、.*题（本题共/ }).waitFor()

  // Points: the same for all, for one kind, and back from a total.
  const points = async (fill: (box: ReturnType<typeof dialog>) => Promise<void>) => {
    await page.getByRole('button', { name: '批量设分' }).click()
    const box = dialog(page, '批量设分')
    await fill(box)
    await box.getByRole('button', { name: /确\s*定/ }).click()
    await box.waitFor({ state: 'hidden' })
  }
  await points((box) => box.getByRole('spinbutton', { name: '每题分值' }).fill('10'))
  await says(page, '40 分')
  await points(async (box) => {
    await box.getByText('填总分，按比例分配').click()
    await box.getByRole('spinbutton', { name: /总分/ }).fill('100')
  })
  await says(page, '100 分')
  await page.getByRole('button', { name: '撤销', exact: true }).click()
  await says(page, '40 分')
  await page.getByRole('button', { name: '重做', exact: true }).click()
  await says(page, '100 分')

  // Another question of the same kind takes the place and the points of the first that the demo has such for.
  const offered = page.getByRole('button', { name: /^换成/ }).first()
  const none = page.getByText('没有其他同类试题')
  let at = 0
  for (; ; at++) {
    await page.locator('.paper-item').nth(at).getByRole('button', { name: /^换掉第/ }).click()
    await offered.or(none).waitFor()
    if (await offered.isVisible()) break
    await page.locator('.paper-side').getByRole('button', { name: '取消', exact: true }).click()
  }
  const first = page.locator('.paper-item').nth(at)
  const before = await first.getAttribute('id')
  await offered.click()
  await expect.poll(() => first.getAttribute('id'), { timeout: 20_000 }).not.toBe(before)
  await says(page, '100 分')
  await head(page).getByText('已保存').waitFor()

  // What was saved is what comes out of the printer.
  await page.reload()
  await says(page, '100 分')
  await page.getByRole('button', { name: /打印$/ }).click()
  const preview = page.getByRole('region', { name: /打印预览，共 \d+ 页/ })
  await preview.waitFor()
  await expect.poll(() => preview.locator('.print-block').count(), { timeout: 20_000 }).toBeGreaterThanOrEqual(5)
  await page.getByRole('textbox', { name: '水印' }).fill('道远中学')
  await preview.getByText('道远中学', { exact: true }).first().waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: '下载 Word' }).click()])
  expect(download.suggestedFilename()).toBe('高三第一次模拟考试（浏览器）.docx')
  expect(readFileSync(await download.path()).subarray(0, 2).toString()).toBe('PK')
  const shown = Number(/共 (\d+) 页/.exec(await preview.getAttribute('aria-label') ?? '')?.[1])
  const pdf = describePdf(await page.pdf({ preferCSSPageSize: true }))
  expect(pdf).toEqual({ pages: shown, fonts: true })
  expect(problems).toEqual([])
})

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
  const { items } = await api<{ items: { id: number; name: string }[] }>(mine.page, 'GET', '/daoyuan/api/end/base_practice_papers/senior?state=0')
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
