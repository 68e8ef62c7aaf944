import { SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { useContext, useState, type ReactNode } from 'react'
import { useShell } from './shell-context.tsx'
import { MenuContext, MenuLevel } from './sidebar-menu.tsx'
import { menuPages, type MenuItem } from './sidebar-items.ts'
import { isMeant } from './spelling.ts'
import { useSpelling } from './use-spelling.tsx'

/** What was found is looked at without opening anything; a group may be closed again. */
function FoundMenu({ items }: { items: readonly MenuItem[] }) {
  const menu = useContext(MenuContext)
  const [closed, setClosed] = useState<readonly string[]>([])
  const groups = (some: readonly MenuItem[]): string[] => some.flatMap((item) => (item.children ? [item.path, ...groups(item.children)] : []))
  const open = new Set(groups(items).filter((path) => !closed.includes(path)))
  const toggle = (path: string) => setClosed(closed.includes(path) ? closed.filter((one) => one !== path) : [...closed, path])
  return <MenuContext value={{ ...menu, open, toggle }}><ul className="menu-list"><MenuLevel items={items} /></ul></MenuContext>
}

/** A group with those of its pages that are meant; all of them when the group itself is. */
function filtered(items: readonly MenuItem[], meant: (title: string) => boolean): MenuItem[] {
  return items.flatMap((item) => {
    if (meant(item.title)) return [item]
    if (!item.children) return []
    const children = filtered(item.children, meant)
    return children.length > 0 ? [{ ...item, children }] : []
  })
}

interface Found {
  /** Groups with what was found in them; undefined while nothing is typed. */
  readonly items: readonly MenuItem[] | undefined
  /** Pages of that name which are not open to this person. */
  readonly denied: readonly { readonly id: number; readonly title: string; readonly group: string }[]
}

/** Finds in the menu what was typed: parts of titles, pinyin, initials. */
function useFound(word: string, wanted: boolean): Found {
  const { items, groups, screens } = useShell()
  const pages = menuPages(items)
  const all = groups.flatMap((group) => group.screens.filter((screen) => screens.has(screen.path)).map((screen) => ({ ...screen, group: group.title })))
  const spell = useSpelling('menu', [...new Set([...items.map((item) => item.title), ...all.flatMap((screen) => [screen.title, screen.group])])], wanted)
  if (word.trim() === '') return { items: undefined, denied: [] }
  const meant = (title: string) => isMeant(word, title, spell(title))
  const open = new Set(pages.map(({ item }) => item.path))
  return { items: filtered(items, meant), denied: all.filter((screen) => !open.has(screen.path) && !screen.path.includes(':') && meant(screen.title)) }
}

/** The box above the menu that narrows it, and the menu below it. */
export function SidebarFilter({ children }: { children: ReactNode }) {
  const [word, setWord] = useState('')
  const [wanted, setWanted] = useState(false)
  const { items, denied } = useFound(word, wanted)
  return (
    <>
      <div className="menu-filter">
        <Input size="small" allowClear prefix={<SearchOutlined />} placeholder="筛选菜单" aria-label="筛选菜单" value={word} onFocus={() => setWanted(true)}
          onChange={(event) => setWord(event.target.value)} onKeyDown={(event) => { if (event.key === 'Escape' && word) { event.stopPropagation(); setWord('') } }} />
      </div>
      <div className="menu-scroll">
        {items ? (
          <>
            <FoundMenu key={word} items={items} />
            <p className="menu-note" role="status">{items.length === 0 ? '没有匹配的菜单' : ''}</p>
            {denied.length > 0 && (
              <div className="menu-denied">
                <p>未对您开放，可请管理员开通</p>
                <ul>{denied.map(({ id, title, group }) => <li key={id} title={`${group} / ${title}，模块编号 ${id}`}>{title}<small>{group}</small></li>)}</ul>
              </div>
            )}
          </>
        ) : children}
      </div>
    </>
  )
}
