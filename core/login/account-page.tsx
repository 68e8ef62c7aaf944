import { useQueryClient } from '@tanstack/react-query'
import { PasskeyCard } from './passkey-card.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionCard } from './session-card.tsx'
import { useStaff } from '../session/staff-context.tsx'
import { SubscriptionCard } from '../subscription/subscription-card.tsx'
import { TotpCard } from './totp-card.tsx'
import './login.css'

/** 账号与安全: how the logged-in person proves who they are, and where they are logged in. */
export function AccountPage() {
  const staff = useStaff()
  const client = useQueryClient()
  return (
    <div className="account-page">
      <div className="account-side">
        <section className="account-card" aria-labelledby="account-password">
          <h2 id="account-password">修改密码</h2>
          <p>{staff.name}（{staff.account}），手机号 {staff.mobile}</p>
          <PasswordForm account={staff.account} onDone={() => void client.invalidateQueries({ queryKey: ['own-sessions'] })} />
        </section>
        <SubscriptionCard />
      </div>
      <div className="account-side">
        <SessionCard />
        <TotpCard />
        <PasskeyCard />
      </div>
    </div>
  )
}
