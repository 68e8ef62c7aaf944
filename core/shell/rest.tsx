import { createContext, useContext, useLayoutEffect } from 'react'

/** Hears whether a page may rest. */
export const RestContext = createContext<(quiet: boolean) => void>(() => {})

/**
 * Says that the calling page may rest when it goes behind: all its effects stay, so that it comes back at once. Without this
 * they are ended (ADR 20).
 * @param quiet nothing of the page is open above it, nothing is under way, and nothing in it acts by itself: no timer, no
 * listener of the window, no repeated reading
 */
export function useMayRest(quiet: boolean): void {
  const say = useContext(RestContext)
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
