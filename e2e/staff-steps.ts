import type { Locator, Page } from 'playwright-core'
import type { Account } from './browser.ts'
import type { Open } from './console.ts'

/** Makes a call in the name of the person who is logged in on a page. */
export async function callAs<Body = Record<string, unknown>>(page: Page, method: 'GET' | 'POST' | 'PUT', path: string, data?: object): Promise<Body> {
  const csrf = (await page.context().cookies()).find((cookie) => cookie.name === 'csrf')?.value ?? ''
  const answer = await page.request.fetch(path, { method, headers: { 'x-csrf-token': csrf }, ...(data && { data }) })
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as Body
}

let people = 0

/** Makes a staff member who holds exactly these ids and whose password is their own already. `admin` is a page of an administrator. */
export async function makeStaff(open: Open, admin: Page, modules: readonly number[], name = '周同事'): Promise<Account & { id: number }> {
  const account = `colleague_${++people}`
  const password = 'Colleague-pass1'
  const { id } = await callAs<{ id: number }>(admin, 'POST', '/daoyuan/api/end/staffs', { account, name, mobile: `1380000${String(1000 + people)}`, role: 'operator' })
  const first = await callAs<{ password: string }>(admin, 'POST', `/daoyuan/api/end/staffs/${id}/reset_password`)
  await callAs(admin, 'PUT', `/daoyuan/api/end/staffs/${id}/grants`, { modules, scopes: {} })
  await using theirs = await open()
  await callAs(theirs.page, 'POST', '/daoyuan/api/end_access_token', { account, pwd: first.password })
  await callAs(theirs.page, 'POST', '/daoyuan/api/end/password', { old_password: first.password, new_password: password })
  return { id, account, password }
}

/** Opens the staff list at one person and chooses one of their row actions. */
export async function actOnStaff(page: Page, account: string, action: string): Promise<void> {
  await page.goto(`/new/userManagement/staff?keyword=${account}`)
  const row = page.locator('.ant-table-row', { hasText: account })
  await row.waitFor()
  // A person who may do little has it all before them; the rest waits under 更多.
  const direct = row.getByRole('button', { name: action, exact: true })
  if (await direct.count() > 0) return direct.click()
  await row.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** The open drawer of somebody's rights, with its tree there. */
export async function grantDrawer(page: Page): Promise<Locator> {
  const drawer = page.locator('.ant-drawer-open').last()
  await drawer.locator('.grant-tree').waitFor()
  return drawer
}

/** One box of the tree's group 合伙自习室: the screen's own, or that of an action. */
export function box(drawer: Locator, screen: string, action = screen): Locator {
  return drawer.locator('.grant-tree').getByRole('region', { name: '合伙自习室' }).getByRole('group', { name: screen, exact: true }).getByLabel(action, { exact: true })
}

/** Looks at the difference and saves it; returns its text. */
export async function saveGrants(page: Page): Promise<string> {
  await page.getByRole('button', { name: '核对并保存' }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: '确认修改' })
  const text = (await dialog.innerText()).replace(/\s+/g, ' ')
  await dialog.getByRole('button', { name: '确认保存' }).click()
  return text
}
