import { CheckCircleOutlined, CloseOutlined } from '@ant-design/icons'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { onSaid, saidNow, say, type SaidNow } from './said.ts'
import { useTakeBack } from './use-take-back.tsx'
import './undo.css'

/** How long the way back is offered, in seconds; while the pointer is on it the time stands still. */
const OFFERED = 10

const isTyping = (target: EventTarget | null) => target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select, math-field'))

function Bar({ said }: { said: SaidNow }) {
  const { words, undo, instead, note } = said
  const [left, setLeft] = useState(OFFERED)
  const [held, setHeld] = useState(false)
  const [busy, setBusy] = useState(false)
  const takeBack = useTakeBack()
  useEffect(() => {
    if (held || busy) return
    const timer = setTimeout(() => (left > 1 ? setLeft(left - 1) : say(undefined)), 1000)
    return () => clearTimeout(timer)
  }, [left, held, busy])
  const back = async () => {
    if (undo === undefined || busy) return
    setBusy(true)
    await takeBack(undo)
    // What was said meanwhile stays.
    if (saidNow() === said) say(undefined)
  }
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'z' || isTyping(event.target) || undo === undefined) return
    event.preventDefault()
    void back()
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => pressed(event)
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
  return (
    // The time stands still while somebody is on it; nothing is done by that.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div className="undo-bar" role="status" onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)} onFocus={() => setHeld(true)} onBlur={() => setHeld(false)}>
      <CheckCircleOutlined className="undo-sign" aria-hidden />
      <span>{words}</span>
      {note && <span className="undo-left">{note}</span>}
      {undo !== undefined && <button type="button" disabled={busy} onClick={() => void back()} aria-keyshortcuts="Control+Z">撤销</button>}
      {undo !== undefined && <kbd aria-hidden>Ctrl Z</kbd>}
      {undo === undefined && instead && <button type="button" onClick={() => { say(undefined); instead.run() }}>{instead.label}</button>}
      <span className="undo-left" aria-hidden>还剩 {left} 秒</span>
      <button type="button" className="undo-close" aria-label="关闭提示" onClick={() => say(undefined)}><CloseOutlined aria-hidden /></button>
    </div>
  )
}

/** The dark bar at the foot that says what was done and offers the way back. */
export function UndoBar() {
  const said = useSyncExternalStore(onSaid, saidNow)
  return said ? <Bar key={said.key} said={said} /> : null
}
