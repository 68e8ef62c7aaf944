import { CaretRightOutlined } from '@ant-design/icons'
import { DndContext, DragOverlay, PointerSensor, useDraggable, useSensor, useSensors, type DragMoveEvent } from '@dnd-kit/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Input, type InputRef } from 'antd'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useEventCallback } from '../ui/use-event-callback.tsx'
import { dropTarget, keyTarget, type Drop, type FlatNode, type FlatRow, type Target } from './flat.ts'
import './tree.css'

/** Height of a row and indentation of a level, in pixels; tree.css has the same. */
const ROW = 32
const INDENT = 18

export interface TreeListProps<Node extends FlatNode> {
  /** What the tree is called to those who hear it. */
  label: string
  rows: readonly FlatRow<Node>[]
  title: (node: Node) => ReactNode
  /** Plain name, for renaming and dragging. */
  nameOf: (node: Node) => string
  selected: ReadonlySet<number>
  onSelect: (row: FlatRow<Node>) => void
  onToggle: (row: FlatRow<Node>, open: boolean) => void
  /** Absent where nobody may move. */
  onMove?: ((row: FlatRow<Node>, target: Target) => void) | undefined
  /** Absent where nobody may rename. */
  onRename?: ((row: FlatRow<Node>, name: string) => void) | undefined
  /** Enter while a name is edited, behind the name that was given: an editor goes on with the next row. Absent where it only ends. */
  onEnter?: ((row: FlatRow<Node>) => void) | undefined
  /** A row whose name is to be given as soon as it is there. */
  naming?: number | undefined
  /** Keys have walked to a row. */
  onWalk?: ((row: FlatRow<Node>) => void) | undefined
  /** Room for columns before the rows, in pixels. */
  inset?: number
  /** Further keys, as those of an editor; asked first, true where it has done something. */
  onKey?: ((event: KeyboardEvent, row: FlatRow<Node>) => boolean) | undefined
  height: number
}

interface RowProps<Node extends FlatNode> extends Pick<TreeListProps<Node>, 'title' | 'nameOf' | 'onSelect' | 'onToggle'> {
  row: FlatRow<Node>
  id: string
  top: number
  inset: number
  active: boolean
  selected: boolean
  movable: boolean
  onCommit: Commit | undefined
}

type Commit = (name: string | undefined, level: 0 | 1 | -1, next?: boolean) => void

function NameInput({ name, onCommit }: { name: string; onCommit: Commit }) {
  const input = useRef<InputRef>(null)
  // A person who ends it by a key loses the focus by that too.
  const ended = useRef(false)
  useEffect(() => input.current?.focus({ cursor: 'all' }), [])
  const end = (text: string | undefined, level: 0 | 1 | -1, next = false) => {
    if (ended.current) return
    ended.current = true
    onCommit(text, level, next)
  }
  return (
    <Input ref={input} size="small" defaultValue={name} aria-label={`${name} 的名称`} onClick={(event) => event.stopPropagation()} onBlur={(event) => end(event.target.value, 0)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        const { value } = event.currentTarget
        if (event.key === 'Enter') end(value, 0, true)
        if (event.key === 'Escape') end(undefined, 0)
        if (event.key !== 'Tab') return
        event.preventDefault()
        end(value, event.shiftKey ? -1 : 1)
      }} />
  )
}

function TreeRow<Node extends FlatNode>({ row, id, top, inset, active, selected, movable, title, nameOf, onSelect, onToggle, onCommit }: RowProps<Node>) {
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: row.node.id, disabled: !movable || onCommit !== undefined })
  const { node } = row
  return (
    // The keys are the tree's own: it holds the focus, and says which row is meant.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div ref={setNodeRef} {...listeners} id={id} role="treeitem" tabIndex={-1} className="tree-row" data-active={active} data-dragging={isDragging} style={{ transform: `translateY(${top}px)`, paddingInlineStart: inset + 4 + row.level * INDENT }}
      aria-level={row.level + 1} aria-posinset={row.index + 1} aria-setsize={row.siblings} aria-selected={selected} {...(node.below > 0 && { 'aria-expanded': row.open })} onClick={() => onSelect(row)}>
      {node.below > 0
        ? <button type="button" tabIndex={-1} className="tree-caret" data-open={row.open} aria-label={`${row.open ? '收起' : '展开'} ${nameOf(node)}`} onClick={(event) => { event.stopPropagation(); onToggle(row, !row.open) }}><CaretRightOutlined /></button>
        : <span className="tree-caret" />}
      {onCommit ? (
        <NameInput name={nameOf(node)} onCommit={onCommit} />
      ) : <span className="tree-title">{title(node)}</span>}
    </div>
  )
}

/**
 * A tree of any size as one flat list, of which only the rows in view are drawn. Arrows walk, Enter selects, F2
 * renames (Tab then also takes the node a level down, Shift and Tab up), Alt and an arrow move; the pointer drags rows to a
 * line that is worked out, not to targets. It holds no data: rows come from `flatten`, and what is done is handed on.
 */
export function TreeList<Node extends FlatNode>({ label, rows, title, nameOf, selected, onSelect, onToggle, onMove, onRename, onEnter, naming, onWalk, inset = 0, onKey, height }: TreeListProps<Node>) {
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(naming)
  const [renaming, setRenaming] = useState(naming)
  const [asked, setAsked] = useState(naming)
  if (naming !== asked) {
    setAsked(naming)
    if (naming !== undefined) {
      setRenaming(naming)
      setActive(naming)
    }
  }
  const [dragged, setDragged] = useState<number>()
  const [drop, setDrop] = useState<Drop>()
  const start = useRef({ x: 0, y: 0 })
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 6 } }))
  const draggedAt = dragged === undefined ? -1 : rows.findIndex(({ node }) => node.id === dragged)
  // What it returns changes with every scroll and goes to nothing that is remembered.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length, getScrollElement: () => box.current, estimateSize: () => ROW, overscan: 10, getItemKey: (index) => rows[index]?.node.id ?? index,
    // The dragged row stays in the document, however far the list is scrolled meanwhile.
    rangeExtractor: (range) => (draggedAt < 0 ? defaultRangeExtractor(range) : [...new Set([...defaultRangeExtractor(range), draggedAt])].sort((a, b) => a - b)),
  })
  const at = Math.max(0, rows.findIndex(({ node }) => node.id === (active ?? [...selected][0])))
  const current = rows[at]
  const [first] = selected
  const scrollTo = useEventCallback((id: number | undefined) => {
    const index = rows.findIndex(({ node }) => node.id === id)
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' })
  })
  const shown = rows.some(({ node }) => node.id === first)
  useEffect(() => {
    if (shown) scrollTo(first)
  }, [first, shown, scrollTo])
  const go = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (!row) return
    setActive(row.node.id)
    scrollTo(row.node.id)
    onWalk?.(row)
  }
  const commit = (row: FlatRow<Node>) => (name: string | undefined, level: 0 | 1 | -1, next = false) => {
    setRenaming(undefined)
    box.current?.focus()
    const text = name?.trim()
    if (text && text !== nameOf(row.node)) onRename?.(row, text)
    const target = level === 0 ? undefined : keyTarget(rows, row, level === 1 ? 'ArrowRight' : 'ArrowLeft')
    if (target) onMove?.(row, target)
    if (next) onEnter?.(row)
  }
  const walk: Readonly<Record<string, (row: FlatRow<Node>) => void>> = {
    ArrowUp: () => go(at - 1),
    ArrowDown: () => go(at + 1),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    PageUp: () => go(at - Math.floor(height / ROW)),
    PageDown: () => go(at + Math.floor(height / ROW)),
    ArrowRight: (row) => (row.node.below > 0 && !row.open ? onToggle(row, true) : row.open && go(at + 1)),
    ArrowLeft: (row) => (row.open ? onToggle(row, false) : row.parent && go(rows.indexOf(row.parent))),
    Enter: (row) => onSelect(row),
    ' ': (row) => onSelect(row),
    F2: (row) => { if (onRename) setRenaming(row.node.id) },
  }
  const press = (event: KeyboardEvent) => {
    if (!current || event.ctrlKey || event.metaKey || event.target !== box.current) return
    if (onKey?.(event, current)) return event.preventDefault()
    const target = event.altKey && onMove ? keyTarget(rows, current, event.key) : undefined
    const step = event.altKey ? undefined : walk[event.key]
    if (!step && !(event.altKey && event.key.startsWith('Arrow'))) return
    event.preventDefault()
    event.stopPropagation()
    if (target) {
      setActive(current.node.id)
      onMove?.(current, target)
    } else step?.(current)
  }
  const drag = ({ delta, active: { id } }: DragMoveEvent) => {
    const frame = box.current?.getBoundingClientRect()
    const row = rows.find(({ node }) => node.id === id)
    if (!frame || !box.current || !row) return
    const y = start.current.y + delta.y - frame.top + box.current.scrollTop
    const gap = Math.max(0, Math.min(rows.length, Math.round(y / ROW)))
    const next = dropTarget(rows, Number(id), gap, row.level + Math.round(delta.x / INDENT))
    setDrop((known) => (known?.gap === next?.gap && known?.level === next?.level && known?.parent === next?.parent ? known : next))
  }
  const end = (target?: Drop) => {
    const row = rows[draggedAt]
    setDragged(undefined)
    setDrop(undefined)
    if (row && target) onMove?.(row, target)
  }
  const held = rows[draggedAt]
  return (
    <DndContext sensors={sensors} onDragStart={({ active: { id }, activatorEvent }) => {
      const { clientX, clientY } = activatorEvent as PointerEvent
      start.current = { x: clientX, y: clientY }
      setDragged(Number(id))
    }} onDragMove={drag} onDragCancel={() => end()} onDragEnd={() => end(drop)}>
      <div ref={box} role="tree" aria-label={label} tabIndex={0} className="tree-list" style={{ height }} onKeyDown={press} {...(current && { 'aria-activedescendant': `tree-${current.node.id}` })}>
        <div className="tree-rows" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().flatMap(({ index, key, start: top }) => {
            const row = rows[index]
            if (!row) return []
            return [
              <TreeRow key={key} row={row} id={`tree-${row.node.id}`} top={top} inset={inset} active={row === current} selected={selected.has(row.node.id)} movable={onMove !== undefined} title={title} nameOf={nameOf}
                onSelect={(one) => { setActive(one.node.id); onSelect(one) }} onToggle={onToggle} onCommit={renaming === row.node.id ? commit(row) : undefined} />,
            ]
          })}
          {drop && <div className="tree-line" style={{ transform: `translateY(${drop.gap * ROW}px)`, insetInlineStart: inset + 4 + drop.level * INDENT }} />}
        </div>
      </div>
      <DragOverlay dropAnimation={null}>{held && <span className="tree-held">{nameOf(held.node)}{held.node.below > 0 && `（连同下级 ${held.node.below} 项）`}</span>}</DragOverlay>
    </DndContext>
  )
}
