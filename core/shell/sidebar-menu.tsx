import { DownOutlined, StarFilled, StarOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { createContext, memo, useContext, useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { MenuIcon } from './menu-icon.tsx'
import { useShell } from './shell-context.tsx'
import { lettersOf, type MenuItem } from './sidebar-items.ts'
import { SidebarPopup } from './sidebar-popup.tsx'

interface MenuValue {
  /** Item of the page in front. */
  readonly active: string | undefined
  /** Groups that are open. */
  readonly open: ReadonlySet<string>
  readonly toggle: (path: string) => void
  /** Icons only; groups open beside them. */
  readonly collapsed: boolean
  readonly favourites: readonly string[]
  readonly favour: (path: string) => void
}

export const MenuContext = createContext<MenuValue>({ active: undefined, open: new Set(), toggle: () => {}, collapsed: false, favourites: [], favour: () => {} })

interface PageLinkProps {
  item: MenuItem
  icon: boolean
  letters?: string
  star?: boolean
}

interface PageRowProps extends Required<PageLinkProps>, Pick<MenuValue, 'favour' | 'collapsed'> {
  current: boolean
  favourite: boolean
}

/** One page: a link, so that it can be opened in a window of its own. A person who points at it will need its code. */
const PageRow = memo(function PageRow({ item: { path, title, icon: name, mark: Mark, external }, icon, letters, star, current, favourite, favour, collapsed }: PageRowProps) {
  const { screens } = useShell()
  const words = <>{icon && (name || collapsed) && <MenuIcon name={name} letters={letters} />}<span className="menu-title">{title}</span>{Mark && !collapsed && <Mark />}</>
  if (external) return <a className="menu-row" href={path} target="_blank" rel="noopener noreferrer" title={title}>{words}</a>
  const fetch = () => screens.fetch(path)
  const link = <Link className="menu-row" to={path} aria-current={current ? 'page' : undefined} {...(icon && collapsed ? { 'aria-label': title } : { title })} onPointerEnter={fetch} onFocus={fetch}>{words}</Link>
  if (icon && collapsed) return <Tooltip title={title} placement="right" classNames={{ root: 'menu-tip' }}>{link}</Tooltip>
  return (
    <>
      {link}
      {star && path !== '/' && (
        <button type="button" className="menu-star" aria-pressed={favourite} aria-label={favourite ? `取消收藏${title}` : `收藏${title}`} title={favourite ? '取消收藏' : '收藏'} onClick={() => favour(path)}>
          {favourite ? <StarFilled /> : <StarOutlined />}
        </button>
      )}
    </>
  )
})

/** A page's row. The menu is long, and a step concerns two of its rows. */
function PageLink({ item, icon, letters = '', star = true }: PageLinkProps) {
  const { active, favourites, favour, collapsed } = useContext(MenuContext)
  return <PageRow item={item} icon={icon} letters={letters} star={star} current={active === item.path} favourite={favourites.includes(item.path)} favour={favour} collapsed={collapsed} />
}

/** The pages and groups inside a group. */
function Below({ items, star }: { items: readonly MenuItem[]; star: boolean }) {
  return items.map((item) => (item.children
    ? <Group key={item.path} item={item} items={item.children} icon={false} star={star} />
    : <li key={item.path} className="menu-item"><PageLink item={item} icon={false} star={star} /></li>))
}

interface GroupProps {
  item: Pick<MenuItem, 'path' | 'title' | 'icon'>
  items: readonly MenuItem[]
  icon: boolean
  /** What stands for it where there is no picture. */
  letters?: string
  star?: boolean
}

/** A group that opens below its title, or beside its icon when the menu is collapsed. */
export function Group({ item, items, icon, letters = '', star = true }: GroupProps) {
  const { open, toggle, collapsed, active } = useContext(MenuContext)
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null)
  const id = `menu${item.path.replaceAll('/', '-')}`
  const words = <>{icon && (item.icon || collapsed) && <MenuIcon name={item.icon} letters={letters} />}<span className="menu-title">{item.title}</span></>
  const within = contains(items, active)
  if (icon && collapsed) {
    return (
      <li className="menu-group">
        <button type="button" ref={setAnchor} className="menu-row" data-within={within} aria-label={item.title} aria-current={active === item.path ? 'true' : undefined}>{words}</button>
        {anchor && <SidebarPopup anchor={anchor} title={item.title}><Below items={items} star={star} /></SidebarPopup>}
      </li>
    )
  }
  const isOpen = open.has(item.path)
  return (
    <li className="menu-group" data-open={isOpen}>
      <button type="button" className="menu-row" title={item.title} data-within={within} aria-expanded={isOpen} aria-controls={id} aria-current={active === item.path ? 'true' : undefined} onClick={() => toggle(item.path)}>
        {words}<DownOutlined className="menu-arrow" aria-hidden />
      </button>
      <ul id={id} className="menu-below" hidden={!isOpen}>{isOpen && <Below items={items} star={star} />}</ul>
    </li>
  )
}

function contains(items: readonly MenuItem[], path: string | undefined): boolean {
  return items.some((item) => item.path === path || contains(item.children ?? [], path))
}

/** The top level of the menu. */
export function MenuLevel({ items }: { items: readonly MenuItem[] }) {
  const letters = lettersOf(items.map((item) => item.title))
  return items.map((item, place) => (item.children
    ? <Group key={item.path} item={item} items={item.children} icon letters={letters[place] ?? ''} />
    : <li key={item.path} className="menu-item"><PageLink item={item} icon letters={letters[place] ?? ''} /></li>))
}

/** Walks along the rows with the arrow keys; left and right close and open a group. */
export function walkMenu(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLElement) || !event.target.matches('.menu-row')) return
  const row = event.target
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.menu-row')]
  const at = rows.indexOf(row)
  const expanded = row.getAttribute('aria-expanded')
  const group = row.closest('ul')?.closest('.menu-group')?.querySelector<HTMLElement>(':scope > .menu-row')
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => rows[(at + 1) % rows.length]?.focus(),
    ArrowUp: () => rows[(at - 1 + rows.length) % rows.length]?.focus(),
    Home: () => rows[0]?.focus(),
    End: () => rows.at(-1)?.focus(),
    ArrowRight: () => { if (expanded === 'false') row.click() },
    ArrowLeft: () => { if (expanded === 'true') row.click(); else group?.focus() },
  }
  const move = moves[event.key]
  if (!move) return
  event.preventDefault()
  move()
}
