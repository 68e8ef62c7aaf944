import { useSyncExternalStore } from 'react'

/** Widths from which a window counts as such, in pixels: the component library's own. */
const WIDTHS = { md: 768, lg: 992, xl: 1200 } as const

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => window.matchMedia(query).matches,
  )
}

/** Whether the window is at least this wide. (The library's own hook draws its component twice whenever a kept page is shown.) */
export function useWide(width: keyof typeof WIDTHS): boolean {
  return useMedia(`(min-width: ${WIDTHS[width]}px)`)
}
