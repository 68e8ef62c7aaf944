import { createContext, useContext } from 'react'
import type { ConsoleModule } from '../module/present.tsx'
import type { ScreenGroup } from './console.tsx'
import type { ShellRoute } from './routes.ts'

interface ShellValue {
  /** Groups of screens that this person may open. */
  readonly routes: readonly ShellRoute[]
  readonly modules: readonly ConsoleModule[]
  /** All screens there are, whether this person may open them or not. */
  readonly groups: readonly ScreenGroup[]
}

/** What pages of the shell itself know of it. */
export const ShellContext = createContext<ShellValue>({ routes: [], modules: [], groups: [] })

export function useShell(): ShellValue {
  return useContext(ShellContext)
}
