import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useSyncExternalStore, type RefObject } from 'react'
import { useTabs } from './tabs-context.tsx'
import { titleOf } from './tabs.ts'

/** Whether there are more tabs than the bar has room for. */
function useOverflowing(bar: RefObject<HTMLElement | null>, tabs: number): boolean {
  return useSyncExternalStore((changed) => {
    if (!bar.current) return () => {}
    const watch = new ResizeObserver(changed)
    watch.observe(bar.current)
    return () => watch.disconnect()
  }, () => tabs > 0 && bar.current !== null && bar.current.scrollWidth > bar.current.clientWidth + 1)
}

/** All open tabs as a list, and what can be done with all of them. */
export function TabsOverflow({ bar }: { bar: RefObject<HTMLElement | null> }) {
  const { state, active, open, closeOthers, closeAll, reopen } = useTabs()
  const overflowing = useOverflowing(bar, state.tabs.length)
  const actions: Readonly<Record<string, () => void>> = { '@others': () => closeOthers(active), '@all': closeAll, '@reopen': reopen }
  return (
    <Dropdown trigger={['click']} placement="bottomRight" classNames={{ root: 'tabs-all' }} menu={{
      selectedKeys: [active],
      items: [
        ...state.tabs.map((tab) => ({ key: tab.path, label: titleOf(tab) })),
        { type: 'divider' as const },
        { key: '@others', label: '关闭其它' },
        { key: '@all', label: '关闭所有' },
        { key: '@reopen', label: '重新打开关闭的页面', disabled: state.closed.length === 0 },
      ],
      onClick: ({ key }) => (actions[key] ?? (() => open(key)))(),
    }}>
      <Button type="text" size="small" className="tabs-more" data-overflowing={overflowing} icon={<DownOutlined />} aria-label={`全部页面（${state.tabs.length}）`} title="全部页面" />
    </Dropdown>
  )
}
