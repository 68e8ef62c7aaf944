import { useQuery } from '@tanstack/react-query'
import { Alert, App, Empty, Form, Input, Modal, Skeleton, Table } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { call, request } from '../../core/endpoint/call.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { useSend } from '../user/door.tsx'
import { boardPath, trainingPlan } from './plan.ts'
import { planRooms } from './plan-calls.ts'

const LONGEST = 60

/** 复制: the same tasks as a draft of its own. */
function CopyDialog({ row, onClose }: RowDialogProps<typeof trainingPlan>) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const [form] = Form.useForm<{ name: string }>()
  const { busy, problem, send } = useSend(form)
  const copy = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { subject_id, grade, weeks, day_minutes, target, cover, tasks } = row
    const made = await request<WireRow>('POST', trainingPlan.api.item, { ...values, subject_id, grade, weeks, day_minutes, target, cover, tasks }, { quiet: true })
    void message.success('复制成功')
    onClose()
    await navigate(boardPath(made.id))
  })
  return (
    <Modal open title="复制计划" okText="复制" confirmLoading={busy} onOk={() => void copy()} onCancel={onClose}>
      {problem}
      <Form form={form} name="plan-copy" layout="vertical" initialValues={{ name: `${row.name}（副本）`.slice(0, LONGEST) }}>
        <Form.Item name="name" label="新计划名称" rules={[{ required: true, whitespace: true, message: '请填写名称' }, { max: LONGEST, message: `名称最多 ${LONGEST} 个字` }]}><Input /></Form.Item>
      </Form>
    </Modal>
  )
}

/** Goes to the board. */
function Board({ row, onClose }: RowDialogProps<typeof trainingPlan>) {
  const navigate = useNavigate()
  const go = useEffectEvent(() => {
    // The list is kept behind its tab: it must not go on when it comes back.
    onClose()
    void navigate(boardPath(row.id))
  })
  useEffect(() => go(), [])
  return null
}

/** Rooms that work through a plan, and how many are behind. */
export function PlanRooms({ id }: { id: number }) {
  const { data, error } = useQuery({ queryKey: ['plan-rooms', id], queryFn: ({ signal }) => call(planRooms, undefined, { params: { id }, signal, quiet: true }), staleTime: 0 })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  if (data.items.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有自习室执行这个计划" />
  return (
    <Table size="small" rowKey="id" pagination={false} dataSource={data.items} columns={[
      { title: '自习室', render: (_value, { id: grant, name }) => <Link to={`/classCourse/studyRoom?show=plan&open=${grant}`}>{name}</Link> },
      { title: '进行到', render: (_value, { today }) => (today === 0 ? '未开始' : `第 ${today} 天`) }, { title: '版本', render: (_value, { version_no }) => `v${version_no}` },
      { title: '学员', dataIndex: 'learners' }, { title: '落后', render: (_value, { behind }) => (behind === 0 ? '无' : `${behind} 人`) },
    ]} />
  )
}

/** Plans: the name leads to the board; a new one is opened there. */
export default present(trainingPlan)({
  cells: {
    name: ({ value, row }) => <Link to={boardPath(row.id)}>{value}</Link>,
    task_cnt: ({ value, row }) => <Link className="figure" to={boardPath(row.id)}>{Number(value ?? 0)}</Link>,
    room_cnt: ({ value, row }) => <Link className="figure" to={`/classCourse/studyRoom?show=plan&plan_id=${row.id}`}>{Number(value ?? 0)}</Link>,
  },
  slots: { details: [{ key: 'rooms', label: '执行', Content: ({ row }) => <PlanRooms id={row.id} /> }] },
  rowActions: [
    { key: 'board', label: '编排任务', first: true, visible: (row) => row.deleted_at === null },
    { key: 'copy', label: '复制', visible: (row) => row.can.includes('edit') },
  ],
  afterCreate: (row, { open }) => open('board', row),
  dialogs: { copy: CopyDialog, board: Board },
})
