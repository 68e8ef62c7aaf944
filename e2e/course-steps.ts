/** What people do with courses and their orders, at a desk and on a phone alike. */
import type { Locator, Page } from 'playwright-core'
import { option } from './form-steps.ts'
import { PATIENCE } from './shell-steps.ts'
import { callAs } from './staff-steps.ts'

const END = '/daoyuan/api/end'

/** A textbook of 高中同步 that has no outline yet. */
export async function newTextbook(page: Page, name: string): Promise<number> {
  const version = await callAs<{ id: number }>(page, 'POST', `${END}/material_version`, { subject_id: 1, name: `人教A版 ${name}`, status: 1 })
  const book = await callAs<{ id: number }>(page, 'POST', `${END}/partwork`, { version_id: version.id, name, status: 1 })
  return (await callAs<{ id: number }>(page, 'POST', `${END}/sync_course/textbooks`, { subject_id: 1, partwork_id: book.id, name, status: 1 })).id
}

/** A row of a list, or its card on a phone. */
export const line = (page: Page, words: string): Locator => page.locator('.ant-table-row').filter({ hasText: words }).first()

/** Does something with a row from its menu. A list that is read again in this moment closes the menu: then it is opened once more. */
export async function actOn(page: Page, words: string, action: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name: action, exact: true }).or(page.locator('.list-sheet.ant-drawer-open, .ant-drawer-open .list-sheet').getByRole('button', { name: new RegExp(`^${[...action].join('\\s*')}$`) })).first()
  for (let times = 0; times < 4; times++) {
    await line(page, words).getByRole('button', { name: /的更多操作$/ }).click(PATIENCE)
    if (await entry.click({ timeout: 8_000 }).then(() => true, () => false)) return
    await page.keyboard.press('Escape')
  }
  throw new Error(`${action} could not be chosen for ${words}`)
}

/** Answers the question that stands open. */
export async function confirm(page: Page, button: string): Promise<void> {
  await page.locator('.ant-modal-confirm:visible').getByRole('button', { name: new RegExp(`^${[...button].join('\\s*')}$`) }).click(PATIENCE)
}

/**
 * Writes an order down, for which the money is there.
 * @param path of the line's orders, with what the address brings along
 * @param seen looks at the order before it is submitted
 */
export async function buy(page: Page, path: string, mobile: string, course: string, seen: (entry: Locator) => Promise<void> = () => Promise.resolve()): Promise<void> {
  await page.goto(`/new${path}`)
  const entry = page.getByRole('region', { name: /^录入/ })
  await entry.locator('#user_info_mobile').fill(mobile, PATIENCE)
  await entry.locator('#order_info_items_0_ref_id').fill(course)
  await option(page, course).click(PATIENCE)
  await entry.getByText(/标价 ¥/).waitFor(PATIENCE)
  await entry.getByText('微信', { exact: true }).click()
  await seen(entry)
  await entry.getByRole('button', { name: '提交并确认到账' }).click()
  await page.getByText('提交成功').waitFor(PATIENCE)
}

/** Gives all the money of an order back. @param list address of the list of orders */
export async function giveBack(page: Page, list: string, words: string): Promise<void> {
  await page.goto(`/new${list}`)
  await actOn(page, words, '退款')
  const asked = page.getByRole('dialog', { name: /^退款 ·/ })
  await asked.getByText('全部退款后，订单开通的内容会同时收回。').waitFor(PATIENCE)
  await asked.getByLabel('原因').fill('家长买重了')
  await asked.getByRole('button', { name: '申请退款' }).click()
  await page.getByText('已提交').waitFor(PATIENCE)
}
