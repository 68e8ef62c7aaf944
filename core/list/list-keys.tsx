import type { WireRow } from '../resource/endpoints.ts'
import { usePageKeys } from '../ui/use-page-keys.tsx'

interface Props {
  rows: readonly WireRow[]
  /** Id of the row that the keys are at. */
  at: number | undefined
  onMove: (id: number) => void
  onOpen: (row: WireRow) => void
  onEdit: (row: WireRow) => void
  /** Begins to change the row's first plain cell where it stands. */
  onCell: (row: WireRow) => void
  onChoose: (row: WireRow) => void
  onSearch: () => void
}

/**
 * Hears the keys of a list: J and K go along its rows, X chooses, Enter and Space open, E edits, F2 edits a cell, / searches (docs/design.md).
 * Shows nothing, so that a page that comes to the front is not drawn again for it.
 */
export function ListKeys({ rows, at, onMove, onOpen, onEdit, onCell, onChoose, onSearch }: Props) {
  const current = rows.find(({ id }) => id === at)
  const go = (by: 1 | -1) => {
    const place = rows.findIndex(({ id }) => id === at)
    const next = rows[place === -1 ? (by === 1 ? 0 : rows.length - 1) : place + by]
    if (!next) return
    onMove(next.id)
    document.querySelector(`.list-page [data-row-key="${next.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const withCurrent = (act: (row: WireRow) => void) => () => { if (current) act(current) }
  const changing = (act: (row: WireRow) => void) => withCurrent((row) => { if (row.can.includes('edit')) act(row) })
  const keys: Readonly<Record<string, () => void>> = {
    j: () => go(1), k: () => go(-1), x: withCurrent(onChoose), e: changing(onEdit), f2: changing(onCell), enter: withCurrent(onOpen), ' ': withCurrent(onOpen), '/': onSearch,
  }
  usePageKeys(keys)
  return null
}
