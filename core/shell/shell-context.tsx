import { createContext, useContext } from 'react'
import type { ConsoleModule } from '../module/present.tsx'
import type { ScreenGroup } from './console.tsx'
import type { ShellRoute } from './routes.ts'
import { createScreenStore, type ScreenStore } from './screen-store.ts'
import type { MenuItem } from './sidebar-items.ts'

interface ShellValue {
  /** Groups of screens that this person may open. */
  readonly routes: readonly ShellRoute[]
  /** The menu: the same with the shell's own screens, without what is hidden. */
  readonly items: readonly MenuItem[]
  readonly modules: readonly ConsoleModule[]
  /** All screens there are, whether this person may open them or not. */
  readonly groups: readonly ScreenGroup[]
  /** The code of the screens. */
  readonly screens: ScreenStore
}

/** What pages and parts of the shell know of it. It changes only with the person's rights. */
export const ShellContext = createContext<ShellValue>({ routes: [], items: [], modules: [], groups: [], screens: createScreenStore(new Map()) })

export function useShell(): ShellValue {
  return useContext(ShellContext)
}
