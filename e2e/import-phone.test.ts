import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runConsole } from './console.ts'
import { accountOf, enter, frontPage, PATIENCE } from './shell-steps.ts'

const { open, server, folder } = runConsole()
const PHONE = { width: 390, height: 844 }

test('a sheet is imported and taken back on a phone: nothing is cut off, wrong rows are named', async () => {
  const file = join(folder, '新生.csv')
  const good = Array.from({ length: 12 }, (_unused, index) => `手机新生${index},${19_900_000_000 + index},初二`)
  writeFileSync(file, ['姓名,手机,年级', ...good, '王错,12345,初二', '赵缺,19900009999,'].join('\n'))

  await using opened = await open(PHONE)
  const { page, problems } = opened
  const drawer = page.locator('.ant-drawer-open .ant-drawer-section, .ant-drawer-open .ant-drawer-content').first()
  /** No part of the page or of the drawer is wider than the phone; tables scroll inside themselves. */
  const expectFits = async (step: string) => {
    const widths = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll('.ant-drawer-open .ant-drawer-body')].map((part) => part.scrollWidth - part.clientWidth))
    expect(widths.every((over) => over <= 0), `${step} is wider than the phone: ${widths.join(', ')}`).toBe(true)
  }
  const total = async () => Number(((await page.request.get('/daoyuan/api/end/self_study_room/school_students?page_size=1').then((answer) => answer.json())) as { total: number }).total)

  await enter(page, accountOf(server), '/new-study-room/school/school-student')
  await frontPage(page).locator('.ant-table-row').first().waitFor(PATIENCE)
  await expectFits('the list')
  const before = await total()
  await page.getByRole('button', { name: '学生列表的操作' }).click()
  await page.getByRole('button', { name: /导入$/ }).click()
  await drawer.locator('#fixed-school_id').click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
  await expectFits('the first step')

  await page.locator('input[type=file]').setInputFiles(file)
  await drawer.getByText('只看有误 2').waitFor(PATIENCE)
  await drawer.getByRole('button', { name: '改第 15 行的年级' }).waitFor(PATIENCE)
  expect(await drawer.textContent()).toContain('请输入正确的手机号')
  await expectFits('the preview')
  // What all rows share needs no column.
  await drawer.getByText('列对应关系').click()
  expect(await drawer.locator('.mapping label').allTextContents()).not.toContainEqual(expect.stringContaining('学校'))
  await expectFits('the columns')

  // A wrong cell is mended where it stands.
  await drawer.getByRole('button', { name: /^改第 14 行的手机/ }).click()
  await drawer.getByLabel('第 14 行的手机', { exact: true }).fill('19900008888')
  await page.keyboard.press('Enter')
  await drawer.getByText('只看有误 1').waitFor(PATIENCE)

  await drawer.getByRole('button', { name: '开始导入' }).click()
  await drawer.getByText('导入完成：新增 13 条，跳过 1 条').waitFor(PATIENCE)
  await expectFits('the result')
  expect(await total() - before).toBe(13)
  await drawer.getByRole('button', { name: '撤销这次导入' }).click()
  await drawer.getByText('已撤销：删除 13 条').waitFor(PATIENCE)
  expect(await total() - before).toBe(0)
  // What the wizard shows is not told a second time on top of its buttons.
  await expect.poll(() => page.locator('.ant-notification-notice').count()).toBe(0)
  await drawer.getByRole('button', { name: '完成', exact: true }).click()
  await page.locator('.ant-drawer-open').waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})
