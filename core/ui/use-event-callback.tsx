import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * A function that stays the same and always does what its newest version does, so that what is given it need not be drawn
 * again. For what happens after drawing, such as clicks.
 */
export function useEventCallback<Args extends readonly unknown[], Result>(run: (...args: Args) => Result): (...args: Args) => Result {
  const newest = useRef(run)
  useLayoutEffect(() => {
    newest.current = run
  }, [run])
  return useCallback((...args) => newest.current(...args), [])
}
