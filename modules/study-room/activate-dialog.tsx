import { Alert, App, Form, Input, Modal } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate } from '../../core/field/time.ts'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useCall } from '../code/door.tsx'
import { codeProblem } from '../code/module.ts'
import { activateCodeCall } from './authorization-code.ts'
import type { schoolStudent } from './school-student.ts'

interface Values {
  code: string
  pad_sn?: string
}

/** 激活授权码: a student gets what a code opens. Typing errors are said before anybody is asked. */
export function ActivateDialog({ row, reload, onClose }: RowDialogProps<typeof schoolStudent>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, problem, run } = useCall((fields) => form.setFields(Object.entries(fields).map(([name, text]) => ({ name: name as keyof Values, errors: [text] }))))
  const submit = async () => {
    const values = await validated(form)
    if (!values) return
    await run(async () => {
      const { expire_at } = await call(activateCodeCall, { code: values.code, student_id: row.id, ...(values.pad_sn && { pad_sn: values.pad_sn }) }, { quiet: true })
      void message.success(`激活成功，有效期至 ${formatDate(expire_at)}`)
      reload()
      onClose()
    })
  }
  return (
    <Modal open title={`激活授权码 · ${row.name}`} okText="激活" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form form={form} layout="vertical">
        <Form.Item name="code" label="授权码" required validateTrigger={['onBlur', 'onSubmit']} rules={[{
          validator: (_rule, value: unknown) => {
            const wrong = codeProblem(typeof value === 'string' ? value : '')
            return wrong ? Promise.reject(new Error(wrong)) : Promise.resolve()
          },
        }]}>
          <Input autoComplete="off" spellCheck={false} maxLength={40} placeholder="输入或扫描完整授权码" />
        </Form.Item>
        <Form.Item name="pad_sn" label="平板 SN" normalize={(value: string) => value.trim().toUpperCase()} rules={[{ pattern: /^[A-Z0-9]{8,24}$/, message: '平板 SN 应为 8 到 24 位大写字母和数字' }]}>
          <Input autoComplete="off" maxLength={24} placeholder="在平板上激活时填写" />
        </Form.Item>
      </Form>
    </Modal>
  )
}
