import { useEffect } from 'react'

/**
 * Lets Tab close an open list of choices and go on to what comes next. The library takes it for Enter: it would choose what the
 * list happens to point at, or take a choice back.
 */
export function useTabLeavesSelects(): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key === 'Tab' && event.target instanceof Element && event.target.closest('.ant-select-open')) event.stopPropagation()
    }
    // Before the library hears it. The browser moves the focus all the same, and without it the list closes.
    window.addEventListener('keydown', hear, true)
    return () => window.removeEventListener('keydown', hear, true)
  }, [])
}
