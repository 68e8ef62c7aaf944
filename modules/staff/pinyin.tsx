import type { GrantGroup } from '../../core/grant/grant-tree.ts'
import { useSpelling as useTitleSpelling } from '../../core/shell/use-spelling.tsx'
import type { Spell } from './grant-set.ts'

/** Spellings of every title of the tree, once somebody searches in it. */
export function useSpelling(tree: readonly GrantGroup[], wanted: boolean): Spell {
  const titles = tree.flatMap((group) => [group.title, ...group.screens.flatMap((screen) => [screen.title, ...(screen.children ?? []).map((child) => child.title)])])
  return useTitleSpelling('grants', [...new Set(titles)], wanted)
}
