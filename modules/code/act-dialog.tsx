import { Alert, Form, Modal } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { ActForm, toTerms, type ActValues } from './act-form.tsx'
import { codeEndpoints } from './calls.ts'
import type { CodeAction } from './code-state.ts'
import type { CodeFamily, CodeResource } from './family.ts'
import { useCall } from './use-call.tsx'

/** Does one action of the state machine to one code. */
export function ActDialog({ family, action, row, reload, onClose }: RowDialogProps<CodeResource> & { family: CodeFamily; action: CodeAction }) {
  const said = useSaid()
  const [form] = Form.useForm<ActValues>()
  const { busy, problem, run } = useCall()
  const submit = async () => {
    const values = await validated(form)
    if (!values) return
    let undo: number | undefined
    const done = await run(async () => { undo = (await call(codeEndpoints(family).act[action.name], { ...toTerms(values), rev: row.rev }, { params: { id: row.id }, quiet: true })).undo })
    // What stands in the way may be that the code has changed meanwhile.
    reload()
    if (!done) return
    said({ words: `${action.label}成功`, undo })
    onClose()
  }
  return (
    <Modal open title={`${action.label} ${row.code}`} okText={action.label} okButtonProps={{ danger: action.danger ?? false }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form form={form} layout="vertical"><ActForm family={family} action={action} /></Form>
    </Modal>
  )
}
