import { useEffect, useEffectEvent, useRef, useState, type CompositionEventHandler, type KeyboardEvent } from 'react'

/** shell.md 78: a search waits until nothing was typed for so long, in milliseconds. */
export const TYPING = 300

interface Typed {
  /** What stands in the input. */
  readonly text: string
  readonly type: (text: string) => void
  /** What is searched for: the text once typing has paused; never while an input method composes. */
  readonly words: string
  readonly composing: boolean
  /** Something was typed that is not searched for yet. */
  readonly pending: boolean
  /** Searches for it at once. */
  readonly hurry: () => void
  readonly input: { readonly onCompositionStart: CompositionEventHandler; readonly onCompositionEnd: CompositionEventHandler }
}

/** What is typed into a search, and when it is searched for. */
export function useTyped(): Typed {
  const [text, type] = useState('')
  const [words, setWords] = useState('')
  const [composing, setComposing] = useState(false)
  useEffect(() => {
    if (composing) return undefined
    const timer = window.setTimeout(() => setWords(text.trim()), text.trim() === '' ? 0 : TYPING)
    return () => window.clearTimeout(timer)
  }, [text, composing])
  const wanted = text.trim()
  const now = wanted === '' ? '' : words
  return { text, type, words: now, composing, pending: wanted !== now, hurry: () => setWords(wanted), input: { onCompositionStart: () => setComposing(true), onCompositionEnd: () => setComposing(false) } }
}

interface Picked {
  /** Place of the hit that Enter would take. */
  readonly at: number
  readonly pick: (at: number) => void
  /** For the input: arrows move and wrap, Enter takes, Escape and Tab close. */
  readonly keys: (event: KeyboardEvent) => void
}

/**
 * Choosing one of several hits by keyboard, in an input that stays focused.
 * @param hits how many there are; the first is picked whenever other words are searched for
 */
export function usePicked({ hits, typed, take, close }: { hits: number; typed: Typed; take: (at: number) => void; close: () => void }): Picked {
  const { words: key, composing, pending, hurry } = typed
  const [state, setState] = useState({ key, at: 0 })
  const at = state.key === key ? Math.min(state.at, Math.max(0, hits - 1)) : 0
  const pick = (next: number) => setState({ key, at: next })
  // Enter before the pause means what was typed, not what is still shown.
  const eager = useRef(false)
  const settled = useEffectEvent(() => {
    if (eager.current && hits > 0) take(0)
    eager.current = false
  })
  useEffect(() => { if (!pending) settled() }, [pending])
  const enter = () => {
    if (pending) {
      eager.current = true
      hurry()
    } else if (hits > 0) take(at)
  }
  const step = (by: number) => pick(hits === 0 ? 0 : (at + by + hits) % hits)
  return {
    at,
    pick,
    keys: (event) => {
      // While an input method composes, the keys are its own.
      if (composing || event.nativeEvent.isComposing) return
      const actions: Readonly<Record<string, () => void>> = { ArrowDown: () => step(1), ArrowUp: () => step(-1), Enter: enter, Escape: close }
      const action = actions[event.key]
      if (action) {
        event.preventDefault()
        event.stopPropagation()
        action()
      } else if (event.key === 'Tab') close()
    },
  }
}
