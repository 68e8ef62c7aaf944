import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Modal, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { standardId } from '../../core/grant/grant.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useWide } from '../../core/ui/use-media.tsx'
import { readSchedule } from './calls.ts'
import { PlanForm } from './plan-form.tsx'
import { spanWords } from './schedule.ts'
import { Timetable } from './timetable.tsx'
import { CLASS_STATE as C } from './state.ts'
import { vacationClass } from './line.ts'

/** 课表 of a class: its meetings on a calendar, to be planned, dragged and moved by keys. */
export function ScheduleDialog({ row, reload, onClose }: RowDialogProps<typeof vacationClass>) {
  const can = useCan()
  const wide = useWide('md')
  const [planning, setPlanning] = useState(false)
  const { data, error, refetch } = useQuery({ queryKey: ['class-schedule', row.id], queryFn: ({ signal }) => call(readSchedule, undefined, { params: { id: row.id }, signal, quiet: true }), staleTime: 0 })
  const may = can(standardId(vacationClass.grant, 'edit')) && row.state !== C.finished && row.state !== C.cancelled
  const meetings = data?.meetings ?? []
  const wrong = meetings.filter(({ conflicts }) => conflicts.length > 0)
  const done = () => { void refetch(); reload() }
  return (
    <Modal open title={`课表 · ${row.name}`} width={960} footer={null} onCancel={onClose}>
      {error && <Alert type="error" showIcon title={error.message} />}
      {!data && !error && <Skeleton active />}
      {data && (
        <>
          <Space wrap className="form-alert">
            <span>已排 {meetings.length} / {row.meeting_count} 次</span>
            {may && <Button type={meetings.length === 0 ? 'primary' : 'default'} onClick={() => setPlanning(!planning)}>{meetings.length === 0 ? '自动排课' : '重新排课'}</Button>}
            {may && wide && meetings.length > 0 && <span className="note">拖动课次改日期，或选中后按方向键移动、Enter 确认、Esc 取消</span>}
          </Space>
          {planning && <PlanForm row={row} replaces={meetings.some(({ rolled_at }) => rolled_at === null)} onDone={() => { setPlanning(false); done() }} />}
          {wrong.length > 0 && <Alert className="form-alert" type="warning" showIcon title={`${wrong.length} 次课有冲突`} description={<ul className="reasons">{wrong.slice(0, 5).map(({ id, name, conflicts }) => <li key={id}>{name}：{conflicts.join('；')}</li>)}</ul>} />}
          {wide ? <Timetable meetings={meetings} may={may} onMoved={done} /> : (
            <ol className="meetings">{meetings.map((one) => <li key={one.id}><b>{one.name}</b> {spanWords(one)}{one.rolled_at !== null && '，已点名'}{one.conflicts.length > 0 && <div className="problem">{one.conflicts[0]}</div>}</li>)}</ol>
          )}
        </>
      )}
    </Modal>
  )
}
