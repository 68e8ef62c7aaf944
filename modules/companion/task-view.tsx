import { useQuery } from '@tanstack/react-query'
import { Table } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import { present, type Presentation } from '../../core/resource/present.tsx'
import { progressEndpoint, type TaskStudent } from './calls.ts'
import type { Companion } from './companion.ts'
import { ProgressWord } from './tutor/tutor-parts.tsx'

/** How each learner stands with a task. */
function Students({ companion, id, due }: { companion: Companion; id: number; due: number }) {
  const { data, isLoading } = useQuery({ queryKey: ['task-students', companion.kind.value, id], queryFn: ({ signal }) => call(progressEndpoint(companion), undefined, { params: { id }, signal, quiet: true }) })
  return (
    <Table<TaskStudent> size="small" rowKey="student_id" loading={isLoading} virtual scroll={{ y: 400, x: 560 }} pagination={false} dataSource={data?.items ?? []} locale={{ emptyText: '还没有发布给学生' }} columns={[
      { title: '学生', dataIndex: 'name', width: 120 },
      { title: '状态', width: 120, render: (_value, { status }) => <ProgressWord status={status} due={due} /> },
      { title: '得分', dataIndex: 'score', width: 80, align: 'right' }, { title: '未读', dataIndex: 'newMessages', width: 70, align: 'right' },
      { title: '提交时间', dataIndex: 'submitted_at', width: 150, render: (at: number | null) => (at === null ? '' : formatTime(Math.floor(at)).slice(0, 16)) },
    ]} />
  )
}

/** Tasks of all teachers, and how each learner stands. */
export function presentTasks(companion: Companion): Presentation {
  return present(companion.tasks)({ slots: { details: [{ key: 'students', label: '学生', Content: ({ row }) => <Students companion={companion} id={row.id} due={row.due_at ?? 0} /> }] } })
}

