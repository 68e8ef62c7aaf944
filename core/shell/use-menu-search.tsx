import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { entryText, menuPool, menuSearch, type MenuEntry } from './menu-search.ts'
import { openScreens } from './open-screens.tsx'
import { useShell } from './shell-context.tsx'
import { useSpelling } from './use-spelling.tsx'

/** The search over the menu of this person, made again when their routes change, and the way to what it found. */
export function useMenuSearch(): { find: (words: string) => MenuEntry[]; go: (entry: MenuEntry) => void } {
  const { routes } = useShell()
  const navigate = useNavigate()
  const pool = useMemo(() => menuPool([...openScreens, ...routes]), [routes])
  const spell = useSpelling(`menu ${pool.map(entryText).join()}`, [...new Set(pool.flatMap(({ titles }) => titles))], true)
  const find = useMemo(() => menuSearch(pool, spell), [pool, spell])
  return {
    find,
    go: ({ to, external }) => {
      if (external) window.open(to, '_blank', 'noopener,noreferrer')
      else void navigate(to)
    },
  }
}
