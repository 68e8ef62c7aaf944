import { SafetyOutlined } from '@ant-design/icons'
import { App, Button, Form, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { loginTotp, type StaffInfo } from '../session/calls.ts'

interface TotpStepProps {
  ticket: string
  onDone: (staff: StaffInfo) => void
  /** The attempt is over or was given up: back to the first step. */
  onBack: () => void
}

/** Second step of a login: a code of the authenticator app, or a recovery code. Six digits are sent as soon as they are there. */
export function TotpStep({ ticket, onDone, onBack }: TotpStepProps) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ code: string }>()
  const [recovery, setRecovery] = useState(false)
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)
  const input = useRef<InputRef>(null)
  useEffect(() => input.current?.focus(), [recovery])

  const submit = async ({ code }: { code: string }) => {
    if (sending.current) return
    sending.current = true
    setBusy(true)
    try {
      onDone((await call(loginTotp, { ticket, code }, { quiet: true })).staff)
    } catch (error) {
      const words = error instanceof CallError ? error.fields['code'] : undefined
      void message.error({ content: error instanceof Error ? error.message : '登录失败', duration: 5, key: 'login' })
      if (!words && error instanceof CallError && error.status === 400) return onBack()
      form.resetFields()
      input.current?.focus()
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  return (
    <Form form={form} layout="vertical" size="large" requiredMark={false} onFinish={(fields) => void submit(fields)}>
      <p className="login-note">{recovery ? '请输入开启两步验证时保存的恢复码，每个恢复码只能使用一次。' : '请输入手机上身份验证器显示的 6 位验证码。'}</p>
      <Form.Item name="code" label={recovery ? '恢复码' : '验证码'} rules={[{ required: true, whitespace: true, message: recovery ? '请输入恢复码' : '请输入验证码' }]}>
        <Input ref={input} prefix={<SafetyOutlined />} autoComplete="one-time-code" inputMode={recovery ? 'text' : 'numeric'} spellCheck={false} maxLength={40}
          onChange={(event) => { if (!recovery && /^\s*\d{3}\s?\d{3}\s*$/.test(event.target.value)) form.submit() }} />
      </Form.Item>
      <Button type="primary" htmlType="submit" block loading={busy}>验证并登录</Button>
      <div className="login-more">
        <Button type="link" onClick={() => { setRecovery(!recovery); form.resetFields() }}>{recovery ? '使用验证码' : '手机不在身边？使用恢复码'}</Button>
        <Button type="link" onClick={onBack}>返回</Button>
      </div>
    </Form>
  )
}
