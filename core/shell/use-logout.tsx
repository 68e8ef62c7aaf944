import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useContext } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { closeStreams } from '../live/stream.tsx'
import { logout } from '../session/calls.ts'
import { GuardContext } from './tabs-context.tsx'
import { forgetTabs } from './tabs-store.ts'
import { windowLocation } from './window-location.tsx'
import { broadcast } from '../ui/window-sync.ts'

/** Logs out, after a question when something is not saved; whatever the server says, this browser forgets. */
export function useLogout(): () => void {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const client = useQueryClient()
  const guarded = useContext(GuardContext)
  return () => guarded(() => true, () => {
    void (async () => {
      closeStreams()
      await call(logout).catch(() => message.warning('服务器未确认退出，本机已退出'))
      broadcast({ type: 'logout' })
      client.clear()
      forgetTabs(sessionStorage)
      const { pathname, search, hash } = windowLocation().location
      void navigate(`/login?redirect=${encodeURIComponent(`${pathname}${search}${hash}`)}`, { replace: true })
    })()
  })
}
