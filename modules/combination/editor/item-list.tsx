import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, EditOutlined, FileTextOutlined, HolderOutlined } from '@ant-design/icons'
import { Button, Empty, Tooltip } from 'antd'
import { Fragment, useState, type DragEvent, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { pagesOf, type CombinationItem } from '../items.ts'
import { dragItem, holdsContent, readDropped } from './drag.ts'
import { targetKey, type CombinationEditing } from './use-combination.tsx'

interface Props {
  editing: CombinationEditing
  editable: boolean
  current: string | undefined
  onCurrent: (key: string) => void
  /** Something was dropped before an item, or at the end. */
  onDrop: (dropped: NonNullable<ReturnType<typeof readDropped>>, before: string | undefined) => void
  onNudge: (item: CombinationItem, by: -1 | 1) => void
  onRemove: (item: CombinationItem) => void
  onPage: (item: CombinationItem) => void
  onEdit: (item: CombinationItem) => void
}

const END = 'end'
const COLOURS = { ok: '', wait: 'wait', bad: 'bad' } as const

/** The content page by page. It is dragged, or moved by Alt and arrows; what is removed comes back by Ctrl Z. */
export function ItemList(props: Props) {
  const { editing: { items, targets, content: { kinds } }, editable, current, onCurrent, onDrop, onNudge, onRemove, onPage, onEdit } = props
  const [line, setLine] = useState<string>()
  const labels = new Map(kinds.map(({ kind, label }) => [kind, label]))
  const over = (event: DragEvent, key: string) => {
    if (!editable || !holdsContent(event.dataTransfer)) return
    event.preventDefault()
    event.stopPropagation()
    const { top, height } = event.currentTarget.getBoundingClientRect()
    const next = items[items.findIndex((item) => item.key === key) + 1]?.key ?? END
    setLine(key === END || event.clientY > top + height / 2 ? (key === END ? END : next) : key)
  }
  const drop = (event: DragEvent) => {
    const dropped = readDropped(event.dataTransfer)
    setLine(undefined)
    if (!editable || !dropped) return
    event.preventDefault()
    event.stopPropagation()
    onDrop(dropped, line === END ? undefined : line)
  }
  const keys = (event: KeyboardEvent, item: CombinationItem) => {
    if (!editable || event.target !== event.currentTarget) return
    const acts: Readonly<Record<string, (() => void) | undefined>> = event.altKey
      ? { ArrowUp: () => onNudge(item, -1), ArrowDown: () => onNudge(item, 1) }
      : { Delete: () => onRemove(item), F2: () => onEdit(item), ArrowUp: () => focusBeside(event, -1), ArrowDown: () => focusBeside(event, 1) }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <div className="combination-pages" onDragOver={(event) => over(event, END)} onDrop={drop} onDragLeave={(event) => { if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setLine(undefined) }}>
      {items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={editable ? '从右侧添加，或把内容拖到这里' : '还没有内容'} />}
      {pagesOf(items).map((page, at) => (
        <section key={page[0]?.key ?? 'none'} className="combination-page" hidden={items.length === 0} aria-label={`第 ${at + 1} 页`}>
          <h3>第 {at + 1} 页 <small>{page.length} 项 · {page.reduce((sum, item) => sum + (targets.get(targetKey(item.kind, item.ref_id))?.minutes ?? 0), 0)} 分钟</small></h3>
          <ol>
            {page.map((item) => {
              const target = targets.get(targetKey(item.kind, item.ref_id))
              const bad = item.kind !== 'text' && target?.health.tone !== 'ok'
              const name = item.title || target?.name || (item.kind === 'text' ? item.text.slice(0, 40) || '文字' : '已被删除')
              return (
                <Fragment key={item.key}>
                  {line === item.key && <li className="combination-line" aria-hidden />}
                  {/* The row is what keys work on, as a row of a tree. */}
                  {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
                  <li className="combination-item" data-current={current === item.key} tabIndex={0} aria-label={`${labels.get(item.kind) ?? ''} ${name}`} draggable={editable}
                    onFocus={() => onCurrent(item.key)} onKeyDown={(event) => keys(event, item)} onDragStart={({ dataTransfer }) => dragItem(dataTransfer, item.key)} onDragOver={(event) => over(event, item.key)} onDrop={drop}>
                    {editable && <HolderOutlined className="combination-grip" aria-hidden />}
                    <span className="combination-cover">{target?.cover ? <img src={target.cover} alt="" loading="lazy" /> : item.kind === 'text' ? <FileTextOutlined aria-hidden /> : labels.get(item.kind)}</span>
                    <span className="combination-words">
                      {target?.path ? <Link to={target.path}>{name}</Link> : <b>{name}</b>}
                      <small>{[labels.get(item.kind), item.title && target?.name, target?.note, target && target.minutes > 0 && `${target.minutes} 分钟`].filter(Boolean).join(' · ')}</small>
                      {bad && <small className="combination-health" data-tone={COLOURS[target?.health.tone ?? 'bad']}>{target?.health.words ?? '已被删除，请移除或更换'}</small>}
                    </span>
                    {editable && (
                      <span className="combination-tools">
                        {at + page.indexOf(item) > 0 && <Button size="small" type="text" onClick={() => onPage(item)}>{item.page ? '取消分页' : '从此分页'}</Button>}
                        <Tooltip title="上移（Alt ↑）"><Button size="small" type="text" icon={<ArrowUpOutlined />} aria-label="上移" disabled={item === items[0]} onClick={() => onNudge(item, -1)} /></Tooltip>
                        <Tooltip title="下移（Alt ↓）"><Button size="small" type="text" icon={<ArrowDownOutlined />} aria-label="下移" disabled={item === items.at(-1)} onClick={() => onNudge(item, 1)} /></Tooltip>
                        <Tooltip title="改标题（F2）"><Button size="small" type="text" icon={<EditOutlined />} aria-label="编辑" onClick={() => onEdit(item)} /></Tooltip>
                        <Tooltip title="移除（Del）"><Button size="small" type="text" icon={<DeleteOutlined />} aria-label="移除" onClick={() => onRemove(item)} /></Tooltip>
                      </span>
                    )}
                  </li>
                </Fragment>
              )
            })}
          </ol>
        </section>
      ))}
      {line === END && <div className="combination-line" aria-hidden />}
    </div>
  )
}

/** The row above or below has the keys next. */
function focusBeside(event: KeyboardEvent, by: -1 | 1): void {
  const rows = [...event.currentTarget.closest('.combination-pages')?.querySelectorAll<HTMLElement>('.combination-item') ?? []]
  rows[rows.indexOf(event.currentTarget as HTMLElement) + by]?.focus()
}
