import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { onSessionOver } from '../endpoint/call.tsx'
import { forgetUnsaved, unsavedWork } from '../form/unsaved.tsx'
import { onWindows, broadcast } from '../ui/window-sync.ts'
import type { StaffInfo } from '../session/calls.ts'

const ReloginDialog = lazy(() => import('./relogin-dialog.tsx').then((file) => ({ default: file.ReloginDialog })))

/** Forms that stand open above their page, typed into or not. */
const OPEN_FORM = '.ant-drawer-open form, .ant-modal-wrap:not([style*="display: none"]) form'

/** Whether a way over the login page would lose something. */
const keepsWork = () => unsavedWork().length > 0 || document.querySelector(OPEN_FORM) !== null

/**
 * What happens when the session ends while the console is open. With work on the screen the person logs in again in
 * place and everything goes on; without, the login page is where they come back from (spec 8). Windows keep in step:
 * a person who logs out or changes the account in one is seen in all.
 * @param leave goes to the login page
 */
export function SessionOver({ staff, leave }: { staff: StaffInfo; leave: () => void }) {
  const [open, setOpen] = useState(false)
  const waiting = useRef<((back: boolean) => void)[]>([])

  const settle = (back: boolean) => {
    setOpen(false)
    for (const resolve of waiting.current.splice(0)) resolve(back)
  }
  const loggedIn = (id: number) => {
    if (id === staff.id) return settle(true)
    // Nothing of what is open is this person's.
    forgetUnsaved()
    window.location.reload()
  }
  const giveUp = () => {
    forgetUnsaved()
    settle(false)
    leave()
  }
  const ask = useEffectEvent(() => {
    if (!open && !keepsWork()) return undefined
    setOpen(true)
    return new Promise<boolean>((resolve) => waiting.current.push(resolve))
  })
  const heard = useEffectEvent((message: Parameters<Parameters<typeof onWindows>[0]>[0]) => {
    if (message.type === 'login') loggedIn(message.staffId)
    else if (message.type === 'logout') {
      if (keepsWork()) setOpen(true)
      else giveUp()
    }
  })
  useEffect(() => onSessionOver(() => ask()), [])
  useEffect(() => onWindows((message) => heard(message)), [])
  if (!open) return null
  return (
    <Suspense>
      <ReloginDialog staff={staff} onLeave={giveUp} onDone={(now) => {
        broadcast({ type: 'login', staffId: now.id })
        loggedIn(now.id)
      }} />
    </Suspense>
  )
}
