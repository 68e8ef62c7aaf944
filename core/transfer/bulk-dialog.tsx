import { App, Button, Checkbox, Form, Input, Modal, Select, Space } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { request } from '../endpoint/call.tsx'
import { viewOf } from '../field/views.tsx'
import { ReasonItem } from '../form/reason-item.tsx'
import { validated } from '../form/validated.tsx'
import type { JobInfo } from '../job/calls.ts'
import { JobProgress } from '../job/job-progress.tsx'
import { isMoving, useJob } from '../job/use-job.tsx'
import type { Resource } from '../resource/define.ts'
import { checkValue, isEmpty } from '../field/check.ts'
import { useTakeBack } from '../undo/use-take-back.tsx'
import { useSaid } from '../undo/use-said.tsx'
import { BulkPreviewList, useBulkPreview } from './bulk-preview.tsx'
import type { BulkDone, BulkInput } from './calls.ts'

/** Something that can be done to many records. */
export interface BulkAction {
  key: string
  label: string
  /** What the button says before the count: 改, 删除. */
  verb: string
  reason: boolean
  danger: boolean
  /** What is done about a mistake where it cannot be taken back. */
  instead?: string
  /** The field that it changes; a person chooses one where it is not said. */
  field?: string
}

interface Props {
  resource: Resource
  action: BulkAction
  /** Fields that can be chosen. */
  editable: readonly string[]
  target: { ids: readonly number[] } | { query: Readonly<Record<string, unknown>> }
  many: string
  onClose: () => void
  /** After it was done, wholly or in part. */
  onDone: () => void
}

interface Typed {
  reason?: string
  field?: string
  value?: unknown
  clear?: boolean
  confirm?: string
}

/** A bulk action: what it does to the first records, the count to be typed where it is dangerous, then the job. */
export function BulkDialog({ resource, action, editable, target, many, onClose, onDone }: Props) {
  const { message } = App.useApp()
  const [jobId, setJobId] = useState<number>()
  const [form] = Form.useForm<Typed>()
  const { field: chosen, value, clear } = Form.useWatch([], form) ?? {}
  const said = useSaid()
  const takeBack = useTakeBack()
  const { job, cancel, retry } = useJob(jobId)
  const name = action.field ?? chosen
  const field = name === undefined ? undefined : resource.fields[name]
  const typed = clear === true || !isEmpty(value)
  const written = action.key === 'update' && name !== undefined && field && typed && !('message' in checkValue(field, clear ? null : value))
    ? { values: { [name]: clear ? null : value } } : undefined
  const body = { action: action.key, ...target, ...written }
  const ready = action.key !== 'update' || written !== undefined
  // The reason is of no account for what is only tried.
  const preview = useBulkPreview(resource, ready && jobId === undefined ? { ...body, ...(action.reason && { reason: action.label }) } as BulkInput : undefined)
  const count = preview.data?.count
  // Where the first records are all of them, it is known that nothing would come of it.
  const inVain = preview.data !== undefined && preview.data.rows.length === count && preview.data.rows.every(({ why }) => why !== null)
  const start = async () => {
    const filled = await validated(form)
    if (!filled) return
    const answer = await request<{ job: JobInfo }>('POST', `${resource.api.list}/bulk`, { ...body, ...(filled.reason && { reason: filled.reason }) }, { keepEmpty: true })
      .catch((error: unknown) => void message.error(error instanceof Error ? error.message : '提交失败', 5))
    if (answer) setJobId(answer.job.id)
  }
  const outcome: Partial<BulkDone> = job?.result ?? {}
  const { done = 0, skipped = 0, undo, reasons = [] } = outcome
  // What went through as a whole is said at the foot; what was left alone is read here first.
  const ended = useEffectEvent(() => {
    if (skipped > 0) return
    said({ words: action.key === 'update' ? `已修改 ${done} 条` : `已${action.label} ${done} 条`, undo })
    onDone()
  })
  // That a job ended is told before what came of it.
  const over = job?.status === 'done' && job.result !== null
  useEffect(() => { if (over) ended() }, [over])
  const close = () => (job && !isMoving(job) ? onDone() : onClose())
  const back = async () => {
    if (undo !== undefined) await takeBack(undo)
    onDone()
  }
  const buttons = jobId === undefined ? (
    <Space><Button onClick={onClose}>取消</Button>
      <Button type="primary" danger={action.danger} disabled={!ready || inVain} onClick={() => void start()}>{action.verb} {count === undefined ? many : `${count.toLocaleString('zh-CN')} 条`}</Button></Space>
  ) : (
    <Space>{over && undo !== undefined && <Button onClick={() => void back()}>撤销</Button>}
      <Button type="primary" onClick={close}>{job && !isMoving(job) ? '完成' : '后台运行'}</Button></Space>
  )
  return (
    <Modal open title={`${action.label}：${many}`} onCancel={close} mask={{ closable: false }} width={640} footer={buttons}>
      {jobId ? (
        <>
          <JobProgress job={job} onCancel={cancel} onRetry={retry} />
          {over && <p>成功 {done} 条{skipped ? `，跳过 ${skipped} 条` : ''}</p>}
          {reasons.length > 0 && <ul className="reasons">{reasons.slice(0, 50).map((one) => <li key={one.id}>{one.name}：{one.reason}</li>)}</ul>}
        </>
      ) : (
        <Form form={form} layout="vertical" initialValues={{ field: action.field }}>
          {action.key === 'update' && (
            <>
              <Form.Item name="field" label="要修改的字段" hidden={action.field !== undefined} rules={[{ required: true, message: '请选择要修改的字段' }]}>
                <Select placeholder="请选择" options={editable.map((key) => ({ value: key, label: resource.fields[key]?.label }))} onChange={() => form.setFieldsValue({ value: null, clear: false })} />
              </Form.Item>
              {name !== undefined && field && (
                <>
                  <Form.Item key={name} name="value" label="改为" hidden={clear === true} dependencies={['clear']} rules={[{
                    validator: (_rule, given: unknown) => {
                      if (form.getFieldValue('clear') === true) return Promise.resolve()
                      if (isEmpty(given)) return Promise.reject(new Error('请填写改成什么'))
                      const checked = checkValue(field, given)
                      return 'message' in checked ? Promise.reject(new Error(checked.message)) : Promise.resolve()
                    },
                  }]}>
                    <ValueInput resource={resource} name={name} />
                  </Form.Item>
                  {!field.required && <Form.Item name="clear" valuePropName="checked"><Checkbox>清空{field.label}</Checkbox></Form.Item>}
                </>
              )}
            </>
          )}
          {action.reason && <ReasonItem />}
          <BulkPreviewList resource={resource} preview={preview} />
          {action.key === 'remove' && <p className="note">删除后可以撤销，也可以在回收站恢复。</p>}
          {action.instead && <p className="note">{action.instead}。</p>}
          {action.danger && count !== undefined && !inVain && (
            <Form.Item name="confirm" label={`输入 ${count} 确认`} rules={[{ validator: (_rule, given: unknown) => (String(given ?? '').trim() === String(count) ? Promise.resolve() : Promise.reject(new Error(`输入 ${count} 才能${action.label}`))) }]}>
              <Input inputMode="numeric" autoComplete="off" className="bulk-count" />
            </Form.Item>
          )}
        </Form>
      )}
    </Modal>
  )
}

/** The field's own input, as the form shows it. */
function ValueInput({ resource, name, ...rest }: { resource: Resource; name: string; value?: unknown; onChange?: (value: unknown) => void; id?: string }) {
  const field = resource.fields[name]
  if (!field) return null
  const { Input: View } = viewOf(field)
  return <View field={field} name={name} values={resource.where} {...rest} />
}
