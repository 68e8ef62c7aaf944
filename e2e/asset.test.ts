import { mkdirSync, writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { PATIENCE } from './shell-steps.ts'

const ADMIN = { account: 'admin', password: 'Admin-pass1' }
const { open, folder } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })

const CLIP = readFileSync(join(import.meta.dirname, '..', 'modules', 'asset', 'demo', 'clip.mp4'))
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
