import { Alert, App, Form, Modal } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useCall } from '../code/door.tsx'
import { rebindCode, type activationCode } from './authorization-code.ts'
import { schoolStudent } from './school-student.ts'

interface Values {
  student_id: number
  reason: string
}

/** The picker with what the form gives to an input. */
function StudentPicker({ id = '', value, onChange }: { id?: string; value?: number; onChange?: (value: number | null) => void }) {
  return <Picker id={id} target={schoolStudent} label="学生" value={value} onChange={(picked) => onChange?.(picked)} />
}

/** 换绑: another student takes over what a code opened, until the same day. */
export function RebindDialog({ row, reload, onClose }: RowDialogProps<typeof activationCode>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, problem, run } = useCall((fields) => form.setFields(Object.entries(fields).map(([name, text]) => ({ name: name as keyof Values, errors: [text] }))))
  const submit = async () => {
    const values = await validated(form)
    if (!values) return
    const done = await run(() => call(rebindCode, { ...values, rev: row.rev }, { params: { id: row.id }, quiet: true }))
    // What stands in the way may be that the code has changed meanwhile.
    reload()
    if (!done) return
    void message.success('换绑成功')
    onClose()
  }
  return (
    <Modal open title={`换绑 ${row.code}`} okText="换绑" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p className="note">原学生的权益收回，新学生使用到原来的有效期为止；计入解绑次数。</p>
      <Form form={form} layout="vertical">
        <Form.Item name="student_id" label="新学生" rules={[{ required: true, message: '请选择学生' }]}><StudentPicker /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}
