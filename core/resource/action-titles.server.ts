import { handle, type Served } from '../endpoint/serve.server.ts'
import type { GrantGroup } from '../module/serve.server.ts'
import { actionTitles } from './action-titles.ts'

/** Calls that put words to ids. */
export function grantWords(tree: readonly GrantGroup[]): Served[] {
  const actions = tree.flatMap((group) => group.screens).flatMap((screen) => screen.children ?? [])
  const titles = Object.fromEntries(actions.map(({ id, title }) => [id, title]))
  return [handle(actionTitles, () => Promise.resolve({ titles }))]
}
