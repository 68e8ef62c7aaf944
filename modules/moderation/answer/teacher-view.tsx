import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Modal, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { briefTime } from '../../../core/field/time.ts'
import { Picker } from '../../../core/field/reference.tsx'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { ListPage } from '../../../core/list/list-page.tsx'
import { present } from '../../../core/resource/present.tsx'
import { useCan, useStaff } from '../../../core/session/staff-context.tsx'
import { useMinute } from '../../../core/ui/use-minute.tsx'
import { usePageKeys } from '../../../core/ui/use-page-keys.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { staff } from '../../staff/module.ts'
import { TEACHER_RIGHTS } from '../rights.ts'
import { ANSWERS, TARGETS } from '../said/said.ts'
import { AnswerBox, Nothing, SaidLine } from '../said/said-parts.tsx'
import { assignAsks, openAsks, type Ask, type AskQueue } from './calls.ts'
import { commentTeacher } from './teacher.ts'

const PATH = '/comment/teacher'
const QUEUES: readonly { key: AskQueue; label: string }[] = [{ key: 'mine', label: '待我回答' }, { key: 'late', label: '已超时' }, { key: 'free', label: '未分配' }, { key: 'all', label: '全部待回答' }]

/** The teachers, and what waits for them, with how much of it. */
function Views({ on }: { on: string }) {
  const { data } = useQuery({ queryKey: ['open-asks', 'mine'], queryFn: ({ signal }) => call(openAsks, { queue: 'mine' }, { signal, quiet: true }) })
  return (
    <nav className="view-links" aria-label="视图">
      <Link to={PATH} data-on={on === ''}>教师</Link>
      {QUEUES.map(({ key, label }) => <Link key={key} to={`${PATH}?show=queue&queue=${key}`} data-on={on === key} data-late={key === 'late' && (data?.counts.late ?? 0) > 0}>{label} <b>{data?.counts[key] ?? ''}</b></Link>)}
    </nav>
  )
}

function AssignDialog({ ids, onClose, onDone }: { ids: readonly number[]; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [teacher, setTeacher] = useState<number>()
  const { busy, attempt } = useAttempt()
  const send = () => attempt(async () => {
    const { assigned, left_alone } = await call(assignAsks, { ids: [...ids], staff_id: teacher ?? 0 }, { quiet: true })
    said({ words: `已分配 ${assigned} 条${left_alone.length > 0 ? `，${left_alone.length} 条未变：${left_alone[0]?.why ?? ''}` : ''}` })
    onDone()
  })
  return (
    <Modal open title={`分配 ${ids.length} 条提问`} okText="分配" okButtonProps={{ disabled: teacher === undefined }} confirmLoading={busy} onOk={() => void send()} onCancel={onClose} destroyOnHidden>
      <Picker id="assign-teacher" target={staff} label="教师" value={teacher} onChange={(id) => setTeacher(id ?? undefined)} />
    </Modal>
  )
}

/** Questions that wait, what is due first, first: J and K walk, A answers. */
function Asks({ queue, teacher }: { queue: AskQueue; teacher: number | undefined }) {
  const client = useQueryClient()
  const can = useCan()
  const me = useStaff()
  const now = useMinute()
  const said = useSaid()
  const [search] = useSearchParams()
  const [at, setAt] = useState<number | undefined>(Number(search.get('open')) || undefined)
  const [answering, setAnswering] = useState(false)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [assigning, setAssigning] = useState(false)
  const { data, error, refetch } = useQuery({ queryKey: ['open-asks', queue, teacher], queryFn: ({ signal }) => call(openAsks, { queue, ...(teacher !== undefined && { staff_id: teacher }) }, { signal, quiet: true }) })
  const items = data?.items ?? []
  const current = items.find(({ id }) => id === at) ?? items[0]
  const step = (by: number) => { setAnswering(false); setAt(items[Math.max(0, Math.min(items.length - 1, items.findIndex(({ id }) => id === current?.id) + by))]?.id) }
  const may = (one: Ask | undefined) => one !== undefined && ((can(TEACHER_RIGHTS.id('answer')) && one.assignee_id === me.id) || can(ANSWERS[one.target]))
  usePageKeys({ j: () => step(1), k: () => step(-1), n: () => step(1), a: () => { if (may(current)) { setAt(current?.id); setAnswering(true) } } })
  const done = () => {
    said({ words: '已回答' })
    setAnswering(false)
    step(1)
    void client.invalidateQueries({ queryKey: ['open-asks'] })
  }
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  return (
    <section className="page-body" aria-label="待回答的提问">
      {can(TEACHER_RIGHTS.id('edit')) && chosen.length > 0 && <Space><Button type="primary" onClick={() => setAssigning(true)}>分配 {chosen.length} 条</Button><Button onClick={() => setChosen([])}>取消选择</Button></Space>}
      {items.length === 0 ? <Nothing words={queue === 'mine' ? '没有等你回答的提问' : '没有待回答的提问'} /> : (
        <ul className="asks-list">
          {items.map((one) => (
            <li key={one.id} data-chosen={one.id === current?.id}>
              <Space wrap>
                {can(TEACHER_RIGHTS.id('edit')) && <Checkbox aria-label={`选择 ${one.name} 的提问`} checked={chosen.includes(one.id)} onChange={(event) => setChosen(event.target.checked ? [...chosen, one.id] : chosen.filter((id) => id !== one.id))} />}
                <Link to={one.to}>{choiceLabel(TARGETS, one.target)} · {one.about}</Link>{one.subject && <span className="note">{one.subject}</span>}
                {one.due_at !== null && <span className={one.due_at < now ? 'late' : 'note'}>{one.due_at < now ? `超时 · 应在 ${briefTime(one.due_at)} 前` : `${briefTime(one.due_at)} 前`}</span>}<span className="note">{one.assignee_name ?? '未分配'}</span>
              </Space>
              <SaidLine item={one}><div className="talk-acts">{may(one) && <Button size="small" type={one.id === current?.id ? 'primary' : 'text'} onClick={() => { setAt(one.id); setAnswering(true) }}>回答{one.id === current?.id && <kbd>A</kbd>}</Button>}</div></SaidLine>
              {answering && one.id === current?.id && <AnswerBox key={one.id} id={one.id} waits={false} onCancel={() => setAnswering(false)} onDone={done} />}
            </li>
          ))}
        </ul>
      )}
      {teacher !== undefined && <p className="note">只看一位教师的，<Link to={`${PATH}?show=queue&queue=${queue}`}>看全部</Link></p>}
      {data.total > items.length && <p className="note">先显示最早到期的 {items.length} 条，共 {data.total} 条</p>}
      {assigning && <AssignDialog ids={chosen} onClose={() => setAssigning(false)} onDone={() => { setAssigning(false); setChosen([]); void client.invalidateQueries({ queryKey: ['open-asks'] }) }} />}
    </section>
  )
}

const look = present(commentTeacher)({
  cells: {
    open_n: ({ value, row }) => (Number(value) > 0 ? <Link className="figure" to={`${PATH}?show=queue&queue=all&staff_id=${row.staff_id}`}>{String(value)}</Link> : null),
    late_n: ({ value, row }) => (Number(value) > 0 ? <Link className="figure said-late" to={`${PATH}?show=queue&queue=late&staff_id=${row.staff_id}`}>{String(value)}</Link> : null),
  },
  slots: { above: () => <Views on="" /> },
})
export default look

/** 评论教师: who answers what, how quickly, and what waits. */
export function TeacherScreen() {
  const [search] = useSearchParams()
  if (search.get('show') !== 'queue') return <ListPage resource={commentTeacher} presentation={look} />
  const queue = QUEUES.find(({ key }) => key === search.get('queue'))?.key ?? (search.get('answering') && !search.get('assignee_id') ? 'all' : 'mine')
  const teacher = Number(search.get('staff_id')) || undefined
  return <><Views on={queue} /><Asks key={`${queue} ${teacher}`} queue={queue} teacher={teacher} /></>
}
