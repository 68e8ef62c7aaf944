import { KeyOutlined, MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import { useNavigate } from 'react-router'
import { useStaff } from '../session/staff-context.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import type { ShellRoute } from './routes.ts'
import { useSettings } from './settings-context.tsx'
import { useLogout } from './use-logout.tsx'
import type { SidebarState } from './use-sidebar.tsx'
import './navbar.css'

/** The bar at the top. */
export function Navbar({ current, sidebar }: { current: ShellRoute | undefined; sidebar: SidebarState }) {
  const staff = useStaff()
  const navigate = useNavigate()
  const leave = useLogout()
  const { change, dark } = useSettings()
  const { mobile, collapsed, drawer, toggle } = sidebar
  return (
    <header className="topbar">
      <Button type="text" icon={collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />} aria-label={collapsed ? '展开菜单' : '收起菜单'} aria-expanded={mobile ? drawer : !collapsed} onClick={toggle} />
      <Breadcrumb current={current} />
      <span className="topbar-end">
        {!mobile && <a href="/">返回旧版</a>}
        <Button type="text" onClick={() => change({ mode: dark ? 'light' : 'dark' })} aria-label={dark ? '切换到浅色' : '切换到深色'}>{dark ? '浅色' : '深色'}</Button>
        <Tooltip title="账号与安全"><Button type="text" icon={<KeyOutlined />} aria-label="账号与安全" onClick={() => void navigate('/account')} /></Tooltip>
        <Dropdown trigger={['click']} menu={{ items: [{ key: 'home', label: '首页' }, { key: 'leave', label: '退出登录' }], onClick: ({ key }) => (key === 'leave' ? leave() : void navigate('/')) }}>
          <Button type="text" className="person">{staff.name}</Button>
        </Dropdown>
      </span>
    </header>
  )
}
