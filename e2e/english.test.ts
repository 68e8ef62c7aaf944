import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { PATIENCE } from './shell-steps.ts'

const { open, server } = runConsole()

/** Twenty words of a textbook, as its list is copied from a sheet. */
const WORDS = ['morning=n.=早晨', 'afternoon=n.=下午', 'evening=n.=晚上', 'night=n.=夜晚', 'day=n.=一天', 'breakfast=n.=早餐', 'lunch=n.=午餐', 'dinner=n.=晚餐', 'music=n.=音乐', 'sport=n.=运动',
  'class=n.=课', 'homework=n.=作业', 'exercise=n.=锻炼', 'wash=v.=洗', 'watch=v.=看', 'jump=v.=跳', 'dance=v.=跳舞', 'paint=v.=画', 'swim=v.=游泳', 'read books=v.=读书'].map((line) => line.split('='))

test('twenty words are pasted into a unit, their phonetics confirmed, and the unit says what is still missing', async () => {
  await using window = await open()
  const { page, problems } = window
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)

  // A unit of a book that has none yet.
  await page.goto('/new/englishApp/detail?show=unit')
  await page.getByRole('button', { name: /新增/ }).first().click()
  const form = page.getByRole('dialog', { name: /新增单元词表/ })
  await form.getByLabel('教材').click()
  await form.getByLabel('教材').fill('五年级上册')
  await page.locator('.ant-select-item-option').filter({ hasText: '人教版 五年级上册' }).click()
  await form.getByLabel('序号').fill('2')
  await form.getByLabel('单元名称').fill('Unit 2 My week')
  await form.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('button', { name: 'Unit 2 My week' }).first().click()
  await page.getByRole('link', { name: '录入单词' }).click()

  const first = page.getByLabel('第 1 行 单词')
  await first.waitFor(PATIENCE)
  await first.focus()
  await page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, [['单词', '词性', '释义'], ...WORDS].map((cells) => cells.join('\t')).join('\n'))
  await expect.poll(() => page.getByLabel('第 20 行 单词').inputValue(), PATIENCE).toBe('read books')
  // The spelling suggests phonetics; what all of them share is filled down.
  await expect.poll(() => page.getByLabel('第 4 行 英式音标').getAttribute('placeholder')).toBe('naɪt')
  await page.getByLabel('第 1 行 要求').fill('会写')
  await page.getByLabel('第 1 行 要求').press('Control+d')
  await expect.poll(() => page.getByLabel('第 20 行 要求').inputValue()).toBe('会写')
  await page.getByLabel('第 10 行 英式音标').fill('spɔ:t')
  await page.getByLabel('第 3 行 英式音标').fill('iXnɪŋ')
  await page.getByRole('button', { name: '保存 20 个单词' }).click()
  await page.getByRole('alert').getByText(/「X」不是 48 个音标中的符号/).first().waitFor(PATIENCE)
  await page.getByLabel('第 3 行 英式音标').fill('ˈiːvnɪŋ')
  await page.getByRole('button', { name: '保存 20 个单词' }).click()
  await page.getByText('已录入 20 个单词').waitFor(PATIENCE)

  // One of them, with everything that belongs to it.
  await page.getByRole('link', { name: '查看刚录入的 20 个单词' }).click()
  await page.getByRole('button', { name: 'evening', exact: true }).click()
  await page.getByRole('link', { name: '完整编辑' }).click()
  await page.getByRole('button', { name: '添加例句' }).click()
  await page.getByLabel('第 1 个例句', { exact: true }).fill('I read books in the morning.')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText(/例句中没有「evening」或它的词形/).first().waitFor(PATIENCE)
  await page.getByLabel('第 1 个例句', { exact: true }).fill('I read books in the evening.')
  await page.getByLabel('第 1 个例句的译文').fill('我晚上读书。')
  // The sign of the attempt before may still be fading: it is part of the button's name until then.
  await page.getByRole('button', { name: /保存$/ }).click()
  const card = page.getByRole('article', { name: '学习卡片预览' })
  await card.getByText('I read books in the evening.').waitFor(PATIENCE)
  await page.getByRole('button', { name: '音标无误' }).click()
  await page.getByText('音标已核', { exact: true }).first().waitFor(PATIENCE)

  await page.goto('/new/englishApp/detail?show=unit&keyword=My week')
  const row = page.getByRole('row').filter({ hasText: 'Unit 2 My week' })
  await row.getByText('待核 19').waitFor(PATIENCE)
  await expect.poll(() => row.getByText('缺 19').count(), PATIENCE).toBe(1)
  expect(problems).toEqual([])
}, 300_000)

test('a phonogram that nobody practises is put into the course of phonograms', async () => {
  await using window = await open()
  const { page, problems } = window
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)
  await page.goto('/new/englishApp/phonogram')
  await page.locator('.phonogram-chart a').first().waitFor(PATIENCE)
  expect(await page.locator('.phonogram-chart a').count()).toBe(48)
  const idle = page.locator('.phonogram-chart a[data-idle="true"]')
  const before = await idle.count()
  expect(before).toBeGreaterThan(10)
  const symbol = await idle.first().textContent()

  await page.goto('/new/englishApp/phonogramcatalog')
  await page.getByText('Lesson 1 a 与 e', { exact: true }).first().click()
  await page.locator('.outline-add').getByRole('button', { name: '跟读' }).click()
  const pick = page.getByRole('dialog')
  await pick.getByRole('textbox').or(pick.getByRole('searchbox')).first().fill(symbol ?? '')
  await pick.getByText(`/${symbol ?? ''}/`, { exact: true }).first().click()
  await pick.getByRole('button', { name: /放入|添加|确定/ }).click()
  await page.locator('.outline-block').filter({ hasText: `/${symbol ?? ''}/` }).waitFor(PATIENCE)
  await page.getByText('已保存').first().waitFor(PATIENCE)
  await page.goto('/new/englishApp/phonogram')
  await expect.poll(() => idle.count(), PATIENCE).toBe(before - 1)
  expect(problems).toEqual([])
}, 240_000)
