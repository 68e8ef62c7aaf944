import { Link } from 'react-router'
import { breadcrumbTrail } from './breadcrumb-trail.ts'
import type { ShellRoute } from './routes.ts'
import { useShell } from './shell-context.tsx'
import { activeItem } from './sidebar-items.ts'
import { useTabs } from './tabs-context.tsx'
import './breadcrumb.css'

/** Where the page in front stands. */
export function Breadcrumb({ current }: { current: ShellRoute | undefined }) {
  const { routes, items } = useShell()
  const { state, active } = useTabs()
  const own = state.tabs.find((tab) => tab.path === active)?.ownTitle
  const crumbs = breadcrumbTrail(routes, current, activeItem(items, routes, current, active), own)
  return (
    <nav className="crumbs" aria-label="当前位置">
      <ol>
        {crumbs.map(({ title, to }, place) => (
          <li key={`${place} ${title}`}>{to === undefined ? <span {...(place === crumbs.length - 1 && { 'aria-current': 'page' as const })}>{title}</span> : <Link to={to}>{title}</Link>}</li>
        ))}
      </ol>
    </nav>
  )
}
