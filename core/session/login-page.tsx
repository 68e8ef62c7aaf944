import { KeyOutlined, LockOutlined, UserOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Divider, Form, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { login, loginOptions, type LoggedIn, type LoginStep } from './calls.ts'
import { solveCaptcha } from './captcha.tsx'
import { landing } from './landing.ts'
import { LoginFrame } from './login-frame.tsx'
import { OIDC_BEGUN, oidcAddress } from './oidc-begun.ts'
import { loginByPasskey, passkeyWords, supportsPasskeys } from './passkeys.tsx'
import { TotpStep } from './totp-step.tsx'
import { useEnter, type GuardedScreens } from './use-enter.tsx'

const REMEMBERED = 'daoyuan-account'

interface Fields {
  account: string
  pwd: string
  remember: boolean
}

/** What keeps the buttons busy. */
type Busy = 'login' | 'captcha' | 'passkey' | undefined

/** Whether this browser has been logged in; the server may see it otherwise. */
const seemsLoggedIn = () => document.cookie.split('; ').some((part) => part.startsWith('csrf='))

/** spec 2, 5: account and password; the account is trimmed, the password sent as it was typed. */
export function LoginPage({ screens }: { screens: GuardedScreens }) {
  const { message } = App.useApp()
  const [search] = useSearchParams()
  const { hash } = useLocation()
  const enter = useEnter(screens)
  const [form] = Form.useForm<Fields>()
  const [busy, setBusy] = useState<Busy>()
  const [ticket, setTicket] = useState<string>()
  const [capsLock, setCapsLock] = useState(false)
  const [loggedIn] = useState(seemsLoggedIn)
  const sending = useRef(false)
  const account = useRef<InputRef>(null)
  const password = useRef<InputRef>(null)
  const remembered = localStorage.getItem(REMEMBERED) ?? ''
  const target = landing(search, hash)
  const { data: options } = useQuery({ queryKey: ['login-options'], queryFn: ({ signal }) => call(loginOptions, undefined, { signal }), staleTime: Infinity })
  const passkey = options?.passkey === true && supportsPasskeys()

  useEffect(() => {
    document.title = '登录 - 道远后台'
  }, [])
  useEffect(() => {
    if (ticket !== undefined) return
    if (remembered) password.current?.focus()
    else account.current?.focus()
  }, [remembered, ticket])

  const finish = (answer: LoggedIn | LoginStep) => {
    message.destroy('login')
    if ('ticket' in answer) setTicket(answer.ticket)
    else enter(answer.staff, target)
  }
  /** Runs one attempt at a time; what went wrong is said once. */
  const attempt = async (what: Exclude<Busy, undefined>, work: () => Promise<void>, words: (error: unknown) => string | undefined) => {
    if (sending.current) return
    sending.current = true
    setBusy(what)
    try {
      await work()
    } catch (error) {
      const sentence = words(error)
      // One at a time: the next failure takes the place of the last.
      if (sentence) void message.error({ content: sentence, duration: 5, key: 'login' })
    } finally {
      sending.current = false
      setBusy(undefined)
    }
  }
  const submit = ({ account: typed, pwd, remember }: Fields) => attempt('login', async () => {
    const name = typed.trim()
    let answer: LoggedIn | LoginStep
    try {
      answer = await call(login, { account: name, pwd })
    } catch (error) {
      if (!(error instanceof CallError) || error.body['captcha'] !== true) throw error
      setBusy('captcha')
      answer = await call(login, { account: name, pwd, captcha: await solveCaptcha() })
    }
    if (remember) localStorage.setItem(REMEMBERED, name)
    else localStorage.removeItem(REMEMBERED)
    finish(answer)
  }, (error) => (error instanceof Error ? error.message : '登录失败'))
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  if (ticket !== undefined) {
    return <LoginFrame title="两步验证"><TotpStep ticket={ticket} onDone={(staff) => enter(staff, target)} onBack={() => setTicket(undefined)} /></LoginFrame>
  }
  return (
    <LoginFrame>
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
                onClick={() => void attempt('passkey', async () => finish(await loginByPasskey()), passkeyWords)}>使用通行密钥登录</Button>
            )}
            {options?.oidc && <Button block size="large" href={oidcAddress(target)} onClick={() => sessionStorage.setItem(OIDC_BEGUN, '1')}>{options.oidc.name}</Button>}
          </div>
        </>
      )}
    </LoginFrame>
  )
}
