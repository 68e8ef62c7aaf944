import { SITE } from './site.ts'

/** What stands in the browser's title bar (shell.md 130). */
export function pageTitle(title: string | undefined): string {
  return title ? `${title} - ${SITE}` : SITE
}
