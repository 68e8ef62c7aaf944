import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { act, dialog, drawer, option } from './form-steps.ts'

const { open, server, folder } = runConsole()

const choice = (n: number, words: string, key: string) => `${n}．${words}（　　）\nA．甲方${n}\nB．乙方${n}\nC．丙方${n}\nD．丁方${n}\n【答案】${key}\n【解析】见课本第 ${n} 页。`
const PAPER = `绝密★启用前
武汉市高三数学联考（浏览器）
本试卷满分 22 分，考试时间 90 分钟
注意事项：
1．答卷前填写姓名和考号。
2．用黑色签字笔作答。
第Ⅰ卷（选择题 共10分）
一、单选题：本题共2小题，每小题5分，共10分。在每小题给出的四个选项中，只有一项是符合题目要求的。
${choice(1, '武汉的城市中位于长江沿岸且人口最多的是哪一座', 'A')}
${choice(2, '武汉所在省份的最高山峰海拔超过三千米的是哪一座', 'E')}
第Ⅱ卷（非选择题 共12分）
二、解答题：共12分。解答应写出文字说明、证明过程或演算步骤。
3．（12分）请说明武汉的图书馆为什么在周末延长开放时间，并给出两条理由。
【答案】读者多；考试近。
【解析】言之成理即可。
`

test('a file becomes a paper: what is uncertain waits, the rest is there as it was printed, and a parallel paper is asked for', async () => {
  await using window = await open()
  const { page, problems } = window
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)
  const file = join(folder, '联考.txt')
  writeFileSync(file, PAPER)
  await page.goto('/new/practice/back?cat_id=1')
  await page.getByRole('button', { name: '导入试题' }).click()
  await drawer(page).locator('#import-subject').click()
  await option(page, '数学').click()
  await page.locator('.ant-drawer-open input[type=file]').setInputFiles(file)
  await page.getByText('这个文件是一份整卷').waitFor()
  // The question with an answer that is no option keeps the paper waiting until somebody decides.
  await page.getByRole('button', { name: /成卷$/ }).click()
  const make = dialog(page, '成卷')
  await make.getByText('1 题有问题：第 2 题').waitFor()
  await make.getByText('第Ⅰ卷（选择题 共10分）').waitFor()
  expect(await make.getByRole('button', { name: '生成试卷' }).isDisabled()).toBe(true)
  await make.getByText('存为草稿放进试卷').click()
  await make.getByRole('button', { name: '生成试卷' }).click()
  await make.getByText('已生成试卷').waitFor()
  await make.getByRole('link', { name: '打开试卷' }).click()

  const head = page.locator('.paper-head')
  await head.getByText('22 分').waitFor()
  await page.getByText('3 题还是后备题库的草稿').waitFor()
  await page.getByRole('region', { name: '一、单选题：本题共2小题，每小题5分，共10分' }).waitFor()
  await head.getByRole('button', { name: /打印$/ }).click()
  const print = page.getByRole('region', { name: /^打印预览/ })
  for (const words of ['绝密★启用前', '2．用黑色签字笔作答。', '第Ⅱ卷（非选择题 共12分）']) await print.getByText(words).first().waitFor()
  expect(await print.locator('.print-seal').count()).toBe(await print.locator('.print-page').count())

  // A paper like it, by its specification table.
  const id = Number(/\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1])
  await page.goto(`/new/papers/smart-test-paper?parallel=${id}`)
  await drawer(page).getByText('双向细目表：共 3 题，22 分').waitFor()
  await drawer(page).getByText('平行卷：不选原卷的 3 题').waitFor()
  expect(problems).toEqual([])
})

test('a skeleton is made, and a paper begun with it has its sections and its words', async () => {
  await using window = await open()
  const { page, problems } = window
  const [account] = server.accounts
  if (!account) throw new Error('no demo account')
  await logIn(page, account)
  await page.goto('/new/papers/skeleton')
  await page.getByText('新高考Ⅰ卷数学（2024）').waitFor()
  await act(page, '新高考Ⅰ卷数学（2024）', '新建试卷')
  await page.getByRole('dialog').getByLabel('试卷名称').fill('一模（模板）')
  await page.getByRole('button', { name: /^新\s?建$/ }).click()
  await page.locator('.paper-head').getByRole('heading', { name: '一模（模板）' }).waitFor()
  await page.getByText('模板要求 8 题，每题 5 分，还差 8 题').waitFor()
  // Its words are the paper's own from now on.
  await page.getByRole('button', { name: /^卷\s?首$/ }).click()
  await page.getByRole('dialog').getByLabel('学校名称').fill('道远一中')
  await page.getByRole('button', { name: /^确\s?定$/ }).click()
  // Points are those that the skeleton gives each question.
  await page.locator('.paper-candidates').getByRole('button', { name: /^选入/, disabled: false }).first().click()
  await page.locator('.paper-head').getByText('1 题', { exact: true }).waitFor()
  await page.locator('.paper-head').getByText('已保存').waitFor()
  await page.locator('.paper-head').getByRole('button', { name: /打印$/ }).click()
  const print = page.getByRole('region', { name: /^打印预览/ })
  for (const words of ['绝密★启用前', '道远一中', '注意事项：']) await print.getByText(words).first().waitFor()

  // On the list of papers, too.
  await page.goto('/new/papers/senior/base-paper')
  await page.getByRole('button', { name: '用模板新建' }).click()
  await page.getByRole('dialog').getByRole('combobox').click()
  await option(page, '全国甲卷理科数学').click()
  await page.getByRole('dialog').getByLabel('试卷名称').fill('二模（模板）')
  await page.getByRole('button', { name: /^新\s?建$/ }).click()
  await page.getByText('第Ⅱ卷（非选择题）').waitFor()
  expect(problems).toEqual([])
})
