import { HolderOutlined } from '@ant-design/icons'
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { choiceLabel } from '../../../core/field/choice.ts'
import { TERM_KINDS, type PackTerm } from '../pack-term.ts'

interface RowProps { term: PackTerm; place: number; chosen: boolean; used: number; fixed: boolean; onChoose: () => void }

function Row({ term, place, chosen, used, fixed, onChoose }: RowProps) {
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({ id: term.key, disabled: fixed })
  const more = [choiceLabel(TERM_KINDS, term.kind), used > 0 ? `${used} 项内容用到` : '没有内容用到', ...(term.sound_id ? ['有声音'] : []), ...(term.picture_id ? ['有图片'] : []), ...(term.explain ? [] : ['没有释义'])]
  return (
    <li ref={setNodeRef} data-dragging={isDragging} data-chosen={chosen} style={{ transform: CSS.Transform.toString(transform), transition }}>
      {!fixed && <button type="button" className="term-handle" {...attributes} {...listeners} aria-label={`拖动 ${term.word}`}><HolderOutlined /></button>}
      <button type="button" className="term-row" aria-current={chosen} onClick={onChoose}><span><i>{place}</i>{term.word || '未命名'}</span><small>{more.join(' · ')}</small></button>
    </li>
  )
}

/** Terms in their order: dragged, or moved by keys. @param shown the terms that words leave; while some are left out the order stays */
export function TermOrder({ terms, shown, chosen, usedBy, fixed, onChoose, onOrder }: { terms: readonly PackTerm[]; shown: ReadonlySet<string>; chosen: string | undefined; usedBy: (term: PackTerm) => number; fixed: boolean; onChoose: (key: string) => void; onOrder: (terms: PackTerm[]) => void }) {
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }), useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }))
  const place = (key: unknown) => terms.findIndex((term) => term.key === key)
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={({ active, over }) => { if (over && over.id !== active.id) onOrder(arrayMove([...terms], place(active.id), place(over.id))) }}>
      <SortableContext items={terms.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
        <ol className="term-list" aria-label="词条">{terms.map((term, at) => (shown.has(term.key) ? <Row key={term.key} term={term} place={at + 1} chosen={term.key === chosen} used={usedBy(term)} fixed={fixed || shown.size < terms.length} onChoose={() => onChoose(term.key)} /> : null))}</ol>
      </SortableContext>
    </DndContext>
  )
}
