import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Progress, Segmented, Space, Switch, Table, Tag } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { formatTime } from '../field/time.ts'
import { useStaff } from '../session/staff-context.tsx'
import { listUndo } from '../undo/calls.ts'
import { useTakeBack } from '../undo/use-take-back.tsx'
import { UndoList } from '../undo/undo-list.tsx'
import { Polling } from '../ui/front.tsx'
import { JOB_STATUS, listJobs, type JobInfo, type JobStatus } from '../job/calls.ts'
import { isMoving, useJob } from '../job/use-job.tsx'
import '../list/list.css'

const TONES: Readonly<Record<JobStatus, string>> = { waiting: 'default', running: 'processing', done: 'success', failed: 'error', cancelled: 'warning', undone: 'default' }
const PAGE_SIZE = 20
/** Beside the states of jobs: what this person can still take back. */
const UNDO = 'undo'

/** Files that a job made, and what else can be done with it. @param undo by which number its work is taken back */
function JobActions({ job, undo }: { job: JobInfo; undo: number | undefined }) {
  const { cancel, retry } = useJob(isMoving(job) ? job.id : undefined)
  const result = job.result ?? {}
  const takeBack = useTakeBack()
  const files = [['url', '下载文件'], ['error_url', '下载错误明细']].filter(([key]) => typeof result[key ?? ''] === 'string')
  return (
    <Space size={0} wrap>
      {files.map(([key = '', words]) => <Button key={key} type="link" size="small" href={String(result[key])}>{words}</Button>)}
      {undo !== undefined && <Button type="link" size="small" onClick={() => void takeBack(undo)}>撤销</Button>}
      {job.can.includes('cancel') && <Button type="link" size="small" onClick={cancel}>取消</Button>}
      {job.can.includes('retry') && <Button type="link" size="small" onClick={retry}>重试</Button>}
    </Space>
  )
}

/** The person's own long work: how far it is, what came of it, with ways to stop it and to try again. */
export function JobsPage() {
  const staff = useStaff()
  const [page, setPage] = useState(1)
  const [search, setSearch] = useSearchParams()
  // The home page leads here with a state.
  const asked = search.get('status') ?? ''
  const status = asked in JOB_STATUS ? (asked as JobStatus) : asked === UNDO ? UNDO : 'all'
  const [everybody, setEverybody] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['jobs', page, status, everybody],
    enabled: status !== UNDO,
    queryFn: ({ signal }) => call(listJobs, { page: page - 1, page_size: PAGE_SIZE, ...(status !== 'all' && { status }), ...(everybody && { all: '1' }) }, { signal }),
  })
  const { data: kept } = useQuery({ queryKey: ['undo'], queryFn: ({ signal }) => call(listUndo, undefined, { signal }) })
  const undoOf = new Map(kept?.items.map(({ job_id, id }) => [job_id, id]))
  // A job that moves is followed behind as well.
  const moving = data?.items.some(isMoving) ?? false
  return (
    <section className="list-page" aria-label="任务中心">
      <Polling every={moving ? 2000 : 15_000} read={refetch} />
      <div className="toolbar">
        <Segmented value={status} onChange={(next) => { setSearch(next === 'all' ? {} : { status: next }); setPage(1) }}
          options={[{ value: 'all' as const, label: '全部' }, ...(Object.keys(JOB_STATUS) as JobStatus[]).map((value) => ({ value, label: JOB_STATUS[value] })), { value: UNDO, label: '可撤销' }]} />
        {staff.role === 'super' && <Space><Switch checked={everybody} onChange={setEverybody} aria-label="查看所有人的任务" /> 查看所有人的任务</Space>}
      </div>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {status === UNDO ? <UndoList /> : <Table<JobInfo> rowKey="id" size="middle" loading={isFetching && !data} dataSource={data?.items ?? []} scroll={{ x: 980 }} locale={{ emptyText: <Empty description="还没有任务，导入、导出和批量操作会出现在这里" /> }}
        pagination={{ current: page, pageSize: PAGE_SIZE, total: data?.total ?? 0, onChange: setPage, showSizeChanger: false, showTotal: (total) => `共 ${total} 条` }}
        columns={[
          { title: '任务', dataIndex: 'title', width: 260, ellipsis: true },
          ...(everybody ? [{ title: '发起人', dataIndex: 'staff_name', width: 110 }] : []),
          { title: '状态', dataIndex: 'status', width: 100, render: (value: JobStatus) => <Tag color={TONES[value]}>{JOB_STATUS[value]}</Tag> },
          {
            title: '进度', width: 200, render: (_, job) => (isMoving(job)
              ? <Progress size="small" percent={job.total ? Math.floor((job.done / job.total) * 100) : 0} status="active" />
              : <span className="figure">{job.error ?? `${job.done.toLocaleString('zh-CN')} 条`}</span>),
          },
          { title: '发起时间', dataIndex: 'created_at', width: 160, render: (value: number) => <span className="figure">{formatTime(value).slice(0, 16)}</span> },
          { title: '完成时间', dataIndex: 'finished_at', width: 160, render: (value: number | null) => (value ? <span className="figure">{formatTime(value).slice(0, 16)}</span> : '—') },
          { title: '操作', width: 200, render: (_, job) => <JobActions job={job} undo={undoOf.get(job.id)} /> },
        ]} />}
    </section>
  )
}
