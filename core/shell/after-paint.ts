/**
 * Runs what nobody waits for once what has just been drawn is on the screen: when the frame after the one that paints it begins.
 * @returns gives it up
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => { timer = setTimeout(run) })
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
