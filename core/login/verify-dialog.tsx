import { KeyOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Form, Input, Modal, Space, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call, onVerifyFirst } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { loginOptions, verify } from '../session/calls.ts'
import { passkeyWords, supportsPasskeys, verifyPasskey } from './passkeys.tsx'

/**
 * Asks who is there when the server wants to know it again before something that weighs much; the call that waits is then
 * made again. Calls that come meanwhile wait for the same answer.
 */
export function VerifyDialog() {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ pwd?: string; code?: string }>()
  const [open, setOpen] = useState(false)
  const [byCode, setByCode] = useState(false)
  const [busy, setBusy] = useState(false)
  const { data: options } = useQuery({ queryKey: ['login-options'], queryFn: ({ signal }) => call(loginOptions, undefined, { signal, quiet: true }), staleTime: Infinity, enabled: open })
  const passkey = options?.passkey === true && supportsPasskeys()
  const input = useRef<InputRef>(null)
  const waiting = useRef<((proved: boolean) => void)[]>([])

  useEffect(() => onVerifyFirst(() => new Promise((resolve) => {
    waiting.current.push(resolve)
    setOpen(true)
  })), [])
  const focus = () => input.current?.focus()
  useEffect(focus, [byCode])

  const answer = (proved: boolean) => {
    setOpen(false)
    setByCode(false)
    for (const resolve of waiting.current.splice(0)) resolve(proved)
  }
  const submit = async (fields: { pwd?: string; code?: string }) => {
    setBusy(true)
    try {
      await call(verify, fields, { quiet: true })
      answer(true)
    } catch (error) {
      const wrong = error instanceof CallError ? Object.entries(error.fields) : []
      if (wrong.length > 0) form.setFields(wrong.map(([name, text]) => ({ name: name as 'pwd' | 'code', errors: [text] })))
      else void message.error(error instanceof Error ? error.message : '确认失败', 5)
      focus()
    } finally {
      setBusy(false)
    }
  }
  const byPasskey = async () => {
    setBusy(true)
    try {
      await verifyPasskey()
      answer(true)
    } catch (error) {
      void message.error(passkeyWords(error), 5)
      focus()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open={open} title="请再次确认身份" width={420} okText="确认" confirmLoading={busy} destroyOnHidden mask={{ closable: false }} zIndex={2000} onOk={() => form.submit()} onCancel={() => answer(false)} afterOpenChange={(shown) => { if (shown) focus() }}>
      <p className="login-note">接下来的操作比较重要，请确认是您本人。确认后会继续刚才的操作，已填写的内容不会丢失。</p>
      <Form form={form} layout="vertical" requiredMark={false} preserve={false} onFinish={(fields) => void submit(fields)}>
        {byCode
          ? <Form.Item name="code" label="两步验证码或恢复码" rules={[{ required: true, whitespace: true, message: '请输入验证码' }]}><Input ref={input} autoComplete="one-time-code" maxLength={40} /></Form.Item>
          : <Form.Item name="pwd" label="登录密码" rules={[{ required: true, message: '请输入密码' }]}><Input.Password ref={input} autoComplete="current-password" maxLength={200} /></Form.Item>}
        <Space wrap>
          <Button type="link" className="flush" onClick={() => setByCode(!byCode)}>{byCode ? '使用登录密码' : '使用两步验证码'}</Button>
          {passkey && <Button type="link" className="flush" icon={<KeyOutlined />} onClick={() => void byPasskey()}>使用通行密钥</Button>}
        </Space>
      </Form>
    </Modal>
  )
}
