import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Select, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate } from '../../core/field/time.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { GRANT_RIGHTS, GRANT_STATE } from './grant.ts'
import { readGrid, type GridCell } from './grant-calls.ts'
import { ExtendDialog, GrantDialog } from './grant-dialogs.tsx'

const DAY = 86_400
const SOON = 30

const keyOf = (room: number, course: number) => `${room} ${course}`

function toneOf(cell: GridCell | undefined, now: number) {
  if (!cell) return 'none'
  if (cell.state !== GRANT_STATE.active) return 'off'
  return cell.valid_until + DAY <= now ? 'over' : cell.valid_until <= now + SOON * DAY ? 'soon' : 'ok'
}
const TONES = { none: '未授权', ok: '使用中', soon: `${SOON} 天内到期`, over: '已到期', off: '暂停或已回收' } as const

/** 一览: rooms × courses; cells are chosen, and granted or extended together. */
export function GrantGrid() {
  const can = useCan()
  const [now] = useState(() => Date.now() / 1000)
  const [subject, setSubject] = useState<string>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<'grant' | 'extend'>()
  const { data, error, refetch } = useQuery({ queryKey: ['class-grid'], placeholderData: keepPreviousData, queryFn: ({ signal }) => call(readGrid, {}, { signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  const cells = new Map(data.cells.map((cell) => [keyOf(cell.room_id, cell.course_id), cell]))
  const subjects = [...new Set(data.courses.map((course) => course.subject))]
  const courses = data.courses.filter((course) => subject === undefined || course.subject === subject)
  const toggle = (key: string) => setChosen((now_) => (now_.has(key) ? new Set([...now_].filter((one) => one !== key)) : new Set([...now_, key])))
  const living = [...chosen].flatMap((key) => { const cell = cells.get(key); return cell && cell.state !== GRANT_STATE.recalled ? [cell.id] : [] })
  const free = [...chosen].filter((key) => { const cell = cells.get(key); return !cell || cell.state === GRANT_STATE.recalled }).map((key) => key.split(' ').map(Number))
  const done = () => { setChosen(new Set()); void refetch() }
  if (data.rooms.length === 0 || data.courses.length === 0) return <Empty description={data.rooms.length === 0 ? '没有营业中的自习室' : '还没有上架的课程'} />
  return (
    <>
      <div className="grants-bar">
        <Select allowClear className="bank-quick" aria-label="学科" placeholder="全部学科" value={subject ?? null} options={subjects.map((value) => ({ value, label: value }))} onChange={(value: string | null) => setSubject(value ?? undefined)} popupMatchSelectWidth={false} />
        {can(GRANT_RIGHTS.id('open')) && (
          <Space wrap>
            <Button disabled={free.length === 0} onClick={() => setDialog('grant')}>授权选中的 {free.length} 格</Button>
            <Button disabled={living.length === 0} onClick={() => setDialog('extend')}>续期选中的 {living.length} 格</Button>
          </Space>
        )}
        <span className="note">格内为已用 / 名额和有效期，点击选择</span>
      </div>
      <div className="grid-scroll">
        <table className="grid">
          <thead><tr><th scope="col">自习室</th>{courses.map(({ id, name, subject: of }) => <th key={id} scope="col">{name}<small>{of}</small></th>)}</tr></thead>
          <tbody>
            {data.rooms.map((room) => (
              <tr key={room.id}>
                <th scope="row">{room.name}<small>{room.school}</small></th>
                {courses.map((course) => {
                  const key = keyOf(room.id, course.id)
                  const cell = cells.get(key)
                  const tone = toneOf(cell, now)
                  return (
                    <td key={course.id}>
                      <button type="button" data-tone={tone} aria-pressed={chosen.has(key)} title={TONES[tone]} aria-label={`${room.name} ${course.name} ${TONES[tone]}`} onClick={() => toggle(key)}>
                        {cell ? <>{cell.used} / {cell.quota}<small>{formatDate(cell.valid_until)}</small></> : '—'}
                      </button>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {dialog === 'grant' && <GrantDialog kind="course" start={{ room_ids: [...new Set(free.map(([room = 0]) => room))], course_ids: [...new Set(free.map(([, course = 0]) => course))] }} onClose={() => setDialog(undefined)} onDone={done} />}
      {dialog === 'extend' && <ExtendDialog kind="course" ids={living} many={`${living.length} 个授权`} onClose={() => setDialog(undefined)} onDone={done} />}
    </>
  )
}
