/** Longest way from a click to a page, in milliseconds; what takes longer has another cause. */
const LONGEST = 60_000

let input = 0
let watching = false

/** When the person last clicked or pressed a key, by the browser's own clock. */
function watchInput(): void {
  if (watching) return
  watching = true
  const note = (event: Event) => { input = event.timeStamp }
  for (const kind of ['click', 'keydown', 'auxclick']) window.addEventListener(kind, note, { capture: true, passive: true })
}

/**
 * Measures the way from the person's click to the painted page; browsers show it among their timings, under `page`.
 * @param visit whether the page was kept, or is shown for the first time
 * @returns gives the measurement up
 */
export function measurePage(path: string, visit: 'kept' | 'first'): () => void {
  watchInput()
  const start = input
  let frame = requestAnimationFrame(() => {
    // The frame after this one shows that this one was painted.
    frame = requestAnimationFrame(() => {
      const end = performance.now()
      if (start > 0 && start === input && end - start < LONGEST) performance.measure('page', { start, end, detail: { path, visit } })
    })
  })
  return () => cancelAnimationFrame(frame)
}
