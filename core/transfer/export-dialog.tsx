import { App, Alert, Button, Checkbox, Form, Modal, Radio, Space } from 'antd'
import { useState } from 'react'
import { request } from '../endpoint/call.tsx'
import { validated } from '../form/validated.tsx'
import type { JobInfo } from '../job/calls.ts'
import { JobProgress } from '../job/job-progress.tsx'
import { isMoving, useJob } from '../job/use-job.tsx'
import type { Resource } from '../resource/define.ts'
import { fieldOf, hasValue } from '../resource/meta-fields.ts'
import { useCan } from '../session/staff-context.tsx'

interface Props {
  resource: Resource
  /** The list's filters and order. */
  query: Readonly<Record<string, unknown>>
  selected: readonly number[]
  total: number | undefined
  /** Columns that the list can show. */
  columns: readonly string[]
  /** Columns that the list shows now. */
  shown: readonly string[]
  onClose: () => void
}

interface Choice {
  range: 'all' | 'selected'
  format: 'xlsx' | 'csv'
  columns: string[]
  plain: boolean
}

/** Exports what the filters leave, or the selected rows, as a job whose file can be fetched for seven days. */
export function ExportDialog({ resource, query, selected, total, columns, shown, onClose }: Props) {
  const { message } = App.useApp()
  const can = useCan()
  const [jobId, setJobId] = useState<number>()
  const { job, cancel, retry } = useJob(jobId)
  const [form] = Form.useForm<Choice>()
  const keys = [...columns, ...(resource.audit ? ['record_files'] : [])].filter((key) => hasValue(fieldOf(resource, key)))
  // What the export hides, in words.
  const masked = [...new Set(keys.flatMap((key) => fieldOf(resource, key).hidden?.words ?? []))].join('和')
  const start = async () => {
    const choice = await validated(form)
    if (!choice) return
    const answer = await request<{ job: JobInfo }>('POST', `${resource.api.list}/export`, {
      query, columns: keys.filter((key) => choice.columns.includes(key)), format: choice.format, plain: choice.plain, ...(choice.range === 'selected' && { ids: selected }),
    }).catch((error: unknown) => void message.error(error instanceof Error ? error.message : '导出失败', 5))
    if (answer) setJobId(answer.job.id)
  }
  const url = job?.result?.['url']
  return (
    <Modal open title={`导出${resource.label}`} onCancel={onClose} footer={jobId
      ? <Space>{typeof url === 'string' && <Button type="primary" href={url}>下载文件</Button>}<Button onClick={onClose}>{isMoving(job) ? '后台运行' : '关闭'}</Button></Space>
      : <Space><Button onClick={onClose}>取消</Button><Button type="primary" onClick={() => void start()}>开始导出</Button></Space>}>
      {jobId ? (
        <>
          <JobProgress job={job} onCancel={cancel} onRetry={retry} />
          {job?.status === 'done' && <Alert type="success" showIcon title={`已导出 ${Number(job.result?.['rows'] ?? job.done).toLocaleString('zh-CN')} 条，文件保留 7 天，也可以在任务中心下载`} />}
        </>
      ) : (
        <Form<Choice> form={form} layout="vertical" initialValues={{ range: selected.length > 0 ? 'selected' : 'all', format: 'xlsx', columns: shown, plain: false }}>
          <Form.Item name="range" label="范围">
            <Radio.Group options={[
              { value: 'all', label: `筛选出的全部${total === undefined ? '' : total > 10_000 ? ' 10,000+ 条' : ` ${total} 条`}` },
              { value: 'selected', label: `已选的 ${selected.length} 条`, disabled: selected.length === 0 },
            ]} />
          </Form.Item>
          <Form.Item name="format" label="格式"><Radio.Group options={[{ value: 'xlsx', label: 'Excel（.xlsx）' }, { value: 'csv', label: 'CSV' }]} /></Form.Item>
          <Form.Item name="columns" label="列" rules={[{ required: true, message: '请至少选择一列' }]}>
            <Checkbox.Group className="export-columns" options={keys.map((key) => ({ value: key, label: fieldOf(resource, key).label }))} />
          </Form.Item>
          {masked && (
            <Form.Item name="plain" valuePropName="checked" extra={can(resource.actions.reveal) ? '导出完整信息会记入操作日志' : `您没有导出明文的权限，${masked}会隐藏中间部分`}>
              <Checkbox disabled={!can(resource.actions.reveal)}>导出完整{masked}</Checkbox>
            </Form.Item>
          )}
        </Form>
      )}
    </Modal>
  )
}
