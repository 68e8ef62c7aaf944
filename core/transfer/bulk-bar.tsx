import { App, Button, Form, Modal, Select, Space } from 'antd'
import { useState, type ComponentType } from 'react'
import { request } from '../endpoint/call.tsx'
import { viewOf } from '../field/views.tsx'
import { ReasonItem } from '../form/reason-item.tsx'
import { validated } from '../form/validated.tsx'
import type { JobInfo } from '../job/calls.ts'
import { JobProgress } from '../job/job-progress.tsx'
import { isMoving, useJob } from '../job/use-job.tsx'
import type { Resource } from '../resource/define.ts'
import { transitionGrant } from '../resource/define.ts'
import type { BulkProps } from '../resource/present.tsx'
import { checkValue } from '../field/check.ts'
import { writableKeys } from '../resource/rules.ts'
import type { BulkDone } from './calls.ts'
import { useCan } from '../session/staff-context.tsx'

interface Props {
  resource: Resource
  /** Actions of the screen's own, beside those that follow from the definition. */
  own: ComponentType<BulkProps> | undefined
  /** Fields that have a button of their own, such as 批量备注. */
  fields: readonly string[]
  selected: readonly number[]
  /** The list's filters, for 选择全部. */
  query: Readonly<Record<string, unknown>>
  total: number | undefined
  onClear: () => void
  reload: () => void
}

interface Action {
  key: string
  label: string
  reason: boolean
  danger: boolean
  /** The field that it changes; a person chooses one where it is not said. */
  field?: string
}

/** Acts on the selected records, or on everything that the filters leave, as one job that can be watched and stopped. */
export function BulkBar({ resource, own: Own, fields, selected, query, total, onClear, reload }: Props) {
  const can = useCan()
  const { message } = App.useApp()
  const [everything, setEverything] = useState(false)
  const [action, setAction] = useState<Action>()
  const [jobId, setJobId] = useState<number>()
  const [form] = Form.useForm<{ reason?: string; field?: string; value?: unknown }>()
  const field = Form.useWatch('field', form)
  const { job, cancel, retry } = useJob(jobId)
  if (selected.length === 0 && !jobId) return null

  const editable = writableKeys(resource).filter((key) => !resource.fields[key]?.unique && !resource.fields[key]?.createOnly && !resource.fields[key]?.unlisted)
  const actions: Action[] = [
    ...(can(resource.actions.update) && editable.length > 0 ? [{ key: 'update', label: '批量修改', reason: false, danger: false }] : []),
    ...(can(resource.actions.update) ? fields : []).map((name) => ({ key: 'update', label: `批量${resource.fields[name]?.label ?? ''}`, reason: false, danger: false, field: name })),
    ...resource.transitions.filter((transition) => can(transitionGrant(resource, transition))).map((transition) => ({
      key: transition.name, label: transition.label, reason: transition.reason === true, danger: transition.danger === true,
    })),
    ...(can(resource.actions.remove) ? [{ key: 'remove', label: '删除', reason: false, danger: true }] : []),
  ]
  const many = everything ? `全部 ${total === undefined || total > 10_000 ? '10,000+' : total.toLocaleString('zh-CN')} 条` : `${selected.length} 条`
  const close = () => {
    setAction(undefined)
    setJobId(undefined)
    setEverything(false)
    form.resetFields()
    if (job && !isMoving(job)) {
      onClear()
      reload()
    }
  }
  const start = async () => {
    const filled = await validated(form)
    if (!filled || !action) return
    const target = everything ? { query } : { ids: selected }
    const change = action.key === 'update' && filled.field ? { values: { [filled.field]: filled.value ?? null } } : {}
    const answer = await request<{ job: JobInfo }>('POST', `${resource.api.list}/bulk`, { action: action.key, ...target, ...change, ...(filled.reason && { reason: filled.reason }) })
      .catch((error: unknown) => void message.error(error instanceof Error ? error.message : '提交失败', 5))
    if (answer) setJobId(answer.job.id)
  }
  const target = field ? resource.fields[field] : undefined
  const outcome: Partial<BulkDone> = job?.result ?? {}

  return (
    <div className="bulk-bar" role="region" aria-label="批量操作">
      <span aria-live="polite">已选 {many}</span>
      {!everything && total !== undefined && total > selected.length && <Button type="link" size="small" onClick={() => setEverything(true)}>选择筛选出的全部 {total > 10_000 ? '10,000+' : total} 条</Button>}
      <Button type="link" size="small" onClick={() => { setEverything(false); onClear() }}>取消选择</Button>
      <Space wrap>{actions.map((one) => <Button key={`${one.key} ${one.field ?? ''}`} size="small" danger={one.danger} onClick={() => setAction(one)}>{one.label}</Button>)}
        {Own && <Own selected={selected} {...(everything && { query })} many={many} onDone={() => { setEverything(false); onClear(); reload() }} />}
      </Space>
      {action && (
        <Modal open title={`${action.label}：${many}`} onCancel={close} mask={{ closable: false }} footer={jobId
          ? <Button type="primary" onClick={close}>{job && !isMoving(job) ? '完成' : '后台运行'}</Button>
          : <Space><Button onClick={close}>取消</Button><Button type="primary" danger={action.danger} onClick={() => void start()}>确定</Button></Space>}>
          {jobId ? (
            <>
              <JobProgress job={job} onCancel={cancel} onRetry={retry} />
              {job?.status === 'done' && <p>成功 {outcome.done ?? 0} 条{outcome.skipped ? `，跳过 ${outcome.skipped} 条` : ''}</p>}
              {outcome.reasons && outcome.reasons.length > 0 && <ul className="reasons">{outcome.reasons.slice(0, 50).map((one) => <li key={one.id}>{one.name}：{one.reason}</li>)}</ul>}
            </>
          ) : (
            <Form form={form} layout="vertical" initialValues={{ field: action.field }}>
              {action.key === 'update' && (
                <>
                  <Form.Item name="field" label="要修改的字段" hidden={action.field !== undefined} rules={[{ required: true, message: '请选择要修改的字段' }]}>
                    <Select placeholder="请选择" options={editable.map((key) => ({ value: key, label: resource.fields[key]?.label }))} onChange={() => form.setFieldValue('value', null)} />
                  </Form.Item>
                  {field && target && (
                    <Form.Item key={field} name="value" label="改为（留空则清除）" rules={[{
                      validator: (_rule, value: unknown) => {
                        const checked = checkValue(target, value)
                        return 'message' in checked ? Promise.reject(new Error(checked.message)) : Promise.resolve()
                      },
                    }]}>
                      <BulkInput resource={resource} name={field} />
                    </Form.Item>
                  )}
                </>
              )}
              {action.reason && <ReasonItem />}
              {action.key === 'remove' && <p>删除后可以在回收站恢复。</p>}
              <p className="note">每条记录仍按各自的权限和状态检查，不能处理的会跳过并列出原因。</p>
            </Form>
          )}
        </Modal>
      )}
    </div>
  )
}

/** The field's own input, as the form shows it. */
function BulkInput({ resource, name, ...rest }: { resource: Resource; name: string; value?: unknown; onChange?: (value: unknown) => void; id?: string }) {
  const field = resource.fields[name]
  if (!field) return null
  const { Input: View } = viewOf(field)
  return <View field={field} name={name} values={resource.where} {...rest} />
}
