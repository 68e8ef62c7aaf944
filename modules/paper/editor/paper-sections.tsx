import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { DeleteOutlined, DownOutlined, EditOutlined, UpOutlined } from '@ant-design/icons'
import { Alert, Button, Empty, Space, Tooltip } from 'antd'
import { isInner, orderOf, type Change, type PaperBody } from '../compose/body.ts'
import { numbered } from '../compose/heading.ts'
import { misfits } from '../compose/kinds.ts'
import { share } from '../compose/points.ts'
import { updates } from '../compose/pick.ts'
import { PaperItemRow } from './paper-item-row.tsx'
import type { PaperEditing } from './use-paper.tsx'

type Order = Extract<Change, { do: 'arrange' }>['order']

/** Moves a question before another one, or to the end of a section. */
function placed(body: PaperBody, id: number, section: string, before: number | null): Order {
  return orderOf(body).order.map(({ key, items }) => {
    const others = items.filter((one) => one !== id)
    if (key !== section) return { key, items: others }
    const at = before === null ? others.length : others.indexOf(before)
    return { key, items: others.toSpliced(at < 0 ? others.length : at, 0, id) }
  })
}

/** A question one place up or down, across the border of its section. */
function nudged(body: PaperBody, id: number, by: -1 | 1): Order {
  const at = body.sections.findIndex(({ items }) => items.some((item) => item.practice_id === id))
  const section = body.sections[at]
  if (!section) return orderOf(body).order
  const ids = section.items.map(({ practice_id }) => practice_id)
  const place = ids.indexOf(id) + by
  if (place >= 0 && place < ids.length) return placed(body, id, section.key, by === -1 ? ids[place] ?? null : ids[place + 1] ?? null)
  const next = body.sections[at + by]
  return next ? placed(body, id, next.key, by === -1 ? null : next.items[0]?.practice_id ?? null) : orderOf(body).order
}

interface Props {
  editing: PaperEditing
  answers: boolean
  /** Section that all questions of the picker go into; else each goes to that of its kind. */
  target: string | undefined
  onTarget: (key: string) => void
  onEditSection: (key: string) => void
  onReplace: (practiceId: number) => void
}

/** The paper itself: sections and questions, in their order. */
export function PaperSections({ editing, answers, target, onTarget, onEditSection, onReplace }: Props) {
  const { body, cards, recent, change, content } = editing
  const editable = content.can_edit
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 6 } }), useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }))
  const sections = numbered(body, ({ practice_id }) => cards.get(practice_id)?.content.children.length || 1)
  const wrong = new Map(misfits(body, cards).map(({ key, text }) => [key, text]))
  const arrange = (order: Order) => change([{ do: 'arrange', order }])
  const dropped = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return
    const id = Number(active.id)
    const section = body.sections.find(({ items }) => items.some((item) => item.practice_id === Number(over.id)))
    if (!section) return
    const ids = section.items.map(({ practice_id }) => practice_id)
    const [from, to] = [ids.indexOf(id), ids.indexOf(Number(over.id))]
    // Dragged downwards inside its section a question goes behind the one that it was dropped on.
    arrange(placed(body, id, section.key, from >= 0 && from < to ? ids[to + 1] ?? null : Number(over.id)))
  }
  const moveSection = (at: number, by: -1 | 1) => {
    const { order } = orderOf(body)
    const moved = order[at]
    if (moved) arrange(order.toSpliced(at, 1).toSpliced(at + by, 0, moved))
  }
  if (sections.length === 0) return <Empty description={editable ? '还没有大题。从右侧选题，或先添加大题。' : '还没有试题'} />
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={dropped}>
      {sections.map(({ section, heading, items }, at) => (
        <section key={section.key} className={section.key === target && editable ? 'paper-section paper-section-target' : 'paper-section'} aria-label={heading}>
          {section.part && <p className="paper-part">{section.part}</p>}
          <header>
            <h3>{heading}</h3>
            {editable && (
              <Space size={4}>
                <Button size="small" type={section.key === target ? 'primary' : 'default'} aria-pressed={section.key === target} onClick={() => onTarget(section.key)}>{section.key === target ? '取消固定' : '固定选入'}</Button>
                <Tooltip title="上移大题"><Button type="text" size="small" icon={<UpOutlined />} aria-label={`上移${section.name}`} disabled={at === 0} onClick={() => moveSection(at, -1)} /></Tooltip>
                <Tooltip title="下移大题"><Button type="text" size="small" icon={<DownOutlined />} aria-label={`下移${section.name}`} disabled={at === sections.length - 1} onClick={() => moveSection(at, 1)} /></Tooltip>
                <Tooltip title="标题和说明"><Button type="text" size="small" icon={<EditOutlined />} aria-label={`编辑${section.name}`} onClick={() => onEditSection(section.key)} /></Tooltip>
                <Tooltip title="删除大题和其中的试题，可撤销"><Button type="text" size="small" danger icon={<DeleteOutlined />} aria-label={`删除${section.name}`} onClick={() => change([{ do: 'drop-section', key: section.key }])} /></Tooltip>
              </Space>
            )}
          </header>
          {section.wanted !== undefined && items.length < section.wanted && <p className="paper-faint">模板要求 {section.wanted} 题{section.each !== undefined && `，每题 ${section.each} 分`}，还差 {section.wanted - items.length} 题</p>}
          {wrong.has(section.key) && <Alert type="warning" showIcon title={wrong.get(section.key)} />}
          {section.instruction && <p className="paper-instruction">{section.instruction}</p>}
          {items.length === 0 && <p className="paper-faint">还没有试题</p>}
          <SortableContext items={items.map(({ item }) => item.practice_id)} strategy={verticalListSortingStrategy}>
            <ol className="paper-items">
              {items.map(({ item, from, to }) => (
                <PaperItemRow key={item.practice_id} item={item} card={cards.get(item.practice_id)} recent={recent} from={from} to={to} answers={answers} editable={editable} through={!isInner(section)}
                  onScore={(score, subScores) => change([{ do: 'score', practice_id: item.practice_id, score, sub_scores: subScores ?? share(score, item.sub_scores) }])}
                  onUpdate={() => change(updates(body, cards, item.practice_id))}
                  onMove={(by) => arrange(nudged(body, item.practice_id, by))}
                  onReplace={() => onReplace(item.practice_id)}
                  onRemove={() => change([{ do: 'drop-item', practice_id: item.practice_id }])} />
              ))}
            </ol>
          </SortableContext>
        </section>
      ))}
    </DndContext>
  )
}
