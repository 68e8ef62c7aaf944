import { ArrowDownOutlined, ArrowUpOutlined, HolderOutlined, MoreOutlined, PlusOutlined } from '@ant-design/icons'
import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Button, Dropdown, Empty, Tooltip, type MenuProps } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatDate } from '../../../core/field/time.ts'
import type { BlockTarget, OfferedKind } from '../calls.ts'
import { MARKS, openingWords, unlockWords, type NodeDifference } from '../compare.ts'
import { openingOf, type Figures, type Need } from '../complete.ts'
import { above, blocksByNode } from '../draft.ts'
import type { OutlineBlock } from '../node.ts'
import { targetKey, type OutlineEditing } from './use-outline.tsx'

interface Props {
  editing: OutlineEditing
  nodeKey: string
  figures: Figures | undefined
  difference: NodeDifference | undefined
  /** Names of nodes by key. */
  onGo: (key: string) => void
  /** Chooses content of a kind for this node, or instead of a block. */
  onPick: (kind: OfferedKind, instead?: OutlineBlock, slot?: number) => void
  onText: (block?: OutlineBlock) => void
  onMoveBlock: (key: string, before: string | undefined) => void
  onOpening: () => void
  onNudge: (by: -1 | 1) => void
  onRevert: () => void
  menu: NonNullable<MenuProps['items']>
}

const TONES = { ok: 'success', wait: 'warning', bad: 'error' } as const
const day = (seconds: number) => formatDate(seconds)

/** What one node consists of, beside the tree: its content in order, what is missing in its place, what is not published yet. */
export function NodePanel({ editing, nodeKey, figures, difference, onGo, onPick, onText, onMoveBlock, onOpening, onNudge, onRevert, menu }: Props) {
  const { content, draft, targets } = editing
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 6 } }))
  const node = draft.nodes.get(nodeKey)
  if (!node) return <Empty className="outline-none" image={Empty.PRESENTED_IMAGE_SIMPLE} description="选一个课时，在这里放内容" />
  const editable = content.can_edit
  const blocks = blocksByNode(draft.blocks).get(nodeKey) ?? []
  const kinds = new Map(content.kinds.map((kind) => [kind.kind, kind]))
  const learners = content.learners[nodeKey] ?? 0
  const opening = openingOf(draft, nodeKey)
  const facts = [
    ['开放', `${openingWords({ free: opening.free, trial_minutes: opening.trial_minutes })}${node.free === null ? '（同上级）' : ''}`],
    ['解锁', unlockWords(node, day)],
    ['时长', figures && figures.minutes > 0 ? `${Math.round(figures.minutes)} 分钟` : ''],
    ['齐全', figures && figures.of > 0 ? `${figures.met}/${figures.of}${figures.lacks.length > 0 ? `，缺${figures.lacks.map(({ label }) => label).join('、')}` : ''}` : ''],
    ['学过', learners > 0 ? `${learners.toLocaleString('zh-CN')} 人` : ''],
  ].filter(([, words]) => words !== '')
  const holes = figures?.lacks.filter(({ blocks: wanted }) => wanted) ?? []
  const pickHole = ({ blocks: wanted }: Need) => {
    const kind = wanted?.kinds.map((one) => kinds.get(one)).find((one) => one !== undefined)
    if (kind) onPick(kind, undefined, wanted?.slots?.[0])
  }
  return (
    <section className="outline-panel" aria-label={node.name}>
      <header>
        <p className="outline-crumbs">{above(draft.nodes, nodeKey).map((key) => <button key={key} type="button" onClick={() => onGo(key)}>{draft.nodes.get(key)?.name}</button>)}</p>
        <div className="outline-panel-head">
          <h2>{node.name}</h2>
          {difference && <span className="outline-mark" data-mark={difference.mark}>{MARKS[difference.mark]}</span>}
          {editable && (
            <span className="outline-panel-tools">
              <Tooltip title="上移（Alt ↑）"><Button type="text" size="small" icon={<ArrowUpOutlined />} aria-label="上移" onClick={() => onNudge(-1)} /></Tooltip>
              <Tooltip title="下移（Alt ↓）"><Button type="text" size="small" icon={<ArrowDownOutlined />} aria-label="下移" onClick={() => onNudge(1)} /></Tooltip>
              <Dropdown trigger={['click']} menu={{ items: menu }}><Button type="text" size="small" icon={<MoreOutlined />} aria-label="更多操作" /></Dropdown>
            </span>
          )}
        </div>
        <dl className="outline-facts">
          {facts.map(([label, words]) => <div key={label}><dt>{label}</dt><dd>{editable && (label === '开放' || label === '解锁') ? <button type="button" onClick={onOpening}>{words}</button> : words}</dd></div>)}
        </dl>
      </header>
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={({ active, over }) => {
        if (!over || active.id === over.id) return
        const keys = blocks.map(({ key }) => key)
        const [from, to] = [keys.indexOf(String(active.id)), keys.indexOf(String(over.id))]
        onMoveBlock(String(active.id), from < to ? keys[to + 1] : keys[to])
      }}>
        <SortableContext items={blocks.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
          <ul className="outline-blocks">
            {blocks.map((block, index) => (
              <BlockRow key={block.key} editing={editing} block={block} kind={kinds.get(block.kind)} target={targets.get(targetKey({ kind: block.kind, id: block.ref_id }))}
                onPick={onPick} onText={onText} onUp={index > 0 ? () => onMoveBlock(block.key, blocks[index - 1]?.key) : undefined} onDown={index < blocks.length - 1 ? () => onMoveBlock(block.key, blocks[index + 2]?.key) : undefined} />
            ))}
            {holes.map((need) => (
              <li key={need.key} className="outline-block outline-hole">
                <span className="outline-cover"><PlusOutlined /></span>
                <span className="outline-block-words"><b>缺{need.label}</b><small>{need.hint ?? ''}</small></span>
                {editable && <Button size="small" onClick={() => pickHole(need)}>选{need.label}</Button>}
              </li>
            ))}
          </ul>
        </SortableContext>
      </DndContext>
      {blocks.length === 0 && holes.length === 0 && <p className="outline-hint">还没有内容</p>}
      {editable && (
        <p className="outline-add"><span>添加</span>{content.kinds.map((kind) => <Button key={kind.kind} size="small" onClick={() => (kind.refers ? onPick(kind) : onText())}>{kind.label}</Button>)}</p>
      )}
      {difference && content.version_no > 0 && (
        <div className="outline-news">
          <h3>未发布的改动 <small>{difference.lines.length > 0 ? `${difference.lines.length} 处` : MARKS[difference.mark]}</small>
            {editable && difference.mark !== 'added' && <Button type="link" size="small" onClick={onRevert}>撤销这些改动</Button>}</h3>
          <Lines lines={difference.lines} />
          {learners > 0 && <p className="outline-hint">发布后 {learners.toLocaleString('zh-CN')} 名学过的学员会看到</p>}
        </div>
      )}
    </section>
  )
}

/** What is different, old beside new. */
export function Lines({ lines }: { lines: NodeDifference['lines'] }): ReactNode {
  return <ul className="outline-lines">{lines.map(({ what, from, to, block }) => <li key={`${what} ${block ?? ''}`}><span>{what}</span>{from !== null && <s>{from}</s>}{from !== null && to !== null && ' → '}{to ?? <em>移除</em>}</li>)}</ul>
}

interface BlockProps extends Pick<Props, 'editing' | 'onPick' | 'onText'> {
  block: OutlineBlock
  kind: OfferedKind | undefined
  target: BlockTarget | undefined
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
}

function BlockRow({ editing, block, kind, target, onPick, onText, onUp, onDown }: BlockProps) {
  const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({ id: block.key })
  const { change, content } = editing
  const editable = content.can_edit
  const refers = kind?.refers ?? true
  const set = (values: Parameters<typeof change>[0][number] & { do: 'block' }) => change([values])
  const slot = kind?.slots.find(({ value }) => value === block.slot)?.label
  const stale = block.version_no !== null && target?.version_no != null && target.version_no > block.version_no ? target.version_no : undefined
  const version = !kind?.versions || target?.version_no == null ? undefined : block.version_no === null ? '跟最新版' : `锁定 v${block.version_no}`
  const name = block.title || target?.name || (refers ? '已被删除' : '未命名')
  const health = refers ? target?.health ?? { tone: 'bad' as const, words: '已被删除' } : undefined
  const items: NonNullable<MenuProps['items']> = [
    ...(refers && kind ? [{ key: 'instead', label: `换一个${kind.label}`, onClick: () => onPick(kind, block) }] : []),
    ...(refers ? [] : [{ key: 'text', label: '编辑图文', onClick: () => onText(block) }]),
    ...(kind && kind.slots.length > 0 ? [{ key: 'slot', label: '用途', children: kind.slots.map(({ value, label }) => ({ key: `slot-${value}`, label, disabled: value === block.slot, onClick: () => set({ do: 'block', keys: [block.key], values: { slot: value } }) })) }] : []),
    ...(version === undefined ? [] : [{ key: 'version', label: block.version_no === null ? `锁定 v${target?.version_no}` : '跟最新版', onClick: () => set({ do: 'block', keys: [block.key], values: { version_no: block.version_no === null ? target?.version_no ?? null : null } }) }]),
    ...(onUp ? [{ key: 'up', label: '上移', onClick: onUp }] : []),
    ...(onDown ? [{ key: 'down', label: '下移', onClick: onDown }] : []),
    { key: 'unbind', label: '移除', danger: true, onClick: () => change([{ do: 'unbind', keys: [block.key] }]) },
  ]
  return (
    <li ref={setNodeRef} className="outline-block" data-dragging={isDragging} style={{ transform: CSS.Transform.toString(transform), transition }}>
      {editable && <span className="outline-grip" {...attributes} {...listeners} aria-label={`拖动 ${name}`}><HolderOutlined /></span>}
      <span className="outline-cover">{target?.cover ? <img src={target.cover} alt="" loading="lazy" /> : kind?.label.slice(0, 2)}</span>
      <span className="outline-block-words">
        <b>{target?.path ? <Link to={target.path}>{name}</Link> : name}</b>
        <small>{[kind?.label, slot, target?.note, version].filter(Boolean).join(' · ')}{!refers && block.text !== '' && ` · ${block.text.slice(0, 40)}`}</small>
        {health && health.tone !== 'ok' && <small className="outline-reason" data-tone={health.tone}>{health.words}</small>}
      </span>
      {health?.tone === 'ok' && <span className="state" data-tone={TONES.ok}>{health.words}</span>}
      {editable && stale !== undefined && <Button size="small" onClick={() => set({ do: 'block', keys: [block.key], values: { version_no: stale } })}>换到 v{stale}</Button>}
      {editable && health?.tone === 'bad' && kind && <Button size="small" onClick={() => onPick(kind, block)}>换一个</Button>}
      {editable && <Dropdown trigger={['click']} menu={{ items }}><Button type="text" size="small" icon={<MoreOutlined />} aria-label={`${name} 的操作`} /></Dropdown>}
    </li>
  )
}
