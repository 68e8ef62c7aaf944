import { useQuery } from '@tanstack/react-query'
import { Table, type TableColumnType } from 'antd'
import { memo, Suspense, useRef } from 'react'
import { request } from '../endpoint/call.tsx'
import { alignOf, viewOf } from '../field/views.tsx'
import { widthOf } from '../field/width.ts'
import { formatSort, MOST_SORT_KEYS, parseSort, type SortKey } from '../query/sort.ts'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Presentation, RowTools } from '../resource/present.tsx'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { useWide } from '../ui/use-media.tsx'
import { FieldCell } from '../record/field-cell.tsx'
import { ACTIONS_WIDTH, IDENTITY_WIDTH, identityKey, SELECT_WIDTH } from './column-plan.ts'
import { cellKeys, nextCell, type EditedCell } from './edit-cells.tsx'
import { IdentityCell } from './identity-cell.tsx'
import { arrangeColumns, type ColumnChoice } from './list-columns.ts'
import { ResizableHeader } from './resizable-header.tsx'
import { RowActions } from '../record/row-actions.tsx'
import { COUNT_CAP } from './use-list.tsx'

/** From so many rows on only those in sight are drawn. */
const TALL = 100
const CellEditor = retryLazy(async () => ({ default: (await import('./cell-editor.tsx')).CellEditor }))
const COMPONENTS = { header: { cell: ResizableHeader } }

interface Props {
  resource: Resource
  presentation: Presentation
  choice: ColumnChoice
  /** A column was made this wide, in pixels. */
  onWidth: (key: string, width: number) => void
  rows: WireRow[]
  total: number | undefined
  /** Filters and order, for the sums. */
  query: Readonly<Record<string, unknown>>
  sort: string
  onSort: (sort: string | undefined) => void
  selected: number[]
  onSelect: (ids: number[]) => void
  onOpen: (row: WireRow) => void
  onEdit: (row: WireRow) => void
  /** The cell that is being changed where it stands. */
  cell: EditedCell | undefined
  onCell: (cell: EditedCell | undefined) => void
  tools: RowTools
  /** Id of the row that the keys are at. */
  at: number | undefined
  /** What stands where there are no rows; nothing while that is not known yet. */
  empty: string | undefined
  /** The colour that a rule gives a row. */
  tone: ((row: WireRow) => string | undefined) | undefined
  /** Part of a list whose sums stand elsewhere. */
  unsummed?: boolean
}

/** Columns as they stand: what stays at an edge stands there. */
const EDGE = { left: 0, none: 1, right: 2 } as const

const wayOf = (descending: boolean) => (descending ? 'descend' as const : 'ascend' as const)

/** How a column is sorted. */
function orderIn(sorted: readonly SortKey[], key: string): 'ascend' | 'descend' | null {
  const one = sorted.find((known) => known.key === key)
  return one ? wayOf(one.descending) : null
}

/** The table of a list. It is the dearest part of a page to draw, so it is drawn again only when something in it has changed. */
export const ListTable = memo(function ListTable({ resource, presentation, choice, onWidth, rows, total, query, sort, onSort, selected, onSelect, onOpen, onEdit, cell, onCell, tools, at, empty, tone, unsummed = false }: Props) {
  // On a phone pinned columns would leave no room for the others.
  const wide = useWide('md')
  const sorted = parseSort(sort)
  // Whether the column that is pressed comes to the others.
  const adding = useRef(false)
  const named = identityKey(resource)
  const shown = arrangeColumns(resource, choice).filter((column) => !column.hidden).toSorted((a, b) => EDGE[a.pinned ?? 'none'] - EDGE[b.pinned ?? 'none'])
  const inPlace = cellKeys(resource, presentation, shown.map(({ key }) => key))
  const columns: TableColumnType<WireRow>[] = shown.map(({ key, label, pinned }) => {
    const field = fieldOf(resource, key)
    const identity = key === named
    // What names a record takes what the others leave.
    const width = choice.widths[key] ?? (identity ? IDENTITY_WIDTH : widthOf(field))
    const align = alignOf(field)
    return {
      key,
      dataIndex: key,
      title: label,
      ...((!identity || choice.widths[key] !== undefined) && { width }),
      ellipsis: true,
      ...(align && { align }),
      ...(pinned && wide && { fixed: pinned === 'left' ? 'start' as const : 'end' as const }),
      // With a number the library shows more than one column sorted.
      ...(field.sortable && { sorter: { multiple: 1 }, sortOrder: orderIn(sorted, key) }),
      ...(inPlace.includes(key) && { onCell: (row: WireRow) => (row.can.includes('edit') ? { onDoubleClick: () => onCell({ id: row.id, name: key }) } : {}) }),
      render: (_value, row) => (cell?.id === row.id && cell.name === key
        ? <Suspense><CellEditor key={`${row.id} ${key}`} resource={resource} row={row} name={key} onSaved={tools.reload} onDone={(by) => onCell(by && nextCell(rows, inPlace, cell, by))} /></Suspense>
        : identity ? <IdentityCell resource={resource} presentation={presentation} name={key} row={row} onOpen={onOpen} onChanged={tools.reload} />
          : <FieldCell resource={resource} presentation={presentation} name={key} row={row} brief onChanged={tools.reload} />),
      onHeaderCell: () => ({ width, onResized: (next: number) => onWidth(key, next) }) as object,
    }
  })
  columns.push({
    key: 'actions', title: '操作', width: ACTIONS_WIDTH, className: 'row-end', ...(wide && { fixed: 'end' as const }),
    render: (_value, row) => <RowActions resource={resource} row={row} more={presentation.rowActions ?? []} onOpen={onOpen} onEdit={onEdit} tools={tools} />,
  })
  const width = columns.reduce((sum, column) => sum + Number(column.width ?? IDENTITY_WIDTH), 0) + SELECT_WIDTH
  const tall = rows.length >= TALL
  return (
    <Table<WireRow>
      rowKey="id"
      size="small"
      className={`list-table density-${choice.density}`}
      rowClassName={(row) => `${row.id === at ? 'row-current' : ''} ${tone?.(row) ?? ''}`}
      columns={columns}
      dataSource={rows}
      components={COMPONENTS}
      scroll={{ x: width, ...(tall && { y: 640 }) }}
      sticky={!tall && { offsetHeader: 0 }}
      virtual={tall}
      pagination={false}
      locale={{ emptyText: empty === undefined ? ' ' : <p className="list-empty">{empty}</p> }}
      rowSelection={{ selectedRowKeys: selected, onChange: (keys) => onSelect(keys.map(Number)), preserveSelectedRowKeys: true, columnWidth: SELECT_WIDTH }}
      onHeaderRow={() => ({ onClickCapture: (event) => { adding.current = event.shiftKey } })}
      onChange={(_pagination, _filters, sorter) => {
        const orders = [sorter].flat().flatMap(({ columnKey, order }) => (order ? [{ key: String(columnKey), descending: order === 'descend' }] : []))
        const pressed = orders.find(({ key, descending }) => orderIn(sorted, key) !== wayOf(descending))
        // Shift adds a column to the order; else the one that was pressed is the order.
        const kept = sorted.filter(({ key }) => key !== pressed?.key && (adding.current || pressed === undefined) && orders.some((one) => one.key === key))
        onSort(formatSort(adding.current || pressed === undefined ? [...kept, ...(pressed ? [pressed] : [])].slice(0, MOST_SORT_KEYS) : [pressed]))
      }}
      summary={() => !unsummed && resource.list.summary.length > 0 && <SummaryRow resource={resource} query={query} columns={columns} total={total} />}
    />
  )
})

/** Sums over everything that the filters leave, not only over this page. */
function SummaryRow({ resource, query, columns, total }: Pick<Props, 'resource' | 'query' | 'total'> & { columns: readonly TableColumnType<WireRow>[] }) {
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
