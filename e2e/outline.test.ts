import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CLIP as CLIP_PATH } from '../modules/asset/media-testing.server.ts'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { newTextbook } from './course-steps.ts'
import { option } from './form-steps.ts'
import { PATIENCE } from './shell-steps.ts'
import { callAs } from './staff-steps.ts'

const ADMIN = { account: 'admin', password: 'Admin-pass1' }
const { open, folder } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })
const PHONE = { width: 390, height: 844 }

const END = '/daoyuan/api/end'
const CLIP = readFileSync(CLIP_PATH)
/** The lessons of a textbook as they are copied from its contents, in chapters and sections. */
const LESSONS = ['集合的含义', '集合的表示', '元素与集合', '子集与真子集', '空集', '集合的相等', '等式性质', '不等式性质', '比较大小', '基本不等式', '最值问题', '实际应用']
const HEADS: Readonly<Record<number, string>> = { 0: '第一章 集合\n\t1.1 集合的概念', 3: '\t1.2 集合间的基本关系', 6: '第二章 不等式\n\t2.1 不等式性质', 9: '\t2.2 基本不等式' }
const CONTENTS = LESSONS.flatMap((name, index) => [...(HEADS[index] === undefined ? [] : [HEADS[index]]), `\t\t第${index + 1}讲 ${name}`]).join('\n')
/** Names of recordings: two of them were numbered by somebody who counted differently. */
const recording = (index: number) => (index === 4 ? '第6讲 空集' : index === 5 ? '第5讲 集合的相等' : `第${index + 1}讲 ${LESSONS[index]}`)

const catalog = (page: Page, id: number) => page.goto(`/new/syncCourse/catalog?textbook_id=${id}`)
const node = (page: Page, name: string) => page.getByRole('treeitem').filter({ hasText: name }).first()
const saved = (page: Page) => page.getByText('已保存', { exact: true }).waitFor(PATIENCE)

/** Publishes what is being edited, once the person has seen what it changes. */
async function publish(page: Page, no: number): Promise<void> {
  await page.getByRole('button', { name: `发布 v${no}` }).click()
  const dialog = page.getByRole('dialog', { name: `发布 v${no}` })
  await dialog.getByText(/^变更 \d+ 处/).waitFor(PATIENCE)
  await dialog.getByRole('button', { name: /^发\s*布$/ }).click()
  await page.getByText(`已发布 v${no}`).waitFor(PATIENCE)
}

/** Gives a node another name, as in any tree. */
async function rename(page: Page, from: string, to: string): Promise<void> {
  await node(page, from).click()
  await page.getByRole('tree').press('F2')
  const input = page.getByLabel(`${from} 的名称`)
  await input.fill(to)
  await input.press('Enter')
  await node(page, to).waitFor(PATIENCE)
  await saved(page)
}

let book = 0

test('an outline is pasted, twelve recordings find their lessons, two guesses are corrected, and learners see it', async () => {
  await using opened = await open()
  const { page, problems } = opened
  await logIn(page, ADMIN)
  book = await newTextbook(page, '必修第一册')
  const films = join(folder, '必修第一册')
  mkdirSync(films)
  const files = LESSONS.map((_, index) => join(films, `${recording(index)}.mp4`))
  for (const [index, file] of files.entries()) writeFileSync(file, Buffer.concat([CLIP, Buffer.from([0, 0, 0, 12, 0x66, 0x72, 0x65, 0x65, 0, 0, 1, index])]))
  await page.goto('/new/material/store/video')
  await page.getByLabel('上传文件', { exact: true }).setInputFiles(files)
  await page.getByRole('region', { name: '上传' }).getByText('12 个文件已处理').waitFor({ timeout: 120_000 })
  await expect.poll(async () => (await callAs<{ total: number }>(page, 'GET', '/material/api/end/videos?state=1')).total, { timeout: 120_000 }).toBe(12)

  await catalog(page, book)
  await page.getByRole('button', { name: '粘贴目录' }).click()
  const paste = page.getByRole('dialog', { name: '粘贴目录' })
  await paste.getByLabel('目录文字').fill(`${CONTENTS}\n\t\t第12讲 实际应用`)
  await paste.getByText('第 19 行：「第12讲 实际应用」在同一上级下出现两次').waitFor(PATIENCE)
  await paste.getByLabel('目录文字').fill(CONTENTS)
  await paste.getByRole('button', { name: /^添加 12 个课时/ }).click()
  await node(page, '第二章 不等式').waitFor(PATIENCE)
  await saved(page)

  await page.getByRole('button', { name: '批量绑定' }).click()
  const bind = page.getByRole('dialog', { name: '批量绑定' })
  await bind.locator('input[type=file]').setInputFiles(files)
  await bind.getByRole('row').filter({ hasText: recording(11) }).waitFor(PATIENCE)
  for (const index of [4, 5]) {
    await bind.getByLabel(`${recording(index)} 的课时`).fill(LESSONS[index] ?? '')
    await option(page, `第${index + 1}讲 ${LESSONS[index]}`).click()
  }
  await bind.getByRole('button', { name: '绑定 12 个' }).click()
  await saved(page)
  await page.getByRole('button', { name: /^展开 1.2/ }).click()
  await node(page, '第5讲 空集').click()
  await page.getByRole('region', { name: '第5讲 空集' }).getByText('第6讲 空集', { exact: true }).waitFor(PATIENCE)
  await publish(page, 1)
  const { outline_id } = await callAs<{ outline_id: number }>(page, 'POST', `${END}/sync_course/textbooks/${book}/outline`)
  const { body } = await callAs<{ body: { blocks: { name: string }[]; nodes: unknown[] } }>(page, 'GET', `${END}/outlines/${outline_id}/versions/1`)
  expect([body.nodes.length, body.blocks.map(({ name }) => name).toSorted()]).toEqual([18, LESSONS.map((_, index) => recording(index)).toSorted()])
  expect(problems).toEqual([])
}, 400_000)

test('two people edit one outline, one of them on a phone: both see everything, and one takes back only their own', async () => {
  await using one = await open()
  await using other = await open(PHONE)
  await logIn(one.page, ADMIN)
  await logIn(other.page, ADMIN)
  for (const { page } of [one, other]) {
    await catalog(page, book)
    await node(page, '第一章 集合').waitFor(PATIENCE)
  }
  await rename(one.page, '第一章 集合', '第一章 集合与逻辑')
  await node(other.page, '第一章 集合与逻辑').waitFor(PATIENCE)
  expect(await node(one.page, '新课时').count()).toBe(0)
  await other.page.getByRole('button', { name: '新增', exact: true }).click()
  await other.page.getByRole('menuitem', { name: '粘贴目录' }).click()
  await other.page.getByLabel('目录文字').fill('第三章 函数')
  await other.page.getByRole('button', { name: /^添加 1 个/ }).click()
  await node(one.page, '第三章 函数').waitFor(PATIENCE)
  await one.page.getByRole('tree').press('Control+z')
  for (const { page } of [one, other]) {
    await page.getByRole('treeitem').filter({ hasText: /第一章 集合(?!与)/ }).waitFor(PATIENCE)
    await node(page, '第三章 函数').waitFor(PATIENCE)
  }
  await publish(one.page, 2)
  await expect.poll(() => other.page.getByRole('button', { name: '版本 v2' }).count(), PATIENCE).toBe(1)
  expect([...one.problems, ...other.problems]).toEqual([])
}, 240_000)

test.each([[1440, 900], [390, 844]])('at %d pixels a copy hears what its origin changed, takes one change over and skips another', async (width, height) => {
  await using opened = await open({ width, height })
  const { page, problems } = opened
  await logIn(page, ADMIN)
  const copy = await newTextbook(page, `必修第一册 强化${width}`)
  await catalog(page, copy)
  await page.getByRole('button', { name: '从其他目录复制' }).click()
  const dialog = page.getByRole('dialog', { name: '从其他目录复制' })
  await dialog.getByLabel('查找目录').fill('必修第一册')
  await dialog.getByRole('button', { name: /^必修第一册 ?高中同步目录/ }).click()
  await dialog.getByRole('button', { name: '复制 12 个课时' }).click()
  await node(page, '第二章 不等式').waitFor(PATIENCE)

  const { outline_id } = await callAs<{ outline_id: number }>(page, 'POST', `${END}/sync_course/textbooks/${book}/outline`)
  const origin = await callAs<{ rev: number; version_no: number; body: { nodes: { key: string; name: string }[] } }>(page, 'GET', `${END}/outlines/${outline_id}`)
  const key = (name: string) => origin.body.nodes.find((one) => one.name.includes(name))?.key
  await callAs(page, 'POST', `${END}/outlines/${outline_id}/changes`, { rev: origin.rev, changes: [{ do: 'set', keys: [key('第二章')], values: { name: `第二章 不等式 ${width}` } }, { do: 'set', keys: [key('第一章')], values: { name: `第一章 集合 ${width}` } }] })
  const { token } = await callAs<{ token: string }>(page, 'GET', `${END}/outlines/${outline_id}/impact`)
  await callAs(page, 'POST', `${END}/outlines/${outline_id}/publish`, { token })

  await page.reload()
  await page.getByRole('button', { name: '来源有更新' }).click()
  const news = page.getByRole('dialog', { name: '来源有更新' })
  const line = (words: string) => news.getByRole('listitem').filter({ has: page.getByText(words, { exact: true }) }).first()
  await line(`第二章 不等式 ${width}`).getByRole('button', { name: /^接\s*受$/ }).click()
  await line(`第二章 不等式 ${width}`).waitFor({ state: 'detached', ...PATIENCE })
  await line(`第一章 集合 ${width}`).getByRole('button', { name: '跳过这一版' }).click()
  await news.getByText('来源的更新都处理过了').waitFor(PATIENCE)
  await page.keyboard.press('Escape')
  await node(page, `第二章 不等式 ${width}`).waitFor(PATIENCE)
  expect(await node(page, `第一章 集合 ${width}`).count()).toBe(0)
  await page.getByRole('button', { name: '来源', exact: true }).waitFor(PATIENCE)
  expect(problems).toEqual([])
}, 240_000)
