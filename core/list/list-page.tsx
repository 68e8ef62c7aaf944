import { FilterOutlined } from '@ant-design/icons'
import { Alert, Button, Drawer, Pagination, Space, Spin, type InputRef } from 'antd'
import { Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { ANY } from '../query/alternatives.ts'
import type { Resource } from '../resource/define.ts'
import { statusKey } from '../resource/status.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { Presentation, RowTools } from '../resource/present.tsx'
import { copied } from '../record/copied.ts'
import { useCan } from '../session/staff-context.tsx'
import { usePreference } from '../preference/use-preference.tsx'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { useWide } from '../ui/use-media.tsx'
import { CardList } from './card-list.tsx'
import { FilterChips } from './filter-chips.tsx'
import { cellKeys, type EditedCell } from './edit-cells.tsx'
import { isNarrowed } from './filter-keys.ts'
import { FilterBar } from './filter-bar.tsx'
import { arrangeColumns, columnKeys, noChoice, type ColumnChoice } from './list-columns.ts'
import { filterQuery, PAGE_SIZES, type ListState } from './list-state.ts'
import { ListBar } from './list-bar.tsx'
import { ListHead, MainAction } from './list-head.tsx'
import { ListKeys } from './list-keys.tsx'
import { ListTable } from './list-table.tsx'
import { useSavedViews, ViewBar } from './saved-views.tsx'
import { COUNT_CAP, useList, useListSearch, type Embedded } from './use-list.tsx'
import { LookSwitch } from './look-switch.tsx'
import { formatLook, parseLook, TABLE, type Look } from './look.ts'
import type { LookProps } from './look-parts.tsx'
import { lookKey, lookSearch } from './saved-views.ts'
import { useTones } from './use-tones.tsx'
import { useEventCallback } from '../ui/use-event-callback.tsx'
import './list.css'

// What opens on demand is fetched on demand: the first list stays small.
const RecordForm = retryLazy(async () => ({ default: (await import('../record/record-form.tsx')).RecordForm }))
const RecordPanel = retryLazy(async () => ({ default: (await import('../record/record-panel.tsx')).RecordPanel }))
const BulkBar = retryLazy(async () => ({ default: (await import('../transfer/bulk-bar.tsx')).BulkBar }))
const ImportWizard = retryLazy(async () => ({ default: (await import('../transfer/import-wizard.tsx')).ImportWizard }))
const ExportDialog = retryLazy(async () => ({ default: (await import('../transfer/export-dialog.tsx')).ExportDialog }))

const PastDialog = retryLazy(async () => ({ default: (await import('../record/past-dialog.tsx')).PastDialog }))
const PastList = retryLazy(async () => ({ default: (await import('./past-list.tsx')).PastList }))
const Looked = retryLazy(async () => ({ default: (await import('./looked.tsx')).Looked }))

interface ListPageProps {
  resource: Resource
  presentation?: Presentation
  /** Part of another page: keeps its state to itself and shows only what these filters leave. */
  embedded?: Embedded
  /** Values that a new record starts with. */
  start?: Readonly<Record<string, unknown>>
}

const NO_PRESENTATION: Presentation = {}
const NO_ROWS: readonly WireRow[] = []
const NO_FIELDS: readonly string[] = []

/** The standard list of a resource: filters, toolbar, table, detail and form (domain 0.3). */
export function ListPage({ resource, presentation = NO_PRESENTATION, embedded, start }: ListPageProps) {
  const [search, setSearch] = useListSearch(embedded, presentation.params)
  const [own, setOwn] = usePreference<ColumnChoice>(`list:${resource.name}`, noChoice)
  const views = useSavedViews({ resource, search, setSearch, own, setOwn, off: embedded !== undefined })
  const { choice, setChoice } = views
  const list = useList(resource, [search, setSearch], embedded, views.choosing)
  const [form, setForm] = useState<{ row?: WireRow; start?: Readonly<Record<string, unknown>> }>()
  const [dialog, setDialog] = useState<{ key: string; row: WireRow }>()
  const [selected, setSelected] = useState<number[]>([])
  const [filtering, setFiltering] = useState(false)
  const [at, setAt] = useState<number>()
  const [cell, setCell] = useState<EditedCell>()
  const searchBox = useRef<InputRef>(null)
  const wide = useWide('md')
  const [exporting, setExporting] = useState(false)
  const [asking, setAsking] = useState(false)
  const [importing, setImporting] = useState(false)
  const open = Number(search.get('open')) || undefined
  const past = useRef<string[]>([])
  const { state } = list
  const [, setRemembered] = usePreference(lookKey(resource), '')
  const look = useMemo(() => (embedded ? TABLE : parseLook(resource, state.look)), [embedded, resource, state.look])
  const tone = useTones(resource, state.colors)
  // What a view shows is the view's; how somebody likes to look at a list is theirs.
  const relook = (part: Pick<ListState, 'look'> | Pick<ListState, 'colors'>) => {
    change(part)
    if (!state.view) setRemembered(lookSearch({ ...state, ...part }).toString())
  }
  const setLook = (next: Look) => relook({ look: formatLook(next) })
  const fixed = embedded?.fixed
  const query = useMemo(() => ({ ...filterQuery(state), ...fixed }), [state, fixed])
  const { reload } = list
  const tools: RowTools = useMemo(() => ({ reload, open: (key, row) => setDialog({ key, row }) }), [reload])

  const setOpen = (id: number | undefined) => setSearch((current) => {
    const next = new URLSearchParams(current)
    if (id) next.set('open', String(id))
    else next.delete('open')
    return next
  }, { replace: true })
  const show = useEventCallback((row: WireRow) => setOpen(row.id))
  const edit = useCallback((row: WireRow) => setForm({ row }), [])
  const may = useCan()
  const copy = may(resource.actions.create) ? (row: WireRow) => setForm({ start: copied(resource, row) }) : undefined
  // The keys of the list take the open record along.
  const go = (id: number) => {
    setAt(id)
    if (open) setOpen(id)
  }
  const here = list.rows.findIndex(({ id }) => id === open)
  const beside = (by: number) => {
    const row = list.rows[here + by]
    return row && (() => go(row.id))
  }
  const place = here === -1 || list.total === undefined ? undefined
    : { at: (list.state.page - 1) * list.state.pageSize + here + 1, of: list.total >= COUNT_CAP ? '10,000+' : list.total.toLocaleString('zh-CN'), previous: beside(-1), next: beside(1) }
  const resize = useEventCallback((key: string, width: number) => setChoice({ ...choice, widths: { ...choice.widths, [key]: width } }))
  const change = useEventCallback((part: Partial<ListState>) => {
    past.current = []
    list.change(part)
  })
  const sort = useCallback((next: string | undefined) => change({ sort: next }), [change])

  // What could not be read is not empty: then only the error stands here.
  const failed = list.error !== null && list.rows.length === 0
  const capped = list.total !== undefined && list.total >= COUNT_CAP
  const Above = presentation.slots?.above
  const Dialog = dialog && presentation.dialogs?.[dialog.key]
  const shown = useMemo(() => arrangeColumns(resource, choice).filter((column) => !column.hidden).map(({ key }) => key), [resource, choice])
  const narrowed = resource.list.filters.filter((key) => isNarrowed(resource, state.filters, key)).length + (state.filters[ANY]?.[0] ? 1 : 0)
  const empty = list.first ? undefined : state.keyword || narrowed > 0 ? '没有符合条件的记录，可以去掉一些条件' : `还没有${resource.label}`
  const filters = <FilterBar resource={resource} state={state} onChange={(part) => { change(part); if (!wide) setFiltering(false) }} onClose={() => setFiltering(false)} />
  const main = <MainAction resource={resource} presentation={presentation} reload={list.reload} onNew={() => setForm({})} />
  // On a phone filters and what is done most stand at the thumb.
  const thumb = !wide && !embedded
  const rowsOf = (rows: WireRow[], asked: LookProps['query'], unsummed = false) => (wide ? (
    <ListTable resource={resource} presentation={presentation} choice={choice} onWidth={resize} rows={rows} total={list.total} query={asked} sort={state.sort ?? resource.list.sort} onSort={sort}
      selected={selected} onSelect={setSelected} onOpen={show} onEdit={edit} cell={cell} onCell={setCell} tools={tools} at={open ?? at} empty={empty} tone={tone} unsummed={unsummed} />
  ) : <CardList resource={resource} presentation={presentation} columns={shown} rows={rows} empty={empty} onOpen={show} onEdit={edit} tools={tools} tone={tone} />)
  const plain = look.kind === 'table' && look.by === undefined
  const bulk = selected.length > 0 && (
    <Suspense><BulkBar resource={resource} own={presentation.slots?.bulk} fields={presentation.bulkFields ?? NO_FIELDS} selected={selected} query={query} total={list.total} onClear={() => setSelected([])} reload={list.reload} /></Suspense>
  )

  return (
    <section className="list-page" data-embedded={embedded !== undefined} aria-label={`${resource.label}列表`}>
      <ListHead resource={resource} presentation={presentation} total={list.total === undefined ? undefined : capped ? '10,000+' : list.total.toLocaleString('zh-CN')} wide={wide} main={!thumb && main}
        reload={list.reload} onImport={() => setImporting(true)} onExport={() => setExporting(true)} onPast={resource.audit && !embedded ? () => setAsking(true) : undefined} />
      <ListBar resource={resource} state={state} query={query} onChange={change} narrowed={narrowed} filtersOpen={filtering} onFilters={thumb ? undefined : () => setFiltering(!filtering)} search={searchBox}
        refreshing={list.refreshing} reload={list.reload} choice={choice} setChoice={setChoice}
        looks={!embedded && <LookSwitch resource={resource} look={look} colors={state.colors} onLook={setLook} onColors={(colors) => relook({ colors })} />} />
      {wide ? filtering && filters : <Drawer open={filtering} placement="bottom" size="80%" title="筛选" onClose={() => setFiltering(false)}>{filters}</Drawer>}
      <FilterChips resource={resource} state={state} onChange={change} tabbed={statusKey(resource)} />
      {!embedded && <ViewBar resource={resource} state={state} views={views} />}
      {Above && <Above query={state.filters} />}
      {list.error && <Alert className="list-error" type="error" showIcon title={list.error.message} action={<Button size="small" onClick={list.reload}>重试</Button>} />}
      {state.past && <Suspense><PastList resource={resource} at={state.past} query={query} state={state} columns={shown} onChange={change} onOpen={setOpen} onAsk={() => setAsking(true)} /></Suspense>}
      {!failed && !state.past && <Spin spinning={list.loading} delay={200}>
        {plain ? rowsOf(list.rows, query) : (
          <Suspense fallback={<div className="list-empty">加载中…</div>}>
            <Looked resource={resource} presentation={presentation} look={look} onLook={setLook} state={state} query={query} columns={shown} onOpen={show} onEdit={edit} tools={tools} tone={tone} table={(rows, asked) => rowsOf(rows, asked, true)}
              onNarrow={(filters) => change({ filters, look: undefined })} />
          </Suspense>
        )}
      </Spin>}
      {!embedded && !state.past && (
        <ListKeys rows={plain ? list.rows : NO_ROWS} at={open ?? at} onMove={go} onOpen={show} onEdit={edit} onSearch={() => searchBox.current?.focus()}
          onCell={({ id }) => { const [name] = cellKeys(resource, presentation, shown); if (name !== undefined) setCell({ id, name }) }}
          onChoose={({ id }) => setSelected(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id])} />
      )}
      {thumb && (
        <div className="list-thumb">
          {resource.list.filters.length > 0 && <Button icon={<FilterOutlined />} aria-expanded={filtering} data-on={narrowed > 0} className="filter-button" onClick={() => setFiltering(true)}>{narrowed > 0 ? `筛选 ${narrowed}` : '筛选'}</Button>}
          {main}
        </div>
      )}
      {!failed && !state.past && (bulk ? <footer className="list-foot">{bulk}</footer> : plain && <footer className="list-foot">
        {wide && !embedded ? <span className="list-hints" aria-hidden><kbd>J</kbd><kbd>K</kbd> 上下 <kbd>X</kbd> 选 <kbd>Enter</kbd> 打开 <kbd>E</kbd> 编辑 <kbd>F2</kbd> 改单元格 <kbd>?</kbd> 全部</span> : <span />}
        {capped || state.cursor ? (
          <Space>
            <Button size="small" disabled={!state.cursor} onClick={() => { const back = past.current.pop(); list.change({ cursor: back || undefined, page: 1 }) }}>上一页</Button>
            <Button size="small" disabled={!list.next} onClick={() => { past.current.push(state.cursor ?? ''); list.change({ cursor: list.next }) }}>下一页</Button>
          </Space>
        ) : (
          <Pagination size="small" current={state.page} pageSize={state.pageSize} total={list.total ?? 0} pageSizeOptions={PAGE_SIZES} showSizeChanger={wide} simple={!wide} showQuickJumper={wide && (list.total ?? 0) > state.pageSize * 5}
            onChange={(page, pageSize) => list.change(pageSize === state.pageSize ? { page } : { page: 1, pageSize })} />
        )}
      </footer>)}
      <Suspense>
        {asking && <PastDialog what="这个列表" onPick={(past) => { setAsking(false); setSelected([]); change({ past }) }} onClose={() => setAsking(false)} />}
        {importing && <ImportWizard resource={resource} onClose={() => setImporting(false)} reload={list.reload} />}
        {exporting && <ExportDialog resource={resource} query={query} selected={selected} total={list.total} onClose={() => setExporting(false)} columns={columnKeys(resource)} shown={shown} />}
        {form && (
          <RecordForm resource={resource} presentation={presentation} row={form.row} {...((form.start ?? start) && { start: { ...start, ...form.start } })} onClose={() => setForm(undefined)}
            onSaved={(row, created) => { list.reload(); if (created) presentation.afterCreate?.(row, tools) }} />
        )}
        {open && <RecordPanel resource={resource} presentation={presentation} id={open} place={place} onClose={() => setOpen(undefined)} onEdit={edit} onCopy={copy} tools={tools} />}
        {Dialog && <Dialog key={`${dialog.key} ${dialog.row.id}`} row={dialog.row} reload={list.reload} onClose={() => setDialog(undefined)} open={(key) => setDialog({ ...dialog, key })} />}
      </Suspense>
    </section>
  )
}
