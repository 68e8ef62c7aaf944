import { SafetyCertificateOutlined } from '@ant-design/icons'
import { Alert, App, Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AuditState } from '../../core/audit/seal.server.ts'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import { JobProgress } from '../../core/job/job-progress.tsx'
import { isMoving, useJob } from '../../core/job/use-job.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { CHECK_GRANT, checkAuditLog } from './health.ts'

const count = (n: number) => n.toLocaleString('zh-CN')

/** What the seals say about the audit log, in words. */
function words({ sealed_to, waiting, check }: AuditState): string {
  const rest = waiting > 0 ? `，${waiting < 1000 ? waiting : '1,000 以上'} 条新日志待封存` : ''
  if (sealed_to === 0) return `还没有封存的日志${rest}`
  if (!check || check.seal_id === 0) return `已封存至第 ${count(sealed_to)} 条${rest}，尚未核验`
  return `已核验至第 ${count(check.to_id)} 条（${formatTime(check.sealed_at ?? 0)} 封存），已封存至第 ${count(sealed_to)} 条${rest}`
}

/** 操作日志完整性: whether the audit log is what it was when it was written. */
export function AuditSealCard({ audit, again }: { audit: AuditState; again: () => void }) {
  const { message } = App.useApp()
  const mayCheck = useCan()(CHECK_GRANT)
  const [jobId, setJobId] = useState<number>()
  const { job, cancel, retry } = useJob(jobId)
  const broken = audit.check?.broken ?? []
  const moving = isMoving(job)
  const checked = audit.check !== null && audit.check.seal_id > 0
  const start = async () => {
    try {
      setJobId((await call(checkAuditLog, {}, { quiet: true })).job.id)
    } catch (failure) {
      void message.error(failure instanceof Error ? failure.message : '核验失败')
    }
  }
  return (
    <section className="health-part" aria-labelledby="health-audit">
      <h2 id="health-audit">操作日志完整性</h2>
      <Alert showIcon type={broken.length > 0 ? 'error' : checked ? 'success' : 'info'} icon={<SafetyCertificateOutlined />}
        title={broken.length > 0 ? `操作日志有 ${broken.length} 处与封存时不符，请立即核查` : checked ? `操作日志完整：${words(audit)}` : words(audit)}
        description={broken.length > 0 && (
          <>
            <ul>{broken.map((one) => <li key={`${one.seal_id} ${one.what}`}>第 {count(one.from_id)} 至 {count(one.to_id)} 条（{formatTime(one.at)} 封存）：{one.what}</li>)}</ul>
            <p>{words(audit)}。<Link to="/system/security?kind=audit">查看安全日志</Link></p>
          </>
        )}
        action={mayCheck && <Button size="small" loading={moving} onClick={() => void start()}>从头核验</Button>} />
      {job && (moving || job.status === 'failed' || job.status === 'cancelled') && <JobProgress job={job} onCancel={cancel} onRetry={retry} />}
      {job?.status === 'done' && <p role="status" className="health-note">核验完成：{broken.length > 0 ? '有不符之处，见上' : '没有发现改动'}。<Button type="link" size="small" onClick={again}>刷新</Button></p>}
    </section>
  )
}
