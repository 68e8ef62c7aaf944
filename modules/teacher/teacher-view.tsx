import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Skeleton, Timeline } from 'antd'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { StateWord } from '../../core/field/choice.tsx'
import { choiceLabel } from '../../core/field/choice.ts'
import { briefTime } from '../../core/field/time.ts'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { CLASS_PATH, CLASS_RIGHTS } from './class.ts'
import { teacherStory, WAYS } from './calls.ts'
import { ExtendDialog, FollowDialog, LeaveDialog, ResumeDialog, StopDialog } from './dialogs.tsx'
import { CLASS_STATES, TEACHER_STATUS } from './states.ts'
import { TEACHER_RIGHTS, teacherProfile } from './teacher.ts'
import './teacher.css'

const S = TEACHER_STATUS

const useStory = (id: number, rev: number) => useQuery({ queryKey: ['teacher-story', id, rev], queryFn: ({ signal }) => call(teacherStory, undefined, { params: { id }, signal, quiet: true }) })
const nothing = (words: string) => <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={words} />

/** The classes of a teacher, with how full they are. */
function Classes({ id, rev }: { id: number; rev: number }) {
  const can = useCan()
  const { data, error } = useStory(id, rev)
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  if (data.classes.length === 0) return nothing('还没有班级')
  return (
    <ul className="teacher-classes">
      {data.classes.map((one) => (
        <li key={one.id}>
          <span>{can(CLASS_RIGHTS.screen) ? <Link to={`${CLASS_PATH}?open=${one.id}`}>{one.name}</Link> : one.name}<span className="note">班级码 {one.code}</span></span>
          <span className="figure">{one.members} / {one.max_members} 人</span>
          <span className="note">布置 {one.homework} 次</span>
          <StateWord choices={CLASS_STATES} value={one.status} />
        </li>
      ))}
    </ul>
  )
}

/** What was spoken with a teacher, and what the app told them. */
function Talks({ id, rev }: { id: number; rev: number }) {
  const { data, error } = useStory(id, rev)
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  return (
    <>
      <h4>跟进</h4>
      {data.follows.length === 0 ? nothing('还没有跟进') : <Timeline items={data.follows.map((one) => ({ key: one.id, content: <><b>{choiceLabel(WAYS, one.way)}</b>　{one.staff_name}　<span className="note">{briefTime(one.at)}</span><p>{one.body}</p></> }))} />}
      <h4>应用内通知</h4>
      {data.news.length === 0 ? nothing('还没有通知') : <Timeline items={data.news.map((one) => ({ key: one.id, content: <>{one.body}<p className="note">{briefTime(one.at)} · {one.read_at === null ? '未读' : `${briefTime(one.read_at)} 已读`}</p></> }))} />}
    </>
  )
}

/** How teachers look: whom they teach, who speaks with them, what they were told. */
export default present(teacherProfile)({
  bulkFields: ['rep_id'],
  cells: { class_cnt: ({ value, row }) => (value ? <Link to={`${CLASS_PATH}?teacher_id=${row.id}&status=1`}>{value}</Link> : 0) },
  slots: { details: [
    { key: 'classes', label: '班级', Content: ({ row }) => <Classes id={row.id} rev={row.rev} /> },
    { key: 'talks', label: '跟进与通知', Content: ({ row }) => <Talks id={row.id} rev={row.rev} /> },
  ] },
  rowActions: [
    { key: 'follow', first: true, label: '跟进', grant: teacherProfile.actions.edit ?? 0, visible: (row) => row.status !== S.left },
    { key: 'extend', label: '延长权益', grant: TEACHER_RIGHTS.id('extend'), visible: (row) => row.status === S.certified || row.status === S.stopped },
    { key: 'stop', label: '停用', danger: true, grant: TEACHER_RIGHTS.id('stop'), visible: (row) => row.status === S.certified },
    { key: 'resume', first: true, label: '恢复', grant: TEACHER_RIGHTS.id('stop'), visible: (row) => row.status === S.stopped },
    { key: 'leave', label: '办理离开', danger: true, grant: TEACHER_RIGHTS.id('leave'), visible: (row) => row.status !== S.left },
  ],
  dialogs: {
    follow: ({ row, reload, onClose }) => <FollowDialog id={row.id} name={row.name} onClose={onClose} onDone={reload} />,
    extend: ExtendDialog, stop: StopDialog, resume: ResumeDialog, leave: LeaveDialog,
  },
})
