import { useEffect, useRef } from 'react'
import { useIsFront } from '../../../core/ui/front.tsx'

/** What each key does, by its name. */
type Commands = Readonly<Record<string, () => void>>

/** Where typing means text, no key is a command. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role="combobox"], [role="tree"], [role="dialog"], math-field') !== null)
}

const chordOf = (event: KeyboardEvent) => (event.isComposing ? null : [event.ctrlKey || event.metaKey ? 'ctrl' : '', event.altKey ? 'alt' : '', event.key.toLowerCase()].filter(Boolean).join('+'))
const plainKeyOf = (event: KeyboardEvent) => (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) ? null : event.key)

/** Runs what the pressed key is named for, unless a dialog is open; null names no command. */
function useCommands(commands: Commands, nameOf: (event: KeyboardEvent) => string | null): void {
  const isFront = useIsFront()
  const latest = useRef(commands)
  useEffect(() => {
    latest.current = commands
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isFront() || document.querySelector('.ant-modal-wrap:not([style*="display: none"])')) return
      const command = latest.current[nameOf(event) ?? '']
      if (!command) return
      event.preventDefault()
      command()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [nameOf, isFront])
}

/** Runs commands by keys, named as `ctrl+s`, wherever the cursor is, unless a dialog is open. */
export function useKeys(commands: Commands): void {
  useCommands(commands, chordOf)
}

/** Runs commands of a screen by single keys, named as `event.key` has them, unless somebody types or a dialog is open. */
export function usePlainKeys(commands: Commands): void {
  useCommands(commands, plainKeyOf)
}
