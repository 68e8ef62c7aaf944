import { useState, type CSSProperties } from 'react'

/**
 * Where a drawer stands that belongs to one page: over the place for pages alone, so that tabs and menu can be reached while it is open.
 * @param wide on a phone it takes the whole screen
 */
export function usePageInset(wide: boolean): CSSProperties {
  const [place] = useState(() => document.querySelector('#content')?.getBoundingClientRect())
  return wide && place ? { insetBlockStart: place.top, insetInlineStart: place.left } : {}
}
