import { CheckCircleOutlined, EditOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Skeleton } from 'antd'
import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { formatDate, formatTime } from '../field/time.ts'
import { COUNT_CAP } from '../list/use-list.tsx'
import { dashboard, type TileCount } from '../module/dashboard.ts'
import { usePreference } from '../preference/use-preference.tsx'
import { useStaff } from '../session/staff-context.tsx'
import { routeFinder } from './place.ts'
import { parseVisits, storedVisits, watchVisits } from './recent.ts'
import { Polling, useKeepEffectsWhenHidden } from '../ui/idle.tsx'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { fullTitle, leafRoutes } from './routes.ts'
import { useShell } from './shell-context.tsx'
import './home.css'

// Many lists are opened without home having been looked at.
const HomeTrends = retryLazy(async () => ({ default: (await import('./home-trends.tsx')).HomeTrends }))
const FavouritesDialog = retryLazy(async () => ({ default: (await import('./favourites-dialog.tsx')).FavouritesDialog }))

/** How often the numbers are counted again while they are looked at, in milliseconds. */
const COUNT_AGAIN = 60_000
const RECENT_SHOWN = 8
const WEEKDAYS = ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六']

const MINUTE = 60_000

/** The current minute in unix seconds, for a page that may stay open all day. */
function useMinute(): number {
  return useSyncExternalStore((changed) => {
    const timer = window.setInterval(changed, MINUTE)
    return () => window.clearInterval(timer)
  }, () => Math.floor(Date.now() / MINUTE) * 60)
}

function greetingAt(seconds: number): string {
  const hour = Number(formatTime(seconds).slice(11, 13))
  return hour < 6 ? '夜深了' : hour < 12 ? '早上好' : hour < 18 ? '下午好' : '晚上好'
}

/** A day as people say it, on Shanghai's clock. */
function dayAt(seconds: number): string {
  const day = formatDate(seconds)
  return `${day} ${WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]}`
}

/** How much a number presses. */
const PRESSING = ['danger', 'warning', 'plain']

/** Numbers that wait for this person, what presses most first; each leads to the list behind it. What does not wait is one line. */
function Tiles({ tiles }: { tiles: readonly TileCount[] }) {
  const waiting = tiles.filter(({ count }) => count > 0).toSorted((a, b) => PRESSING.indexOf(a.tone) - PRESSING.indexOf(b.tone))
  const done = tiles.filter(({ count }) => count === 0)
  if (tiles.length === 0) return null
  return (
    <section aria-label="待办">
      {waiting.length > 0 && (
        <div className="tiles">
          {waiting.map(({ name, title, count, to, tone }) => (
            <Link key={name} className="tile" to={to} data-tone={tone}>
              <strong className="figure">{count >= COUNT_CAP ? '10,000+' : count.toLocaleString('zh-CN')}</strong>
              <span>{title}</span>
            </Link>
          ))}
        </div>
      )}
      {done.length > 0 && <p className="tiles-done"><CheckCircleOutlined /> 暂无：{done.map(({ name, title, to }) => <Link key={name} to={to}>{title}</Link>)}</p>}
    </section>
  )
}

/** What waits, and how things went; trends are asked for only where there are some. */
function Numbers() {
  const { data, error, refetch } = useQuery({ queryKey: ['dashboard'], queryFn: ({ signal }) => call(dashboard, undefined, { signal }) })
  const again = <Polling every={COUNT_AGAIN} read={refetch} />
  if (error && !data) return <>{again}<Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /></>
  if (!data) return <div className="tiles" aria-busy>{[1, 2, 3, 4].map((place) => <div key={place} className="tile"><Skeleton active paragraph={{ rows: 1 }} title={false} /></div>)}</div>
  return <>{again}<Tiles tiles={data.tiles} />{data.has_trends && <HomeTrends />}</>
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
        : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="把常用页面放在这里"><Button onClick={() => setEditing(true)}>选择页面</Button></Empty>}
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
        : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="打开过的页面会出现在这里" />}
    </section>
  )
}

/** Where a person starts the day: what modules announce, what waits, and the pages they use. */
export function HomePage() {
  const staff = useStaff()
  const { modules } = useShell()
  const parts = useMemo(() => modules.flatMap((module) => module.home.map((load) => lazy(load))), [modules])
  const now = useMinute()
  // The clock goes on behind: a word a minute.
  useKeepEffectsWhenHidden(true)
  return (
    <div className="home">
      <header className="home-head"><h1>{greetingAt(now)}，{staff.name}</h1><span>{dayAt(now)}</span></header>
      <Suspense fallback={null}>{parts.map((Part, place) => <Part key={place} />)}</Suspense>
      <Numbers />
      <div className="home-columns"><Favourites /><Recent /></div>
    </div>
  )
}
