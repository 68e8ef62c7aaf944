import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { wavOf } from '../modules/english-app/recording/clip.ts'
import { runConsole } from './console.ts'
import { PATIENCE } from './shell-steps.ts'

const { open, server } = runConsole()

/** Twenty words of a textbook, as its list is copied from a sheet. */
const WORDS = ['morning=n.=早晨', 'afternoon=n.=下午', 'evening=n.=晚上', 'night=n.=夜晚', 'day=n.=一天', 'breakfast=n.=早餐', 'lunch=n.=午餐', 'dinner=n.=晚餐', 'music=n.=音乐', 'sport=n.=运动',
  'class=n.=课', 'homework=n.=作业', 'exercise=n.=锻炼', 'wash=v.=洗', 'watch=v.=看', 'jump=v.=跳', 'dance=v.=跳舞', 'paint=v.=画', 'swim=v.=游泳', 'read books=v.=读书'].map((line) => line.split('='))

/** A recording of so many words, each half a second long, with a pause before the next. */
function readOut(words: number): Buffer {
  const [rate, say, pause] = [24_000, 0.5, 0.5]
  const samples = Float32Array.from({ length: Math.round(rate * (pause + words * (say + pause))) }, (_, at) => {
    const seconds = at / rate
    const speaks = seconds >= pause && (seconds - pause) % (say + pause) < say
    return (speaks ? 0.4 : 0.001) * Math.sin(2 * Math.PI * 220 * seconds)
  })
  return Buffer.from(wavOf(samples, rate))
}

test('twenty words are pasted into a unit, their phonetics confirmed, one recording cut into them, and the unit says what is still missing', async () => {
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
  // What all of them share is filled down.
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
  await page.getByRole('button', { name: '查看音标建议' }).click()
  const single = page.getByRole('dialog', { name: '核对音标 · evening' })
  await single.getByLabel('evening 音标无误').check()
  await single.getByRole('button', { name: '确认 1 个' }).click()
  await page.getByText('音标已核', { exact: true }).first().waitFor(PATIENCE)

  // The others are looked at together: the dictionary proposes, a person corrects one and ticks.
  await page.goto('/new/englishApp/detail?show=unit&keyword=My week')
  const row = page.getByRole('row').filter({ hasText: 'Unit 2 My week' })
  await row.getByText('待核 19').waitFor(PATIENCE)
  await row.hover()
  await row.getByText('核对音标', { exact: true }).click()
  const check = page.getByRole('dialog', { name: '核对音标 · Unit 2 My week' })
  await check.getByLabel('homework 的英式音标').waitFor(PATIENCE)
  expect(await check.getByLabel('night 的英式音标').inputValue()).toBe('naɪt')
  expect(await check.getByLabel('afternoon 的美式音标').inputValue()).toBe('ˌæftəˈnuːn')
  await check.getByLabel('全部 19 个').check()
  await check.getByLabel('exercise 的英式音标').fill('ˈeksəsaɪzQ')
  await check.getByRole('button', { name: '确认 19 个' }).click()
  await check.getByText('「Q」不是 48 个音标中的符号').waitFor(PATIENCE)
  await check.getByLabel('exercise 的英式音标').fill("'eksəsaiz")
  await check.getByRole('button', { name: '确认 19 个' }).click()
  await page.getByText('已核对 19 个单词的音标').first().waitFor(PATIENCE)
  await check.waitFor({ state: 'detached' })
  await expect.poll(() => row.getByText(/待核/).count(), PATIENCE).toBe(0)

  // One recording of all twenty is cut into words; one piece too many is joined by a key.
  await row.getByRole('button', { name: /更多|操作/ }).first().click()
  await page.getByRole('menuitem', { name: '整段录音' }).click()
  const cut = page.getByRole('dialog', { name: '整段录音 · Unit 2 My week' })
  await cut.locator('input[type=file]').setInputFiles({ name: '第二单元.wav', mimeType: 'audio/wav', buffer: readOut(20) })
  await cut.getByText('20 段，与单词一一对应').waitFor(PATIENCE)
  await cut.getByRole('button', { name: '切开' }).click()
  await cut.getByText('21 段，20 个单词，多出 1 段').waitFor(PATIENCE)
  expect(await cut.getByRole('button', { name: '用于 20 个单词' }).isDisabled()).toBe(true)
  await cut.getByRole('group', { name: '切分录音' }).press('m')
  const start = cut.getByRole('slider', { name: 'morning 开始' })
  const before = Number(await start.getAttribute('aria-valuenow'))
  await start.press('Shift+ArrowLeft')
  expect(Number(await start.getAttribute('aria-valuenow'))).toBeCloseTo(before - 0.1, 2)
  await cut.getByRole('button', { name: '试听 day', exact: true }).click()
  await cut.getByRole('button', { name: '用于 20 个单词' }).click()
  await page.getByText('20 个单词已有英音').first().waitFor(PATIENCE)
  await cut.waitFor({ state: 'detached' })
  // What is still missing: American recordings and pictures of all, sentences of nineteen.
  await expect.poll(() => row.getByText('缺 20').count(), PATIENCE).toBe(2)
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
