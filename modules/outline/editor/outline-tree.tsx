import { ClockCircleOutlined, LockOutlined } from '@ant-design/icons'
import { Button, Checkbox, Tooltip } from 'antd'
import { useRef, type KeyboardEvent, type MouseEvent } from 'react'
import { formatDate } from '../../../core/field/time.ts'
import type { FlatRow, Target } from '../../../core/tree/flat.ts'
import { TreeList } from '../../../core/tree/tree-list.tsx'
import { MARKS, openingWords, type Mark } from '../compare.ts'
import type { Figures } from '../complete.ts'
import { UNLOCK, type OutlineNode } from '../node.ts'
import { marksBelow, type EditorNode, type Known, type Rows } from './rows.ts'

/** Room before the rows for choosing and for what has changed, in pixels. */
const LEAD = 62

/** A kind of content as a column of counts. */
interface Column {
  readonly kind: string
  readonly label: string
}

interface Props {
  title: string
  rows: readonly FlatRow<EditorNode>[]
  tree: Rows
  known: Known
  columns: readonly Column[]
  current: string | undefined
  chosen: ReadonlySet<string>
  editable: boolean
  naming: number | undefined
  height: number
  onCurrent: (key: string) => void
  onToggle: (id: number, open: boolean) => void
  /** Chosen or not; `range`: everything from the one before to this. */
  onChoose: (key: string, range: boolean) => void
  onMove: (key: string, target: Target) => void
  onRename: (key: string, name: string) => void
  onEnter: (key: string) => void
  onRestore: (key: string) => void
  onKey: (event: KeyboardEvent, key: string) => boolean
}

/** What a node changed since it was published: a word, or how many below a closed branch. */
function ChangeMark({ mark, count }: { mark: Mark | undefined; count: number }) {
  if (mark) return <span className="outline-mark" data-mark={mark}>{MARKS[mark]}</span>
  return count > 0 ? <Tooltip title={`下级有 ${count} 处未发布的改动`}><span className="outline-mark" data-mark="changed">{count}</span></Tooltip> : null
}

/** How much of a lesson is there. */
function CompleteRing({ figures }: { figures: Figures | undefined }) {
  if (!figures || figures.of === 0) return <span className="outline-ring" />
  const { met, of } = figures
  return <span className="outline-ring" data-done={met === of} style={{ ['--share' as string]: `${(met / of) * 360}deg` }}>{met}/{of}</span>
}

/** How a node is opened, where it says so itself. */
function Opening({ node }: { node: OutlineNode }) {
  const locked = node.unlock === UNLOCK.order ? '顺序' : node.unlock === UNLOCK.score ? `≥ ${node.unlock_score ?? 0}%` : undefined
  if (node.unlock === UNLOCK.date && node.open_at !== null) return <span className="outline-open"><ClockCircleOutlined /> {formatDate(node.open_at).slice(5)}</span>
  if (locked !== undefined) return <span className="outline-open"><LockOutlined /> {locked}</span>
  return <span className="outline-open">{node.free === null ? '' : openingWords(node).replace(' 分钟', ' 分')}</span>
}

/** The tree of an outline with its figures. Rows are drawn by the list that all trees share. */
export function OutlineTree({ title, rows, tree, known, columns, current, chosen, editable, naming, height, onCurrent, onToggle, onChoose, onMove, onRename, onEnter, onRestore, onKey }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const selected = current === undefined ? undefined : tree.byKey.get(current)?.id
  const choose = (key: string) => (event: MouseEvent) => {
    event.stopPropagation()
    onChoose(key, event.shiftKey)
    box.current?.querySelector<HTMLElement>('[role=tree]')?.focus()
  }
  const line = (row: EditorNode) => {
    const { key, node, gone } = row
    const open = rows.find((one) => one.node === row)?.open ?? false
    const { own, below } = marksBelow(tree, known.differences, row)
    const figures = known.figures.get(key)
    const lacking = new Set(figures?.lacks.flatMap(({ blocks }) => blocks?.kinds ?? []))
    return (
      <>
        <span className="outline-lead">
          {editable && (gone ? <span className="outline-unchosen" /> : <Checkbox checked={chosen.has(key)} aria-label={`选择 ${node.name}`} tabIndex={-1} onClick={choose(key)} />)}
          <ChangeMark mark={gone ? 'gone' : own} count={open || own ? 0 : below} />
        </span>
        <span className="outline-name" data-gone={gone} data-top={node.parent === null} title={node.name}>{node.name}</span>
        {gone ? <Button type="link" size="small" tabIndex={-1} disabled={!editable} onClick={(event) => { event.stopPropagation(); onRestore(key) }}>恢复</Button> : (
          <>
            {columns.map(({ kind }) => {
              const count = figures?.blocks[kind] ?? 0
              return <span key={kind} className="outline-figure" data-lack={count === 0 && lacking.has(kind)}>{count > 0 ? count : lacking.has(kind) ? '缺' : ''}</span>
            })}
            <span className="outline-figure outline-minutes">{figures && figures.minutes > 0 ? Math.round(figures.minutes) : ''}</span>
            <CompleteRing figures={figures} />
            <Opening node={node} />
          </>
        )}
      </>
    )
  }
  return (
    <div className="outline-tree" ref={box}>
      <div className="outline-columns" aria-hidden>
        <span className="outline-name" style={{ paddingInlineStart: LEAD + 28 }}>目录</span>
        {columns.map(({ kind, label }) => <span key={kind} className="outline-figure">{label}</span>)}
        <span className="outline-figure outline-minutes">分钟</span>
        <span className="outline-ring">齐全</span>
        <span className="outline-open">开放</span>
      </div>
      <TreeList<EditorNode> label={title} rows={rows} inset={LEAD} height={height} naming={naming} title={line} nameOf={({ node }) => node.name}
        selected={new Set(selected === undefined ? [] : [selected])} onSelect={({ node }) => onCurrent(node.key)} onWalk={({ node }) => onCurrent(node.key)} onToggle={({ node }, open) => onToggle(node.id, open)}
        onKey={(event, { node }) => onKey(event, node.key)}
        {...(editable && { onMove: ({ node }: FlatRow<EditorNode>, target: Target) => onMove(node.key, target), onRename: ({ node }: FlatRow<EditorNode>, name: string) => onRename(node.key, name), onEnter: ({ node }: FlatRow<EditorNode>) => onEnter(node.key) })} />
    </div>
  )
}
