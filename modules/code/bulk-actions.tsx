import { Alert, Button, Form, Modal, Space } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { validated } from '../../core/form/validated.tsx'
import { JobProgress } from '../../core/job/job-progress.tsx'
import { isMoving, useJob } from '../../core/job/use-job.tsx'
import type { BulkProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import type { BulkDone } from '../../core/transfer/calls.ts'
import { useTakeBack } from '../../core/undo/use-take-back.tsx'
import { ActForm, toTerms, type ActValues } from './act-form.tsx'
import { codeEndpoints } from './calls.ts'
import { CODE_ACTIONS, type CodeAction } from './code-state.ts'
import { type CodeFamily } from './family.ts'
import { TakeDialog } from './take-dialog.tsx'
import { useCall } from './use-call.tsx'

/** Codes that an action means: named one by one, or all of a list query. */
export interface BulkTarget {
  readonly ids?: readonly number[]
  readonly query?: Readonly<Record<string, unknown>>
}

/** Does an action to many codes as a job that can be watched and stopped. */
export function BulkActDialog({ family, action, meant, many, onClose, onDone }: { family: CodeFamily; action: CodeAction; meant: BulkTarget; many: string; onClose: () => void; onDone: () => void }) {
  const [form] = Form.useForm<ActValues>()
  const [jobId, setJobId] = useState<number>()
  const { job, cancel, retry } = useJob(jobId)
  const { busy, problem, run } = useCall()
  const takeBack = useTakeBack()
  const submit = async () => {
    const values = await validated(form)
    if (!values) return
    await run(async () => {
      const started = await call(codeEndpoints(family).bulk, { action: action.name, ...toTerms(values), ...(meant.ids ? { ids: [...meant.ids] } : { query: { ...meant.query } }) }, { quiet: true })
      setJobId(started.job.id)
    })
  }
  const close = () => (jobId ? onDone() : onClose())
  const outcome: Partial<BulkDone> = job?.result ?? {}
  const { undo } = outcome
  return (
    <Modal open title={`${action.label}：${many}`} onCancel={close} mask={{ closable: false }} footer={jobId
      ? <Space>{undo !== undefined && <Button onClick={() => void takeBack(undo).then(close)}>撤销</Button>}<Button type="primary" onClick={close}>{job && !isMoving(job) ? '完成' : '后台运行'}</Button></Space>
      : <Space><Button onClick={close}>取消</Button><Button type="primary" danger={action.danger ?? false} loading={busy} onClick={() => void submit()}>{action.label}</Button></Space>}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {jobId ? (
        <>
          <JobProgress job={job} onCancel={cancel} onRetry={retry} />
          {job?.status === 'done' && <p>成功 {(outcome.done ?? 0).toLocaleString('zh-CN')} 个{outcome.skipped ? `，跳过 ${outcome.skipped.toLocaleString('zh-CN')} 个` : ''}</p>}
          {outcome.reasons && outcome.reasons.length > 0 && <ul className="reasons">{outcome.reasons.slice(0, 50).map((one) => <li key={one.id}>{one.name}：{one.reason}</li>)}</ul>}
        </>
      ) : <Form form={form} layout="vertical"><ActForm family={family} action={action} />{action.instead && <p className="note">{action.instead}。</p>}</Form>}
    </Modal>
  )
}

/** Actions on the selected codes, beside the list's own. */
export function bulkActions(family: CodeFamily) {
  return function BulkActions({ selected, query, many, onDone }: BulkProps) {
    const can = useCan()
    const [action, setAction] = useState<CodeAction>()
    const [taking, setTaking] = useState(false)
    const meant = query ? { query } : { ids: selected }
    return (
      <Space wrap>
        {CODE_ACTIONS.filter(({ right }) => can(family.code.rights.id(right))).map((one) => <Button key={one.name} size="small" danger={one.danger ?? false} onClick={() => setAction(one)}>{one.label}</Button>)}
        {can(family.batch.rights.id('take')) && <Button size="small" onClick={() => setTaking(true)}>导出完整码</Button>}
        {action && <BulkActDialog family={family} action={action} meant={meant} many={many} onClose={() => setAction(undefined)} onDone={onDone} />}
        {taking && <TakeDialog family={family} meant={meant} title={`导出完整${family.label}：${many}`} onClose={() => setTaking(false)} />}
      </Space>
    )
  }
}
