import { useQueryClient } from '@tanstack/react-query'
import { matchPath, useNavigate } from 'react-router'
import { broadcast } from '../ui/window-sync.ts'
import type { StaffInfo } from '../session/calls.ts'

/** Screens that need a module id, as far as a login has to know them. */
export type GuardedScreens = readonly { readonly id: number; readonly path: string }[]

/**
 * Enters the console after a login. A person who may not open the page that was asked for, such as another person on the same
 * computer, goes home instead (shell.md 25).
 */
export function useEnter(screens: GuardedScreens): (staff: StaffInfo, target: string) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (staff, target) => {
    const [path = '/'] = target.split(/[?#]/, 1)
    const screen = screens.find((one) => matchPath(one.path, path))
    client.clear()
    broadcast({ type: 'login', staffId: staff.id })
    void navigate(screen && !staff.modules.includes(screen.id) ? '/' : target, { replace: true })
  }
}
