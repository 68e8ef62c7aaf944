import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, Select, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSend } from '../user/door.tsx'
import { readRoll, readSchedule, writeRoll, type RollRow } from './calls.ts'
import { spanWords } from './schedule.ts'
import { ROLL, ROLLS } from './state.ts'
import { vacationClass } from './line.ts'

/** The list of one lesson: everybody is there until somebody is tapped; a tap goes on to the next word. */
function RollSheet({ meetingId, rows, onSaved, onDirty }: { meetingId: number; rows: readonly RollRow[]; onSaved: () => void; onDirty: (dirty: boolean) => void }) {
  const { message } = App.useApp()
  const can = useCan()
  const [marks, setMarks] = useState<ReadonlyMap<number, number>>(new Map(rows.map(({ member_id, status }) => [member_id, status ?? ROLL.present])))
  const { busy, problem, send } = useSend()
  const next = (id: number) => {
    const at = ROLLS.findIndex(({ value }) => value === marks.get(id))
    setMarks(new Map(marks).set(id, ROLLS[(at + 1) % ROLLS.length]?.value ?? ROLL.present))
    onDirty(true)
  }
  const save = () => send(async () => {
    await call(writeRoll, { rows: rows.map(({ member_id }) => ({ member_id, status: marks.get(member_id) ?? ROLL.present })) }, { params: { id: meetingId }, quiet: true })
    onDirty(false)
    void message.success('已点名')
    onSaved()
  })
  if (rows.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="班里还没有学员" />
  const sums = ROLLS.map(({ value, label }) => ({ label, count: [...marks.values()].filter((mark) => mark === value).length })).filter(({ count }) => count > 0)
  return (
    <>
      {problem}
      <p className="note">默认全部到课，点一下学员切换：{ROLLS.map(({ label }) => label).join(' → ')}</p>
      <ul className="roll">
        {rows.map(({ member_id, name }) => {
          const mark = ROLLS.find(({ value }) => value === marks.get(member_id))
          return <li key={member_id}><button type="button" data-mark={mark?.value} onClick={() => next(member_id)}><span>{name ?? '未填姓名'}</span><b>{mark?.label}</b></button></li>
        })}
      </ul>
      <div className="roll-foot">
        <span aria-live="polite">{sums.map(({ label, count }) => `${label} ${count}`).join('，')}</span>
        {can(vacationClass.rights.id('roll')) && <Button type="primary" size="large" loading={busy} onClick={() => void save()}>保存点名</Button>}
      </div>
    </>
  )
}

/** 点名: the lesson that is nearest to now, and its list, made for a thumb. */
export function RollDialog({ row, onClose }: RowDialogProps<typeof vacationClass>) {
  const [now] = useState(() => Date.now() / 1000)
  const [dirty, setDirty] = useState(false)
  const [chosen, setChosen] = useState<number>()
  const close = useCloseGuard(dirty, '点名', onClose)
  const schedule = useQuery({ queryKey: ['class-schedule', row.id], queryFn: ({ signal }) => call(readSchedule, undefined, { params: { id: row.id }, signal, quiet: true }), staleTime: 0 })
  const meetings = schedule.data?.meetings ?? []
  const nearest = meetings.toSorted((a, b) => Math.abs(a.start_at - now) - Math.abs(b.start_at - now))[0]
  const id = chosen ?? nearest?.id
  const roll = useQuery({ queryKey: ['roll', id], enabled: id !== undefined, queryFn: ({ signal }) => call(readRoll, undefined, { params: { id: id ?? 0 }, signal, quiet: true }), staleTime: 0, gcTime: 0 })
  const error = schedule.error ?? roll.error
  return (
    <Drawer open title={`点名 · ${row.name}`} size={480} onClose={close}>
      {error && <Alert type="error" showIcon title={error.message} />}
      {!schedule.data && !schedule.error ? <Skeleton active /> : meetings.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有排课，请先在课表中排课" /> : (
        <>
          <Select aria-label="课次" className="wide form-alert" value={id} disabled={dirty} onChange={setChosen} options={meetings.map((one) => ({ value: one.id, label: `${one.name} · ${spanWords(one)}${one.rolled_at === null ? '' : ' · 已点名'}` }))} />
          {id !== undefined && roll.data && <RollSheet key={`${id} ${roll.dataUpdatedAt}`} meetingId={id} rows={roll.data.rows} onDirty={setDirty} onSaved={() => { void roll.refetch(); void schedule.refetch() }} />}
        </>
      )}
    </Drawer>
  )
}
