import { Alert, App, Form, InputNumber, Modal } from 'antd'
import { useState } from 'react'
import { call, newKey } from '../../core/endpoint/call.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { codeEndpoints } from './calls.ts'
import { MAX_BATCH, type CodeFamily, type BatchResource } from './family.ts'
import { QuotaLine, useQuota } from './quota.tsx'
import { useCall } from './use-call.tsx'

/** 追加: more codes on the terms of a batch that is there. */
export function AppendDialog({ family, row, reload, onClose }: RowDialogProps<BatchResource> & { family: CodeFamily }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ count: number }>()
  const count = Number(Form.useWatch('count', form) ?? 0)
  const quota = useQuota(family, row[family.owner.key])
  const [key] = useState(newKey)
  const { busy, problem, run } = useCall()
  const room = MAX_BATCH - (row.total ?? 0)
  const submit = async () => {
    const values = await validated(form)
    if (!values || !await run(() => call(codeEndpoints(family).append, values, { params: { id: row.id }, idempotencyKey: key, quiet: true }))) return
    void message.success(`已追加 ${values.count.toLocaleString('zh-CN')} 个${family.label}`)
    reload()
    onClose()
  }
  return (
    <Modal open title={`追加 · ${row.name}`} okText="追加" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <QuotaLine quota={quota} count={count} />
      <Form form={form} layout="vertical">
        <Form.Item name="count" label="数量" extra={`新码沿用本批次的前缀、码长和期限，还能追加 ${room.toLocaleString('zh-CN')} 个`} rules={[{ required: true, message: '请填写数量' }]}>
          <InputNumber className="wide" min={1} max={Math.max(1, room)} precision={0} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
