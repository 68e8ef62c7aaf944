import { KeyOutlined, LockOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Modal, type InputRef } from 'antd'
import { useRef } from 'react'
import { call } from '../endpoint/call.tsx'
import { loginOptions, type StaffInfo } from '../session/calls.ts'
import { supportsPasskeys } from './passkeys.tsx'
import { TotpStep } from './totp-step.tsx'
import { useLogin } from './use-login.tsx'
import './login.css'

interface Props {
  staff: StaffInfo
  onDone: (staff: StaffInfo) => void
  /** To the login page instead, where every other way in is. */
  onLeave: () => void
}

/** The session is over while something is still open: the same person logs in again, and everything stays where it is. */
export function ReloginDialog({ staff, onDone, onLeave }: Props) {
  const [form] = Form.useForm<{ pwd: string }>()
  const password = useRef<InputRef>(null)
  const { busy, ticket, forgetTicket, byPassword, byPasskey } = useLogin(onDone)
  const { data: options } = useQuery({ queryKey: ['login-options'], queryFn: ({ signal }) => call(loginOptions, undefined, { signal, quiet: true }), staleTime: Infinity })
  const submit = async ({ pwd }: { pwd: string }) => {
    if (!(await byPassword(staff.account, pwd))) password.current?.focus({ cursor: 'all' })
  }
  return (
    <Modal open title="登录已过期" width={420} footer={null} closable={false} keyboard={false} mask={{ closable: false }} zIndex={3000} afterOpenChange={(shown) => { if (shown) password.current?.focus() }}>
      {ticket !== undefined ? <TotpStep ticket={ticket} onDone={onDone} onBack={forgetTicket} /> : (
        <>
          <p className="login-note">请重新登录{staff.name}（{staff.account}）的账号，未保存的内容会原样保留。</p>
          <Form form={form} layout="vertical" size="large" requiredMark={false} onFinish={(fields) => void submit(fields)}>
            <input className="unseen" autoComplete="username" readOnly tabIndex={-1} aria-hidden value={staff.account} />
            <Form.Item name="pwd" label="密码" rules={[{ required: true, message: '请输入密码' }]}>
              <Input.Password ref={password} prefix={<LockOutlined />} autoComplete="current-password" maxLength={200} />
            </Form.Item>
            <Button type="primary" htmlType="submit" block loading={busy === 'login' || busy === 'captcha'}>{busy === 'captcha' ? '正在进行人机验证…' : '登录并继续'}</Button>
          </Form>
          <div className="login-more">
            {options?.passkey && supportsPasskeys() ? <Button type="link" icon={<KeyOutlined />} loading={busy === 'passkey'} onClick={() => void byPasskey()}>通行密钥</Button> : <span />}
            <Button type="link" onClick={onLeave}>放弃未保存的内容，前往登录页</Button>
          </div>
        </>
      )}
    </Modal>
  )
}
