import { useState, useSyncExternalStore } from 'react'
import { isSidebarOpen, sidebarCookie } from './sidebar-cookie.ts'
import { useEventCallback } from '../ui/use-event-callback.tsx'
import { useWindowLocation } from './window-location.tsx'

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

const MOBILE = '(max-width: 991.98px)'

/** The last width that was looked at; what happens while the window is hidden is looked at when it is seen again. */
let mobileNow = window.matchMedia(MOBILE).matches

function watchMobile(changed: () => void): () => void {
  const media = window.matchMedia(MOBILE)
  const look = () => {
    if (document.hidden || mobileNow === media.matches) return
    mobileNow = media.matches
    changed()
  }
  look()
  media.addEventListener('change', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    media.removeEventListener('change', look)
    document.removeEventListener('visibilitychange', look)
  }
}

/**
 * The sidebar's state. On a desktop it is remembered in a cookie (spec 4); a mobile device's drawer is closed by every
 * navigation and leaves the cookie alone.
 */
export function useSidebar(): SidebarState {
  const { key } = useWindowLocation().location
  const mobile = useSyncExternalStore(watchMobile, () => mobileNow)
  const [collapsed, setCollapsed] = useState(() => !isSidebarOpen(document.cookie))
  // The drawer belongs to the page it was opened on, and to a mobile device.
  const [drawerAt, setDrawerAt] = useState<string>()
  if (!mobile && drawerAt !== undefined) setDrawerAt(undefined)
  const drawer = mobile && drawerAt === key
  const toggle = useEventCallback(() => {
    if (mobile) return setDrawerAt(drawer ? undefined : key)
    setCollapsed(!collapsed)
    document.cookie = sidebarCookie(collapsed)
  })
  return { mobile, collapsed, drawer, toggle, closeDrawer: () => setDrawerAt(undefined) }
}
