import { useEffect, useRef, useState, type RefObject } from 'react'
import { useIsFront } from '../../../core/ui/front.tsx'
import type { PracticeCard } from '../bank/calls.ts'
import { isTyping } from './use-keys.tsx'

interface Options {
  rows: readonly PracticeCard[]
  enabled: boolean
  onSelect: (row: PracticeCard) => void
  onOpen: (row: PracticeCard) => void
  onBasket: (row: PracticeCard) => void
}

/** Keys for a list of cards: J and K walk, space selects, A shows the answer, B is the basket, Enter opens. */
export function useBankKeys({ rows, enabled, onSelect, onOpen, onBasket }: Options): { current: number; list: RefObject<HTMLDivElement | null> } {
  const isFront = useIsFront()
  const [current, setCurrent] = useState(-1)
  const list = useRef<HTMLDivElement>(null)
  const latest = useRef({ rows, onSelect, onOpen, onBasket, current })
  useEffect(() => {
    latest.current = { rows, onSelect, onOpen, onBasket, current }
  })
  useEffect(() => {
    if (!enabled) return undefined
    const press = (event: KeyboardEvent) => {
      if (!isFront() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const { rows: shown, current: at, ...act } = latest.current
      const card = (index: number) => list.current?.children[index]
      const row = shown[at]
      const walk = (to: number) => {
        if (!shown[to]) return
        setCurrent(to)
        card(to)?.scrollIntoView({ block: 'nearest' })
      }
      const commands: Readonly<Record<string, () => void>> = {
        j: () => walk(at + 1), k: () => walk(Math.max(0, at - 1)),
        ...(row && { ' ': () => act.onSelect(row), a: () => card(at)?.querySelector<HTMLButtonElement>('.question-fold')?.click(), b: () => act.onBasket(row) }),
        // Enter on a button is the button's own.
        ...(row && !(event.target instanceof HTMLElement && event.target.closest('button, a')) && { enter: () => act.onOpen(row) }),
      }
      const command = commands[event.key.toLowerCase()]
      if (!command) return
      event.preventDefault()
      command()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [enabled, isFront])
  return { current: Math.min(current, rows.length - 1), list }
}
