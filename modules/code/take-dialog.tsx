import { Alert, Button, Modal, Radio, Space, Typography } from 'antd'
import { useState } from 'react'
import { CopyButton } from '../../core/form/copy-button.tsx'
import { call } from '../../core/endpoint/call.tsx'
import { JobProgress } from '../../core/job/job-progress.tsx'
import { isMoving, useJob } from '../../core/job/use-job.tsx'
import type { BulkTarget } from './bulk-actions.tsx'
import { codeEndpoints } from './calls.ts'
import { ALPHABET } from './code-text.ts'
import type { CodeFamily } from './family.ts'
import { useCall } from './use-call.tsx'

/** Characters of an archive's password: more than a hundred bits. */
const PASSWORD_LENGTH = 20

function newPassword(): string {
  const even = Math.floor(256 / ALPHABET.length) * ALPHABET.length
  let text = ''
  while (text.length < PASSWORD_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(PASSWORD_LENGTH))) if (byte < even && text.length < PASSWORD_LENGTH) text += ALPHABET.charAt(byte % ALPHABET.length)
  }
  return text
}

/** Takes whole codes out of the console, in a workbook or in an archive that only a password opens. */
export function TakeDialog({ family, meant, title, onClose }: { family: CodeFamily; meant: BulkTarget; title: string; onClose: () => void }) {
  const [format, setFormat] = useState<'zip' | 'xlsx'>('zip')
  // Made here and nowhere kept: the server forgets it with the finished archive.
  const [password] = useState(newPassword)
  const [jobId, setJobId] = useState<number>()
  const { job, cancel, retry } = useJob(jobId)
  const { busy, problem, run } = useCall()
  const start = () => run(async () => {
    const started = await call(codeEndpoints(family).export, { ...(meant.ids ? { ids: [...meant.ids] } : { query: { ...meant.query } }), ...(format === 'zip' && { password }) }, { quiet: true })
    setJobId(started.job.id)
  })
  const url = job?.result?.['url']
  return (
    <Modal open title={title} onCancel={onClose} mask={{ closable: false }} footer={jobId
      ? <Space>{typeof url === 'string' && <Button type="primary" href={url}>下载文件</Button>}<Button onClick={onClose}>{isMoving(job) ? '后台运行' : '关闭'}</Button></Space>
      : <Space><Button onClick={onClose}>取消</Button><Button type="primary" loading={busy} onClick={() => void start()}>开始导出</Button></Space>}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {jobId ? (
        <>
          <JobProgress job={job} onCancel={cancel} onRetry={retry} />
          {format === 'zip' && (
            <Alert className="form-alert" type="warning" showIcon title="解压口令只显示这一次，请现在保存"
              description={<Space wrap><Typography.Text className="code-text" strong>{password}</Typography.Text><CopyButton text={password} label="复制口令" size="small" /></Space>} />
          )}
          {job?.status === 'done' && <Alert type="success" showIcon title={`已导出 ${Number(job.result?.['rows'] ?? 0).toLocaleString('zh-CN')} 个码，文件保留 7 天，只有您能下载`} />}
        </>
      ) : (
        <>
          <p className="note">文件里是完整的{family.label}，拿到的人就能激活。导出的人、时间和条件会记入操作日志。</p>
          <Radio.Group value={format} onChange={(event) => setFormat(event.target.value as 'zip' | 'xlsx')} options={[
            { value: 'zip', label: '加密压缩包（AES-256）' }, { value: 'xlsx', label: 'Excel，不加密' },
          ]} />
        </>
      )}
    </Modal>
  )
}
