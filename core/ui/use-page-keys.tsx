import { useEffect, useEffectEvent, type RefObject } from 'react'
import { useIsFront } from './front.tsx'

const isTyping = (target: EventTarget | null) => target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [role=textbox], [role=combobox], math-field'))
/** Something that asks for an answer, or a menu, has the keys. */
const ABOVE = '.ant-modal-wrap:not([style*="display: none"]), .ant-drawer-open, .ant-dropdown:not(.ant-dropdown-hidden), .ant-select-dropdown:not(.ant-select-dropdown-hidden), .ant-popover:not(.ant-popover-hidden), .ant-image-preview'
const PRESSED = 'button, a, summary, [role=button], [role=tab], [role=checkbox], input'

/**
 * Hears keys without modifiers while the page is in front, nobody writes and nothing is open above it.
 * @param keys what each does, by `event.key` in lower case
 * @param resting a field that has the focus whenever nothing else has: while it is empty, nobody writes
 */
export function usePageKeys(keys: Readonly<Record<string, () => void>>, resting?: RefObject<HTMLInputElement | null>): void {
  const isFront = useIsFront()
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!isFront() || event.defaultPrevented || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const rests = resting?.current !== undefined && event.target === resting.current && resting.current?.value === ''
    if (isTyping(event.target) && !rests) return
    const key = event.key.toLowerCase()
    const act = keys[key]
    // A button that has the focus is pressed by these itself.
    const pressing = !rests && (key === 'enter' || key === ' ') && event.target instanceof Element && event.target.closest(PRESSED)
    if (!act || pressing || document.querySelector(ABOVE)) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => pressed(event)
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
}
