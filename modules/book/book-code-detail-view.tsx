import { Alert, App, Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate } from '../../core/field/time.ts'
import { validated } from '../../core/form/validated.tsx'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { codePresentation, useCall } from '../code/door.tsx'
import { codeProblem } from '../code/module.ts'
import { activateBookCode, bookCode, bookCodeFamily, BOOK_CODE_RIGHTS } from './book-code.ts'

interface Values {
  code: string
  mobile: string
  name?: string
}

/** 代激活: for somebody who called, under their mobile number. */
function ActivateDialog({ reload, onClose }: { reload: () => void; onClose: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, problem, run } = useCall((fields) => form.setFields(Object.entries(fields).map(([name, text]) => ({ name: name as keyof Values, errors: [text] }))))
  const submit = async () => {
    const values = await validated(form)
    if (!values) return
    await run(async () => {
      const { expire_at, offer_name } = await call(activateBookCode, values, { quiet: true })
      void message.success(`已开通「${offer_name}」，有效期至 ${formatDate(expire_at)}`)
      reload()
      onClose()
    })
  }
  return (
    <Modal open title="代用户激活" okText="激活" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form<Values> form={form} layout="vertical" name="activate-book-code">
        <Form.Item name="code" label="激活码" required validateTrigger={['onBlur', 'onSubmit']} rules={[{
          validator: (_rule, value: unknown) => {
            const wrong = codeProblem(typeof value === 'string' ? value : '')
            return wrong ? Promise.reject(new Error(wrong)) : Promise.resolve()
          },
        }]}><Input autoComplete="off" spellCheck={false} maxLength={40} placeholder="刮开后的完整激活码" /></Form.Item>
        <Form.Item name="mobile" label="用户手机号" rules={[{ required: true, message: '请填写手机号' }, { pattern: /^1[3-9]\d{9}$/, message: '手机号应为 11 位数字' }]}><Input maxLength={11} inputMode="numeric" autoComplete="off" /></Form.Item>
        <Form.Item name="name" label="姓名" extra="没有账号时以此姓名建立"><Input maxLength={20} autoComplete="off" /></Form.Item>
      </Form>
    </Modal>
  )
}

function Activate({ reload }: { reload: () => void }) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can(BOOK_CODE_RIGHTS.id('activate'))) return null
  return <><Button onClick={() => setOpen(true)}>代激活</Button>{open && <ActivateDialog reload={reload} onClose={() => setOpen(false)} />}</>
}

/** The codes of books: what all codes have, and activating one for somebody who called. */
export default codePresentation(bookCodeFamily, present(bookCode)({ slots: { toolbar: Activate } }))
