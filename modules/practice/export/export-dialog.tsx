import { Alert, Button, Form, Modal, Radio, Select, Space } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { JobProgress } from '../../../core/job/job-progress.tsx'
import { isMoving, useJob } from '../../../core/job/use-job.tsx'
import type { Search } from '../bank/calls.ts'
import type { Pool } from '../bank/practice.ts'
import { exportPractices } from './calls.ts'
import { EXPORT_FORMATS, MAX_EXPORT, type ExportFormat } from './formats.ts'

interface Props {
  pool: Pool
  level: 0 | 1 | 2
  search: Search
  total: number | undefined
  selected: readonly number[]
  onClose: () => void
}

/** Writes the selected questions, or all that the filters leave, into a file of any format. */
export function ExportDialog({ pool, level, search, total, selected, onClose }: Props) {
  const [jobId, setJobId] = useState<number>()
  const [range, setRange] = useState<'selected' | 'all'>(selected.length > 0 ? 'selected' : 'all')
  const [format, setFormat] = useState<ExportFormat>('docx')
  const { job, cancel, retry } = useJob(jobId)
  const { cursor: _, ...filters } = search
  const tooMany = range === 'all' && total !== undefined && total > MAX_EXPORT
  const start = async () => {
    const { job_id } = await call(exportPractices, { pool, level, format, ...(range === 'selected' ? { ids: [...selected] } : { search: filters }) })
    setJobId(job_id)
  }
  const url = job?.result?.['url']
  const notes = job?.result?.['notes']
  return (
    <Modal open title="导出试题" onCancel={onClose} footer={jobId
      ? <Space>{typeof url === 'string' && <Button type="primary" href={url}>下载文件</Button>}{job && !isMoving(job) && <Button onClick={() => setJobId(undefined)}>再导出</Button>}<Button onClick={onClose}>{isMoving(job) ? '后台运行' : '关闭'}</Button></Space>
      : <Space><Button onClick={onClose}>取消</Button><Button type="primary" disabled={tooMany} onClick={() => void start().catch(() => undefined)}>开始导出</Button></Space>}>
      {jobId ? (
        <Space orientation="vertical" className="wide">
          <JobProgress job={job} onCancel={cancel} onRetry={retry} />
          {job?.status === 'done' && <Alert type="success" showIcon title={`已导出 ${Number(job.result?.['rows'] ?? 0).toLocaleString('zh-CN')} 道，文件保留 7 天，也可以在任务中心下载`} />}
          {Array.isArray(notes) && notes.length > 0 && <Alert type="warning" showIcon title="有内容没有写入文件" description={<ul className="export-notes">{notes.map((note, index) => <li key={index}>{String(note)}</li>)}</ul>} />}
        </Space>
      ) : (
        <Form layout="vertical">
          <Form.Item label="范围">
            <Radio.Group aria-label="范围" value={range} onChange={(event) => setRange(event.target.value as typeof range)} options={[
              { value: 'selected', label: `已选的 ${selected.length} 道`, disabled: selected.length === 0 },
              { value: 'all', label: `筛选出的全部${total === undefined ? '' : total > 10_000 ? ' 10,000+ 道' : ` ${total.toLocaleString('zh-CN')} 道`}` },
            ]} />
          </Form.Item>
          <Form.Item label="格式" extra={EXPORT_FORMATS.find((one) => one.value === format)?.note} htmlFor="export-format">
            <Select<ExportFormat> id="export-format" value={format} onChange={setFormat} options={EXPORT_FORMATS.map(({ value, label }) => ({ value, label }))} />
          </Form.Item>
          {tooMany && <Alert type="warning" showIcon title={`一次最多导出 ${MAX_EXPORT.toLocaleString('zh-CN')} 道题，请缩小筛选范围`} />}
        </Form>
      )}
    </Modal>
  )
}
