import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** How long the pointer rests before the popup opens and stays away before it closes, in milliseconds (shell.md 52). */
const DELAY = 300
/** Room between popup and window's edge, in pixels. */
const EDGE = 8

/**
 * The pages of a group beside its icon in the collapsed menu. It opens when the pointer rests on the icon, by a tap and by
 * the keyboard; Escape closes it and gives the focus back (shell.md 52, 53).
 * @param anchor the icon's button
 */
export function SidebarPopup({ anchor, title, children }: { anchor: HTMLElement; title: string; children: ReactNode }) {
  /** Whether it is open, and whether the keyboard opened it. */
  const [open, setOpen] = useState<'pointer' | 'keyboard'>()
  const popup = useRef<HTMLDivElement>(null)
  const timer = useRef<number>(undefined)

  const soon = (next: 'pointer' | undefined) => {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setOpen((now) => (next && now ? now : next)), DELAY)
  }
  useEffect(() => {
    const enter = (event: PointerEvent) => { if (event.pointerType === 'mouse') soon('pointer') }
    const leave = (event: PointerEvent) => { if (event.pointerType === 'mouse') soon(undefined) }
    // A mouse has opened it by resting here, and its click changes nothing; a tap and a key have nothing to rest.
    const click = (event: MouseEvent) => {
      const byMouse = (event as PointerEvent).pointerType === 'mouse'
      if (!byMouse) setOpen(event.detail === 0 ? 'keyboard' : 'pointer')
    }
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowRight') return
      event.preventDefault()
      event.stopPropagation()
      setOpen('keyboard')
    }
    anchor.addEventListener('pointerenter', enter)
    anchor.addEventListener('pointerleave', leave)
    anchor.addEventListener('click', click)
    anchor.addEventListener('keydown', key)
    return () => {
      window.clearTimeout(timer.current)
      anchor.removeEventListener('pointerenter', enter)
      anchor.removeEventListener('pointerleave', leave)
      anchor.removeEventListener('click', click)
      anchor.removeEventListener('keydown', key)
    }
  }, [anchor])
  useEffect(() => {
    anchor.setAttribute('aria-expanded', String(open !== undefined))
  }, [anchor, open])
  useLayoutEffect(() => {
    const box = popup.current
    if (!open || !box) return
    const { top, right } = anchor.getBoundingClientRect()
    box.style.left = `${right + 4}px`
    box.style.top = `${Math.max(EDGE, Math.min(top, window.innerHeight - box.offsetHeight - EDGE))}px`
    if (open === 'keyboard') box.querySelector<HTMLElement>('a, button')?.focus()
  }, [open, anchor])
  useEffect(() => {
    if (!open) return
    const outside = (event: Event) => {
      if (event.target instanceof Node && !popup.current?.contains(event.target) && !anchor.contains(event.target)) setOpen(undefined)
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
    }
  }, [open, anchor])
  if (!open) return null
  return createPortal(
    // What happens to its rows is heard here for all of them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div ref={popup} className="menu-popup" role="group" aria-label={title} tabIndex={-1}
      onPointerEnter={() => window.clearTimeout(timer.current)} onPointerLeave={(event) => { if (event.pointerType === 'mouse') soon(undefined) }}
      onClick={(event) => { if (event.target instanceof Element && event.target.closest('a')) setOpen(undefined) }}
      onKeyDown={(event) => {
        // For React it stands inside the menu, whose own keys walk along the icons.
        if (event.key !== 'Tab') event.stopPropagation()
        if (event.key === 'Escape' || event.key === 'ArrowLeft') {
          setOpen(undefined)
          anchor.focus()
        }
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.menu-row')]
        const at = rows.findIndex((row) => row === document.activeElement)
        rows[(at + (event.key === 'ArrowDown' ? 1 : -1) + rows.length) % rows.length]?.focus()
      }}>
      <div className="menu-popup-title">{title}</div>
      <ul className="menu-below">{children}</ul>
    </div>,
    document.body,
  )
}
