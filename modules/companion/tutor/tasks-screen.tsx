import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Badge, Button, Segmented, Space, Table } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { useLive } from '../../../core/live/use-live.tsx'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { companionEndpoints, type OwnTask, type TaskStudent } from '../calls.ts'
import type { Companion } from '../companion.ts'
import { threadMoved } from '../live.ts'
import { FINISHED } from '../progress.ts'
import { TASK_KINDS } from '../task.ts'
import { NewTaskDialog } from './new-task-dialog.tsx'
import { minute, ProgressWord, Waiting } from './tutor-parts.tsx'

const FILTERS = [{ value: '', label: '全部' }, { value: 'marking', label: '待批改' }]

/** The learners of one task: who is to be marked first, and one button for those who have handed in nothing. */
function Students({ companion, task }: { companion: Companion; task: OwnTask }) {
  const calls = companionEndpoints(companion)
  const { thread = '' } = companion.kind.screens.tutor ?? {}
  const said = useSaid()
  const { busy, attempt } = useAttempt()
  const { data, error } = useQuery({ queryKey: ['own-tasks', companion.kind.value, 'students', task.id], queryFn: ({ signal }) => call(calls.ownStudents, { task_id: task.id }, { signal, quiet: true }) as Promise<{ items: TaskStudent[] }> })
  if (!data) return <Waiting error={error} rows={3} />
  const missing = data.items.filter(({ status }) => !FINISHED.includes(status)).map(({ student_id }) => student_id)
  const remind = () => attempt(async () => {
    const { reminded } = await call(calls.remind, { student_ids: missing }, { params: { id: task.id }, quiet: true })
    said({ words: reminded === 0 ? '12 小时内已经催交过' : `已催交 ${reminded} 人` })
  })
  return (
    <>
      <Table<TaskStudent> size="small" rowKey="student_id" pagination={false} dataSource={data.items} locale={{ emptyText: '没有您的学生' }} columns={[
        { title: '学生', render: (_value, { student_id, name, newMessages }) => <><Link to={`${thread.replace(':studentId', String(student_id))}?task=${task.id}`}>{name}</Link> <Badge size="small" count={newMessages} /></> },
        { title: '状态', width: 120, render: (_value, { status }) => <ProgressWord status={status} due={task.due_at} /> },
        { title: '得分', width: 80, align: 'right', dataIndex: 'score' }, { title: '提交时间', width: 130, render: (_value, { submitted_at }) => minute(submitted_at) },
      ]} />
      {missing.length > 0 && <p><Button size="small" loading={busy} onClick={() => void remind()}>催交 {missing.length} 人</Button></p>}
    </>
  )
}

/** 我的任务: what was set and what is to be marked. */
export const tasksScreen = (companion: Companion) => function TutorTasks() {
  const calls = companionEndpoints(companion)
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const [making, setMaking] = useState(false)
  const filter = search.get('show') ?? ''
  const page = Number(search.get('page') ?? 1)
  const key = ['own-tasks', companion.kind.value]
  const { data, error } = useQuery({ queryKey: [...key, filter, page], queryFn: ({ signal }) => call(calls.ownTasks, { page, page_size: 50, ...(filter && { marking: '1' as const }) }, { signal, quiet: true }), placeholderData: (before) => before })
  const reload = () => void client.invalidateQueries({ queryKey: key })
  useLive(threadMoved, reload)
  return (
    <section className="page-body" aria-label="我的任务">
      <Space className="page-bar" wrap><Segmented options={FILTERS} value={filter} onChange={(show) => setSearch(show ? { show } : {}, { replace: true })} /><Button type="primary" onClick={() => setMaking(true)}>布置任务</Button></Space>
      {!data ? <Waiting error={error} /> : <Table<OwnTask> rowKey="id" size="middle" scroll={{ x: 760 }} dataSource={data.items} locale={{ emptyText: filter ? '没有待批改的作业' : '还没有任务' }}
        pagination={{ current: page, pageSize: 50, total: data.total, showSizeChanger: false, hideOnSinglePage: true, onChange: (next) => setSearch({ ...(filter && { show: filter }), page: String(next) }) }}
        expandable={{ expandedRowRender: (task) => <Students companion={companion} task={task} />, expandRowByClick: true }} columns={[
          { title: '任务', render: (_value, { title, newMessages }) => <>{title} <Badge size="small" count={newMessages} /></> },
          { title: '类型', width: 80, render: (_value, { task_kind }) => TASK_KINDS.find(({ value }) => value === task_kind)?.label },
          { title: '完成', width: 90, align: 'right', render: (_value, { finished, total }) => `${finished} / ${total}` }, { title: '待批改', width: 90, align: 'right', dataIndex: 'marking' },
          { title: '截止', width: 130, render: (_value, { due_at }) => minute(due_at) },
        ]} />}
      {making && <NewTaskDialog companion={companion} onClose={() => setMaking(false)} onDone={reload} />}
    </section>
  )
}
