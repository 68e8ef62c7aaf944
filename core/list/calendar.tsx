import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { DndContext, MouseSensor, useDraggable, useDroppable, useSensor, useSensors } from '@dnd-kit/core'
import { CSS } from '@dnd-kit/utilities'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Segmented, Select } from 'antd'
import { useState, type KeyboardEvent } from 'react'
import { request } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { formatDate, formatTime, startOfDay } from '../field/time.ts'
import { showValues } from '../record/show-values.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { writableKeys } from '../resource/rules.ts'
import { useWide } from '../ui/use-media.tsx'
import { useMinute } from '../ui/use-minute.tsx'
import { useSaid } from '../undo/use-said.tsx'
import { filterQuery } from './list-state.ts'
import { calendarKeys, SPANS, type Span } from './look.ts'
import { counted, LookFailed, type LookProps } from './look-parts.tsx'
import { calendarDays, dayAt, narrowTo, withinStretch } from './narrow.ts'
import { useGroups } from './use-groups.tsx'
import './looks.css'

const DAY = 86_400
/** Records of a day that are seen at once. */
const SHOWN: Readonly<Record<Span, number>> = { month: 4, week: 20 }
const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日']
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** The same place in the span before or after. */
function step(day: number, span: Span, by: 1 | -1): number {
  if (span === 'week') return day + by * 7 * DAY
  const first = dayAt(`${formatDate(day).slice(0, 7)}-01`)
  return by === 1 ? dayAt(`${formatDate(first + 31 * DAY).slice(0, 7)}-01`) : dayAt(`${formatDate(first - DAY).slice(0, 7)}-01`)
}

/** A list by the days of one of its moments. What can be changed is put on another day by dragging it there, or by Alt and an arrow. */
export function Calendar(props: LookProps<'calendar'>) {
  const { resource, look, onLook, state, query, onNarrow, tools } = props
  const { key, span } = look
  const { message } = App.useApp()
  const said = useSaid()
  const client = useQueryClient()
  const wide = useWide('md')
  const sensors = useSensors(useSensor(MouseSensor, { activationConstraint: { distance: 6 } }))
  const today = startOfDay(useMinute())
  const at = look.day === undefined ? today : dayAt(look.day)
  // On a phone a day shows its number; its records stand below.
  const [picked, setPicked] = useState<number>()
  const days = calendarDays(at, span)
  const [from = 0, to = 0] = [days[0], (days.at(-1) ?? 0) + DAY - 1]
  const asked = filterQuery({ ...state, filters: withinStretch(resource, state.filters, key, { from, to }) })
  const { data, error, refetch } = useGroups(resource, { ...query, ...asked }, { key, unit: 'day' }, SHOWN[span])
  const ids = data?.groups.flatMap((group) => group.ids ?? []) ?? []
  const { data: found } = useQuery({
    queryKey: ['list', resource.name, { ids }], queryFn: ({ signal }) => request<Record<string, unknown>>('GET', resource.api.list, { ids, page_size: 200 }, { signal, quiet: true }), enabled: ids.length > 0, placeholderData: keepPreviousData,
  })
  if (error && !data) return <LookFailed error={error} retry={refetch} />
  const rows = new Map(((found?.[resource.api.reply.items] ?? []) as WireRow[]).map((row) => [row.id, row]))
  const groups = new Map(data?.groups.map((group) => [Number(group.value), group]))
  const field = fieldOf(resource, key)
  const writable = writableKeys(resource).includes(key) && field.createOnly !== true && field.behind === undefined
  const go = (day: number | undefined, next: Span = span) => onLook({ kind: 'calendar', key, span: next, day: day === undefined ? undefined : formatDate(day) })

  const move = async (row: WireRow, by: number) => {
    if (by === 0) return
    if (!writable || !row.can.includes('edit')) return void message.warning(row.cannot?.['edit'] ?? (writable ? '您没有修改这条记录的权限' : `「${field.label}」不能直接修改`))
    try {
      const saved = await request<WireRow>('PUT', `${resource.api.item}/${row.id}`, { [key]: Number(row[key]) + by * DAY, rev: row.rev }, { quiet: true })
      showValues(client, resource, row.id, saved)
      said({ words: `已改到 ${formatDate(Number(saved[key]))}`, undo: saved.undo as number | undefined })
    } catch (reason) {
      if (!(reason instanceof CallError)) throw reason
      void message.error(reason.fields[key] ?? reason.message)
    } finally {
      tools.reload()
    }
  }
  const more = (day: number) => {
    const filters = narrowTo(resource, state.filters, { key, unit: 'day' }, day)
    if (filters) onNarrow(filters)
  }
  const entries = (day: number) => {
    const group = groups.get(day)
    const shown = (group?.ids ?? []).flatMap((id) => rows.get(id) ?? [])
    const left = (group?.count ?? 0) - (group?.ids?.length ?? 0)
    return (
      <>
        {shown.map((row) => <Entry key={row.id} {...props} row={row} name={key} movable={writable && row.can.includes('edit')} onMove={(by) => void move(row, by)} />)}
        {left > 0 && <button type="button" className="calendar-more" onClick={() => more(day)}>还有 {counted(left)} 条</button>}
      </>
    )
  }
  const month = formatDate(at).slice(0, 7)
  return (
    <div className="calendar">
      <div className="look-line">
        <Button icon={<LeftOutlined />} aria-label={`上一${SPANS[span]}`} onClick={() => go(step(at, span, -1))} />
        <b className="calendar-title" aria-live="polite">{span === 'month' ? month : `${formatDate(from)} 至 ${formatDate(to).slice(5)}`}</b>
        <Button icon={<RightOutlined />} aria-label={`下一${SPANS[span]}`} onClick={() => go(step(at, span, 1))} />
        <Button onClick={() => go(undefined)}>今天</Button>
        <Segmented<Span> value={span} onChange={(next) => go(at, next)} options={Object.entries(SPANS).map(([value, label]) => ({ value: value as Span, label }))} />
        {calendarKeys(resource).length > 1 && <Select<string> aria-label="按哪个时间" value={key} popupMatchSelectWidth={false} options={calendarKeys(resource).map((one) => ({ value: one, label: fieldOf(resource, one).label }))} onChange={(next) => onLook({ ...look, key: next })} />}
        {data && <span className="note">{field.label}在此期间的 {counted(data.total)} 条</span>}
      </div>
      <DndContext sensors={sensors} accessibility={{ screenReaderInstructions: { draggable: 'Alt 加箭头把记录移到别的日子' } }}
        onDragEnd={({ active, over }) => { if (over) void move(active.data.current as WireRow, Math.round((Number(over.id) - startOfDay(Number((active.data.current as WireRow)[key]))) / DAY)) }}>
        <div className={`calendar-grid calendar-${span}`}>
          {WEEKDAYS.map((word) => <span key={word} className="calendar-weekday" aria-hidden>周{word}</span>)}
          {days.map((day) => (
            <DayCell key={day} day={day} outside={span === 'month' && formatDate(day).slice(0, 7) !== month} today={day === today} count={groups.get(day)?.count ?? 0} picked={day === picked} onPick={wide ? undefined : () => setPicked(day)}>
              {wide && entries(day)}
            </DayCell>
          ))}
        </div>
        {!wide && picked !== undefined && days.includes(picked) && <section className="calendar-picked" aria-label={formatDate(picked)}><h3>{formatDate(picked)}</h3>{groups.has(picked) ? entries(picked) : <p className="note">这一天没有记录</p>}</section>}
      </DndContext>
    </div>
  )
}

interface DayProps {
  day: number
  outside: boolean
  today: boolean
  count: number
  picked: boolean
  /** Shows its records elsewhere; absent where they stand in it. */
  onPick: (() => void) | undefined
  children: React.ReactNode
}

function DayCell({ day, outside, today, count, picked, onPick, children }: DayProps) {
  const { setNodeRef, isOver } = useDroppable({ id: day })
  const date = formatDate(day)
  return (
    <section ref={setNodeRef} className="calendar-day" data-outside={outside} data-today={today} data-over={isOver} data-picked={picked} aria-label={`${date}，${count} 条`}>
      {onPick ? <button type="button" className="calendar-pick" aria-pressed={picked} onClick={onPick}><span>{Number(date.slice(8))}</span>{count > 0 && <b>{counted(count)}</b>}</button>
        : <header><span>{Number(date.slice(8))}</span></header>}
      {children}
    </section>
  )
}

interface EntryProps extends LookProps<'calendar'> {
  row: WireRow
  /** The field whose day it stands on. */
  name: string
  movable: boolean
  onMove: (days: number) => void
}

function Entry({ resource, row, name, movable, onMove, onOpen, tone }: EntryProps) {
  const { listeners, setNodeRef, transform, isDragging } = useDraggable({ id: row.id, data: row, disabled: !movable })
  const clock = formatTime(Number(row[name])).slice(11, 16)
  const keys = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (!event.altKey || by === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <button ref={setNodeRef} type="button" className={`calendar-entry ${tone?.(row) ?? ''}`} data-row-key={row.id} data-dragging={isDragging} data-movable={movable} style={{ transform: CSS.Translate.toString(transform) }} {...listeners} onKeyDown={keys} onClick={() => onOpen(row)}>
      {clock !== '00:00' && <small>{clock}</small>}<span>{String(row[resource.title] ?? row.id)}</span>
    </button>
  )
}
