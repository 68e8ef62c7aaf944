import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { takeSession, type Account, type TestServer } from './browser.ts'

/** Pages that journeys of the shell go to. */
export const PARTNERS = '/new-study-room/partner'
export const SCHOOLS = '/new-study-room/school/school-list'
export const STUDENTS = '/new-study-room/school/school-student'
export const USERS = '/userManagement/total'
export const STAFF = '/userManagement/staff'

/** How long a page may take on a busy machine, in milliseconds. */
export const PATIENCE = { timeout: 40_000 }

/** An account of the demo. */
export function accountOf(server: Pick<TestServer, 'accounts'>, name = 'admin'): Account {
  const account = server.accounts.find((one) => one.account === name)
  if (!account) throw new Error(`no demo account ${name}`)
  return account
}

/** Gets a session and opens a page of the shell. */
export async function enter(page: Page, account: Account, path = '/'): Promise<void> {
  await takeSession(page, account)
  await page.goto(`/new${path}`)
  await frontPage(page).waitFor()
}

/** The page in front. */
export const frontPage = (page: Page): Locator => page.locator('.kept-page:visible')
export const tab = (page: Page, title: string): Locator => page.getByRole('tab', { name: title, exact: true })
export const mainMenu = (page: Page): Locator => page.getByRole('navigation', { name: '主菜单' })

/** The input of the command palette, and what it offers. */
export const palette = (page: Page): Locator => page.getByRole('combobox', { name: '命令面板' })
export const hits = (page: Page): Locator => page.getByRole('listbox', { name: '结果' }).getByRole('option')

/** Titles of the open tabs, in their order. */
export const tabTitles = (page: Page): Promise<string[]> => page.locator('.tab .tab-title').allTextContents()

/** Goes to a page of the console as a click on a link does, without a reload. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    const idx = ((window.history.state as { idx?: number } | null)?.idx ?? 0) + 1
    window.history.pushState({ idx, key: `test${idx}${Math.random()}` }, '', `/new${to}`)
    window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state as unknown }))
  }, address)
}

/** Address inside the console. */
export const addressOf = (page: Page): string => {
  const { pathname, search, hash } = new URL(page.url())
  return `${pathname.replace(/^\/new/, '') || '/'}${search}${hash}`
}

/** Waits until the address is this. */
export const arrive = (page: Page, address: string): Promise<void> => expect.poll(() => addressOf(page), PATIENCE).toBe(address)

/** Lets the page draw what has happened to it, and hear of it. */
export const drawn = (page: Page): Promise<void> => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done())) }))

/** Calls to a path, counted from now on. */
export function countCalls(page: Page, path: string): { readonly count: number } {
  const counted = { count: 0 }
  page.on('request', (request) => { if (new URL(request.url()).pathname === path) counted.count++ })
  return counted
}

/** Opens pages one after the other; the last is in front. */
export async function openAll(page: Page, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    await goTo(page, path)
    await page.locator(`.kept-page[data-page="${path.replace(/[?#].*/, '')}"]:visible`).waitFor()
  }
}

/** The first field of the list in front. */
export const keyword = (page: Page): Locator => frontPage(page).locator('.list-page input').first()
