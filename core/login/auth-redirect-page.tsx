import { Spin } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { loginOptions } from '../session/calls.ts'
import { LoginFrame } from './login-frame.tsx'
import { oidcFinish } from './oidc.ts'
import { OIDC_BEGUN } from './oidc-begun.ts'
import { TotpStep } from './totp-step.tsx'
import { useEnter, type GuardedScreens } from './use-enter.tsx'

/** Under which a window that opened this page finds the provider's answer (shell.md 28). */
const ANSWER = 'x-admin-oauth-code'
/** How long a window that can be closed takes to be gone, in milliseconds. */
const CLOSING = 300

type State = { kind: 'nothing' } | { kind: 'finishing' } | { kind: 'stays' } | { kind: 'failed'; sentence: string } | { kind: 'totp'; ticket: string; target: string }

/** Whether the answer belongs to a login of ours. One that was begun elsewhere, from a portal, carries no mark of this tab. */
async function isOurs(query: URLSearchParams): Promise<boolean> {
  const begun = sessionStorage.getItem(OIDC_BEGUN) !== null
  sessionStorage.removeItem(OIDC_BEGUN)
  if (begun) return true
  if (window.opener || !query.has('state')) return false
  return call(loginOptions).then((options) => options.oidc !== null, () => false)
}

/**
 * Where identity providers send the browser back to. A login of ours is finished here; for a window that another page
 * opened the answer is left in the browser's store and the window closes (shell.md 28).
 */
export function AuthRedirectPage({ screens }: { screens: GuardedScreens }) {
  const { search } = useLocation()
  const enter = useEnter(screens)
  const [state, setState] = useState<State>({ kind: 'nothing' })
  const begun = useRef(false)

  const finish = async (query: URLSearchParams) => {
    const part = (key: string) => query.get(key) ?? undefined
    setState({ kind: 'finishing' })
    try {
      const answer = await call(oidcFinish, { code: part('code'), state: part('state'), iss: part('iss'), error: part('error') })
      localStorage.removeItem(ANSWER)
      if ('ticket' in answer) setState({ kind: 'totp', ticket: answer.ticket, target: answer.redirect })
      else enter(answer.staff, answer.redirect)
    } catch (error) {
      setState({ kind: 'failed', sentence: error instanceof Error ? error.message : '登录失败' })
    }
  }
  useEffect(() => {
    // The answer is good for one use.
    if (begun.current) return
    begun.current = true
    document.title = '登录 - 道远后台'
    localStorage.setItem(ANSWER, search.slice(1))
    const query = new URLSearchParams(search)
    void isOurs(query).then((ours) => {
      if (ours) return finish(query)
      window.close()
      setTimeout(() => setState({ kind: 'stays' }), CLOSING)
    })
  })

  const back = <Link to="/login" replace>返回登录</Link>
  const looks: { [Kind in State['kind']]: (now: State & { kind: Kind }) => React.ReactNode } = {
    nothing: () => null,
    finishing: () => <div className="boot"><Spin delay={300} description="正在登录…" /></div>,
    stays: () => <LoginFrame><Outcome sign="good" title="登录信息已收到，可以关闭本窗口" actions={back} /></LoginFrame>,
    failed: ({ sentence }) => <LoginFrame><Outcome sign="warning" title={sentence} actions={back} /></LoginFrame>,
    totp: ({ ticket, target }) => (
      <LoginFrame title="两步验证">
        <TotpStep ticket={ticket} onDone={(staff) => enter(staff, target)} onBack={() => setState({ kind: 'failed', sentence: '登录没有完成，请重新登录' })} />
      </LoginFrame>
    ),
  }
  return (looks[state.kind] as (now: State) => React.ReactNode)(state)
}
