import { useLayoutEffect, useRef, type RefObject } from 'react'
import { afterPaint } from '../ui/after-paint.tsx'

/** How long it takes, in milliseconds, and how wide the folded menu is, in pixels (shell.md 42). */
const SLIDE = 280
const FOLDED = 54

/**
 * Holds the content at the width it had until the menu has been painted.
 * @param menu width of the menu until now, in pixels
 * @returns lets it go
 */
function holdWidth({ style }: HTMLElement, menu: number): () => void {
  style.flex = `0 0 calc(100% - ${menu}px)`
  const settle = () => {
    giveUp()
    style.removeProperty('flex')
  }
  const giveUp = afterPaint(settle)
  return settle
}

/**
 * Slides the content when the menu beside it is folded or opened. Everything is laid out once, at its new width, and only
 * painted on its way there: a table that is laid out again in every frame would take longer than the frames last. That
 * happens in the frame after the menu's own, so that neither has to wait for both.
 * @param wide width of the open menu, in pixels
 */
export function useSlide(content: RefObject<HTMLElement | null>, collapsed: boolean, wide: number): void {
  const before = useRef(collapsed)
  useLayoutEffect(() => {
    if (before.current === collapsed) return
    before.current = collapsed
    const element = content.current
    const still = document.documentElement.dataset['calm'] === 'on' || window.matchMedia('(prefers-reduced-motion: reduce)').matches
    if (!element?.previousElementSibling?.matches('.sidebar') || still) return
    const from = collapsed ? wide - FOLDED : FOLDED - wide
    const settle = holdWidth(element, collapsed ? wide : FOLDED)
    element.animate([{ transform: `translateX(${from}px)` }, { transform: 'none' }], { duration: SLIDE, easing: 'ease' })
    return settle
  }, [content, collapsed, wide])
}
