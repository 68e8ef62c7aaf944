import { handle, type Served } from '../endpoint/serve.server.ts'
import type { GrantGroup } from '../grant/grant-tree.ts'
import { actionTitles } from './action-titles.ts'

/** Calls that put words to ids. */
export function grantWords(tree: readonly GrantGroup[]): Served[] {
  const granted = tree.flatMap((group) => group.screens).flatMap((screen) => [screen, ...screen.children ?? []])
  const titles = Object.fromEntries(granted.map(({ id, title }) => [id, title]))
  return [handle(actionTitles, () => Promise.resolve({ titles }))]
}
