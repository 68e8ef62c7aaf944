import { useEffect, useEffectEvent, useRef } from 'react'
import { useIsFront } from '../../core/ui/front.tsx'

/** Longest pause between two letters of a scanner, in milliseconds: nobody types so fast. */
const GAP = 50
/** Fewest letters of a code. */
const SHORTEST = 6

interface Burst {
  text: string
  at: number
  /** Where the letters went, with what stood there before. */
  into?: { input: HTMLInputElement | HTMLTextAreaElement; before: string }
}

const writesInto = (target: EventTarget | null) => (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? { input: target, before: target.value } : undefined)

/** Puts a value back as if it had been typed, so that whoever holds it hears of it. */
function putBack({ input, before }: NonNullable<Burst['into']>): void {
  const owner = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  Object.getOwnPropertyDescriptor(owner, 'value')?.set?.call(input, before)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Hears a scanner wherever the focus is while the page is in front: letters faster than anybody types, ended by Enter. What
 * it wrote into a field is taken out again.
 * @param scanned is given the code
 */
export function useScanner(scanned: (code: string) => void): void {
  const isFront = useIsFront()
  const burst = useRef<Burst>({ text: '', at: -Infinity })
  const heard = useEffectEvent((event: KeyboardEvent) => {
    if (!isFront() || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return
    const { current } = burst
    const quick = event.timeStamp - current.at < GAP
    if (event.key === 'Enter') {
      burst.current = { text: '', at: -Infinity }
      if (!quick || current.text.length < SHORTEST) return
      event.preventDefault()
      event.stopPropagation()
      if (current.into) putBack(current.into)
      scanned(current.text)
      return
    }
    if (event.key.length !== 1) return
    const into = writesInto(event.target)
    burst.current = quick ? { ...current, text: current.text + event.key, at: event.timeStamp } : { text: event.key, at: event.timeStamp, ...(into && { into }) }
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => heard(event)
    // Before any field or button acts on the Enter.
    window.addEventListener('keydown', hear, true)
    return () => window.removeEventListener('keydown', hear, true)
  }, [])
}
