import { useEffect, useRef } from 'react'

/** Runs commands by keys, named as `ctrl+s`, wherever the cursor is, unless a dialog is open. */
export function useKeys(commands: Readonly<Record<string, () => void>>): void {
  const latest = useRef(commands)
  useEffect(() => {
    latest.current = commands
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || document.querySelector('.ant-modal-wrap:not([style*="display: none"])')) return
      const name = [event.ctrlKey || event.metaKey ? 'ctrl' : '', event.altKey ? 'alt' : '', event.key.toLowerCase()].filter(Boolean).join('+')
      const command = latest.current[name]
      if (!command) return
      event.preventDefault()
      command()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
