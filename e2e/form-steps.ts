/** What a person does with lists and forms, step by step, found as they find it: by words. */
import type { Locator, Page } from 'playwright-core'

export const drawer = (page: Page) => page.locator('.ant-drawer-open').last()
/** The record that is open beside its list. */
export const record = (page: Page) => page.locator('.record-panel').last()
/** A field of the open form; antd writes a star before the label of a required one. */
export const field = (page: Page, label: string) => drawer(page).locator('.ant-form-item').filter({ has: page.locator(`label[title="${label}"]`) }).locator('input, textarea').first()
export const option = (page: Page, text: string) => page.locator('.ant-select-dropdown:visible .ant-select-item-option, .ant-cascader-dropdown:visible .ant-cascader-menu-item').filter({ hasText: text }).first()

/**
 * Picks an option of a select by its visible text. A list that stays open for more is left by Tab: it closes on it, and where it
 * has closed by itself nothing happens, while Escape would then leave the form.
 */
export async function choose(page: Page, label: string, text: string): Promise<void> {
  const input = field(page, label)
  await input.click()
  await input.fill(text)
  await option(page, text).click()
}

/** Types a date into a picker. */
export async function pickDate(page: Page, label: string, day: string): Promise<void> {
  const input = field(page, label)
  await input.fill(day)
  await input.press('Enter')
}

export const save = (page: Page) => drawer(page).getByRole('button', { name: '保存', exact: true }).click()
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first()
/** The dialog with these words in its title. */
export const dialog = (page: Page, title: string | RegExp) => page.getByRole('dialog', { name: title })

/**
 * Does something with a row: by its button, or from 更多. Right after a change the list is read again, and a menu that opens in
 * that moment may close at once on a slow machine: a step that does not see its entry opens it once more.
 */
export async function act(page: Page, text: string, action: string): Promise<void> {
  const line = row(page, text)
  const direct = line.getByRole('button', { name: action, exact: true })
  const more = line.getByRole('button', { name: /的更多操作$/ })
  const entry = page.getByRole('menuitem', { name: action, exact: true })
  for (let times = 0; times < 4; times++) {
    await direct.or(more).first().waitFor()
    if (await direct.count() > 0) return direct.click()
    await more.click()
    if (await entry.click({ timeout: 8_000 }).then(() => true, () => false)) return
    await page.keyboard.press('Escape')
  }
  throw new Error(`更多 of the row ${text} was opened four times and ${action} could not be chosen`)
}

/**
 * Does something with a row that asks in a dialog first. Right after a change the list is read again, and a click that falls
 * into that moment may be lost on a slow machine: a step that sees no dialog clicks once more.
 */
export async function ask(page: Page, text: string, action: string, title: RegExp): Promise<Locator> {
  const asked = dialog(page, title)
  for (let times = 0; times < 3; times++) {
    await act(page, text, action)
    if (await asked.waitFor({ timeout: 8_000 }).then(() => true, () => false)) return asked
  }
  throw new Error(`${action} was chosen three times and no dialog came`)
}

/**
 * Answers a question that stands in a dialog. A click that falls into the moment in which the dialog comes may be lost on a slow
 * machine: where the question still stands it is answered once more.
 */
export async function answer(page: Page, question: string, button: string): Promise<void> {
  const asked = page.getByRole('dialog').filter({ hasText: question })
  for (let times = 0; times < 3; times++) {
    await asked.getByRole('button', { name: button }).click()
    if (await asked.waitFor({ state: 'hidden', timeout: 8_000 }).then(() => true, () => false)) return
  }
  throw new Error(`${button} was clicked three times and ${question} still stands`)
}
