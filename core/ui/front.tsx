import { createContext, useContext, useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** Whether a page is in front. It never changes itself, so that a step draws only what asks by `useFront`. */
export interface Front {
  readonly isFront: () => boolean
  /** @returns ends it */
  readonly watch: (changed: () => void) => () => void
}

/** A page's own, which its frame sets. */
export function createFront(first: boolean): Front & { readonly set: (front: boolean) => void } {
  let front = first
  const watchers = new Set<() => void>()
  return {
    isFront: () => front,
    watch: (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    set: (next) => {
      if (next === front) return
      front = next
      for (const changed of watchers) changed()
    },
  }
}

/** Outside of pages everything is in front. */
export const FrontContext = createContext<Front>(createFront(true))

/** Whether the page is in front: what acts by itself, such as a timer, does not act behind. */
export function useFront(): boolean {
  const { isFront, watch } = useContext(FrontContext)
  return useSyncExternalStore(watch, isFront)
}

/** Asks whether the page is in front when something happens, such as a key pressed; a step draws nothing for it. */
export function useIsFront(): () => boolean {
  return useContext(FrontContext).isFront
}

/**
 * Reads something at regular intervals while the page is in front and its window is seen. Shows nothing.
 * @param every milliseconds from one reading to the next; 0 for none
 */
export function Polling({ every, read }: { every: number; read: () => unknown }) {
  const front = useFront()
  const again = useEffectEvent(() => { if (!document.hidden) read() })
  useEffect(() => {
    if (!front || every === 0) return
    const timer = setInterval(() => again(), every)
    return () => clearInterval(timer)
  }, [front, every])
  return null
}

/** Parts of the body that are no page's: the console itself, and messages, which belong to the frame. */
const FRAME = '#root, .ant-message, .ant-notification, .watermark'

/**
 * Whether something stands above the pages, such as an open menu, a dialog or a tooltip. What the library opens stands two
 * below what it adds to the body; a selector for that would be tried on everything in every kept page.
 */
export function somethingAbove(): boolean {
  return [...document.body.children].filter((part) => !part.matches(FRAME)).flatMap((part) => [...part.children]).flatMap((part) => [...part.children])
    .some((part) => part.checkVisibility({ visibilityProperty: true }))
}

/** A page can only rest where a browser can skip its content (CSS Containment 2). */
export const canSkip = (): boolean => CSS.supports('content-visibility', 'hidden')
