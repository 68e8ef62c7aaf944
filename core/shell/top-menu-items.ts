import { menuPages, type MenuItem } from './sidebar-items.ts'

/** Page to which an item of the row at the top leads: its own, or for a group its first page inside the console. */
export function landingOf(item: MenuItem): string {
  if (!item.children) return item.path
  const [first] = menuPages(item.children).filter(({ item: page }) => !page.external)
  return first?.item.path ?? item.path
}
