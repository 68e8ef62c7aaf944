import { MoreOutlined, SaveOutlined, StarFilled, TeamOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Checkbox, Dropdown, Form, Input, Modal, Tooltip, type MenuProps } from 'antd'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useHref, useLocation } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { createView, listViews, removeView, updateView, type SavedView } from '../preference/calls.ts'
import { usePreference } from '../preference/use-preference.tsx'
import type { Resource } from '../resource/define.ts'
import { useCan } from '../session/staff-context.tsx'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { formatPins, parsePins, type ColumnChoice } from './list-columns.ts'
import { formatListState, parseListState, type ListState } from './list-state.ts'
import { lookKey, lookSearch, viewQuery, viewSearch, visibleColumns, withColumns } from './saved-views.ts'
import './saved-views.css'

// Few subscribe, and nobody on opening a list.
const SubscribeDialog = retryLazy(async () => ({ default: (await import('../subscription/subscribe-dialog.tsx')).SubscribeDialog }))

type SetSearch = (next: (current: URLSearchParams) => URLSearchParams, options?: { replace: boolean }) => void

interface Options {
  resource: Resource
  search: URLSearchParams
  setSearch: SetSearch
  /** Columns as the person likes them outside of any view. */
  own: ColumnChoice
  setOwn: (choice: ColumnChoice) => void
  /** Lists inside other pages have no views. */
  off: boolean
}

/** The views of a list: which one is open, and the columns that it asks for. */
export interface Views {
  choice: ColumnChoice
  setChoice: (choice: ColumnChoice) => void
  items: readonly SavedView[]
  active: SavedView | undefined
  /** The list no longer shows what the open view remembers. */
  modified: boolean
  /** The view that this list starts with. */
  start: number | null
  setStart: (id: number | null) => void
  open: (view: SavedView | undefined) => void
  /** Which view the list starts with is not known yet; asking for its rows now would be for nothing. */
  choosing: boolean
}

/** A list's named views. Columns of an open view cover the person's own and never overwrite them. */
export function useSavedViews({ resource, search, setSearch, own, setOwn, off }: Options): Views {
  const state = useMemo(() => parseListState(search), [search])
  const { data, isPending } = useQuery({
    queryKey: ['views', resource.name], queryFn: ({ signal }) => call(listViews, { list: resource.name }, { signal }), staleTime: 60_000, enabled: !off,
  })
  const items = data?.items ?? []
  const [start, setStart, known] = usePreference<number | null>(`view:${resource.name}`, null)
  const [touched, setTouched] = useState<{ view: number } & Pick<ColumnChoice, 'order' | 'hidden'>>()
  const active = off ? undefined : items.find((view) => view.id === state.view)
  const bare = search.size === 0
  // A person who asked for something, by a link or by hand, gets that and not the view they usually start with.
  const [untouched, setUntouched] = useState(bare && !off)
  if (untouched && !bare) setUntouched(false)
  const first = untouched ? data?.items.find((view) => view.id === start) : undefined
  // Without such a view the list is looked at as it was last time.
  const [look] = usePreference(lookKey(resource), '')
  const last = untouched && known && start === null ? look : ''
  useEffect(() => {
    if (first) setSearch(() => viewSearch(first), { replace: true })
    else if (last !== '') setSearch(() => new URLSearchParams(last), { replace: true })
  }, [first, last, setSearch])

  const columns = active?.columns
  const changed = columns && touched?.view === active?.id ? touched : undefined
  const choice = useMemo(() => {
    const chosen = changed ? { ...own, order: changed.order, hidden: changed.hidden } : columns ? withColumns(resource, own, columns) : own
    return state.pinned === undefined ? chosen : { ...chosen, pinned: parsePins(state.pinned) }
  }, [changed, columns, own, resource, state.pinned])
  return {
    items,
    active,
    choice,
    setChoice: (next) => {
      // What stays at an edge belongs to the view that is open, or to the address that says so.
      const kept = active || state.pinned !== undefined
      const pins = formatPins(next.pinned) ?? ''
      if (kept && pins !== (formatPins(choice.pinned) ?? '')) setSearch((current) => formatListState({ ...parseListState(current), pinned: pins }))
      const mine = kept ? { ...next, pinned: own.pinned } : next
      if (!active || !columns) return setOwn(mine)
      setTouched({ view: active.id, order: next.order, hidden: next.hidden })
      setOwn({ ...own, widths: mine.widths, pinned: mine.pinned, density: mine.density })
    },
    // Columns that are gone from the product are no change of this person's.
    modified: active !== undefined && (viewQuery(state) !== active.query || Boolean(changed && columns
      && visibleColumns(resource, choice).join() !== visibleColumns(resource, withColumns(resource, own, columns)).join())),
    start,
    setStart: (id) => {
      setUntouched(false)
      setStart(id)
    },
    choosing: untouched && (!known || first !== undefined || last !== '' || (start !== null && isPending)),
    open: (view) => {
      setUntouched(false)
      setTouched(undefined)
      // All records, looked at as before.
      setSearch((current) => (view ? viewSearch(view) : lookSearch(parseListState(current))))
    },
  }
}

interface Editing {
  /** The view to rename; absent to keep a new one. */
  view?: SavedView
}

/** The row of views above a table, and what can be done with the open one. */
export function ViewBar({ resource, state, views }: { resource: Resource; state: ListState; views: Views }) {
  const { message, modal } = App.useApp()
  const client = useQueryClient()
  const { pathname } = useLocation()
  const page = useHref(pathname)
  const [editing, setEditing] = useState<Editing>()
  const [subscribing, setSubscribing] = useState<SavedView>()
  const may = useCan()
  const { active, items, modified } = views
  const query = viewQuery({ ...state, pinned: state.pinned ?? formatPins(views.choice.pinned) })
  const plain = viewQuery({ ...state, look: undefined, colors: undefined, pinned: undefined })
  const reload = () => client.invalidateQueries({ queryKey: ['views', resource.name] })

  const copy = async (view: SavedView) => {
    // A colleague cannot see a private view, but its filters work for them too.
    const search = view.shared ? viewSearch(view).toString() : view.query
    const link = `${window.location.origin}${page}?${search}`
    try {
      await navigator.clipboard.writeText(link)
      void message.success('链接已复制')
    } catch {
      modal.info({ title: '请复制此链接', content: <Input readOnly value={link} aria-label="视图链接" onFocus={(event) => event.target.select()} /> })
    }
  }
  const overwrite = async (view: SavedView) => {
    await call(updateView, { query, ...(view.columns && { columns: visibleColumns(resource, views.choice) }) }, { params: { id: view.id } })
    void message.success(`已更新视图「${view.name}」`)
    await reload()
  }
  const remove = (view: SavedView) => modal.confirm({
    title: `删除视图「${view.name}」`, content: view.shared ? '同事也将不再看到这个视图。' : '只删除视图，不影响任何数据。', okText: '删除', okButtonProps: { danger: true },
    onOk: async () => {
      await call(removeView, undefined, { params: { id: view.id } })
      if (views.start === view.id) views.setStart(null)
      views.open(undefined)
      void message.success('删除成功')
      await reload()
    },
  })
  const menuOf = (view: SavedView): MenuProps => {
    const isStart = views.start === view.id
    const actions: Record<string, () => void> = {
      overwrite: () => void overwrite(view).catch(() => undefined),
      edit: () => setEditing({ view }),
      start: () => {
        views.setStart(isStart ? null : view.id)
        void message.success(isStart ? '已取消默认视图' : `打开本页时将默认显示「${view.name}」`)
      },
      subscribe: () => setSubscribing(view),
      copy: () => void copy(view),
      remove: () => remove(view),
    }
    return {
      items: [
        ...(view.own ? [{ key: 'overwrite', label: '更新为当前筛选', disabled: !modified }, { key: 'edit', label: '重命名和共享' }] : []),
        { key: 'start', label: isStart ? '取消默认' : '设为默认视图' },
        { key: 'subscribe', label: '订阅此视图' },
        { key: 'copy', label: '复制链接' },
        ...(view.own ? [{ key: 'remove', label: '删除', danger: true }] : []),
      ],
      onClick: ({ key }) => actions[key]?.(),
    }
  }

  // Without views and without anything to keep there is nothing to say.
  const worthKeeping = query !== '' || views.choice.order.length > 0
  if (items.length === 0 && !worthKeeping) return null
  return (
    <>
      <nav className="view-bar" aria-label="视图">
        <button type="button" className="view" aria-pressed={!active && plain === ''} onClick={() => views.open(undefined)}>全部</button>
        {items.map((view) => {
          const on = view.id === active?.id
          return (
            <span key={view.id} className="view-slot">
              <button type="button" className="view" aria-pressed={on} onClick={() => views.open(view)}>
                {views.start === view.id && <StarFilled aria-label="默认视图" />}
                {!view.own && <Tooltip title={`${view.staff_name ?? '同事'}共享`}><TeamOutlined aria-label={`${view.staff_name ?? '同事'}共享`} /></Tooltip>}
                {view.name}{on && modified && <small>（已修改）</small>}
              </button>
              {on && (
                <Dropdown trigger={['click']} menu={menuOf(view)}>
                  <Button type="text" size="small" icon={<MoreOutlined />} aria-label={`视图「${view.name}」的操作`} />
                </Dropdown>
              )}
            </span>
          )
        })}
        {worthKeeping && (!active || modified) && (
          <Button type="link" size="small" icon={<SaveOutlined />} onClick={() => setEditing({})}>{active ? '另存为视图' : '保存为视图'}</Button>
        )}
      </nav>
      {subscribing && <Suspense><SubscribeDialog subject={{ kind: 'view', title: subscribing.name, viewId: subscribing.id, path: pathname, exports: may(resource.actions.export) }} onClose={() => setSubscribing(undefined)} /></Suspense>}
      {editing && (
        <ViewDialog resource={resource} view={editing.view} query={query} choice={views.choice} onClose={() => setEditing(undefined)}
          onSaved={async (saved) => {
            await reload()
            if (!editing.view) views.open(saved)
            setEditing(undefined)
          }} />
      )}
    </>
  )
}

interface DialogProps {
  resource: Resource
  view: SavedView | undefined
  query: string
  choice: ColumnChoice
  onClose: () => void
  onSaved: (view: SavedView) => Promise<void>
}

interface ViewValues {
  name: string
  shared: boolean
  columns: boolean
}

function ViewDialog({ resource, view, query, choice, onClose, onSaved }: DialogProps) {
  const { message } = App.useApp()
  const [form] = Form.useForm<ViewValues>()
  const [busy, setBusy] = useState(false)
  const save = async ({ name, shared, columns }: ViewValues) => {
    setBusy(true)
    try {
      const saved = view
        ? await call(updateView, { name, shared }, { params: { id: view.id } })
        : await call(createView, { list: resource.name, name, query, shared, columns: columns ? visibleColumns(resource, choice) : null })
      void message.success('保存成功')
      await onSaved(saved)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      form.setFields([{ name: 'name', errors: [error.fields['name'] ?? error.message] }])
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={view ? '重命名和共享' : '保存为视图'} okText="保存" confirmLoading={busy} onCancel={onClose} onOk={form.submit} width={420} afterOpenChange={(open) => { if (open) form.focusField('name') }}>
      <Form form={form} name="view" layout="vertical" initialValues={{ name: view?.name ?? '', shared: view?.shared ?? false, columns: true }} onFinish={(values) => void save(values)}>
        <Form.Item name="name" label="视图名称" rules={[{ required: true, whitespace: true }]}>
          <Input maxLength={30} showCount autoComplete="off" placeholder="如：本月到期" />
        </Form.Item>
        {!view && <Form.Item name="columns" valuePropName="checked" noStyle><Checkbox>同时保存当前显示的列</Checkbox></Form.Item>}
        <div>
          <Form.Item name="shared" valuePropName="checked" noStyle><Checkbox>共享给能打开本页的同事</Checkbox></Form.Item>
        </div>
      </Form>
    </Modal>
  )
}
