import { DownloadOutlined, PlusOutlined, ReloadOutlined, UploadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Grid, Pagination, Space, Table, Tooltip, type TableColumnType } from 'antd'
import { Suspense, useRef, useState } from 'react'
import { request } from '../endpoint/call.tsx'
import { alignOf, viewOf, widthOf } from '../field/views.tsx'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Presentation, RowTools } from '../resource/present.tsx'
import { useCan } from '../session/staff-context.tsx'
import { usePreference } from '../preference/use-preference.tsx'
import { retryLazy } from '../shell/retry-lazy.tsx'
import { ColumnSettings } from './column-settings.tsx'
import { FilterBar } from './filter-bar.tsx'
import { arrangeColumns, noChoice, type ColumnChoice } from './list-columns.ts'
import { filterQuery, PAGE_SIZES } from './list-state.ts'
import { ResizableHeader } from './resizable-header.tsx'
import { RowActions } from './row-actions.tsx'
import { useSavedViews, ViewBar } from './saved-views.tsx'
import { COUNT_CAP, useList, useListSearch, type Embedded } from './use-list.tsx'
import './list.css'

// What opens on demand is fetched on demand: the first list stays small.
const RecordForm = retryLazy(async () => ({ default: (await import('../form/record-form.tsx')).RecordForm }))
const DetailDrawer = retryLazy(async () => ({ default: (await import('./detail-drawer.tsx')).DetailDrawer }))
const BulkBar = retryLazy(async () => ({ default: (await import('../transfer/bulk-bar.tsx')).BulkBar }))
const ImportWizard = retryLazy(async () => ({ default: (await import('../transfer/import-wizard.tsx')).ImportWizard }))
const ExportDialog = retryLazy(async () => ({ default: (await import('../transfer/export-dialog.tsx')).ExportDialog }))

interface ListPageProps {
  resource: Resource
  presentation?: Presentation
  /** Part of another page: keeps its state to itself and shows only what these filters leave. */
  embedded?: Embedded
  /** Values that a new record starts with. */
  start?: Readonly<Record<string, unknown>>
}

/** The standard list of a resource: filters, toolbar, table, detail and form (domain 0.3). */
export function ListPage({ resource, presentation = {}, embedded, start }: ListPageProps) {
  const [search, setSearch] = useListSearch(embedded)
  const can = useCan()
  const [own, setOwn] = usePreference<ColumnChoice>(`list:${resource.name}`, noChoice)
  const views = useSavedViews({ resource, search, setSearch, own, setOwn, off: embedded !== undefined })
  const { choice, setChoice } = views
  const list = useList(resource, [search, setSearch], embedded, views.choosing)
  const [form, setForm] = useState<{ row?: WireRow }>()
  const [dialog, setDialog] = useState<{ key: string; row: WireRow }>()
  const [selected, setSelected] = useState<number[]>([])
  const [exporting, setExporting] = useState(false)
  const [importing, setImporting] = useState(false)
  const open = Number(search.get('open')) || undefined
  const past = useRef<string[]>([])
  const { state } = list
  const query = { ...filterQuery(state), ...embedded?.fixed }
  const tools: RowTools = { reload: list.reload, open: (key, row) => setDialog({ key, row }) }
  // On a phone pinned columns would leave no room for the others.
  const wide = Grid.useBreakpoint().md !== false

  const setOpen = (id: number | undefined) => setSearch((current) => {
    const next = new URLSearchParams(current)
    if (id) next.set('open', String(id))
    else next.delete('open')
    return next
  }, { replace: true })

  const [sortKey, descending] = [(state.sort ?? resource.list.sort).replace(/^-/, ''), (state.sort ?? resource.list.sort).startsWith('-')]
  const columns: TableColumnType<WireRow>[] = arrangeColumns(resource, choice).filter((column) => !column.hidden).map(({ key, label, pinned }) => {
    const field = fieldOf(resource, key)
    const view = viewOf(field)
    const Own = presentation.cells?.[key]
    const width = choice.widths[key] ?? widthOf(field)
    const align = alignOf(field)
    return {
      key,
      dataIndex: key,
      title: label,
      width,
      ellipsis: true,
      ...(align && { align }),
      ...(pinned && wide && { fixed: pinned === 'left' ? 'start' as const : 'end' as const }),
      ...(field.sortable && { sorter: true, sortOrder: sortKey === key ? (descending ? 'descend' as const : 'ascend' as const) : null }),
      render: (value: unknown, row) => (Own ? <Own value={value} row={row} /> : <view.Cell field={field} name={key} value={value} row={row} />),
      onHeaderCell: () => ({ width, onResized: (next: number) => setChoice({ ...choice, widths: { ...choice.widths, [key]: next } }) }) as object,
    }
  })
  columns.push({
    key: 'actions', title: '操作', width: 174, ...(wide && { fixed: 'end' as const }),
    render: (_value, row) => <RowActions resource={resource} row={row} more={presentation.rowActions ?? []} onOpen={(one) => setOpen(one.id)} onEdit={(one) => setForm({ row: one })} tools={tools} />,
  })
  const width = columns.reduce((sum, column) => sum + Number(column.width), 0) + 50
  // From a hundred rows on only those in sight are drawn.
  const tall = list.rows.length >= 100
  const capped = list.total !== undefined && list.total >= COUNT_CAP
  const Toolbar = presentation.slots?.toolbar
  const Above = presentation.slots?.above
  const Dialog = dialog && presentation.dialogs?.[dialog.key]

  return (
    <section className="list-page" aria-label={`${resource.label}列表`}>
      <FilterBar resource={resource} state={state} onChange={(part) => { past.current = []; list.change(part) }} />
      {!embedded && <ViewBar resource={resource} state={state} views={views} />}
      {Above && <Above query={state.filters} />}
      <div className="toolbar">
        <Space wrap>
          {can(resource.actions.create) && <Button type="primary" icon={<PlusOutlined />} onClick={() => setForm({})}>新增{resource.label}</Button>}
          {Toolbar && <Toolbar reload={list.reload} />}
          {can(resource.actions.import) && <Button icon={<UploadOutlined />} onClick={() => setImporting(true)}>导入</Button>}
          {can(resource.actions.export) && <Button icon={<DownloadOutlined />} onClick={() => setExporting(true)}>导出</Button>}
        </Space>
        <Space wrap>
          <Tooltip title="刷新"><Button icon={<ReloadOutlined />} aria-label="刷新列表" onClick={list.reload} /></Tooltip>
          <ColumnSettings resource={resource} choice={choice} onChange={setChoice} />
        </Space>
      </div>
      {selected.length > 0 && <Suspense><BulkBar resource={resource} own={presentation.slots?.bulk} selected={selected} query={query} total={list.total} onClear={() => setSelected([])} reload={list.reload} /></Suspense>}
      {list.error && <Alert className="list-error" type="error" showIcon title={list.error.message} action={<Button size="small" onClick={list.reload}>重试</Button>} />}
      <Table<WireRow>
        rowKey="id"
        size={choice.density}
        loading={list.loading && { delay: 200 }}
        columns={columns}
        dataSource={list.rows}
        components={{ header: { cell: ResizableHeader } }}
        scroll={{ x: width, ...(tall && { y: 640 }) }}
        sticky={!tall && { offsetHeader: 0 }}
        virtual={tall}
        pagination={false}
        locale={{ emptyText: list.first ? ' ' : <Empty description={state.keyword || Object.keys(state.filters).length > 0 ? '没有符合条件的记录' : `还没有${resource.label}`} /> }}
        rowSelection={{ selectedRowKeys: selected, onChange: (keys) => setSelected(keys.map(Number)), preserveSelectedRowKeys: true, columnWidth: 44 }}
        onChange={(_pagination, _filters, sorter) => {
          const one = Array.isArray(sorter) ? sorter[0] : sorter
          past.current = []
          list.change({ sort: one?.order ? `${one.order === 'descend' ? '-' : ''}${String(one.columnKey)}` : undefined })
        }}
        summary={() => resource.list.summary.length > 0 && <SummaryRow resource={resource} query={query} columns={columns} total={list.total} />}
      />
      <div className="pager">
        <span aria-live="polite">{list.total === undefined ? '' : capped ? '共 10,000+ 条' : `共 ${list.total.toLocaleString('zh-CN')} 条`}</span>
        {capped || state.cursor ? (
          <Space>
            <Button disabled={!state.cursor} onClick={() => { const back = past.current.pop(); list.change({ cursor: back || undefined, page: 1 }) }}>上一页</Button>
            <Button disabled={!list.next} onClick={() => { past.current.push(state.cursor ?? ''); list.change({ cursor: list.next }) }}>下一页</Button>
          </Space>
        ) : (
          <Pagination current={state.page} pageSize={state.pageSize} total={list.total ?? 0} pageSizeOptions={PAGE_SIZES} showSizeChanger showQuickJumper={(list.total ?? 0) > state.pageSize * 5}
            onChange={(page, pageSize) => list.change(pageSize === state.pageSize ? { page } : { page: 1, pageSize })} />
        )}
      </div>
      <Suspense>
        {importing && <ImportWizard resource={resource} onClose={() => setImporting(false)} reload={list.reload} />}
        {exporting && (
          <ExportDialog resource={resource} query={query} selected={selected} total={list.total} onClose={() => setExporting(false)}
            shown={columns.map((column) => String(column.key)).filter((key) => key !== 'actions')} />
        )}
        {form && (
          <RecordForm resource={resource} presentation={presentation} row={form.row} {...(start && { start })} onClose={() => setForm(undefined)}
            onSaved={(row, created) => { list.reload(); if (created) presentation.afterCreate?.(row, tools) }} />
        )}
        {open && !form && <DetailDrawer resource={resource} presentation={presentation} id={open} onClose={() => setOpen(undefined)} onEdit={(row) => setForm({ row })} reload={list.reload} />}
        {Dialog && <Dialog key={`${dialog.key} ${dialog.row.id}`} row={dialog.row} reload={list.reload} onClose={() => setDialog(undefined)} />}
      </Suspense>
    </section>
  )
}

/** Sums over everything that the filters leave, not only over this page. */
function SummaryRow({ resource, query, columns, total }: { resource: Resource; query: Record<string, unknown>; columns: readonly TableColumnType<WireRow>[]; total: number | undefined }) {
  const { data } = useQuery({
    queryKey: ['summary', resource.name, query],
    queryFn: ({ signal }) => request<Record<string, number>>('GET', `${resource.api.list}/summary`, query, { signal }),
  })
  return (
    <Table.Summary fixed>
      <Table.Summary.Row>
        <Table.Summary.Cell index={0} />
        {columns.map((column, index) => {
          const key = String(column.key)
          const field = resource.list.summary.includes(key) ? fieldOf(resource, key) : undefined
          const Cell = field && viewOf(field).Cell
          return (
            <Table.Summary.Cell key={key} index={index + 1} {...(column.align === 'right' && { align: 'right' as const })}>
              {index === 0 ? `合计${total === undefined || total === 0 ? '' : ` ${total >= COUNT_CAP ? '10,000+' : total.toLocaleString('zh-CN')} 条`}` : field && Cell && data ? <Cell field={field} name={key} value={data[key]} row={data} /> : null}
            </Table.Summary.Cell>
          )
        })}
      </Table.Summary.Row>
    </Table.Summary>
  )
}
