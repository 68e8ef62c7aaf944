import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countWire } from '../bench/wire.ts'
import { png } from '../core/testing/uploads.server.ts'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { record } from './form-steps.ts'

const STUDENTS = '/new/new-study-room/school/school-student'
const PATIENCE = { timeout: 20_000 }
/** What the login page, the frame and the first list may weigh together, as it comes over the wire: what is reached (ADR 94), so that it does not grow again. */
const MOST_FIRST = 460 * 1024

const { open, server, folder } = runConsole()
const account = () => server.accounts[0] ?? { account: '', password: '' }

test('login, frame and first list come in few bytes', async () => {
  await using window = await open()
  const { page, problems } = window
  const wire = countWire(page)
  await page.goto(STUDENTS)
  await page.getByLabel('账号', { exact: true }).fill(account().account)
  await page.getByLabel('密码', { exact: true }).fill(account().password)
  await page.keyboard.press('Enter')
  await page.locator('button.identity-name').first().waitFor()
  await page.waitForLoadState('networkidle')
  const files = [...wire.files].sort(([, a], [, b]) => b - a).map(([path, size]) => `${size} ${path}`)
  expect(wire.sum(), files.join('\n')).toBeLessThanOrEqual(MOST_FIRST)
  expect(problems).toEqual([])
}, 120_000)

test('files of a record: chosen, dropped, pasted, looked at, downloaded, removed and brought back', async () => {
  await using window = await open()
  const { page, problems } = window
  page.setDefaultTimeout(PATIENCE.timeout)
  // Headless Chromium has no dialog of the system to choose files in that survive a reload.
  await page.addInitScript(() => Object.defineProperty(globalThis, 'showOpenFilePicker', { value: undefined }))
  await logIn(page, account())
  await page.goto(STUDENTS)
  await page.locator('button.identity-name').first().click()
  await record(page).getByRole('tab', { name: '文件', exact: true }).click()
  const files = record(page).getByRole('region', { name: '文件' })
  await files.getByText('还没有文件').waitFor()
  const path = join(folder, '入学合同.png')
  writeFileSync(path, png())
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), files.getByRole('button', { name: '上传文件' }).click()])
  await chooser.setFiles(path)
  await files.getByText('入学合同.png').waitFor()
  await record(page).getByRole('tab', { name: '文件 1', exact: true }).waitFor()

  /** As the browser gives it when somebody drops or pastes a file. */
  const bring = (kind: 'drop' | 'paste', name: string) => page.evaluate(({ kind: how, name: called, bytes }) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(bytes)], called, { type: 'image/png', lastModified: called.length }))
    const at = document.querySelector('.record-panel .record')
    if (how === 'paste') document.defaultView?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }))
    else for (const type of ['dragover', 'drop']) at?.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
  }, { kind, name, bytes: [...png()] })
  await bring('paste', 'image.png')
  await files.getByText(/^截图 .+\.png$/).waitFor()
  // Anywhere on the record, whatever of it is looked at.
  await record(page).getByRole('tab', { name: '动态' }).click()
  await record(page).locator('.timeline').getByText('添加文件').first().waitFor()
  await bring('drop', '身份证.png')
  await files.getByText('身份证.png').waitFor()
  await record(page).getByRole('tab', { name: '文件 3', exact: true }).waitFor()

  const [download] = await Promise.all([page.waitForEvent('download'), files.getByRole('link', { name: '下载 入学合同.png' }).click()])
  expect(download.suggestedFilename()).toBe('入学合同.png')
  await files.locator('img').first().click({ force: true })
  await page.locator('.ant-image-preview-img').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.ant-image-preview-img').waitFor({ state: 'hidden' })

  await files.getByRole('button', { name: '移除 入学合同.png' }).click()
  await files.getByText('入学合同.png').waitFor({ state: 'detached' })
  await page.locator('.undo-bar').getByText('已移除「入学合同.png」').waitFor()
  await page.locator('.undo-bar').getByRole('button', { name: '撤销' }).click()
  await files.getByText('入学合同.png').waitFor()
  expect(problems).toEqual([])
}, 180_000)
