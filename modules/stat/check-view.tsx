import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Modal, Skeleton, Table } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { briefTime } from '../../core/field/time.ts'
import { StateWord } from '../../core/field/choice.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { validated } from '../../core/form/validated.tsx'
import { JobProgress } from '../../core/job/job-progress.tsx'
import { isMoving, useJob } from '../../core/job/use-job.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { listChecks, repairCheck, runChecks, type CheckRow } from './alert-calls.ts'
import { MONITOR_RIGHTS } from './rights.ts'

const STATES = [{ value: 'good', label: '通过', tone: 'success' }, { value: 'bad', label: '不通过', tone: 'error' }, { value: 'failed', label: '没有查成', tone: 'warning' }, { value: 'never', label: '还没查过', tone: 'idle' }] as const
const stateOf = (row: CheckRow) => (row.checked_at === null ? 'never' : row.problem !== null ? 'failed' : row.found > 0 ? 'bad' : 'good')

/** 修复: by an entry that says so, never by changing what was written. */
function RepairDialog({ row, onClose, onDone }: { row: CheckRow; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { found } = await call(repairCheck, { name: row.name, ...values }, { quiet: true })
    said({ words: found === 0 ? '已修复，重新检查通过' : `已处理，还有 ${found} 条` })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`${row.repair ?? ''} · ${row.title}`} okText={row.repair ?? '修复'} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">修复只追加记录或重新统计，不改动已有的记录，并写入操作日志。</p>
      <Form form={form} layout="vertical"><ReasonItem /></Form>
    </Modal>
  )
}

/** 数据自检: what must hold, what the last look has found, and what can be mended. */
export function CheckList() {
  const client = useQueryClient()
  const can = useCan()
  const [jobId, setJobId] = useState<number>()
  const [repairing, setRepairing] = useState<CheckRow>()
  const { data, error } = useQuery({ queryKey: ['self-checks'], queryFn: ({ signal }) => call(listChecks, undefined, { signal, quiet: true }), staleTime: 0 })
  const running = jobId ?? data?.job_id ?? undefined
  const { job, cancel, retry } = useJob(running)
  const { busy, attempt } = useAttempt()
  const reload = () => void client.invalidateQueries({ queryKey: ['self-checks'] })
  const [seen, setSeen] = useState<string>()
  // When it is over, what it has found is read once.
  if (job && job.status !== seen) {
    setSeen(job.status)
    if (!isMoving(job)) queueMicrotask(reload)
  }
  const wrong = data?.items.filter((row) => row.found > 0) ?? []
  const last = Math.max(0, ...(data?.items ?? []).map((row) => row.checked_at ?? 0))
  return (
    <section className="page-body stat-checks" aria-label="数据自检">
      <header className="stat-head">
        <h2>{!data ? '数据自检' : wrong.length === 0 ? `${data.items.length} 项全部通过` : `${wrong.length} 项不通过`}</h2>
        <span className="note">{last > 0 ? `${briefTime(last)}查过，` : ''}每天 03:00 后自动检查，北京时间</span>
        {can(MONITOR_RIGHTS.id('check')) && <Button type="primary" loading={busy} disabled={isMoving(job)} onClick={() => void attempt(async () => { setSeen(undefined); setJobId((await call(runChecks, undefined, { quiet: true })).job_id) })}>现在检查</Button>}
      </header>
      {running !== undefined && job && (isMoving(job) || job.status === 'failed' || job.status === 'cancelled') && <JobProgress job={job} onCancel={cancel} onRetry={retry} />}
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={reload}>重试</Button>} /> : !data ? <Skeleton active paragraph={{ rows: 10 }} /> : (
        <Table<CheckRow> size="small" rowKey="name" dataSource={data.items} pagination={false} scroll={{ x: 'max-content' }}
          expandable={{ rowExpandable: (row) => row.samples.length > 0, expandedRowRender: (row) => <ul className="stat-samples">{row.samples.map((words) => <li key={words}>{words}</li>)}{row.found > row.samples.length && <li className="note">还有 {row.found - row.samples.length} 条</li>}</ul> }} columns={[
            { title: '检查', render: (_value, row) => <div className="stat-check">{row.title}<small className="note">　{row.area}</small></div> },
            { title: '结果', width: 110, render: (_value, row) => <span title={row.problem ?? undefined}><StateWord choices={STATES} value={stateOf(row)} /></span> },
            { title: '条数', width: 80, align: 'right', render: (_value, row) => <span className="figure">{row.found > 0 ? row.found.toLocaleString('zh-CN') : ''}</span> },
            { title: '从什么时候', width: 130, responsive: ['md'], render: (_value, row) => (row.since === null ? '' : briefTime(row.since)) },
            { title: '耗时', width: 90, responsive: ['md'], align: 'right', render: (_value, row) => <span className="figure">{row.ms === null ? '' : `${row.ms} ms`}</span> },
            { title: '', width: 150, render: (_value, row) => (row.found > 0 && row.repair !== null && can(MONITOR_RIGHTS.id('repair')) ? <Button size="small" onClick={() => setRepairing(row)}>{row.repair}</Button> : '') },
          ]} />
      )}
      {repairing && <RepairDialog row={repairing} onClose={() => setRepairing(undefined)} onDone={reload} />}
    </section>
  )
}
