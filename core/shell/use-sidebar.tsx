import { Grid } from 'antd'
import { useState } from 'react'
import { useLocation } from 'react-router'

/** How the sidebar stands. */
export interface SidebarState {
  /** spec 2, 9: below 992 px the device counts as mobile, and the sidebar is a drawer. */
  readonly mobile: boolean
  /** On a desktop: icons only. */
  readonly collapsed: boolean
  /** On a mobile device: the drawer is open. */
  readonly drawer: boolean
  readonly toggle: () => void
  readonly closeDrawer: () => void
}

/** The sidebar's state; on a desktop it is remembered in a cookie (spec 4). */
export function useSidebar(): SidebarState {
  const { key } = useLocation()
  const mobile = Grid.useBreakpoint().lg === false
  const [collapsed, setCollapsed] = useState(() => document.cookie.includes('sidebarStatus=0'))
  // The drawer belongs to the page it was opened on: any navigation closes it.
  const [drawerAt, setDrawerAt] = useState<string>()
  const drawer = drawerAt === key
  return {
    mobile,
    collapsed,
    drawer,
    toggle: () => {
      if (mobile) return setDrawerAt(drawer ? undefined : key)
      setCollapsed(!collapsed)
      document.cookie = `sidebarStatus=${collapsed ? 1 : 0}; path=/new; max-age=31536000; samesite=lax`
    },
    closeDrawer: () => setDrawerAt(undefined),
  }
}
