import { DownOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Checkbox, Empty, Input, Space, Switch, Tooltip } from 'antd'
import { memo, useCallback, useDeferredValue, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { GrantGroup, GrantNode } from '../../core/grant/grant-tree.ts'
import { chosenTree, screenIds, searchTree, setTicks, tickOf, type Ids } from './grant-set.ts'
import { useSpelling } from './pinyin.tsx'

interface GrantTreeProps {
  tree: readonly GrantGroup[]
  value: Ids
  onChange: (value: Set<number>) => void
  /** What the actor holds; nothing else can be changed. */
  held: Ids
  /** The state to compare with: what differs is marked. */
  base?: Ids
  readOnly?: boolean
}

const NOT_HELD = '您自己没有该权限'

interface TickProps {
  title: string
  ids: readonly number[]
  chosen: Ids
  held: Ids
  base: Ids | undefined
  readOnly: boolean
  onTick: (ids: readonly number[], on: boolean) => void
}

/** One id with its box; a box that cannot be used says why. A plain box: the whole product has some two thousand of them. */
function Tick({ title, ids, chosen, held, base, readOnly, onTick }: TickProps) {
  const [id = 0] = ids
  const locked = !held.has(id)
  const checked = chosen.has(id)
  const change = base && base.has(id) !== checked ? (checked ? 'added' : 'removed') : undefined
  const box = (
    <label className={`grant-tick ${change ?? ''}`}>
      <input type="checkbox" checked={checked} disabled={locked || readOnly} onChange={(event) => onTick(ids, event.target.checked)} />
      <span>{title}</span>
    </label>
  )
  return locked && !readOnly ? <Tooltip title={NOT_HELD}><span>{box}</span></Tooltip> : box
}

interface ScreenProps extends Omit<TickProps, 'title' | 'ids'> {
  screen: GrantNode
}

/** Which of a screen's ids are in a set, as text, so that rows that did not change are not drawn again. */
const stateOf = ({ screen, chosen, held, base }: ScreenProps) => screenIds(screen).map((id) => `${chosen.has(id) ? 1 : 0}${held.has(id) ? 1 : 0}${base?.has(id) ? 1 : 0}`).join('')

const ScreenRow = memo(function ScreenRow({ screen, ...rest }: ScreenProps) {
  const usable = screenIds(screen).filter((id) => rest.held.has(id))
  const full = tickOf(usable, rest.chosen) === 'all'
  return (
    <fieldset className="grant-row" aria-label={screen.title}>
      <span className="grant-screen"><Tick {...rest} title={screen.title} ids={[screen.id]} /></span>
      <span className="grant-actions">
        {screen.children?.map((child) => <Tick key={child.id} {...rest} title={child.title} ids={[child.id]} />)}
      </span>
      {screen.children && !rest.readOnly && (
        <Button type="link" size="small" disabled={usable.length === 0} aria-label={`${full ? '取消' : '全选'}：${screen.title}`} onClick={() => rest.onTick(usable, !full)}>{full ? '取消' : '全选'}</Button>
      )}
    </fieldset>
  )
}, (before, after) => before.screen === after.screen && before.readOnly === after.readOnly && before.onTick === after.onTick && stateOf(before) === stateOf(after))

/** Moves between the boxes by the arrow keys: up and down between rows, left and right inside one. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
  const row = (event.target as HTMLElement).closest('.grant-row, .grant-group-head')
  if (!step || !row || (event.target as HTMLElement).matches('input:not([type=checkbox])')) return
  const usable = 'input:not(:disabled), button:not(:disabled)'
  const across = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
  const all = across
    ? [...row.querySelectorAll<HTMLElement>(usable)]
    : [...event.currentTarget.querySelectorAll('.grant-row, .grant-group-head')].flatMap((one) => (one === row ? [event.target as HTMLElement] : [one.querySelector<HTMLElement>(usable)]).filter((found) => found !== null))
  const next = all[all.indexOf(event.target as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/**
 * Everything that can be granted, to be ticked: groups, screens and their actions, with a search by words or pinyin.
 * What the actor does not hold keeps its state.
 */
export function GrantTree({ tree, value, onChange, held, base, readOnly = false }: GrantTreeProps) {
  const [keyword, setKeyword] = useState('')
  const [searched, setSearched] = useState(false)
  // What was chosen when one began to look at the chosen ones only: unticking must not take a row from under the pointer.
  const [listed, setListed] = useState<Ids>()
  const onlyChosen = listed !== undefined
  const id = useId()
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(tree.filter((group) => chosenTree([group], value).length > 0).map((group) => group.title)))
  const wanted = useDeferredValue(keyword)
  const spell = useSpelling(tree, searched)
  const found = searchTree(listed ? chosenTree(tree, listed) : tree, wanted, spell)

  // Rows are drawn again by what is ticked in them, so what they call must see the newest set.
  const latest = useRef({ value, held, onChange })
  useLayoutEffect(() => {
    latest.current = { value, held, onChange }
  })
  const tick = useCallback((ids: readonly number[], on: boolean) => {
    const now = latest.current
    now.onChange(setTicks(now.value, ids, on, now.held))
  }, [])

  const searching = wanted.trim() !== ''
  const isOpen = (group: GrantGroup) => searching || onlyChosen || opened.has(group.title)
  const toggle = (title: string) => setOpened((old) => {
    const next = new Set(old)
    if (!next.delete(title)) next.add(title)
    return next
  })
  const allOpen = tree.every((group) => opened.has(group.title))

  return (
    <div className="grant-tree">
      <div className="grant-search">
        <Input allowClear prefix={<SearchOutlined />} value={keyword} placeholder="搜索模块或操作，支持拼音首字母" aria-label="搜索权限" onFocus={() => setSearched(true)} onChange={(event) => setKeyword(event.target.value)} />
        <Space>
          <span className="grant-only"><Switch id={`${id}-only`} size="small" checked={onlyChosen} onChange={(on) => setListed(on ? value : undefined)} /> <label htmlFor={`${id}-only`}>只看已选</label></span>
          <Button size="small" disabled={searching || onlyChosen} onClick={() => setOpened(allOpen ? new Set() : new Set(tree.map((group) => group.title)))}>{allOpen ? '全部收起' : '全部展开'}</Button>
        </Space>
      </div>
      {found.length === 0 && <Empty description={searching ? `没有匹配「${wanted.trim()}」的权限` : '还没有勾选任何权限'} />}
      {/* The keys only move between boxes, which work without them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div onKeyDown={moveFocus}>
        {found.map((group) => {
          const ids = group.screens.flatMap(screenIds)
          const usable = ids.filter((id) => held.has(id))
          const state = tickOf(ids, value)
          const full = tickOf(usable, value) === 'all'
          const open = isOpen(group)
          const box = (
            <Checkbox checked={state === 'all'} indeterminate={state === 'some'} disabled={readOnly || usable.length === 0} aria-label={`${group.title}全部权限`} onChange={() => tick(usable, !full)} />
          )
          return (
            <section key={group.title} className="grant-group" aria-label={group.title}>
              <div className="grant-group-head">
                {usable.length === 0 && !readOnly ? <Tooltip title={NOT_HELD}><span>{box}</span></Tooltip> : box}
                <button type="button" className="grant-fold" aria-expanded={open} disabled={searching || onlyChosen} onClick={() => toggle(group.title)}>
                  <span>{group.title}</span>
                  <span className="grant-count">{ids.filter((id) => value.has(id)).length} / {ids.length}{searching && '（搜索结果）'}</span>
                  <DownOutlined className="grant-arrow" rotate={open ? 0 : -90} />
                </button>
              </div>
              {open && group.screens.map((screen) => <ScreenRow key={screen.id} screen={screen} chosen={value} held={held} base={base} readOnly={readOnly} onTick={tick} />)}
            </section>
          )
        })}
      </div>
    </div>
  )
}
