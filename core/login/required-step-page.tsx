import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { logout, type RequiredStep, type StaffInfo } from '../session/calls.ts'
import { LoginFrame } from './login-frame.tsx'
import { PasswordForm } from './password-form.tsx'
import { TotpSetup } from './totp-setup.tsx'

const TITLES: Readonly<Record<RequiredStep, string>> = { password: '请先修改密码', totp: '请先设置两步验证' }
const REASONS: Readonly<Record<RequiredStep, string>> = {
  password: '您正在使用初始密码，或密码已到期。修改后即可继续使用。',
  totp: '管理员要求您的账号使用两步验证。设置后即可继续使用。',
}

/** What somebody has to do before the console opens. */
export function RequiredStepPage({ staff, must }: { staff: StaffInfo; must: RequiredStep }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  useEffect(() => {
    document.title = `${TITLES[must]} - 道远后台`
  }, [must])
  const done = () => void client.invalidateQueries({ queryKey: ['staff'] })
  const leave = async () => {
    await call(logout, undefined, { quiet: true }).catch(() => undefined)
    client.clear()
    void navigate('/login', { replace: true })
  }
  const todo: Readonly<Record<RequiredStep, () => React.ReactNode>> = {
    password: () => <PasswordForm account={staff.account} onDone={done} />,
    totp: () => <TotpSetup account={staff.account} onDone={done} />,
  }
  return (
    <LoginFrame title={TITLES[must]}>
      <Alert className="form-alert" type="info" showIcon title={REASONS[must]} />
      {todo[must]()}
      <div className="login-more"><span>{staff.name}（{staff.account}）</span><Button type="link" onClick={() => void leave()}>退出登录</Button></div>
    </LoginFrame>
  )
}
