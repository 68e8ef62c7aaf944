import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { useUnsaved } from '../form/unsaved.tsx'
import { changePassword, loginOptions } from '../session/calls.ts'
import { passwordHints } from './password-hints.ts'
import { passwordProblem, type PasswordPolicy } from '../session/policy.ts'

interface Fields {
  old_password: string
  new_password: string
  again: string
}

interface PasswordFormProps {
  account: string
  onDone: () => void
}

/** Until the server has said which rules hold; it checks by them anyway. */
const USUAL: PasswordPolicy = { minLength: 8, classes: 2, maxDays: undefined }

/** Changes one's own password, with the rules ticked off while typing. */
export function PasswordForm({ account, onDone }: PasswordFormProps) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Fields>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [dirty, setDirty] = useState(false)
  const { data } = useQuery({ queryKey: ['login-options'], queryFn: ({ signal }) => call(loginOptions, undefined, { signal, quiet: true }), staleTime: Infinity })
  const policy = data?.password_policy ?? USUAL
  const typed = Form.useWatch('new_password', form) ?? ''
  useUnsaved(dirty, '修改密码')

  const submit = async ({ old_password, new_password }: Fields) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(changePassword, { old_password, new_password }, { quiet: true })
      form.resetFields()
      setDirty(false)
      void message.success('密码已修改，其他设备上的登录已结束')
      onDone()
    } catch (error) {
      const wrong = error instanceof CallError ? Object.entries(error.fields) : []
      form.setFields(wrong.map(([name, text]) => ({ name: name as keyof Fields, errors: [text] })))
      if (wrong.length === 0) setProblem(error instanceof Error ? error.message : '修改失败')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form<Fields> form={form} layout="vertical" requiredMark={false} onFinish={(fields) => void submit(fields)} onValuesChange={(_changed, all: Partial<Fields>) => setDirty(Object.values(all).some(Boolean))}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {/* Password managers need to know whose password it is. */}
      <input className="unseen" type="text" name="username" autoComplete="username" value={account} readOnly tabIndex={-1} aria-hidden="true" />
      <Form.Item name="old_password" label="当前密码" rules={[{ required: true, message: '请输入当前密码' }]}>
        <Input.Password autoComplete="current-password" maxLength={200} />
      </Form.Item>
      <Form.Item name="new_password" label="新密码" rules={[{ required: true, message: '请输入新密码' }, {
        validator: (_rule, value?: string) => {
          const wrong = value && passwordProblem(policy, value, account)
          return wrong ? Promise.reject(new Error(wrong)) : Promise.resolve()
        },
      }]} validateTrigger="onBlur">
        <Input.Password autoComplete="new-password" maxLength={128} />
      </Form.Item>
      <ul className="password-hints" aria-label="密码要求">
        {passwordHints(policy, typed, account).map(({ text, met }) => <li key={text} data-met={met}>{met ? <CheckCircleFilled aria-label="已满足" /> : <MinusCircleOutlined aria-label="未满足" />} {text}</li>)}
      </ul>
      <Form.Item name="again" label="再次输入新密码" dependencies={['new_password']} validateTrigger="onBlur" rules={[{ required: true, message: '请再次输入新密码' }, ({ getFieldValue }) => ({
        validator: (_rule, value?: string) => (!value || value === getFieldValue('new_password') ? Promise.resolve() : Promise.reject(new Error('两次输入的密码不一致'))),
      })]}>
        <Input.Password autoComplete="new-password" maxLength={128} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>修改密码</Button>
    </Form>
  )
}
