import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { plainDoc } from '../core/rich-text/rich-doc.ts'
import { startWritten } from '../modules/practice/edit/written.ts'
import { VERIFY_RIGHTS } from '../modules/practice/verify/state.ts'
import { screenId } from '../modules/screens.ts'
import { logIn, type Account, type OpenPage } from './browser.ts'
import { runConsole } from './console.ts'
import { enter, frontPage, PATIENCE } from './shell-steps.ts'
import { callAs as api, makeStaff } from './staff-steps.ts'

const ADMIN = { account: 'admin', password: 'Admin-pass1' }
const END = '/daoyuan/api/end'
const VERIFY = screenId('/practice/practiceVerify')

const { open, folder } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })

const QUESTIONS = [
  { question: '已知集合 $A$ 含有三个元素，则 $A$ 的真子集个数为（ ）\nA．$6$\nB．$7$\nC．$8$\nD．$9$', answer: 'E', analysis: '真子集共 $2^3-1=7$ 个。', subject: '数学', difficulty: '中', knowledge: '集合', score: 5, year: 2024, province: '浙江省' },
  { question: '若集合 $B$ 恰有 $16$ 个子集，则 $B$ 的元素个数为（ ）\nA．$2$\nB．$3$\nC．$4$\nD．$5$', answer: 'C', analysis: '由 $2^n=16$ 得 $n=4$。', subject: '数学', difficulty: '中', knowledge: '集合', score: 5 },
]

/** A picture of so many pixels across. */
const picture = (width: number) => ({ name: `${width}.svg`, mimeType: 'image/svg+xml', buffer: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="90"><rect width="${width}" height="90" fill="#ddd"/></svg>`) })

const scanOf = (page: Page) => page.getByRole('region', { name: '原题图片' }).getByRole('img', { name: /^原题图片/ })

/** How many pixels across the picture of the original is that is shown; a picture that could not be fetched has none. */
const scanWidth = (page: Page) => scanOf(page).evaluate((img: HTMLImageElement) => img.naturalWidth)

/** Reads the original beside a question, all of it by keys, and puts it away. */
async function readScans(page: Page): Promise<void> {
  await expect.poll(() => scanWidth(page), PATIENCE).toBe(300)
  await page.keyboard.press(']')
  await expect.poll(() => scanWidth(page), PATIENCE).toBe(200)
  const drawn = () => scanOf(page).evaluate((img) => Math.round(img.getBoundingClientRect().width))
  const fitting = await drawn()
  await page.keyboard.press('+')
  expect(await drawn()).toBeGreaterThan(fitting)
  await page.keyboard.press('0')
  expect(await drawn()).toBe(fitting)
  await page.getByText(/^用时 [1-9]/).waitFor(PATIENCE)
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/preferences') && answer.request().method() === 'PUT')
  await page.keyboard.press('s')
  await page.getByRole('region', { name: '原题图片' }).waitFor({ state: 'detached' })
  await kept
}

/** What had been put away stays so until it is asked for. */
async function findScansHidden(page: Page): Promise<void> {
  await page.getByRole('button', { name: '显示原题' }).click()
  await expect.poll(() => scanWidth(page), PATIENCE).toBe(300)
}

/** Says that a question is right, in whatever round it waits. */
async function passFirst(account: Account, button: RegExp, look?: (page: Page) => Promise<void>): Promise<void> {
  await using opened = await open()
  const { page } = opened
  await enter(page, account, '/practice/practiceVerify')
  await page.getByText('真子集个数为').waitFor(PATIENCE)
  await look?.(page)
  await page.getByRole('checkbox', { name: /^全部核对/ }).check()
  await page.getByText(/^我已领取/).waitFor(PATIENCE)
  await page.getByRole('button', { name: button }).click()
  await page.getByText(/已通过/).first().waitFor(PATIENCE)
}

const cards = (page: Page) => frontPage(page).getByRole('article', { name: /^试题 / })

async function written(page: Page, where: object): Promise<{ id: number; no: string; status: number; version_no: number }[]> {
  return (await api<{ items: { id: number; no: string; status: number; version_no: number }[] }>(page, 'POST', '/daoyuan/api/dou_practice/end/practices', where)).items
}

async function expectNone({ problems }: OpenPage): Promise<void> {
  expect(problems).toEqual([])
}

test('a question is imported, mended, checked by two people, published, revised, compared and given 举一反三', async () => {
  const file = join(folder, '集合.jsonl')
  writeFileSync(file, QUESTIONS.map((one) => JSON.stringify(one)).join('\n'))
  await using window = await open()
  const { page } = window
  page.setDefaultTimeout(PATIENCE.timeout)
  await logIn(page, ADMIN)
  const [root] = (await api<{ items: { id: number }[] }>(page, 'GET', '/micro_material/api/end/knowledge_label_v2?cat_id=1')).items
  await api(page, 'POST', `${END}/knowledge_label`, { subject_id: 1, parent_id: root?.id, name: '集合' })
  const bank = screenId('/practice/back')
  const [first, second] = [
    await makeStaff(open, page, [VERIFY, bank, screenId('/practice/official'), VERIFY_RIGHTS.id('first'), VERIFY_RIGHTS.id('final')], '一校老师'),
    await makeStaff(open, page, [VERIFY, bank, VERIFY_RIGHTS.id('second')], '二校老师'),
  ]

  // Import: one answer names an option that is not there; it is mended in the preview.
  await page.goto('/new/practice/back?cat_id=1')
  await page.getByRole('button', { name: '导入试题' }).click()
  await page.locator('.ant-drawer-open input[type=file]').setInputFiles(file)
  await page.getByText('答案 E 不在选项中').first().waitFor()
  await page.getByRole('button', { name: '修改第 1 行' }).click()
  const form = page.getByRole('dialog', { name: '修改 第 1 行' })
  await form.getByText('还有问题').waitFor()
  await form.getByRole('radio', { name: '选项 B 正确' }).check()
  await form.getByText('还有问题').waitFor({ state: 'detached' })
  await form.getByRole('button', { name: '保存修改' }).click()
  await page.getByText('有问题 0').waitFor()
  await page.getByRole('button', { name: /^入\s?库$/ }).click()
  await page.getByText('已入库 2 道，为草稿').waitFor()
  await page.getByRole('button', { name: 'Close' }).or(page.locator('.ant-drawer-open .ant-drawer-close')).first().click()

  // The pages that it was typed from, kept in the order that the typist gave them, and shown beside what is typed.
  const [typed] = await written(page, { pool: 'back', cat_id: 1, keyword: '真子集' })
  await page.goto(`/new/practice/back/${typed?.id}`)
  await page.getByRole('button', { name: '更多属性' }).click()
  const scans = page.getByRole('group', { name: '原题图片' })
  await scans.locator('input[type=file]').setInputFiles([picture(200), picture(300)])
  await scans.getByRole('button', { name: '第 2 张前移' }).click()
  await expect.poll(() => scanWidth(page)).toBe(300)
  await page.keyboard.press('Control+s')
  await page.getByText('已保存', { exact: true }).first().waitFor()
  await page.goto('/new/practice/back?cat_id=1')

  // Submit; two people check, the second another than the first, and it is published.
  const mine = cards(page).filter({ hasText: '真子集个数为' })
  await mine.getByRole('button', { name: '提交校对' }).click()
  await mine.getByText('待一校').waitFor()
  await passFirst(first, /^通过（P）/, readScans)
  await passFirst(second, /^通过（P）/)
  await passFirst(first, /^通过并发布/, findScansHidden)
  const [official] = await written(page, { pool: 'official', cat_id: 1 })
  expect(official).toMatchObject({ status: 4, version_no: 1 })

  // Revise it: the draft and the official question are compared, and become one.
  await page.goto('/new/practice/official?cat_id=1')
  await cards(page).getByRole('button', { name: '修订' }).click()
  const editor = page.getByRole('region', { name: /^编辑试题 / })
  await editor.getByRole('radiogroup', { name: '难度' }).or(editor.getByLabel('难度', { exact: true })).first().getByText('易 5', { exact: true }).click()
  await editor.getByRole('button', { name: '保存', exact: true }).or(editor.getByRole('button', { name: '保 存', exact: true })).first().click()
  await editor.getByText('已保存', { exact: true }).waitFor()
  await page.goto('/new/practice/compare')
  const pair = page.getByRole('article', { name: /^比对 / })
  await pair.getByText('1 处不同：难度').waitFor()
  await pair.getByRole('button', { name: '合并到正式' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^合\s?并$/ }).click()
  await page.getByText('没有待比对的试题').waitFor()
  expect(await written(page, { pool: 'official', difficulties: [5] })).toMatchObject([{ id: official?.id, version_no: 2, status: 4 }])

  // 举一反三: found by its words, listed, taken away again.
  await page.goto(`/new/practice/official/${official?.id}`)
  const rail = page.getByRole('region', { name: /^试题 / })
  // A narrow rail keeps its last tabs behind a menu.
  const openTab = async (name: string) => {
    const tab = rail.getByRole('tab', { name, exact: true })
    await tab.waitFor({ state: 'attached' })
    await tab.evaluate((node: HTMLElement) => node.click())
  }
  await openTab('举一反三')
  await page.getByRole('button', { name: '添加举一反三' }).click()
  const pick = page.getByRole('dialog', { name: /添加举一反三/ })
  await pick.getByText('搜索', { exact: true }).click()
  await pick.getByRole('searchbox', { name: '搜索要添加的试题' }).fill('元素个数')
  await page.keyboard.press('Enter')
  await pick.getByRole('checkbox').first().check()
  await pick.getByRole('button', { name: '添加 1 道' }).click()
  await pick.waitFor({ state: 'detached' })
  await rail.getByText('恰有').waitFor()
  await openTab('日志')
  await rail.getByText('集合').or(rail.getByText('系统')).or(rail.getByText('超级管理员')).first().waitFor()
  await openTab('举一反三')
  await rail.getByRole('button', { name: /^移除 / }).click()
  await rail.getByText('还没有举一反三').waitFor()
  await expectNone(window)
}, 400_000)

test('what was typed just before Ctrl+S is stored, and what is typed after it stays', async () => {
  await using window = await open()
  const { page } = window
  page.setDefaultTimeout(PATIENCE.timeout)
  await logIn(page, ADMIN)
  const start = startWritten(1, 4)
  const { id } = await api<{ id: number }>(page, 'POST', `/daoyuan/api/dou_practice/end/practice`, { ...start, content: { ...start.content, stem: plainDoc('求证。') }, level: 0 })
  await page.goto(`/new/practice/back/${id}`)
  const stem = page.getByRole('textbox', { name: '题干', exact: true })
  await stem.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('甲')
  await page.keyboard.press('Control+s')
  await stem.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('乙')
  await page.getByText('已保存', { exact: true }).first().waitFor()
  await page.getByText('未保存', { exact: true }).waitFor()
  expect(await stem.innerText()).toBe('求证。甲乙')
  await page.keyboard.press('Control+s')
  await page.getByText('未保存', { exact: true }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('textbox', { name: '题干', exact: true }).getByText('求证。甲乙').waitFor()
  await expectNone(window)
})

/** What Word puts on the clipboard for f(x)=(x²+1)/(2x) between two words: OMML in a comment, a picture behind it. */
const FROM_WORD = `<html xmlns:m="http://schemas.microsoft.com/office/2004/12/omml"><body><!--StartFragment--><p class=MsoNormal><span>设</span><!--[if gte msEquation 12]><m:oMath><i style='mso-bidi-font-style:normal'><span lang=EN-US style='font-family:"Cambria Math",serif'><m:r>f</m:r></span></i><m:d><m:dPr><span style='font-family:"Cambria Math",serif'><m:ctrlPr></m:ctrlPr></span></m:dPr><m:e><i><span lang=EN-US><m:r>x</m:r></span></i></m:e></m:d><i><span lang=EN-US><m:r>=</m:r></span></i><m:f><m:fPr><span><m:ctrlPr></m:ctrlPr></span></m:fPr><m:num><m:sSup><m:sSupPr><span><m:ctrlPr></m:ctrlPr></span></m:sSupPr><m:e><i><span lang=EN-US><m:r>x</m:r></span></i></m:e><m:sup><i><span lang=EN-US><m:r>2</m:r></span></i></m:sup></m:sSup><i><span lang=EN-US><m:r>+1</m:r></span></i></m:num><m:den><i><span lang=EN-US><m:r>2x</m:r></span></i></m:den></m:f></m:oMath><![endif]--><![if !msEquation]><span lang=EN-US><img width=92 height=24 src="file:///C:/msohtmlclip1/01/clip_image002.png"></span><![endif]><span>，求</span></p><!--EndFragment--></body></html>`

test('a formula of the dialog and one of Word stand where the caret was, and typing goes on behind them', async () => {
  await using window = await open()
  const { page } = window
  page.setDefaultTimeout(PATIENCE.timeout)
  await logIn(page, ADMIN)
  const start = startWritten(1, 4)
  const { id } = await api<{ id: number }>(page, 'POST', `/daoyuan/api/dou_practice/end/practice`, { ...start, content: { ...start.content, stem: plainDoc('已知，求值。') }, level: 0 })
  await page.goto(`/new/practice/back/${id}`)
  const stem = page.getByRole('textbox', { name: '题干', exact: true })
  const stored = async () => {
    await page.keyboard.press('Control+s')
    await page.getByText('未保存', { exact: true }).waitFor({ state: 'detached' })
    return (await api<{ content: { stem: { c: { c: unknown[] }[] } } }>(page, 'GET', `/daoyuan/api/dou_practice/end/practice/${id}`)).content.stem.c.map((block) => block.c)
  }
  const source = page.getByRole('textbox', { name: 'TeX 源码' })
  /** The browser tells the editor of a moved cursor a moment later. */
  const caretAt = (place: number) => expect.poll(() => stem.evaluate((field) => (field as HTMLElement & { editor: { state: { selection: { from: number } } } }).editor.state.selection.from), PATIENCE).toBe(place)
  /** The dialog is gone and the text has the cursor again. */
  const back = async () => {
    await source.waitFor({ state: 'detached' })
    await expect.poll(() => stem.evaluate((field) => document.activeElement === field), PATIENCE).toBe(true)
  }
  const formula = async (tex: string) => {
    await page.keyboard.press('Control+m')
    await source.fill(tex)
    await source.press('Control+Enter')
    await back()
  }
  await stem.click()
  await page.keyboard.press('Control+Home')
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowRight')
  await caretAt(3)
  await formula('x^2=4')
  await page.keyboard.type('且')
  expect(await stored()).toEqual([['已知', { t: 'tex', tex: 'x^2=4' }, '且，求值。']])
  // Left without a formula, the caret is where it was.
  await page.keyboard.press('Control+m')
  await source.press('Escape')
  await back()
  await page.keyboard.type('甲')
  expect(await stored()).toEqual([['已知', { t: 'tex', tex: 'x^2=4' }, '且甲，求值。']])
  await stem.locator('.rich-tex').dblclick()
  await source.fill('x^3=8')
  await source.press('Control+Enter')
  await back()
  await page.keyboard.type('乙')
  expect(await stored()).toEqual([['已知', { t: 'tex', tex: 'x^3=8' }, '乙且甲，求值。']])
  await stem.click()
  await page.keyboard.press('Control+End')
  await caretAt(11)
  await stem.evaluate((field, html) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', html)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, FROM_WORD)
  await stem.locator('.rich-tex').nth(1).waitFor()
  await page.keyboard.type('丙')
  expect(await stored()).toEqual([['已知', { t: 'tex', tex: 'x^3=8' }, '乙且甲，求值。设', { t: 'tex', tex: 'f\\left(x\\right)=\\frac{x^{2}+1}{2x}' }, '，求丙']])
  await expectNone(window)
})

test('a label is moved by mouse and by keys, and put back', async () => {
  await using window = await open()
  const { page } = window
  page.setDefaultTimeout(PATIENCE.timeout)
  await logIn(page, ADMIN)
  const level = async (pid?: number) => (await api<{ p_labels: { id: number; name: string }[] }>(page, 'GET', `/daoyuan/api/p_labels?kind=knowledge&cat_id=2${pid === undefined ? '' : `&pid=${pid}`}`)).p_labels
  const [root] = await level()
  const ids: Record<string, number> = {}
  for (const name of ['甲类', '乙类', '丙类']) ids[name] = (await api<{ id: number }>(page, 'POST', `${END}/knowledge_label`, { subject_id: 2, parent_id: root?.id, name })).id
  const names = async (pid?: number) => (await level(pid ?? root?.id)).map(({ name }) => name)
  await page.goto('/new/practice/knowledge-label?kind=knowledge&cat_id=2')
  const node = (name: string) => page.getByRole('treeitem').filter({ hasText: name })
  const tree = async () => (await page.getByRole('treeitem').filter({ hasText: '类' }).evaluateAll((rows) => rows.toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((row) => row.textContent.trim())))
  const moved = (name: string) => page.getByText(`已移动「${name}」`)
  const undo = page.getByRole('status').getByRole('button', { name: '撤销' })

  // Let go over the upper edge of the first label it stands before that.
  const [held, target] = [await node('丙类').boundingBox(), await node('甲类').boundingBox()]
  if (!held || !target) throw new Error('the labels are not drawn')
  await page.mouse.move(held.x + 60, held.y + 12)
  await page.mouse.down()
  await page.mouse.move(target.x + 60, target.y + 2, { steps: 8 })
  await page.mouse.up()
  await moved('丙类').waitFor()
  await expect.poll(() => names(), PATIENCE).toEqual(['丙类', '甲类', '乙类'])
  await undo.click()
  await page.getByText('已撤销').waitFor()
  expect(await names()).toEqual(['甲类', '乙类', '丙类'])
  await expect.poll(tree, PATIENCE).toEqual(['甲类', '乙类', '丙类'])

  // By keys: up among its siblings, below the one before it, out again.
  await node('丙类').click()
  await page.getByRole('article', { name: /丙类/ }).waitFor()
  await page.locator('.labels-tree').getByRole('tree').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => names(), PATIENCE).toEqual(['甲类', '丙类', '乙类'])
  await moved('丙类').waitFor()
  await expect.poll(tree, PATIENCE).toEqual(['甲类', '丙类', '乙类'])
  await page.keyboard.press('Alt+ArrowRight')
  await expect.poll(() => names(ids['甲类']), PATIENCE).toEqual(['丙类'])
  // It stands below the other now, one step to the right.
  await page.locator('[role=treeitem][aria-level="2"]').filter({ hasText: '丙类' }).waitFor()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect.poll(() => names(), PATIENCE).toEqual(['甲类', '丙类', '乙类'])
  await undo.click()
  await expect.poll(() => names(ids['甲类']), PATIENCE).toEqual(['丙类'])
  await expectNone(window)
})
