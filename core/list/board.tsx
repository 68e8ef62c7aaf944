import { DndContext, DragOverlay, MouseSensor, TouchSensor, useDraggable, useDroppable, useSensor, useSensors } from '@dnd-kit/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { App, Button, Radio, Skeleton } from 'antd'
import { useState, type KeyboardEvent } from 'react'
import { request } from '../endpoint/call.tsx'
import { StateWord } from '../field/choice.tsx'
import { useTransit } from '../record/use-transit.tsx'
import type { Transition } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { moveTo } from './board-moves.ts'
import { RecordCard, type CardProps } from './card-list.tsx'
import { boardStates } from './look.ts'
import { counted, LookFailed, type LookProps } from './look-parts.tsx'
import { useGroups } from './use-groups.tsx'
import './looks.css'

/** Cards of a column that are read at a time. */
const PAGE = 20

type Value = string | number
type Shift = (row: WireRow, by: 1 | -1) => void

/** A list by its states: a card that is put into another column goes through the transition between them. */
export function Board(props: LookProps<'board'>) {
  const { resource, query, tools } = props
  const { message, modal } = App.useApp()
  const { transit } = useTransit(resource, tools.reload)
  const [held, setHeld] = useState<WireRow>()
  const sensors = useSensors(useSensor(MouseSensor, { activationConstraint: { distance: 6 } }), useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 6 } }))
  const states = boardStates(resource)
  const key = states?.key ?? ''
  const { data, error, refetch } = useGroups(resource, query, { key, unit: undefined })
  if (!states) return null
  if (error && !data) return <LookFailed error={error} retry={refetch} />
  const counts = new Map(data?.groups.map(({ value, count }) => [value, count]))
  const wanted = [query[key] ?? []].flat().map(String)
  const columns = states.choices.filter(({ value, past }) => (wanted.length === 0 || wanted.includes(String(value))) && (!past || (counts.get(value) ?? 0) > 0))

  const choose = (row: WireRow, edges: readonly Transition[]) => {
    let [chosen] = edges
    modal.confirm({
      title: '怎样处理？', okText: '下一步',
      content: <Radio.Group defaultValue={chosen?.name} options={edges.map(({ name, label }) => ({ value: name, label }))} onChange={(event) => { chosen = edges.find(({ name }) => name === event.target.value) }} />,
      onOk: () => { if (chosen) transit(row, chosen) },
    })
  }
  const put = (row: WireRow, to: Value) => {
    if (row[key] === to) return
    const move = moveTo(resource, key, row, to)
    if ('why' in move) return void message.warning(move.why)
    const [only] = move.edges
    if (only && move.edges.length === 1) transit(row, only)
    else choose(row, move.edges)
  }
  const shift: Shift = (row, by) => {
    const next = columns[columns.findIndex(({ value }) => value === row[key]) + by]
    if (next) put(row, next.value)
  }
  return (
    // Whoever uses no pointer moves cards by Alt and an arrow; the library's own words for screen readers speak of another way.
    <DndContext sensors={sensors} accessibility={{ screenReaderInstructions: { draggable: 'Alt 加左右箭头把卡片移到旁边的一列' }, announcements: { onDragStart: () => '拿起卡片', onDragOver: () => undefined, onDragEnd: () => '放下卡片', onDragCancel: () => '取消移动' } }}
      onDragStart={({ active }) => setHeld(active.data.current as WireRow)} onDragCancel={() => setHeld(undefined)}
      onDragEnd={({ active, over }) => {
        setHeld(undefined)
        const to = columns.find(({ value }) => over?.id === columnId(value))
        if (to) put(active.data.current as WireRow, to.value)
      }}>
      <div className="board">
        {columns.map((choice) => (
          <Column key={choice.value} {...props} name={key} value={choice.value} count={counts.get(choice.value) ?? (data ? 0 : undefined)} onShift={shift}
            welcome={held && held[key] !== choice.value ? !('why' in moveTo(resource, key, held, choice.value)) : undefined} head={<StateWord choices={states.choices} value={choice.value} />} label={choice.label} />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>{held && <ul className="board-held"><RecordCard {...props} row={held} stateless /></ul>}</DragOverlay>
    </DndContext>
  )
}

const columnId = (value: Value) => `column ${String(value)}`

interface ColumnProps extends LookProps<'board'> {
  /** The field of the states. */
  name: string
  value: Value
  count: number | undefined
  onShift: Shift
  /** Whether the card in hand can be put here; undefined while there is none. */
  welcome: boolean | undefined
  head: React.ReactNode
  label: string
}

function Column({ name, value, count, onShift, welcome, head, label, ...props }: ColumnProps) {
  const { resource, query } = props
  const { setNodeRef, isOver } = useDroppable({ id: columnId(value) })
  const asked = { ...query, [name]: [String(value)], page_size: PAGE }
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['list', resource.name, 'board', asked],
    queryFn: ({ signal, pageParam }) => request<Record<string, unknown>>('GET', resource.api.list, { ...asked, ...(pageParam && { cursor: pageParam }) }, { signal, quiet: true }),
    initialPageParam: '',
    getNextPageParam: (page) => page['next'] as string | undefined,
    placeholderData: keepPreviousData,
    enabled: count !== 0,
  })
  const rows = count === 0 ? [] : data?.pages.flatMap((page) => page[resource.api.reply.items] as WireRow[])
  return (
    <section ref={setNodeRef} className="board-column" data-over={isOver} data-welcome={welcome} aria-label={label}>
      <h3>{head}{count !== undefined && <small>{counted(count)}</small>}</h3>
      {error && !rows ? <LookFailed error={error} retry={refetch} /> : !rows ? <Skeleton active className="look-wait" /> : (
        <ul>
          {rows.map((row) => <Card key={row.id} {...props} row={row} onShift={onShift} />)}
          {rows.length === 0 && <li className="board-empty">没有记录</li>}
        </ul>
      )}
      {hasNextPage && count !== 0 && <Button type="text" size="small" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>再显示 {PAGE} 条</Button>}
    </section>
  )
}

/** The card beside another one: above or below in its column, or at the same height in the next. */
function beside(card: Element, key: string): HTMLElement | null | undefined {
  if (key === 'ArrowUp') return card.previousElementSibling as HTMLElement | null
  if (key === 'ArrowDown') return card.nextElementSibling as HTMLElement | null
  const column = card.closest('.board-column')
  const other = key === 'ArrowLeft' ? column?.previousElementSibling : column?.nextElementSibling
  const cards = [...other?.querySelectorAll<HTMLElement>('.record-card') ?? []]
  return cards[Math.min([...card.parentElement?.children ?? []].indexOf(card), cards.length - 1)]
}

function Card({ onShift, ...props }: CardProps & { onShift: Shift }) {
  const { row, onOpen } = props
  const { listeners, setNodeRef, isDragging } = useDraggable({ id: row.id, data: row })
  const keys = (event: KeyboardEvent<HTMLLIElement>) => {
    if (event.target !== event.currentTarget) return
    const { key, altKey } = event
    if (altKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      event.preventDefault()
      onShift(row, key === 'ArrowLeft' ? -1 : 1)
    } else if (!altKey && key.startsWith('Arrow')) {
      event.preventDefault()
      beside(event.currentTarget, key)?.focus()
    } else if (key === 'Enter') onOpen(row)
  }
  const item = { ref: setNodeRef, tabIndex: 0, 'aria-keyshortcuts': 'Alt+ArrowLeft Alt+ArrowRight', 'data-dragging': isDragging, onKeyDown: keys, ...listeners }
  return <RecordCard {...props} stateless item={item} />
}
