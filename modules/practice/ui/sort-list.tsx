import { HolderOutlined } from '@ant-design/icons'
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Button } from 'antd'
import type { ReactNode } from 'react'

interface Item {
  id: number | string
  name: string
}

interface RowProps {
  item: Item
  place: number
  last: boolean
  children: ReactNode
  onNudge: (by: -1 | 1) => void
}

function Row({ item, place, last, children, onNudge }: RowProps) {
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({ id: item.id })
  return (
    <li ref={setNodeRef} data-dragging={isDragging} style={{ transform: CSS.Transform.toString(transform), transition }}>
      <button type="button" className="order-handle" {...attributes} {...listeners} aria-label={`拖动 ${item.name}`}><HolderOutlined /></button>
      <span className="order-place">{place}</span>
      <span className="order-name">{children}</span>
      <Button size="small" type="text" disabled={place === 1} aria-label={`上移 ${item.name}`} onClick={() => onNudge(-1)}>↑</Button>
      <Button size="small" type="text" disabled={last} aria-label={`下移 ${item.name}`} onClick={() => onNudge(1)}>↓</Button>
    </li>
  )
}

/** A list whose entries are dragged, or moved by keys and buttons, into another order. */
export function SortList<Entry extends Item>({ items, onChange, children }: { items: readonly Entry[]; onChange: (items: Entry[]) => void; children: (item: Entry) => ReactNode }) {
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }), useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }))
  const move = (from: number, to: number) => onChange(arrayMove([...items], from, to))
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={({ active, over }) => {
      if (over && over.id !== active.id) move(items.findIndex(({ id }) => id === active.id), items.findIndex(({ id }) => id === over.id))
    }}>
      <SortableContext items={items.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        <ol className="order-list">{items.map((item, index) => <Row key={item.id} item={item} place={index + 1} last={index === items.length - 1} onNudge={(by) => move(index, index + by)}>{children(item)}</Row>)}</ol>
      </SortableContext>
    </DndContext>
  )
}
