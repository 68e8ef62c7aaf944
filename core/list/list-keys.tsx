import { useContext, useEffect, useEffectEvent } from 'react'
import type { WireRow } from '../resource/endpoints.ts'
import { FrontContext } from '../ui/idle.tsx'

interface Props {
  rows: readonly WireRow[]
  /** Id of the row that the keys are at. */
  at: number | undefined
  onMove: (id: number) => void
  onOpen: (row: WireRow) => void
  onEdit: (row: WireRow) => void
  onChoose: (row: WireRow) => void
  onSearch: () => void
}

const isTyping = (target: EventTarget | null) => target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [role=textbox], [role=combobox], math-field'))
/** Something that asks for an answer, or a menu, has the keys. */
const ABOVE = '.ant-modal-wrap:not([style*="display: none"]), .ant-drawer-open, .ant-dropdown:not(.ant-dropdown-hidden), .ant-select-dropdown:not(.ant-select-dropdown-hidden), .ant-popover:not(.ant-popover-hidden)'

/**
 * Hears the keys of a list: J and K go along its rows, X chooses, Enter and Space open, E edits, / searches (docs/design.md).
 * Shows nothing, so that a page that comes to the front is not drawn again for it.
 */
export function ListKeys({ rows, at, onMove, onOpen, onEdit, onChoose, onSearch }: Props) {
  const front = useContext(FrontContext)
  const current = rows.find(({ id }) => id === at)
  const go = (by: 1 | -1) => {
    const place = rows.findIndex(({ id }) => id === at)
    const next = rows[place === -1 ? (by === 1 ? 0 : rows.length - 1) : place + by]
    if (!next) return
    onMove(next.id)
    document.querySelector(`.list-page [data-row-key="${next.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const withCurrent = (act: (row: WireRow) => void) => () => { if (current) act(current) }
  const keys: Readonly<Record<string, () => void>> = {
    j: () => go(1), k: () => go(-1), x: withCurrent(onChoose), e: withCurrent((row) => { if (row.can.includes('edit')) onEdit(row) }), enter: withCurrent(onOpen), ' ': withCurrent(onOpen), '/': onSearch,
  }
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return
    const key = event.key.toLowerCase()
    const act = keys[key]
    // A button that has the focus is pressed by these itself.
    const pressing = (key === 'enter' || key === ' ') && event.target instanceof Element && event.target.closest('button, a, summary, [role=button], [role=tab], [role=checkbox], input')
    if (!act || pressing || document.querySelector(ABOVE)) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    if (!front) return
    const hear = (event: KeyboardEvent) => pressed(event)
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [front])
  return null
}
