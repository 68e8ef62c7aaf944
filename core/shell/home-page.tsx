import { EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { formatDate, formatTime } from '../field/time.ts'
import { useWaiting } from './use-waiting.tsx'
import { usePreference } from '../preference/use-preference.tsx'
import { useStaff } from '../session/staff-context.tsx'
import { routeFinder } from './place.ts'
import { HomeWaiting } from './home-waiting.tsx'
import { parseVisits, storedVisits, watchVisits } from './recent.ts'
import { useMinute } from '../ui/use-minute.tsx'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { fullTitle, leafRoutes } from './routes.ts'
import { useShell } from './shell-context.tsx'
import './home.css'

// Many lists are opened without home having been looked at.
const HomeFigures = retryLazy(async () => ({ default: (await import('./home-figures.tsx')).HomeFigures }))
const FavouritesDialog = retryLazy(async () => ({ default: (await import('./favourites-dialog.tsx')).FavouritesDialog }))

const RECENT_SHOWN = 8
const WEEKDAYS = ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六']

/** A day as people say it, on Shanghai's clock. */
function dayAt(seconds: number): string {
  const day = formatDate(seconds)
  return `${Number(day.slice(5, 7))} 月 ${Number(day.slice(8))} 日 ${WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]}`
}

/** Pages that the person has put here. */
function Favourites() {
  const { routes } = useShell()
  const [paths, setPaths] = usePreference<string[]>('favourites', [])
  const [editing, setEditing] = useState(false)
  const known = leafRoutes(routes).filter((route) => !route.hidden)
  const shown = paths.flatMap((path) => known.find((route) => route.path === path) ?? [])
  return (
    <section className="home-part" aria-labelledby="home-favourites">
      <header><h2 id="home-favourites">快捷入口</h2><Button type="text" size="small" icon={<EditOutlined />} onClick={() => setEditing(true)}>设置</Button></header>
      {shown.length > 0
        ? <div className="home-links">{shown.map((route) => <Link key={route.path} to={route.path}>{fullTitle(route)}</Link>)}</div>
        : <p className="home-hint">把常用页面放在这里，一步就到。<Button type="link" onClick={() => setEditing(true)}>选择页面</Button></p>}
      {editing && <FavouritesDialog routes={routes} chosen={shown.map((route) => route.path)} onClose={() => setEditing(false)} onChosen={setPaths} />}
    </section>
  )
}

/** Pages that the person was on last, in this browser. */
function Recent() {
  const staff = useStaff()
  const { routes } = useShell()
  const find = useMemo(() => routeFinder(leafRoutes(routes)), [routes])
  const stored = useSyncExternalStore(watchVisits, () => storedVisits(localStorage, staff.id))
  const shown = parseVisits(stored).filter((visit) => find(visit.path)).slice(0, RECENT_SHOWN)
  return (
    <section className="home-part" aria-labelledby="home-recent">
      <header><h2 id="home-recent">最近访问</h2></header>
      {shown.length > 0
        ? <ul className="home-recent">{shown.map((visit) => <li key={visit.path}><Link to={visit.path}>{visit.title}</Link><time className="figure">{formatTime(visit.at).slice(5, 16)}</time></li>)}</ul>
        : <p className="home-hint">打开过的页面会出现在这里。</p>}
    </section>
  )
}

/** Figures are asked for only where there are some. */
function Figures() {
  const { data } = useWaiting()
  return data?.has_trends ? <Suspense><HomeFigures /></Suspense> : null
}

/** Where a person starts the day: what modules announce, what is to be done today, how things go, and the pages they use. */
export function HomePage() {
  const { modules } = useShell()
  const parts = useMemo(() => modules.flatMap((module) => module.home.map((load) => lazy(load))), [modules])
  const now = useMinute()
  return (
    <div className="home">
      <Suspense fallback={null}>{parts.map((Part, place) => <Part key={place} />)}</Suspense>
      <div className="home-columns">
        <div className="home-main">
          <h1 className="home-title">今天 <small>{dayAt(now)}</small></h1>
          <HomeWaiting now={now} />
          <Favourites />
        </div>
        <div className="home-side"><Figures /><Recent /></div>
      </div>
    </div>
  )
}
