import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Form, Modal, Progress, Skeleton, Table, Timeline } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate } from '../../core/field/time.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { validated } from '../../core/form/validated.tsx'
import { present, type BulkProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { classStory, expelMember, recodeClass, type ClassStory } from './calls.ts'
import { CLASS_RIGHTS, teacherClass } from './class.ts'
import { TransferDialog } from './dialogs.tsx'
import { GraduationButton } from './graduation.tsx'
import { CLASS_STATUS } from './states.ts'
import { TEACHER_PATH } from './teacher.ts'
import './teacher.css'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))

const useStory = (id: number, rev: number) => useQuery({ queryKey: ['class-story', id, rev], queryFn: ({ signal }) => call(classStory, undefined, { params: { id }, signal, quiet: true }) })

/** Takes a learner out of a class, with a reason. */
function ExpelDialog({ id, who, onClose, onDone }: { id: number; who: ClassStory['members'][number]; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(expelMember, { user_id: who.user_id, reason: values.reason }, { params: { id }, quiet: true })
    said({ words: `已移出「${who.name}」` })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`移出学生 · ${who.name}`} okText="移出" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">移出后看不到班级作业；凭班级码可以再次加入。</p>
      <Form form={form} name="class-expel" layout="vertical"><ReasonItem /></Form>
    </Modal>
  )
}

/** Who is in a class, and how much each handed in. */
function Members({ row, reload }: { row: { id: number; rev: number; status: number | null; max_members?: number | null }; reload: () => void }) {
  const can = useCan()
  const [who, setWho] = useState<ClassStory['members'][number]>()
  const { data, error, refetch } = useStory(row.id, row.rev)
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  const may = can(CLASS_RIGHTS.id('members')) && row.status === CLASS_STATUS.running
  return (
    <>
      <p className="note">在班 {data.members.length} 人，上限 {row.max_members ?? 0} 人{data.gone > 0 && `，另有 ${data.gone} 人次已退出`}</p>
      <Table size="small" rowKey="user_id" pagination={data.members.length > 50 && { pageSize: 50, showSizeChanger: false }} dataSource={data.members} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有学生，把班级码发给他们" /> }} columns={[
        { title: '学生', dataIndex: 'name' },
        { title: '加入', dataIndex: 'joined_at', render: (at: number) => formatDate(at) },
        { title: '交作业', dataIndex: 'done', align: 'right', render: (done: number) => <span className="figure">{done} / {data.homework.length}</span> },
        ...(may ? [{ title: '', key: 'expel', align: 'right' as const, render: (_value: unknown, one: ClassStory['members'][number]) => <Button size="small" type="text" danger aria-label={`移出 ${one.name}`} onClick={() => setWho(one)}>移出</Button> }] : []),
      ]} />
      {who && <ExpelDialog id={row.id} who={who} onClose={() => setWho(undefined)} onDone={() => { void refetch(); reload() }} />}
    </>
  )
}

function chartOf(homework: ClassStory['homework']): EChartsCoreOption {
  const shown = homework.slice(0, 20).toReversed()
  const share = (one: ClassStory['homework'][number]) => (one.members > 0 ? Math.min(100, Math.round((one.done / one.members) * 100)) : 0)
  return {
    tooltip: { trigger: 'axis', valueFormatter: (value: unknown) => (typeof value === 'number' ? `${value}%` : '') }, legend: { top: 0 }, grid: { left: 8, right: 8, top: 32, bottom: 4, containLabel: true },
    xAxis: { type: 'category', data: shown.map(({ at }) => formatDate(at).slice(5)) }, yAxis: { type: 'value', max: 100, axisLabel: { formatter: '{value}%' } },
    series: [
      { name: '完成率', type: 'bar', data: shown.map(share), itemStyle: { color: '#1890ff' }, barMaxWidth: 24 },
      { name: '平均得分率', type: 'line', data: shown.map(({ score }) => (score === null ? null : Math.round(score * 100))), itemStyle: { color: '#13a8a8' } },
    ],
  }
}

/** What a class was set, and how much came back. */
function Homework({ row }: { row: { id: number; rev: number } }) {
  const { data, error } = useStory(row.id, row.rev)
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  if (data.homework.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有布置作业" />
  return (
    <>
      <Suspense fallback={<Skeleton active />}><Chart option={chartOf(data.homework)} height={200} label={`最近 ${Math.min(20, data.homework.length)} 次作业的完成率和得分率`} /></Suspense>
      <Table size="small" rowKey="id" pagination={false} dataSource={data.homework} columns={[
        { title: '作业', dataIndex: 'title', render: (title: string, one) => <>{title}<div className="note">{formatDate(one.at)} · {one.teacher_name}</div></> },
        { title: '完成', key: 'done', width: 120, render: (_value, one) => <Progress size="small" percent={one.members > 0 ? Math.min(100, Math.round((one.done / one.members) * 100)) : 0} format={() => `${one.done}/${one.members}`} aria-label={`${one.title} 完成 ${one.done} 人，共 ${one.members} 人`} /> },
        { title: '得分率', dataIndex: 'score', align: 'right', render: (score: number | null) => <span className="figure">{score === null ? '' : `${Math.round(score * 100)}%`}</span> },
      ]} />
    </>
  )
}

/** Who led a class from when to when. */
function Leads({ row }: { row: { id: number; rev: number } }) {
  const { data, error } = useStory(row.id, row.rev)
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  return <Timeline items={data.leads.map((one) => ({ key: one.id, content: <><Link to={`${TEACHER_PATH}?open=${one.teacher_id}`}>{one.name}</Link>　<span className="note">{formatDate(one.from_at)} 至 {one.to_at === null ? '今' : formatDate(one.to_at)}</span>{one.note && <p className="note">{one.note}</p>}</> }))} />
}

function Bulk({ selected, query, many, onDone }: BulkProps) {
  const can = useCan()
  const [shown, setShown] = useState(false)
  // Another teacher is given classes that somebody chose, not whatever filters leave.
  if (!can(CLASS_RIGHTS.id('transfer')) || query) return null
  return <><Button size="small" onClick={() => setShown(true)}>转让</Button>{shown && <TransferDialog ids={selected} many={many} onClose={() => setShown(false)} onDone={onDone} />}</>
}

/** 更换班级码: what stands on the old slip of paper opens nothing any more. */
function RecodeDialog({ row, reload, onClose }: { row: { id: number; name: string; code?: string | null }; reload: () => void; onClose: () => void }) {
  const said = useSaid()
  const { busy, attempt } = useAttempt()
  const submit = () => attempt(async () => {
    const { code } = await call(recodeClass, undefined, { params: { id: row.id }, quiet: true })
    said({ words: `新班级码 ${code}` })
    reload()
    onClose()
  })
  return (
    <Modal open title={`更换班级码 · ${row.name}`} okText="更换" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose}>
      <p>现在的班级码 <b className="figure">{row.code}</b> 立即失效，不会再发给任何班级；已在班里的学生不变，教师会收到新的班级码。</p>
    </Modal>
  )
}

/** How classes of teachers look: who is in them, what they were set, who led them. */
export default present(teacherClass)({
  slots: {
    bulk: Bulk, toolbar: GraduationButton,
    details: [
      { key: 'members', label: '学生', Content: Members }, { key: 'homework', label: '作业', Content: Homework }, { key: 'leads', label: '带班教师', Content: Leads },
    ],
  },
  rowActions: [
    { key: 'recode', label: '更换班级码', grant: teacherClass.actions.edit ?? 0, visible: (row) => row.status === CLASS_STATUS.running },
    { key: 'transfer', label: '转让', grant: CLASS_RIGHTS.id('transfer'), visible: (row) => row.status === CLASS_STATUS.running },
  ],
  dialogs: {
    recode: RecodeDialog,
    transfer: ({ row, reload, onClose }) => <TransferDialog ids={[row.id]} many={row.name} onClose={onClose} onDone={reload} />,
  },
})
