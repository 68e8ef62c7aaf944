import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { memo, useLayoutEffect, useState, type RefObject } from 'react'
import { useTabs, type TabsValue } from './tabs-context.tsx'
import { titleOf } from './tabs.ts'

/**
 * Whether there are more tabs than the bar has room for.
 * @param words what the tabs say: with other words it is measured again
 */
function useOverflowing(bar: RefObject<HTMLElement | null>, words: string): boolean {
  const [overflowing, setOverflowing] = useState(false)
  useLayoutEffect(() => {
    const { current } = bar
    if (!current) return
    const watch = new ResizeObserver(() => setOverflowing(current.scrollWidth > current.clientWidth + 1))
    // It hears of the bar at once, after the layout that the frame makes anyway.
    watch.observe(current)
    return () => watch.disconnect()
  }, [bar, words])
  return overflowing
}

/** All open tabs as a list, and what can be done with all of them. */
function menuOf({ state, active, open, closeOthers, closeAll, reopen }: TabsValue): MenuProps {
  const actions: Readonly<Record<string, () => void>> = { '@others': () => closeOthers(active), '@all': closeAll, '@reopen': reopen }
  return {
    selectedKeys: [active],
    items: [
      ...state.tabs.map((tab) => ({ key: tab.path, label: titleOf(tab) })),
      { type: 'divider' },
      { key: '@others', label: '关闭其它' },
      { key: '@all', label: '关闭所有' },
      { key: '@reopen', label: '重新打开关闭的页面', disabled: state.closed.length === 0 },
    ],
    onClick: ({ key }) => (actions[key] ?? (() => open(key)))(),
  }
}

const CLOSED: MenuProps = {}

interface OverflowButtonProps {
  tabs: number
  overflowing: boolean
  menu: MenuProps
  onOpen: (open: boolean) => void
}

const OverflowButton = memo(function OverflowButton({ tabs, overflowing, menu, onOpen }: OverflowButtonProps) {
  return (
    <Dropdown trigger={['click']} placement="bottomRight" classNames={{ root: 'tabs-all' }} menu={menu} onOpenChange={onOpen}>
      <Button type="text" size="small" className="tabs-more" data-overflowing={overflowing} icon={<DownOutlined />} aria-label={`全部页面（${tabs}）`} title="全部页面" />
    </Dropdown>
  )
})

/** Opens the list of all tabs. While it is closed a step does not concern it. */
export function TabsOverflow({ bar }: { bar: RefObject<HTMLElement | null> }) {
  const tabs = useTabs()
  const [open, setOpen] = useState(false)
  const count = tabs.state.tabs.length
  return <OverflowButton tabs={count} overflowing={useOverflowing(bar, tabs.state.tabs.map(titleOf).join('\n'))} menu={open ? menuOf(tabs) : CLOSED} onOpen={setOpen} />
}
