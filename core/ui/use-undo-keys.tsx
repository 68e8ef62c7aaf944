import { useEffect, useEffectEvent } from 'react'
import { useIsFront } from './front.tsx'

interface Steps {
  /** Absent where there is nothing to take back. */
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
}

/** Ctrl+Z takes the last step of an editor back, with Shift it is done again, while the page is in front; what is being typed has the keys to itself. */
export function useUndoKeys({ undo, redo }: Steps, enabled = true): void {
  const isFront = useIsFront()
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!enabled || !isFront() || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || (event.target as HTMLElement).closest('input, textarea, [contenteditable]')) return
    event.preventDefault()
    if (event.shiftKey) redo?.()
    else undo?.()
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => pressed(event)
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}
