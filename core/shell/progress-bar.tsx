import { useEffect, useSyncExternalStore } from 'react'
import { isWaiting, onWaiting, startWaiting } from './busy.ts'
import './progress-bar.css'

/** The thin line at the top while a page is waited for (shell.md 14). */
export function ProgressBar() {
  const waiting = useSyncExternalStore(onWaiting, isWaiting)
  return <div className="progress-bar" data-waiting={waiting} aria-hidden />
}

/** Something that is waited for, as long as it is shown. */
export function Waiting() {
  useEffect(() => startWaiting(), [])
  return null
}
