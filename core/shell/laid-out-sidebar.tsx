import { useMemo } from 'react'
import type { ShellRoute } from './routes.ts'
import { useSettings } from './settings-context.tsx'
import { ShellContext, useShell } from './shell-context.tsx'
import { Sidebar } from './sidebar.tsx'
import { activeItem, itemTrail } from './sidebar-items.ts'
import type { SidebarState } from './use-sidebar.tsx'

interface Props {
  current: ShellRoute | undefined
  pathname: string
  sidebar: SidebarState
}

/** The sidebar as the layout wants it: all of the menu, the group in front alone, or none. A phone always has all of it. */
export function LaidOutSidebar({ current, pathname, sidebar }: Props) {
  const shell = useShell()
  const { settings: { layout } } = useSettings()
  const { items, routes } = shell
  const group = itemTrail(items, activeItem(items, routes, current, pathname) ?? '')[0]
  const narrowed = useMemo(() => ({ ...shell, items: group?.children ?? [] }), [shell, group])
  if (sidebar.mobile || layout === 'side') return <Sidebar current={current} pathname={pathname} sidebar={sidebar} />
  if (layout === 'top' || !group?.children) return null
  return <ShellContext value={narrowed}><Sidebar current={current} pathname={pathname} sidebar={sidebar} /></ShellContext>
}
