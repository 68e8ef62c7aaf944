import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Spin } from 'antd'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { call, onCallError, request } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { badToken, STAFF_FETCH_FAILED, staffMissing } from '../error/error.ts'
import type { ConsoleModule } from '../module/present.tsx'
import { currentStaff, type StaffInfo } from '../session/calls.ts'
import { SessionOver } from '../session/session-over.tsx'
import { StaffContext } from '../session/staff-context.tsx'
import { VerifyDialog } from '../session/verify-dialog.tsx'
import type { ScreenGroup } from './console.tsx'
import { showFailure } from './error-toast.tsx'
import { Shell } from './shell.tsx'
import type { ShellRoute } from './routes.ts'
import { useOwnSettings } from './use-own-settings.tsx'

const BAD_TOKEN = badToken().message

const MustPage = lazy(() => import('../session/must-page.tsx').then((file) => ({ default: file.MustPage })))

/** Every screen that some module shows, below its group. */
function routesOf(groups: readonly ScreenGroup[], modules: readonly ConsoleModule[]): ShellRoute[] {
  const shown = new Set(modules.flatMap((module) => Object.keys(module.screens)))
  return groups.flatMap((group) => {
    const children = group.screens.filter((screen) => shown.has(screen.path)).map((screen) => ({ ...screen, hidden: screen.path.includes(':') }))
    return children.length > 0 ? [{ path: `/${children[0]?.path.split('/')[1] ?? ''}`, title: group.title, children }] : []
  })
}

/**
 * The guard before the shell (spec 2): staff info once, routes from the staff's modules; when it fails, one message and
 * the login page, which leads back. The shell does not mount before the person is known.
 */
export function Gate({ groups, modules }: { groups: readonly ScreenGroup[]; modules: readonly ConsoleModule[] }) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const location = useLocation()
  const client = useQueryClient()
  const leaving = useRef(false)
  const here = useRef('')
  useEffect(() => {
    here.current = `${location.pathname}${location.search}${location.hash}`
  }, [location])

  const { data: staff, error } = useQuery({
    queryKey: ['staff'],
    queryFn: async ({ signal }): Promise<StaffInfo> => {
      const info = await call(currentStaff, undefined, { signal })
      if (!info?.account) throw new CallError(staffMissing().message, 401, {})
      return info
    },
    staleTime: Infinity,
    retry: false,
  })

  /** Several calls may find out at once that the session is over: one message, one way to the login page. */
  const leave = useCallback((sentence?: string) => {
    if (leaving.current) return
    leaving.current = true
    if (sentence) void message.error(sentence, 5)
    client.clear()
    void navigate(`/login?redirect=${encodeURIComponent(here.current)}`, { replace: true })
  }, [client, message, navigate])

  useEffect(() => {
    if (error) leave(error.message === BAD_TOKEN ? undefined : error.message || STAFF_FETCH_FAILED)
    return onCallError((failure) => {
      if (failure.message === BAD_TOKEN) leave(staff ? staffMissing().message : undefined)
      // Something has to be done before anything else: the page for it comes with what is known of the person.
      else if (failure.body['must'] !== undefined) void client.invalidateQueries({ queryKey: ['staff'] })
      // spec 8: the server's words in red for five seconds. What a form shows itself, at its fields, is not said twice.
      else if (staff && failure.status !== 409 && Object.keys(failure.fields).length === 0) showFailure(message, failure)
    })
  }, [error, staff, client, message, leave])

  // spec 2: subjects before every navigation; revalidated in the background, never in the way.
  const signedIn = staff !== undefined && !staff.must
  useEffect(() => {
    if (signedIn) void client.prefetchQuery({ queryKey: ['subjects'], queryFn: () => request('GET', '/daoyuan/api/cats', { education_level: 9 }), staleTime: 0 })
  }, [client, location.pathname, signedIn])

  const painted = useOwnSettings(signedIn ? staff.id : undefined)
  const routes = useMemo(() => routesOf(groups, modules), [groups, modules])
  const loading = <div className="boot"><Spin delay={300} description="正在加载…" /></div>
  if (!staff) return loading
  if (staff.must) return <><VerifyDialog /><Suspense fallback={loading}><MustPage staff={staff} must={staff.must} /></Suspense></>
  if (!painted) return loading
  return <StaffContext value={staff}><VerifyDialog /><SessionOver staff={staff} leave={leave} /><Shell routes={routes} groups={groups} modules={modules} /></StaffContext>
}
