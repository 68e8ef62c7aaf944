import { LoadingOutlined, SearchOutlined } from '@ant-design/icons'
import { Modal } from 'antd'
import { useEffect, useId, useMemo, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useStaff } from '../session/staff-context.tsx'
import { ScanButton } from '../ui/scan-button.tsx'
import { entryText } from './menu-search.ts'
import { arrange, type PaletteItem } from './palette-items.ts'
import { routeFinder } from './place.ts'
import { readVisits } from './recent.ts'
import { leafRoutes } from './routes.ts'
import { useShell } from './shell-context.tsx'
import { isMeant } from './spelling.ts'
import { useTabs } from './tabs-context.tsx'
import { addressOf, titleOf } from './tabs.ts'
import { useFoundRecords } from './use-found-records.tsx'
import { useMenuSearch } from './use-menu-search.tsx'
import { usePaletteActions } from './use-palette-actions.tsx'
import { usePicked, useTyped } from './use-picked.tsx'
import { useSpelling } from './use-spelling.tsx'
import './palette.css'

const RECENT_SHOWN = 6

/** Everything that can be gone to or done from one input: open tabs, menus, actions, records. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const staff = useStaff()
  const navigate = useNavigate()
  const { state } = useTabs()
  const { routes } = useShell()
  const routeAt = useMemo(() => routeFinder(leafRoutes(routes)), [routes])
  const { find, go } = useMenuSearch()
  const actions = usePaletteActions()
  const typed = useTyped()
  const { text, type, words, input } = typed
  const { found, loading } = useFoundRecords(words)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  // A page of one record is told apart by its own name; which page of which group it is stands beside it.
  const noteOf = (path: string, own: boolean) => {
    const route = routeAt(path)
    return [route?.group, own ? route?.title : undefined].filter(Boolean).join(' · ') || undefined
  }
  const tabs: PaletteItem[] = state.tabs.map((tab) => ({ key: `tab ${tab.path}`, title: titleOf(tab), note: noteOf(tab.path, Boolean(tab.ownTitle)), run: () => void navigate(addressOf(tab)) }))
  const open = new Set(state.tabs.map((tab) => tab.path))
  const recent: PaletteItem[] = readVisits(localStorage, staff.id).filter(({ path }) => !open.has(path)).slice(0, RECENT_SHOWN)
    .map(({ path, title }) => ({ key: `recent ${path}`, title, note: noteOf(path, false), run: () => void navigate(path) }))
  const titles = [...tabs, ...actions].map(({ title }) => title)
  const spell = useSpelling(`palette ${titles.join()}`, titles, true)
  const meant = ({ title }: PaletteItem) => isMeant(words, title, spell(title))
  const { groups, items } = arrange([
    { title: '已打开的页面', items: tabs.filter(meant) },
    ...(words === '' ? [{ title: '最近访问', items: recent }] : []),
    { title: '菜单', items: find(words).map((entry) => ({ key: `menu ${entryText(entry)}`, title: entryText(entry), note: entry.external ? entry.to : undefined, run: () => go(entry) })) },
    { title: '操作', items: actions.filter(meant) },
    // Last, because they come late: what stands above them stays where it is.
    ...found.map(({ label, records }) => ({ title: label, items: records.map((record) => ({ key: `${label} ${record.id}`, title: record.title, note: record.note, run: () => void navigate(record.to) })) })),
  ])
  const take = (place: number) => {
    const item = items[place]
    if (!item) return
    onClose()
    item.run()
  }
  const { at, pick, keys } = usePicked({ hits: items.length, typed, take, close: onClose })
  // It may give back a promise, which is nothing for React to call.
  useEffect(() => { void document.getElementById(`${id}${at}`)?.scrollIntoView({ block: 'nearest' }) }, [at, id])
  return (
    <Modal open footer={null} closable={false} width={640} onCancel={onClose} title={null} classNames={{ container: 'palette', wrapper: 'palette-place' }} aria-label="命令面板" afterOpenChange={(shown) => { if (shown) field.current?.focus() }}>
      <div className="palette-input">
        {loading ? <LoadingOutlined /> : <SearchOutlined />}
        <input ref={field} value={text} onChange={(event) => type(event.target.value)} onKeyDown={keys} placeholder="搜索菜单、页面、操作，或输入手机号、姓名、订单号、激活码…" aria-label="命令面板"
          role="combobox" aria-autocomplete="list" aria-expanded aria-controls={id} aria-activedescendant={items.length > 0 ? `${id}${at}` : undefined} spellCheck={false} autoComplete="off" {...input} />
        <ScanButton onScan={(text) => { type(text); field.current?.focus() }} />
        <kbd>Esc</kbd>
      </div>
      <div className="palette-hits" role="listbox" id={id} aria-label="结果">
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <div className="palette-title" aria-hidden>{group.title}</div>
            {group.items.map((item, place) => (
              <button key={item.key} id={`${id}${group.from + place}`} type="button" className="palette-hit" role="option" tabIndex={-1} aria-selected={group.from + place === at}
                onPointerMove={() => pick(group.from + place)} onPointerDown={(event) => event.preventDefault()} onClick={() => take(group.from + place)}>
                <span>{item.title}</span>{item.note && <small>{item.note}</small>}
              </button>
            ))}
          </div>
        ))}
        {items.length === 0 && <p className="palette-none">{loading ? '正在查找…' : '没有找到'}</p>}
      </div>
      <footer className="palette-keys"><span><kbd>↑</kbd><kbd>↓</kbd> 选择</span><span><kbd>Enter</kbd> 打开</span><span><kbd>Ctrl</kbd><kbd>K</kbd> 关闭</span></footer>
    </Modal>
  )
}
