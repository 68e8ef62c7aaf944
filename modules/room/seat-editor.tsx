import { Alert, App, Button, Drawer, InputNumber, Select, Skeleton, Space, Tooltip } from 'antd'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../core/endpoint/call.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import type { partnerMap } from './map-calls.ts'
import { SEAT_KINDS, type SeatKind } from './price-rule.ts'
import { SeatBoard, SQUARE } from './seat-board.tsx'
import { addRow, copyRows, layoutProblem, misplaced, moveSeats, neighbour, renumber, samelyNamed, seatLabel, type Layout } from './seat-layout.ts'
import type { Rooms } from './ownerships.ts'

const ARROWS: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
const AREAS = ['A', 'B', 'C', 'D', 'V']

/** Draws the seats of a room: by dragging and by keys, with steps that can be taken back. */
export function SeatEditor({ calls, row, reload, onClose }: RowDialogProps<Rooms['room']> & { calls: typeof partnerMap }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const params = { id: row.id }
  const { data, error } = useQuery({ queryKey: ['seat_map', calls.read.path, row.id, 'edit'], queryFn: ({ signal }) => call(calls.read, undefined, { params, signal }), staleTime: 0, gcTime: 0, refetchOnWindowFocus: false })
  const [steps, setSteps] = useState<Layout[]>([])
  const [undone, setUndone] = useState<Layout[]>([])
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState('A')
  const [kind, setKind] = useState<SeatKind>(1)
  const [count, setCount] = useState(8)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const grabbed = useRef<{ keys: ReadonlySet<string>; x: number; y: number; from: Layout } | undefined>(undefined)
  const [dragged, setDragged] = useState<Layout>()
  const first: Layout = data?.seats.map((seat) => ({ key: String(seat.id), id: seat.id, area: seat.area, row: seat.row, no: seat.no, kind: seat.kind, x: seat.x, y: seat.y, status: seat.status })) ?? []
  const seats = dragged ?? steps.at(-1) ?? first
  const close = useCloseGuard(steps.length > 0, `${row.name}的座位图`, onClose)

  const apply = (next: Layout) => {
    setProblem(undefined)
    if (next === seats) return
    setSteps((list) => [...list, next])
    setUndone([])
  }
  const undo = () => { const last = steps.at(-1); if (last) { setSteps(steps.slice(0, -1)); setUndone([...undone, last]) } }
  const redo = () => { const next = undone.at(-1); if (next) { setUndone(undone.slice(0, -1)); setSteps([...steps, next]) } }
  const remove = () => { apply(seats.filter((seat) => !picked.has(seat.key))); setPicked(new Set()) }
  const copy = () => { const { seats: next, added } = copyRows(seats, picked); apply(next); if (added.size > 0) setPicked(added) }
  const change = (part: Partial<Layout[number]>) => apply(seats.map((seat) => (picked.has(seat.key) ? { ...seat, ...part } : seat)))

  const keys = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    const control = event.ctrlKey || event.metaKey
    const letter = event.key.toLowerCase()
    if (arrow && control) {
      const here = seats.find((seat) => seat.key === (event.target as HTMLElement).dataset['seat'])
      const next = here && neighbour(seats, here, ...arrow)
      if (next) event.currentTarget.closest('.seat-board')?.querySelector<HTMLElement>(`[data-seat="${next.key}"]`)?.focus()
    } else if (arrow) apply(moveSeats(seats, picked, ...arrow))
    else if (event.key === 'Delete' || event.key === 'Backspace') remove()
    else if (control && letter === 'd') copy()
    else if (control && letter === 'a') setPicked(new Set(seats.map((seat) => seat.key)))
    else if (control && letter === 'z') undo()
    else if (control && letter === 'y') redo()
    else return
    event.preventDefault()
  }
  const pick = (key: string, { shiftKey }: { shiftKey: boolean }) => setPicked((old) => {
    if (!shiftKey) return new Set([key])
    const next = new Set(old)
    if (!next.delete(key)) next.add(key)
    return next
  })
  const grab = (key: string, event: PointerEvent) => {
    if (event.shiftKey) return
    grabbed.current = { keys: picked.has(key) ? picked : new Set([key]), x: event.clientX, y: event.clientY, from: seats }
  }
  useEffect(() => {
    const size = SQUARE * zoom
    const moved = (event: globalThis.PointerEvent) => {
      const held = grabbed.current
      return held && moveSeats(held.from, held.keys, Math.round((event.clientX - held.x) / size), Math.round((event.clientY - held.y) / size))
    }
    const move = (event: globalThis.PointerEvent) => { const next = moved(event); if (next) setDragged(next) }
    const drop = (event: globalThis.PointerEvent) => {
      const next = moved(event)
      const from = grabbed.current?.from
      grabbed.current = undefined
      setDragged(undefined)
      if (next && next !== from) { setSteps((list) => [...list, next]); setUndone([]); setProblem(undefined) }
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', drop)
    return () => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', drop)
    }
  }, [zoom])

  const save = async () => {
    const wrong = layoutProblem(seats)
    if (wrong || !data) return setProblem(wrong)
    setBusy(true)
    try {
      await call(calls.save, { rev: data.room.rev, seats: seats.map(({ key: _key, id, status, ...seat }) => ({ ...seat, ...(id !== undefined && { id }), status: status === 1 ? 1 as const : 0 as const })) }, { params, quiet: true })
      void message.success('座位图已保存')
      void client.invalidateQueries({ queryKey: ['seat_map'] })
      reload()
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '保存失败')
      setBusy(false)
    }
  }
  const wrong = new Set([...misplaced(seats), ...samelyNamed(seats)])
  const some = picked.size > 0

  return (
    <Drawer open title={`座位图 · ${row.name}`} size="100%" onClose={close} extra={<Button type="primary" disabled={steps.length === 0} loading={busy} onClick={() => void save()}>保存</Button>}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {error ? <Alert type="error" showIcon title={error.message} /> : !data ? <Skeleton active /> : (
        <>
          <div className="seat-tools">
            <Select aria-label="区域" value={area} onChange={setArea} options={AREAS.map((value) => ({ value, label: `${value} 区` }))} />
            <Select<SeatKind> aria-label="座位类型" value={kind} onChange={setKind} options={SEAT_KINDS.map(({ value, label }) => ({ value, label }))} />
            <InputNumber aria-label="座位数" min={1} max={30} value={count} onChange={(next) => setCount(next ?? 1)} suffix="座" />
            <Button type="primary" onClick={() => apply(addRow(seats, area, count, kind))}>添加一排</Button>
            <Button disabled={!some} onClick={copy}>复制排</Button>
            <Button disabled={!some} onClick={() => change({ kind })}>改类型</Button>
            <Button disabled={!some} onClick={() => change({ area })}>改区域</Button>
            <Button disabled={!some} onClick={() => change({ status: 0 })}>停用</Button>
            <Button disabled={!some} onClick={() => change({ status: 1 })}>启用</Button>
            <Button onClick={() => apply(renumber(seats, new Set(seats.map((seat) => seat.area))))} disabled={seats.length === 0}>重新编号</Button>
            <Button danger disabled={!some} onClick={remove}>删除</Button>
            <Space.Compact>
              <Button disabled={steps.length === 0} onClick={undo}>撤销</Button>
              <Button disabled={undone.length === 0} onClick={redo}>重做</Button>
            </Space.Compact>
            <Space.Compact>
              <Button aria-label="缩小" onClick={() => setZoom(Math.max(0.5, zoom - 0.25))}>－</Button>
              <Button onClick={() => setZoom(1)}>{Math.round(zoom * 100)}%</Button>
              <Button aria-label="放大" onClick={() => setZoom(Math.min(2, zoom + 0.25))}>＋</Button>
            </Space.Compact>
            <Tooltip title="方向键移动所选，Ctrl+方向键换座位，Shift+单击多选，Ctrl+D 复制排，Ctrl+A 全选，Delete 删除，Ctrl+Z 撤销"><Button type="text">快捷键</Button></Tooltip>
            <span className="note">共 {seats.length} 座{some && `，已选 ${picked.size}`}</span>
          </div>
          <SeatBoard drawing label="座位图" zoom={zoom} onPick={pick} onKeyDown={keys} onGrab={grab}
            seats={seats.map((seat) => ({ ...seat, title: seatLabel(seat), look: picked.has(seat.key) ? 'picked' : wrong.has(seat.key) ? 'wrong' : undefined }))} />
        </>
      )}
    </Drawer>
  )
}
