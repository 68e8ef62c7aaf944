import { Alert, App, Form, Modal } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { ActForm, toTerms, type ActValues } from './act-form.tsx'
import { codeEndpoints } from './calls.ts'
import type { CodeAction } from './code-state.ts'
import type { CodeFamily, CodeResource } from './family.ts'
import { useCall } from './use-call.tsx'

/** Does one action of the state machine to one code. */
export function ActDialog({ family, action, row, reload, onClose }: RowDialogProps<CodeResource> & { family: CodeFamily; action: CodeAction }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<ActValues>()
  const { busy, problem, run } = useCall()
  const submit = async () => {
    const values = await validated(form)
    if (!values) return
    const done = await run(() => call(codeEndpoints(family).act[action.name], { ...toTerms(values), rev: row.rev }, { params: { id: row.id }, quiet: true }))
    // What stands in the way may be that the code has changed meanwhile.
    reload()
    if (!done) return
    void message.success(`${action.label}成功`)
    onClose()
  }
  return (
    <Modal open title={`${action.label} ${row.code}`} okText={action.label} okButtonProps={{ danger: action.danger ?? false }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form form={form} layout="vertical"><ActForm family={family} action={action} /></Form>
    </Modal>
  )
}
