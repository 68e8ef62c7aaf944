import { Menu, type MenuProps } from 'antd'
import { Link } from 'react-router'
import { MenuIcon } from './menu-icon.tsx'
import type { ShellRoute } from './routes.ts'
import { useSettings } from './settings-context.tsx'
import { useShell } from './shell-context.tsx'
import { activeItem, itemTrail, type MenuItem } from './sidebar-items.ts'
import { useTabs } from './tabs-context.tsx'
import { landingOf } from './top-menu-items.ts'

const label = (item: MenuItem) => (item.external ? <a href={item.path} target="_blank" rel="noopener noreferrer">{item.title}</a> : <Link to={landingOf(item)}>{item.title}</Link>)

type Entry = NonNullable<MenuProps['items']>[number]

const iconOf = (item: MenuItem) => item.icon && { icon: <MenuIcon name={item.icon} letters="" /> }

/** An item with everything below it. */
function whole(item: MenuItem): Entry {
  return item.children ? { key: item.path, label: item.title, ...iconOf(item), children: item.children.map(whole) } : { key: item.path, label: label(item), ...iconOf(item) }
}

/** The menu as a row: all of it, or, when the sidebar has the rest, the groups alone. What has no room waits behind three dots. */
export function TopMenu({ current }: { current: ShellRoute | undefined }) {
  const { items, routes } = useShell()
  const { active } = useTabs()
  const { settings: { layout } } = useSettings()
  const trail = itemTrail(items, activeItem(items, routes, current, active) ?? '')
  return (
    <nav className="top-menu" aria-label="主菜单">
      <Menu mode="horizontal" selectedKeys={trail.map((item) => item.path)} items={items.map((item) => (layout === 'top' ? whole(item) : { key: item.path, label: label(item), ...iconOf(item) }))} />
    </nav>
  )
}
