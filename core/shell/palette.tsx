import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { palette } from './open-flag.ts'
import { retryLazy } from '../ui/retry-lazy.tsx'

const PaletteDialog = retryLazy(async () => ({ default: (await import('./palette-dialog.tsx')).PaletteDialog }))

/** The command palette: Ctrl K or ⌘ K opens and closes it. */
export function Palette() {
  const open = useSyncExternalStore(palette.watch, palette.isOpen)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      palette.set(!palette.isOpen())
    }
    window.addEventListener('keydown', press)
    return () => {
      window.removeEventListener('keydown', press)
      palette.set(false)
    }
  }, [])
  return open && <Suspense><PaletteDialog onClose={() => palette.set(false)} /></Suspense>
}
