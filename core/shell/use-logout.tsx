import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useLocation, useNavigate } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { closeStreams } from '../live/stream.tsx'
import { logout } from '../session/calls.ts'
import { useTabs } from './tabs-context.tsx'
import { forgetTabs } from './tabs-store.ts'
import { tellWindows } from './window-sync.ts'

/** Logs out, after a question when something is not saved; whatever the server says, this browser forgets. */
export function useLogout(): () => void {
  const { message } = App.useApp()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { guarded } = useTabs()
  return () => guarded(() => true, () => {
    void (async () => {
      closeStreams()
      await call(logout).catch(() => message.warning('服务器未确认退出，本机已退出'))
      tellWindows({ type: 'logout' })
      client.clear()
      forgetTabs(sessionStorage)
      void navigate(`/login?redirect=${encodeURIComponent(`${pathname}${search}`)}`, { replace: true })
    })()
  })
}
