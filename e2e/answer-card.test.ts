import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { damage, drawStrokes, seeded } from '../modules/paper/card/card-testing.ts'
import type { PrintedCard } from '../modules/paper/card/calls.ts'

const { open, server, folder } = runConsole()
/** A mathematics paper of the demo: choices, blanks and boxes. */
const PAPER = '/new/papers/detail/1'
const NUMBER = '20260001'

test('a card is printed, filled in, scanned the wrong way round, read, marked and comes to points', async () => {
  await using opened = await open()
  const { page, problems } = opened
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)
  await page.goto(PAPER)
  await page.getByRole('button', { name: '打印' }).click()
  await page.getByText('答题卡', { exact: true }).click()
  await page.getByText('A3 三栏').click()
  await page.evaluate(() => { window.print = () => undefined })
  const [answer] = await Promise.all([page.waitForResponse((response) => response.url().endsWith('/card')), page.getByRole('button', { name: '打印或存为 PDF' }).click()])
  const { layout } = await answer.json() as PrintedCard
  await page.locator('.print-only svg').waitFor({ state: 'attached' })
  const blank = await page.pdf({ preferCSSPageSize: true })
  await page.locator('.ant-modal-footer').getByRole('button', { name: '关闭' }).click()

  // What came out of the printer, filled in by pencil, upside down in the scanner.
  const library = await PDFiumLibrary.init()
  const sheet = await (await library.loadDocument(blank)).getPage(0).render({ scale: (6 * 25.4) / 72, render: 'bitmap', colorSpace: 'Gray' })
  const places = layout.pages[0]?.bubbles ?? []
  const random = seeded(5)
  const filled = places.filter(({ field, index, value }) => (field === 'number' ? NUMBER[index] === value : field === 'choice' && value === 'A')).map((bubble) => ({ bubble, strength: 0.7, cover: 0.9, off: 0.1 }))
  const scan = damage(drawStrokes({ width: sheet.width, height: sheet.height, data: Uint8Array.from(sheet.data) }, filled, sheet.width / layout.width, random), { turn: 181.5, perspective: 0.003, scale: 1, blur: 0.7, noise: 5, shade: 0.15, ground: 250 }, random)
  const [picture, pdf] = [join(folder, '扫描.png'), join(folder, '空白.pdf')]
  await sharp(scan.data, { raw: { width: scan.width, height: scan.height, channels: 1 } }).png().toFile(picture)
  writeFileSync(pdf, blank)

  await page.getByRole('button', { name: '阅卷' }).click()
  await page.getByRole('button', { name: '新建场次' }).click()
  await page.getByLabel('场次名称').fill('期中考试')
  await page.getByLabel('考生名单').fill(`${NUMBER}\t张三\t高二1班`)
  await page.getByRole('button', { name: /保\s*存/ }).click()
  await page.locator('.marking-scan input[type=file]').setInputFiles([picture, pdf])
  // The blank one has no number: it is listed, and goes.
  await page.getByRole('tab', { name: '待处理页面 1' }).click()
  await page.getByText('考号没有填涂清楚（????????）').waitFor()
  await page.getByRole('button', { name: '移除这页' }).click()
  await page.getByRole('button', { name: /^移\s*除$/ }).click()
  await page.getByText('所有页面都已归到考生').waitFor()
  await page.getByRole('tab', { name: /^主观题阅卷/ }).click()
  await page.getByText(`考号 ${NUMBER} · 第 12 题`, { exact: false }).waitFor()
  await page.getByRole('spinbutton', { name: '给分' }).fill('5')
  await page.keyboard.press('Enter')
  await page.getByText('· 第 13 题', { exact: false }).waitFor()
  await page.getByRole('tab', { name: '成绩和分析' }).click()
  await page.getByRole('cell', { name: '张三' }).waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: '导出成绩' }).click()])
  expect(download.suggestedFilename()).toMatch(/成绩（期中考试）\.xlsx$/)
  expect(problems).toEqual([])
}, 120_000)
