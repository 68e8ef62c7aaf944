import { mkdirSync, writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mp4OutputFormat, MovOutputFormat } from 'mediabunny'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { claimCodec, CLIP as CLIP_PATH, wrapClip } from '../modules/asset/media-testing.server.ts'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { actOn } from './course-steps.ts'
import { dialog, record } from './form-steps.ts'
import { PATIENCE } from './shell-steps.ts'
import { callAs } from './staff-steps.ts'

const ADMIN = { account: 'admin', password: 'Admin-pass1' }
const { open, folder } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })

const CLIP = readFileSync(CLIP_PATH)
/** A clip of its own bytes: a box that players skip stands behind it. */
const clip = (no: number) => Buffer.concat([CLIP, Buffer.from([0, 0, 0, 12, 0x66, 0x72, 0x65, 0x65, 0, 0, 0, no])])

test('a folder is uploaded through a broken network and a reload, lies below its tag, and a copy is not sent again', async () => {
  await using opened = await open()
  const { page, problems } = opened
  const chapter = join(folder, '第一章')
  mkdirSync(chapter, { recursive: true })
  for (const no of [1, 2, 3]) writeFileSync(join(chapter, `第${no}讲.mp4`), clip(no))
  writeFileSync(join(chapter, '说明.mp4'), '这不是视频')
  await logIn(page, ADMIN)
  await page.goto('/new/material/store/video')
  await page.getByLabel('上传文件夹').setInputFiles(chapter)
  const tray = page.getByRole('region', { name: '上传' })
  await tray.getByText('4 个文件已处理').or(tray.getByText(/1 个失败/)).waitFor(PATIENCE)
  await tray.getByRole('alert').getByText(/不符|不支持/).waitFor(PATIENCE)
  const list = page.getByRole('region', { name: '视频素材列表' })
  for (const no of [1, 2, 3]) await list.getByRole('button', { name: `第${no}讲`, exact: true }).waitFor(PATIENCE)
  await expect.poll(() => list.getByText('可用', { exact: true }).count(), PATIENCE).toBeGreaterThanOrEqual(3)
  await page.getByText('第一章', { exact: true }).first().waitFor(PATIENCE)

  // Another name, the same bytes.
  writeFileSync(join(folder, '副本.mp4'), clip(2))
  await page.getByLabel('上传文件', { exact: true }).setInputFiles(join(folder, '副本.mp4'))
  await tray.getByText('已有相同文件「第2讲」，还没有被使用').waitFor(PATIENCE)

  // What is on its way when the page goes is there again afterwards.
  await page.route('**/daoyuan/api/end/uploads/**', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
  writeFileSync(join(folder, '第4讲.mp4'), clip(4))
  await page.getByLabel('上传文件', { exact: true }).setInputFiles(join(folder, '第4讲.mp4'))
  await tray.getByText(/上传中|0 B/).first().waitFor(PATIENCE)
  await page.unroute('**/daoyuan/api/end/uploads/**')
  await page.reload()
  await tray.getByRole('button', { name: '继续 第4讲.mp4' }).click(PATIENCE)
  await list.getByRole('button', { name: '第4讲', exact: true }).waitFor(PATIENCE)
  expect(problems.filter((problem) => !problem.includes('net::'))).toEqual([])
})

/** The row of a video, found by its name, once the server has said this of it. */
async function seen(page: Page, name: string, words: string): Promise<void> {
  await page.goto(`/new/material/store/video?keyword=${encodeURIComponent(name)}`)
  await page.locator('.ant-table-row').filter({ hasText: name }).getByText(words, { exact: true }).waitFor(PATIENCE)
}

/** Sends files to the library; on a phone the button stands behind the list's further acts. */
async function send(page: Page, paths: readonly string[]): Promise<void> {
  await page.goto('/new/material/store/video')
  const input = page.getByLabel('上传文件', { exact: true })
  const more = page.getByRole('button', { name: '视频素材列表的操作' })
  await input.or(more).first().waitFor({ state: 'attached', ...PATIENCE })
  if (await more.isVisible()) await more.click()
  await input.setInputFiles([...paths])
  await page.getByRole('region', { name: '上传' }).getByText(`${paths.length} 个文件已处理`).waitFor(PATIENCE)
}

/** Plays the video that is open, for a moment. */
async function plays(page: Page): Promise<void> {
  const video = record(page).getByLabel('视频', { exact: true })
  await video.waitFor(PATIENCE)
  await video.evaluate((one: HTMLVideoElement) => { one.muted = true; return one.play() })
  await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime), PATIENCE).toBeGreaterThan(0.2)
}

/** Chooses another file for a video and waits until it has been sent. */
async function chooseInstead(page: Page, name: string, path: string) {
  await actOn(page, name, '替换文件')
  const asked = dialog(page, `替换「${name}」的文件`)
  await asked.locator('input[type=file]').setInputFiles(path)
  await asked.getByText('已上传').waitFor(PATIENCE)
  return asked
}

test.each([[1440, 900], [390, 844]])('at %d pixels a MOV is rewritten and plays; H.265 waits, says how to export it, and is replaced by the export', async (width, height) => {
  await using opened = await open({ width, height })
  const { page, problems } = opened
  const [film, phone, exported] = [`板书${width}`, `手机拍摄${width}`, `导出${width}`].map((name) => join(folder, name))
  await wrapClip(`${film}.mov`, new MovOutputFormat({ fastStart: false }), width / 200)
  await claimCodec(`${phone}.mp4`, 'hevc', width / 10)
  await wrapClip(`${exported}.mp4`, new Mp4OutputFormat({ fastStart: 'in-memory' }), width / 180)
  await logIn(page, ADMIN)
  await send(page, [`${film}.mov`, `${phone}.mp4`])
  await seen(page, `板书${width}`, '可用')
  await page.getByRole('button', { name: `板书${width}`, exact: true }).click()
  await plays(page)
  expect(await record(page).getByLabel('视频', { exact: true }).evaluate(async (one: HTMLVideoElement) => (await fetch(one.src)).headers.get('content-type'))).toBe('video/mp4')

  await seen(page, `手机拍摄${width}`, '待转码')
  await page.getByText(/画面编码 H\.265.*以 H\.264 视频、AAC 音频重新导出为 MP4/).first().waitFor(PATIENCE)
  await (await chooseInstead(page, `手机拍摄${width}`, `${exported}.mp4`)).getByRole('button', { name: /^替\s*换$/ }).click()
  await seen(page, `手机拍摄${width}`, '可用')
  await page.getByRole('button', { name: `手机拍摄${width}`, exact: true }).click()
  await plays(page)
  expect(problems).toEqual([])
})

test('a shorter film takes the place of a longer one: what it moves past the end is said before and after, and one offset moves all', async () => {
  await using opened = await open()
  const { page, problems } = opened
  const path = (name: string) => join(folder, `${name}.mp4`)
  await wrapClip(path('受力分析'), new Mp4OutputFormat({ fastStart: 'in-memory' }), 14)
  await wrapClip(path('去掉片头'), new Mp4OutputFormat({ fastStart: 'in-memory' }), 9)
  await logIn(page, ADMIN)
  await send(page, [path('受力分析')])
  await seen(page, '受力分析', '可用')
  await page.getByRole('button', { name: '受力分析', exact: true }).click()
  const id = Number(new URL(page.url()).searchParams.get('open'))
  await callAs(page, 'PUT', `/material/api/end/video/${id}`, { chapters: [{ sec: 0, title: '引入' }, { sec: 5, title: '例题' }], cues: [{ sec: 8, practice_id: 1, must: 1, back_to: 5 }, { sec: 13, practice_id: 2, must: 0 }] })

  await seen(page, '受力分析', '可用')
  const asked = await chooseInstead(page, '受力分析', path('去掉片头'))
  await asked.getByText('时长：原来 0:14，现在 0:09').waitFor(PATIENCE)
  await asked.getByText('1 处会超出新文件的结尾').waitFor(PATIENCE)
  await asked.getByLabel('章节和打点平移').fill('-3')
  await asked.getByText('0:10 试题 2').waitFor(PATIENCE)
  await asked.getByRole('button', { name: /^替\s*换$/ }).click()
  await seen(page, '受力分析', '可用')
  await page.getByRole('button', { name: '受力分析', exact: true }).click()
  await record(page).getByText(/有 1 处章节或打点超出了结尾（0:09）：0:10 试题 2/).waitFor(PATIENCE)
  await record(page).getByRole('button', { name: '0:05 试题 1' }).waitFor(PATIENCE)
  await record(page).getByRole('button', { name: '0:02 例题' }).first().click()
  expect(await record(page).getByLabel('视频', { exact: true }).evaluate((one: HTMLVideoElement) => one.currentTime)).toBeCloseTo(2, 0)
  expect(problems).toEqual([])
})
