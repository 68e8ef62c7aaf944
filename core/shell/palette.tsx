import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { closePalette, isPaletteOpen, openPalette, watchPalette } from './palette-store.ts'
import { retryLazy } from './retry-lazy.tsx'

const PaletteDialog = retryLazy(async () => ({ default: (await import('./palette-dialog.tsx')).PaletteDialog }))

/** The command palette: Ctrl K or ⌘ K opens and closes it. */
export function Palette() {
  const open = useSyncExternalStore(watchPalette, isPaletteOpen)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (isPaletteOpen()) closePalette()
      else openPalette()
    }
    window.addEventListener('keydown', press)
    return () => {
      window.removeEventListener('keydown', press)
      closePalette()
    }
  }, [])
  return open && <Suspense><PaletteDialog onClose={closePalette} /></Suspense>
}
