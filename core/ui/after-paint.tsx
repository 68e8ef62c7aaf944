import { useEffect, useState } from 'react'

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

/** A value as it was when the screen was last painted: for what is seen beside the page and need not be drawn before it. */
export function useDeferredUntilPaint<Value>(value: Value): Value {
  const [late, setLate] = useState(value)
  useEffect(() => afterPaint(() => setLate(value)), [value])
  return late
}
