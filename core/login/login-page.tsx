import { KeyOutlined, LockOutlined, UserOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Divider, Form, Input, type InputRef } from 'antd'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { onWindows, type WindowMessage } from '../ui/window-sync.ts'
import { loginOptions } from '../session/calls.ts'
import { landing } from './landing.ts'
import { LoginFrame } from './login-frame.tsx'
import { OIDC_BEGUN, oidcAddress } from './oidc-begun.ts'
import { supportsPasskeys } from './passkeys.tsx'
import { TotpStep } from './totp-step.tsx'
import { useEnter, type GuardedScreens } from './use-enter.tsx'
import { useLogin } from './use-login.tsx'

const REMEMBERED = 'daoyuan-account'

interface Fields {
  account: string
  pwd: string
  remember: boolean
}

/** Whether this browser has been logged in; the server may see it otherwise. */
const seemsLoggedIn = () => document.cookie.split('; ').some((part) => part.startsWith('csrf='))

/** spec 2, 5: account and password; the account is trimmed, the password sent as it was typed. */
export function LoginPage({ screens }: { screens: GuardedScreens }) {
  const [search] = useSearchParams()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const enter = useEnter(screens)
  const [form] = Form.useForm<Fields>()
  const [capsLock, setCapsLock] = useState(false)
  const [loggedIn] = useState(seemsLoggedIn)
  const account = useRef<InputRef>(null)
  const password = useRef<InputRef>(null)
  const remembered = localStorage.getItem(REMEMBERED) ?? ''
  const target = landing(search, hash)
  const { busy, ticket, forgetTicket, byPassword, byPasskey } = useLogin((staff) => enter(staff, target))
  const { data: options } = useQuery({ queryKey: ['login-options'], queryFn: ({ signal }) => call(loginOptions, undefined, { signal }), staleTime: Infinity })
  const passkey = options?.passkey === true && supportsPasskeys()

  useEffect(() => {
    document.title = '登录 - 道远后台'
  }, [])
  // A person who logs in in another window is in here as well, unless a password is half typed.
  const heard = useEffectEvent((message: WindowMessage) => {
    if (message.type === 'login' && !form.getFieldValue('pwd')) void navigate(target, { replace: true })
  })
  useEffect(() => onWindows((message) => heard(message)), [])
  useEffect(() => {
    if (ticket !== undefined) return
    if (remembered) password.current?.focus()
    else account.current?.focus()
  }, [remembered, ticket])

  const submit = async ({ account: typed, pwd, remember }: Fields) => {
    if (!(await byPassword(typed, pwd))) return
    if (remember) localStorage.setItem(REMEMBERED, typed.trim())
    else localStorage.removeItem(REMEMBERED)
  }
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  if (ticket !== undefined) {
    return <LoginFrame title="两步验证"><TotpStep ticket={ticket} onDone={(staff) => enter(staff, target)} onBack={forgetTicket} /></LoginFrame>
  }
  return (
    <LoginFrame note="系统登录" scene>
      <Form<Fields> form={form} layout="vertical" size="large" initialValues={{ account: remembered, remember: remembered !== '' }} onFinish={(fields) => void submit(fields)} requiredMark={false}>
        {loggedIn
          ? <Alert className="form-alert" type="info" title={<>本浏览器已有登录，<Link to={target}>继续前往</Link>；或使用其他账号登录</>} />
          : target !== '/' && <Alert className="form-alert" type="info" title="请先登录，登录后将回到刚才的页面" />}
        <Form.Item name="account" label="账号" rules={[{ required: true, whitespace: true, message: '请输入账号' }]}>
          <Input ref={account} prefix={<UserOutlined />} autoComplete="username" spellCheck={false} maxLength={64} />
        </Form.Item>
        <Form.Item name="pwd" label="密码" rules={[{ required: true, message: '请输入密码' }]} {...(capsLock && { help: '大写锁定已打开' })}>
          <Input.Password ref={password} prefix={<LockOutlined />} autoComplete="current-password" maxLength={200} onKeyDown={watchCapsLock} onKeyUp={watchCapsLock} onBlur={() => setCapsLock(false)}
            visibilityToggle={{ onVisibleChange: () => password.current?.focus() }} />
        </Form.Item>
        <Form.Item name="remember" valuePropName="checked"><Checkbox>记住账号</Checkbox></Form.Item>
        <Button type="primary" htmlType="submit" block loading={busy === 'login' || busy === 'captcha'} disabled={busy === 'passkey'}>{busy === 'captcha' ? '正在进行人机验证…' : '登录'}</Button>
        <output className="login-note">{busy === 'captcha' ? '失败次数较多，正在自动验证，无需任何操作。' : '忘记密码请联系管理员重置。'}</output>
      </Form>
      {(passkey || options?.oidc) && (
        <>
          <Divider plain>其他登录方式</Divider>
          <div className="login-others">
            {passkey && (
              <Button block size="large" icon={<KeyOutlined />} loading={busy === 'passkey'} disabled={busy === 'login' || busy === 'captcha'}
                onClick={() => void byPasskey()}>使用通行密钥登录</Button>
            )}
            {options?.oidc && <Button block size="large" href={oidcAddress(target)} onClick={() => sessionStorage.setItem(OIDC_BEGUN, '1')}>{options.oidc.name}</Button>}
          </div>
        </>
      )}
    </LoginFrame>
  )
}
