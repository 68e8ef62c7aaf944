import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { Activity, lazy, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { call, onCallError, request } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { badToken, STAFF_FETCH_FAILED, staffMissing } from '../error/error.ts'
import { forgetUnsaved } from '../form/unsaved.tsx'
import type { ConsoleModule } from '../module/present.tsx'
import { currentStaff, type StaffInfo } from '../session/calls.ts'
import { SessionOver } from '../login/session-over.tsx'
import { StaffContext } from '../session/staff-context.tsx'
import { VerifyDialog } from '../login/verify-dialog.tsx'
import { afterPaint } from '../ui/after-paint.tsx'
import type { ScreenGroup } from './console.tsx'
import { ErrorPage } from './error-page.tsx'
import { showFailure } from './error-toast.tsx'
import { routesOf } from './gate-routes.ts'
import { openScreens } from './open-screens.tsx'
import { pageTitle } from './page-title.ts'
import { routeFinder } from './place.ts'
import { ProgressBar, Waiting } from './progress-bar.tsx'
import { fullTitle, leafRoutes } from './routes.ts'
import { Shell } from './shell.tsx'
import { useLongWork } from './use-long-work.tsx'
import { useOwnSettings } from './use-own-settings.tsx'
import { useShellLocation } from './use-shell-location.tsx'
import { LocationProvider, useWindowLocation } from './window-location.tsx'

const BAD_TOKEN = badToken().message
const NO_PAGE = '页面不存在'

const RequiredStepPage = lazy(() => import('../login/required-step-page.tsx').then((file) => ({ default: file.RequiredStepPage })))

/** What this browser has of a session; the session itself is in a cookie that scripts do not see. */
const hasToken = () => document.cookie.split('; ').some((part) => part.startsWith('csrf='))

function clearToken(): void {
  document.cookie = 'csrf=; path=/; max-age=0'
}

/** Somebody else has logged in in another window: nothing of what is open here is theirs. @returns never; the window is reloaded */
function beginAnew(): Promise<never> {
  forgetUnsaved()
  window.location.reload()
  return new Promise(() => undefined)
}

/**
 * The guard before the shell (spec 2): the title, staff info once, routes from the staff's modules; when it fails, one
 * message and the login page, which leads back. The shell does not mount before the person is known.
 */
export function Gate({ groups, modules }: { groups: readonly ScreenGroup[]; modules: readonly ConsoleModule[] }) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const { location } = useWindowLocation()
  const place = useShellLocation()
  const client = useQueryClient()
  const leaving = useRef(false)
  const here = useRef('')

  const routes = useMemo(() => routesOf(groups, new Set(modules.flatMap((module) => Object.keys(module.screens)))), [groups, modules])
  const find = useMemo(() => routeFinder(leafRoutes([...openScreens, ...routes])), [routes])
  const front = place.inside?.pathname
  // spec 2: the title comes first. Layout effects run before anything is asked of the server.
  useLayoutEffect(() => {
    here.current = `${location.pathname}${location.search}${location.hash}`
    document.title = pageTitle(place.outside ? String(place.outside) : front === undefined ? undefined : fullTitle(find(front) ?? { title: NO_PAGE }))
  }, [location, place.outside, front, find])

  const { data: staff, error } = useQuery({
    queryKey: ['staff'],
    queryFn: async ({ signal }): Promise<StaffInfo> => {
      if (!hasToken()) throw new CallError(BAD_TOKEN, 401, {})
      const info = await call(currentStaff, undefined, { signal })
      if (!info?.account) throw new CallError(staffMissing().message, 401, {})
      const before = client.getQueryData<StaffInfo>(['staff'])
      if (before && before.id !== info.id) return beginAnew()
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
    clearToken()
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

  useLongWork()

  // spec 2: subjects before every navigation; in the background, once the page is painted, and the last good list stays.
  const signedIn = staff !== undefined && !staff.must
  useEffect(() => {
    if (!signedIn) return
    return afterPaint(() => void client.prefetchQuery({ queryKey: ['subjects'], queryFn: () => request('GET', '/daoyuan/api/cats', { education_level: 9 }, { quiet: true }), staleTime: 0, retry: false }))
  }, [client, location, signedIn])

  const painted = useOwnSettings(signedIn ? staff.id : undefined)
  // A person who is in and has to do something first finds everything as it was afterwards: it is hidden meanwhile, as they were last known.
  const [inside, setInside] = useState<StaffInfo>()
  if (signedIn && painted && inside !== staff) setInside(staff)
  const known = inside && inside.id === staff?.id ? inside : undefined
  const bar = <ProgressBar />
  const loading = <div className="boot" role="status" aria-busy aria-label="正在加载"><Waiting /></div>
  if (!staff || !(staff.must || painted)) return <>{bar}{loading}</>
  return (
    <>
      {bar}
      <VerifyDialog />
      {staff.must && <Suspense fallback={loading}><LocationProvider><RequiredStepPage staff={staff} must={staff.must} /></LocationProvider></Suspense>}
      {known && (
        <StaffContext value={known}>
          <SessionOver staff={known} leave={leave} />
          {place.outside && !staff.must && <main className="outside"><LocationProvider><ErrorPage code={place.outside} /></LocationProvider></main>}
          {/* An error page at an address of its own hides the shell and loses nothing of it. */}
          {place.inside && <Activity mode={place.outside || staff.must ? 'hidden' : 'visible'}><Shell location={place.inside} hop={place.hop} routes={routes} groups={groups} modules={modules} /></Activity>}
        </StaffContext>
      )}
    </>
  )
}
