import { createContext, useContext, useEffect, useEffectEvent, useLayoutEffect } from 'react'

/** Hears whether a page may rest. */
export const IdleContext = createContext<(quiet: boolean) => void>(() => {})

/** Whether the page is in front, for the few parts of it that have to know: everything else of it is the same behind. */
export const FrontContext = createContext(true)

/**
 * Reads something again and again while the page is in front and its window is seen, so that the page may rest all the same.
 * Shows nothing.
 * @param every milliseconds from one reading to the next; 0 for none
 */
export function Polling({ every, read }: { every: number; read: () => unknown }) {
  const front = useContext(FrontContext)
  const again = useEffectEvent(() => { if (!document.hidden) read() })
  useEffect(() => {
    if (!front || every === 0) return
    const timer = setInterval(() => again(), every)
    return () => clearInterval(timer)
  }, [front, every])
  return null
}

/**
 * Says that the calling page may rest when it goes behind: all its effects stay, so that it comes back at once. Without this
 * they are ended (ADR 20).
 * @param quiet nothing of the page is open above it, nothing is under way, and nothing in it acts by itself: no timer, no
 * listener of the window, no repeated reading
 */
export function useKeepEffectsWhenHidden(quiet: boolean): void {
  const say = useContext(IdleContext)
  useLayoutEffect(() => {
    say(quiet)
    return () => say(false)
  }, [say, quiet])
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
