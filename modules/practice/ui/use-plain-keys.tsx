import { useEffect, useRef } from 'react'
import { isTyping } from './use-bank-keys.tsx'

/** Runs commands of a screen by single keys, named as `event.key` has them, unless somebody types or a dialog is open. */
export function usePlainKeys(commands: Readonly<Record<string, () => void>>): void {
  const latest = useRef(commands)
  useEffect(() => {
    latest.current = commands
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('.ant-modal-wrap:not([style*="display: none"])')) return
      const command = latest.current[event.key]
      if (!command) return
      event.preventDefault()
      command()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
