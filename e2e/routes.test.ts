import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findModules } from '../core/module/assemble.server.ts'
import { logIn, type OpenPage } from './browser.ts'
import { runConsole } from './console.ts'

const { open, server } = runConsole()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const paths = ['/', '/system/jobs', '/account', ...(await findModules()).flatMap((module) => module.door.screens)].filter((path) => !path.includes(':'))

interface Finding {
  id: string
  impact: string
  nodes: { target: string[]; html: string }[]
}

/** Serious accessibility findings of the page; the table's own row for measuring widths, which nobody sees, is left out.
 * Scrolling regions are not asked to be focusable: today's browsers focus them by themselves. */
async function findings(page: OpenPage['page']): Promise<string[]> {
  // The page's content policy lets no script in; the developer protocol evaluates beside it.
  await page.evaluate(axe)
  const result = await page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as { axe: { run: (context: unknown, options: unknown) => Promise<{ violations: Finding[] }> } }
    return (await tool.run({ exclude: [['.ant-table-measure-row']] }, { resultTypes: ['violations'], rules: { 'scrollable-region-focusable': { enabled: false } } })).violations
  })
  return result.filter((one) => one.impact === 'serious' || one.impact === 'critical').flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')} ${node.html.slice(0, 120)}`))
}

/** What is found once nothing is on its way from one colour to another: a page with findings is looked at three times more, however long one look takes. */
async function settledFindings(page: OpenPage['page']): Promise<string[]> {
  let found = await findings(page)
  for (let again = 0; found.length > 0 && again < 3; again += 1) {
    await page.waitForTimeout(1_000)
    found = await findings(page)
  }
  return found
}

const looks = [
  { look: 'light', size: { width: 1440, height: 900 } },
  { look: 'dark', size: { width: 1440, height: 900 } },
  { look: 'light', size: { width: 390, height: 844 } },
]

describe.each(looks)('$look at $size.width', ({ look, size }) => {
  let window: OpenPage
  beforeAll(async () => {
    const account = server.accounts[0]
    if (!account) throw new Error('no demo account')
    window = await open(size)
    await window.page.goto('/new/login')
    await window.page.evaluate((mode) => localStorage.setItem('daoyuan-settings', JSON.stringify({ mode })), look)
    await logIn(window.page, account)
  })
  afterAll(() => window[Symbol.asyncDispose]())

  test.each(paths)('%s opens without an error, fits the window and is open to everybody', async (path) => {
    const { page, problems } = window
    problems.length = 0
    await page.goto(`/new${path}`)
    await page.locator('#content').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.outcome h2, .ant-result-title').allTextContents()).toEqual([])
    expect(await settledFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    expect(problems).toEqual([])
  })
})

test('a screen that is not granted and one that does not exist are the 404 page', async () => {
  const looker = server.accounts.find((one) => one.account === 'chakan')
  if (!looker) throw new Error('no demo account')
  await using window = await open()
  const { page } = window
  await logIn(page, looker)
  await page.goto('/new/userManagement/staff')
  await expect.poll(() => page.locator('.outcome').textContent(), { timeout: 20_000 }).toContain('内部员工')
  await page.goto('/new/no/such/screen')
  await expect.poll(() => page.locator('.outcome').textContent(), { timeout: 20_000 }).toContain('/no/such/screen')
})
