import { useSyncExternalStore } from 'react'

const content = () => document.querySelector('#content')

/** Height of the place for pages in pixels, for a page whose parts scroll by themselves. */
export function useContentHeight(): number {
  return useSyncExternalStore((changed) => {
    const element = content()
    if (!element) return () => undefined
    const sizes = new ResizeObserver(changed)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, () => Math.min(content()?.clientHeight ?? window.innerHeight, window.innerHeight))
}
