import { Alert, Button, Progress, Space, Spin } from 'antd'
import type { JobInfo } from './calls.ts'
import { isMoving } from './use-job.tsx'

interface Props {
  job: JobInfo | undefined
  onCancel: () => void
  onRetry: () => void
}

/** How far a job is, with a way to stop it and, when it failed, to try again. */
export function JobProgress({ job, onCancel, onRetry }: Props) {
  if (!job) return <Spin description="正在提交…" />
  const percent = job.total ? Math.min(100, Math.floor((job.done / job.total) * 100)) : 0
  if (isMoving(job)) {
    return (
      <Space orientation="vertical" className="wide" aria-live="polite">
        <Progress percent={percent} status="active" />
        <span>{job.status === 'waiting' ? '排队中…' : `已处理 ${job.done.toLocaleString('zh-CN')}${job.total ? ` / ${job.total.toLocaleString('zh-CN')}` : ''}`}</span>
        {job.can.includes('cancel') && <Button onClick={onCancel}>取消任务</Button>}
      </Space>
    )
  }
  if (job.status === 'failed') return <Alert type="error" showIcon title={job.error ?? '任务失败'} action={job.can.includes('retry') && <Button size="small" onClick={onRetry}>重试</Button>} />
  if (job.status === 'cancelled') return <Alert type="warning" showIcon title="任务已取消" action={job.can.includes('retry') && <Button size="small" onClick={onRetry}>重新开始</Button>} />
  return null
}
