import { Alert, Input, Modal } from 'antd'
import { useState } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { formatDate, formatTime, startOfDay } from '../../core/field/time.ts'
import { MOST_TRIED, tryMeeting, type Meeting } from './calls.ts'
import { vacationMeeting } from './meeting.ts'
import { onDay, weekdayOf } from './schedule.ts'

const DAY = 86_400
/** Days by which an arrow key moves a meeting. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** A meeting that is being moved, the day it would be on, and what it would take twice on each day that can be seen. */
interface Held {
  readonly meeting: Meeting
  readonly day: number
  readonly conflicts: ReadonlyMap<number, readonly string[]>
}

/** Days of whole weeks around the meetings, and a week more, so that a meeting can be put behind the last. */
function daysAround(meetings: readonly Meeting[]): number[] {
  const [first, last] = [meetings[0], meetings.at(-1)]
  if (!first || !last) return []
  const from = startOfDay(first.start_at) - (weekdayOf(first.start_at) - 1) * DAY
  const to = startOfDay(last.start_at) + (14 - weekdayOf(last.start_at)) * DAY
  return Array.from({ length: Math.round((to - from) / DAY) + 1 }, (_, index) => from + index * DAY)
}

/** The meetings of a class on a calendar: dragged, or moved by the arrow keys; what would be taken twice is said before. */
export function Timetable({ meetings, may, onMoved }: { meetings: readonly Meeting[]; may: boolean; onMoved: () => void }) {
  const [held, setHeld] = useState<Held>()
  const [asking, setAsking] = useState<{ meeting: Meeting; day: number; sentence: string }>()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const days = daysAround(meetings)
  const [today] = useState(() => formatDate(Date.now() / 1000))

  const hold = async (meeting: Meeting) => {
    setProblem(undefined)
    setHeld({ meeting, day: startOfDay(meeting.start_at), conflicts: new Map() })
    // As many days as one call takes, around the meeting itself.
    const at = days.indexOf(startOfDay(meeting.start_at))
    const near = days.slice(Math.max(0, at - MOST_TRIED / 2), Math.max(0, at - MOST_TRIED / 2) + MOST_TRIED)
    try {
      const { conflicts } = await call(tryMeeting, { starts: near.map((day) => onDay(meeting, day).start_at) }, { params: { id: meeting.id }, quiet: true })
      setHeld((now) => (now?.meeting.id === meeting.id ? { ...now, conflicts: new Map(near.map((day, index) => [day, conflicts[index] ?? []])) } : now))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '没有查到冲突')
    }
  }
  const put = async (meeting: Meeting, day: number, conflict_reason?: string) => {
    setHeld(undefined)
    if (day === startOfDay(meeting.start_at)) return
    try {
      await request('PUT', `${vacationMeeting.api.item}/${meeting.id}`, { ...onDay(meeting, day), rev: meeting.rev, ...(conflict_reason !== undefined && { conflict_reason }) }, { quiet: true })
      setAsking(undefined)
      setReason('')
      setProblem(undefined)
      onMoved()
    } catch (error) {
      const sentence = error instanceof CallError ? error.fields['conflict_reason'] : undefined
      if (sentence !== undefined && conflict_reason === undefined) setAsking({ meeting, day, sentence })
      else setProblem(error instanceof Error ? error.message : '没有移动')
    }
  }
  const pressed = (event: React.KeyboardEvent, meeting: Meeting) => {
    const step = STEPS[event.key]
    const mine = held?.meeting.id === meeting.id ? held : undefined
    if (step !== undefined) {
      event.preventDefault()
      const day = (mine?.day ?? startOfDay(meeting.start_at)) + step * DAY
      if (!mine) void hold(meeting).then(() => undefined)
      if (days.includes(day)) setHeld((now) => ({ meeting, day, conflicts: now?.meeting.id === meeting.id ? now.conflicts : new Map() }))
    } else if (event.key === 'Enter' && mine) {
      event.preventDefault()
      void put(meeting, mine.day)
    } else if (event.key === 'Escape' && mine) {
      event.preventDefault()
      event.stopPropagation()
      setHeld(undefined)
    }
  }
  const clash = held?.conflicts.get(held.day) ?? []
  return (
    <>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <div aria-live="polite" className="timetable-said">{held && held.day !== startOfDay(held.meeting.start_at) && <>{held.meeting.name} 移到 {formatDate(held.day)}{clash.length > 0 ? <span className="problem">，{clash.join('；')}</span> : '，没有冲突'}</>}</div>
      <div className="timetable" role="group" aria-label="课表">
        {['一', '二', '三', '四', '五', '六', '日'].map((day) => <div key={day} className="timetable-head">周{day}</div>)}
        {days.map((day) => {
          const here = meetings.filter(({ start_at }) => startOfDay(start_at) === day)
          const taken = held?.conflicts.get(day) ?? []
          return (
            <div key={day} role="presentation" className="timetable-day" data-today={formatDate(day) === today} data-taken={held !== undefined && taken.length > 0} data-target={held?.day === day && held.day !== startOfDay(held.meeting.start_at)}
              onDragOver={(event) => { if (!held) return; event.preventDefault(); if (held.day !== day) setHeld({ ...held, day }) }} onDrop={(event) => { event.preventDefault(); if (held) void put(held.meeting, day) }}>
              <span className="timetable-date">{formatDate(day).slice(5)}</span>
              {here.map((one) => {
                const movable = may && one.rolled_at === null
                return (
                  <button type="button" key={one.id} className="timetable-meeting" data-held={held?.meeting.id === one.id} data-rolled={one.rolled_at !== null} data-clash={one.conflicts.length > 0} draggable={movable}
                    title={one.conflicts.join('；') || (one.rolled_at !== null ? '已点名，不能移动' : `${one.teacher_name ?? ''} ${one.room ?? ''}`)} aria-label={`${one.name} ${formatTime(one.start_at).slice(0, 16)}`}
                    onDragStart={(event) => { event.dataTransfer.effectAllowed = 'move'; void hold(one) }} onDragEnd={() => setHeld(undefined)} onKeyDown={(event) => { if (movable) pressed(event, one) }}>
                    <b>{one.name}</b>{formatTime(one.start_at).slice(11, 16)}–{formatTime(one.end_at).slice(11, 16)}
                  </button>
                )
              })}
            </div>
          )
        })}
      </div>
      {asking && (
        <Modal open title="时间冲突" okText="仍要安排" okButtonProps={{ disabled: reason.trim().length < 2, danger: true }} onOk={() => void put(asking.meeting, asking.day, reason.trim())} onCancel={() => { setAsking(undefined); setReason('') }}>
          <p>{asking.sentence}</p>
          <Input.TextArea aria-label="冲突说明" rows={2} maxLength={200} showCount value={reason} onChange={({ target }) => setReason(target.value)} placeholder="冲突说明，例如：当天由李老师代课" />
        </Modal>
      )}
    </>
  )
}
