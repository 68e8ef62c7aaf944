/** Every screen, opened in a browser: no error, no overflow, nothing that keeps somebody out. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findModules } from '../core/module/assemble.server.ts'
import { logIn, type OpenPage } from './browser.ts'
import { runConsole } from './console.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
interface Finding {
  id: string
  impact: string
  nodes: { target: string[]; html: string }[]
}

interface Look {
  readonly scheme: 'light' | 'dark'
  readonly size: { readonly width: number; readonly height: number }
  /** The only rules that can tell it from the looks before; all of them by default. */
  readonly rules?: readonly string[]
  /** What cannot differ from the looks before. */
  readonly leftOut?: readonly string[]
}

/** Serious accessibility findings of the page; the table's own row for measuring widths, which nobody sees, is left out.
 * Scrolling regions are not asked to be focusable: today's browsers focus them by themselves.
 */
async function findings(page: OpenPage['page'], { rules, leftOut = [] }: Look): Promise<string[]> {
  const result = await page.evaluate(async ([only, out]) => {
    const { axe: tool } = globalThis as unknown as { axe: { run: (context: unknown, options: unknown) => Promise<{ violations: Finding[] }> } }
    const asked = only ? { runOnly: only } : { rules: { 'scrollable-region-focusable': { enabled: false } } }
    return (await tool.run({ exclude: ['.ant-table-measure-row', ...out].map((one) => [one]) }, { resultTypes: ['violations'], ...asked })).violations
  }, [rules, leftOut] as const)
  return result.filter((one) => one.impact === 'serious' || one.impact === 'critical').flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')} ${node.html.slice(0, 120)}`))
}

/** What is still found after a while: a page with findings is looked at three times more, however long one look takes. */
async function settledFindings(page: OpenPage['page'], look: Look): Promise<string[]> {
  let found = await findings(page, look)
  for (let again = 0; found.length > 0 && again < 3; again += 1) {
    await page.waitForTimeout(1_000)
    found = await findings(page, look)
  }
  return found
}

const desk = { width: 1440, height: 900 }
// A screen is loaded once: then its system becomes dark, and its window that of a phone.
const looks: readonly Look[] = [
  { scheme: 'light', size: desk },
  { scheme: 'dark', size: desk, rules: ['color-contrast'] },
  { scheme: 'light', size: { width: 390, height: 844 }, leftOut: ['.ant-table-tbody > tr:nth-child(n + 6)'] },
]

/** Screens of the shell itself, which no module has. */
const SHELL = ['/', '/system/jobs', '/account']
/** Files that share the screens, so that two workers have something to do. */
export const PARTS = 2

/** The screens of one part: whole modules, each given to the part that has the fewest screens. */
export async function screensOf(part: number): Promise<string[]> {
  const parts: string[][] = Array.from({ length: PARTS }, (_, n) => (n === 0 ? [...SHELL] : []))
  const modules = (await findModules()).map((module) => module.door.screens.filter((path) => !path.includes(':')))
  for (const screens of modules.sort((a, b) => b.length - a.length)) parts.toSorted((a, b) => a.length - b.length)[0]?.push(...screens)
  return parts[part] ?? []
}

/** What stands in what on the page, by tags and classes. A page in which all of that was looked at before looks like those pages. */
const partsOf = (page: OpenPage['page']) => page.evaluate(() => {
  const sign = (one: Element | null) => (one ? `${one.tagName}.${[...one.classList].sort().join('.')}` : '')
  return [...new Set([...document.querySelectorAll('#content *')].map((one) => `${sign(one.parentElement)} ${sign(one)}`))]
})

/**
 * Opens every screen of one part. A screen with something that no screen before it had is looked at in light, in dark and as on
 * a phone; the others once, and on a phone only for their width.
 */
export async function lookAtScreens(part: number): Promise<void> {
  const paths = await screensOf(part)
  const { open, server } = runConsole()
  const known = new Set<string>()

  describe(`every screen, part ${part + 1} of ${PARTS}`, () => {
    let window: OpenPage
    beforeAll(async () => {
      const account = server.accounts[0]
      if (!account) throw new Error('no demo account')
      window = await open()
      await window.page.goto('/new/login')
      await window.page.evaluate(() => localStorage.setItem('daoyuan-settings', JSON.stringify({ mode: 'system' })))
      await logIn(window.page, account)
    })
    afterAll(() => window[Symbol.asyncDispose]())

    test.each(paths)('%s opens without an error, fits a desk and a phone, and is open to everybody in light and dark', async (path) => {
      const { page, problems } = window
      problems.length = 0
      await page.setViewportSize(desk)
      // Nothing is on its way from one colour to another for a person who wants calm.
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.goto(`/new${path}`)
      await page.locator('#content').waitFor()
      // The page's content policy lets no script in; the developer protocol evaluates beside it.
      await page.evaluate(axe)
      let isNew = true
      let parts: string[] = []
      for (const [nth, look] of looks.entries()) {
        const { scheme, size } = look
        if (!isNew && size === desk && nth > 0) continue
        await page.setViewportSize(size)
        await page.emulateMedia({ colorScheme: scheme })
        await page.locator(`html[data-mode="${scheme}"]`).waitFor({ state: 'attached' })
        await page.waitForLoadState('networkidle')
        const name = `${scheme} at ${size.width}`
        expect(await page.locator('.outcome h2, .ant-result-title').allTextContents(), name).toEqual([])
        if (nth === 0 || isNew) expect(await settledFindings(page, look), name).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), name).toBe(0)
        if (nth > 0) continue
        parts = await partsOf(page)
        isNew = parts.some((one) => !known.has(one))
      }
      // Known once they were good in every look: a second try is to look again.
      for (const one of parts) known.add(one)
      expect(problems).toEqual([])
    })
  })
}
