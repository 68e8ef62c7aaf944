import { useQuery } from '@tanstack/react-query'
import { Badge, Button, Drawer, Empty, Input, Segmented, Space, Table, Tabs } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { StateWord } from '../../../core/field/choice.tsx'
import { briefTime } from '../../../core/field/time.ts'
import { useLive } from '../../../core/live/use-live.tsx'
import { useFront } from '../../../core/ui/front.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { GRADES } from '../../reference/module.ts'
import { useSend } from '../../user/door.tsx'
import { companionEndpoints, todayEndpoints, type OwnStudent, type TodayStudent } from '../calls.ts'
import type { Companion } from '../companion.ts'
import { threadMoved } from '../live.ts'
import { RISKS, STUDENT_STATES } from '../student.ts'
import { minute, ProgressWord, Waiting } from './tutor-parts.tsx'
import '../companion.css'

const WAYS = [{ value: 'call', label: '电话' }, { value: 'message', label: '消息' }, { value: 'meet', label: '当面' }] as const
const gradeOf = (grade: number) => GRADES.find(({ value }) => value === grade)?.label ?? ''
const brief = (at: number | null) => (at === null ? '—' : briefTime(at))

/** The three-minute card: what a teacher has to know before they speak with a learner, and what came of it. */
function Card({ companion, id, onDone, onClose }: { companion: Companion; id: number; onDone: () => void; onClose: () => void }) {
  const calls = todayEndpoints(companion)
  const { thread } = companion.kind.screens.tutor ?? {}
  const { data, error } = useQuery({ queryKey: ['today-card', companion.kind.value, id], queryFn: ({ signal }) => call(calls.card, undefined, { params: { id }, signal, quiet: true }) })
  const [seconds, setSeconds] = useState(0)
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('message')
  const [words, setWords] = useState<string>()
  const { busy, problem, send } = useSend()
  const said = useSaid()
  const front = useFront()
  useEffect(() => {
    if (!front) return
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000)
    return () => clearInterval(timer)
  }, [front])
  const body = words ?? data?.draft ?? ''
  const done = () => send(async () => {
    await call(calls.follow, { way, body, seconds }, { params: { id }, quiet: true })
    said({ words: '已记录跟进' })
    onDone()
  })
  return (
    <Drawer open size={520} title={data?.name ?? '学生'} extra={<span aria-label="用时" className={seconds > 180 ? 'over-time' : ''}>{Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}</span>} onClose={onClose}>
      {!data ? <Waiting error={error} /> : <Space orientation="vertical" size={16} className="wide">
        {problem}
        <dl className="card-facts">{data.facts.map(({ label, value }) => <div key={label}><dt>{label}</dt><dd>{value}</dd></div>)}</dl>
        <section><h3>最近说的话</h3>{data.said.length === 0 ? <p className="note">还没有对话</p> : data.said.map(({ side, body: text, at }) => <p key={side}><b>{side === 'student' ? '学生' : '老师'}</b> {text} <span className="note">{minute(at)}</span></p>)}</section>
        <section><h3>未完成的任务</h3>{data.tasks.length === 0 ? <p className="note">没有未完成的任务</p> : <ul className="plain">{data.tasks.map((task) => <li key={task.id}><Link to={`${(thread ?? '').replace(':studentId', String(id))}?task=${task.id}`}>{task.title}</Link> <ProgressWord status={task.status} due={task.due_at} /> <span className="note">{minute(task.due_at)} 截止</span></li>)}</ul>}</section>
        <section><h3>家长</h3><p>{data.report === null ? '还没有发过报告' : data.report.read_at === null ? `${minute(data.report.sent_at)} 发送的报告还没有读` : `${minute(data.report.read_at)} 读了报告`}</p></section>
        {data.follows.length > 0 && <section><h3>上次跟进</h3>{data.follows.slice(0, 2).map(({ at, body: text, name }) => <p key={at}>{text} <span className="note">{name} · {minute(at)}</span></p>)}</section>}
        <section><h3>跟进记录</h3><Segmented options={[...WAYS]} value={way} onChange={setWay} /><Input.TextArea aria-label="跟进内容" rows={4} maxLength={500} showCount value={body} onChange={(event) => setWords(event.target.value)} /></section>
        <Button type="primary" loading={busy} onClick={() => void done()}>完成</Button>
      </Space>}
    </Drawer>
  )
}

const talked = (days: number | null) => (days === null ? '从未' : days === 0 ? '今天' : `${days} 天前`)

function Today({ companion }: { companion: Companion }) {
  const wide = useWide('md')
  const { data, error, refetch } = useQuery({ queryKey: ['today', companion.kind.value], queryFn: ({ signal }) => call(todayEndpoints(companion).today, undefined, { signal, quiet: true }) })
  const [open, setOpen] = useState<number>()
  if (!data) return <Waiting error={error} />
  const left = data.items.filter(({ done }) => !done)
  return (
    <>
      <p className="note" aria-live="polite">还有 {left.length} 名学生需要沟通，今天已完成 {data.items.length - left.length} 名</p>
      <Table<TodayStudent> rowKey="student_id" size="middle" pagination={false} dataSource={data.items} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="今天没有需要特别沟通的学生" /> }}
        onRow={({ student_id }) => ({ onClick: () => setOpen(student_id), className: 'clickable' })} columns={[
          { title: '学生', render: (_value, { student_id, name, grade, why, days_silent }) => (
            <>
              <button type="button" className="link" onClick={() => setOpen(student_id)}>{name}</button> <span className="note">{gradeOf(grade)}</span>
              {!wide && <div className="note">{why.join(' · ')} · 上次沟通：{talked(days_silent)}</div>}
            </>
          ) },
          { title: '风险', width: 80, render: (_value, { risk }) => <StateWord choices={RISKS} value={risk} /> },
          { title: '原因', responsive: ['md'], render: (_value, { why }) => why.join(' · ') },
          { title: '上次沟通', width: 120, responsive: ['md'], render: (_value, { days_silent }) => talked(days_silent) },
          { title: '今天', width: 80, render: (_value, { done }) => (done ? '已完成' : '') },
        ]} />
      {open !== undefined && <Card key={open} companion={companion} id={open} onClose={() => setOpen(undefined)} onDone={() => { const next = left.find(({ student_id }) => student_id !== open); setOpen(next?.student_id); void refetch() }} />}
    </>
  )
}

function All({ companion }: { companion: Companion }) {
  const calls = companionEndpoints(companion)
  const { thread = '', report = '' } = companion.kind.screens.tutor ?? {}
  const { data, error, refetch } = useQuery({ queryKey: ['own-students', companion.kind.value], queryFn: ({ signal }) => call(calls.ownStudents, {}, { signal, quiet: true }) as Promise<{ items: OwnStudent[] }> })
  useLive(threadMoved, () => void refetch())
  if (!data) return <Waiting error={error} />
  const to = (path: string, id: number) => path.replace(':studentId', String(id))
  return (
    <Table<OwnStudent> rowKey="student_id" size="middle" pagination={false} scroll={{ x: 760 }} dataSource={data.items} locale={{ emptyText: '还没有学生，分配后显示在这里' }} columns={[
      { title: '学生', fixed: 'left', width: 150, render: (_value, { student_id, name, newMessages, grade }) => <><Link to={to(thread, student_id)}>{name}</Link> <span className="note">{gradeOf(grade)}</span> <Badge size="small" count={newMessages} /></> },
      { title: '状态', width: 90, render: (_value, { status }) => <StateWord choices={STUDENT_STATES} value={status} /> },
      { title: '待批改', dataIndex: 'marking', width: 80, align: 'right' }, { title: '未完成', dataIndex: 'open_tasks', width: 80, align: 'right' },
      { title: '剩余课时', dataIndex: 'lessons_left', width: 90, align: 'right' },
      { title: '最近学习', width: 120, render: (_value, { last_study_at }) => brief(last_study_at) }, { title: '最近沟通', width: 120, render: (_value, { last_talk_at }) => brief(last_talk_at) },
      { title: '手机号', dataIndex: 'mobile', width: 130 }, { title: '班级', dataIndex: 'class_name', width: 140, ellipsis: true },
      { title: '操作', width: 130, render: (_value, { student_id }) => <Space><Link to={to(thread, student_id)}>任务</Link><Link to={to(report, student_id)}>报告</Link></Space> },
    ]} />
  )
}

/** 我的学生: whom to speak with today, and everybody whom a teacher looks after. */
export const studentsScreen = (companion: Companion) => function TutorStudents() {
  const [search, setSearch] = useSearchParams()
  return (
    <section className="page-body" aria-label="我的学生">
      <Tabs activeKey={search.get('tab') ?? 'today'} onChange={(tab) => setSearch({ tab }, { replace: true })} destroyOnHidden items={[
        { key: 'today', label: '今日清单', children: <Today companion={companion} /> }, { key: 'all', label: '全部学生', children: <All companion={companion} /> },
      ]} />
    </section>
  )
}
