import { Dropdown, type MenuProps } from 'antd'
import { useNavigate } from 'react-router'
import { useUnsavedWork } from '../form/unsaved.tsx'
import { useTabs } from './tabs-context.tsx'
import './tabs.css'

/** The bar of open tabs. */
export function TabsBar() {
  const { state, active, refresh, close, closeOthers, closeAll } = useTabs()
  const navigate = useNavigate()
  const unsaved = useUnsavedWork()
  const menuOf = (path: string): MenuProps => ({
    items: [
      { key: 'refresh', label: '刷新' },
      { key: 'close', label: '关闭', disabled: path === '/' },
      { key: 'others', label: '关闭其他' },
      { key: 'all', label: '关闭全部' },
    ],
    onClick: ({ key }) => {
      const actions: Record<string, () => void> = { refresh: () => refresh(path), close: () => close(path), others: () => closeOthers(path), all: closeAll }
      actions[key]?.()
    },
  })
  return (
    <div className="tabs" role="tablist" aria-label="已打开的页面">
      {state.tabs.map((tab) => (
        <Dropdown key={tab.path} trigger={['contextMenu']} menu={menuOf(tab.path)}>
          <button type="button" className="tab" role="tab" data-active={tab.path === active} aria-selected={tab.path === active} aria-keyshortcuts={tab.affix ? undefined : 'Delete'}
            onClick={() => void navigate(`${tab.path}${tab.search}${tab.hash}`)}
            onKeyDown={(event) => { if (event.key === 'Delete' && !tab.affix) close(tab.path) }}
            onAuxClick={(event) => { if (event.button === 1) close(tab.path) }}>
            {tab.title}{unsaved.some((work) => work.tab === tab.path) && <span className="dot" title="有未保存的内容" />}
            {!tab.affix && <span className="tab-close" aria-hidden title={`关闭${tab.title}`} onClick={(event) => { event.stopPropagation(); close(tab.path) }}>×</span>}
          </button>
        </Dropdown>
      ))}
    </div>
  )
}
