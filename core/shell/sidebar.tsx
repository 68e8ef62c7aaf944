import { Drawer, Menu, type MenuProps } from 'antd'
import { Link } from 'react-router'
import { openScreens } from './open-screens.tsx'
import type { ShellRoute } from './routes.ts'
import { useShell } from './shell-context.tsx'
import { SITE } from './site.ts'
import type { SidebarState } from './use-sidebar.tsx'
import './sidebar.css'

/** The main menu: a column at the left, or a drawer on a mobile device. */
export function Sidebar({ current, sidebar }: { current: ShellRoute | undefined; sidebar: SidebarState }) {
  const { routes } = useShell()
  const { mobile, collapsed, drawer, closeDrawer } = sidebar
  const items: MenuProps['items'] = [...openScreens.filter((screen) => !screen.hidden), ...routes].map((route) => (route.children
    ? { key: route.path, label: route.title, children: route.children.filter((child) => !child.hidden).map((child) => ({ key: child.path, label: <Link to={child.path}>{child.title}</Link> })) }
    : { key: route.path, label: <Link to={route.path}>{route.title}</Link> }))
  const group = routes.find((route) => route.children?.some((child) => child.path === current?.path))
  const menu = (
    <nav className="side-menu" aria-label="主菜单">
      <Link to="/" className="brand"><img src={`${import.meta.env.BASE_URL}logo.svg`} alt="" width={28} height={28} />{(!collapsed || mobile) && <span>{SITE}</span>}</Link>
      <Menu key={collapsed && !mobile ? 'narrow' : 'wide'} mode="inline" theme="dark" inlineCollapsed={collapsed && !mobile} items={items} selectedKeys={[current?.path ?? '']} defaultOpenKeys={group && !collapsed ? [group.path] : []} />
    </nav>
  )
  return mobile
    ? <Drawer open={drawer} placement="left" size={210} closable={false} onClose={closeDrawer} classNames={{ body: 'side-drawer' }}>{menu}</Drawer>
    : <aside className="sidebar">{menu}</aside>
}
