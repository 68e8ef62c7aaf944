import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Pagination, Spin, Table, Tag } from 'antd'
import { call } from '../endpoint/call.tsx'
import { formatTime } from '../field/time.ts'
import { alignOf, viewOf } from '../field/views.tsx'
import { widthOf } from '../field/width.ts'
import { resourceEndpoints, type PastList as Answer } from '../resource/endpoints.ts'
import type { Resource } from '../resource/define.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { PAGE_SIZES, type ListState } from './list-state.ts'
import '../record/record.css'
import './past-list.css'

interface Props {
  resource: Resource
  /** Unix seconds. */
  at: number
  /** Filters and order of the list. */
  query: Readonly<Record<string, unknown>>
  state: ListState
  /** Columns as the list shows them today. */
  columns: readonly string[]
  onChange: (part: Partial<ListState>) => void
  /** Opens a record as it is today. */
  onOpen: (id: number) => void
  onAsk: () => void
}

type Item = Answer['items'][number]

/** What is not known of the list, in words. */
const doubts = ({ unsure, kept, purged }: Answer): string[] => [
  ...(unsure > 0 ? [`${unsure.toLocaleString('zh-CN')} 条没有足够的记录，说不清当时是否在列`] : []),
  ...(kept > 0 ? [`${kept.toLocaleString('zh-CN')} 条无权查看过去`] : []),
  ...(purged > 0 ? [`之后彻底删除了 ${purged.toLocaleString('zh-CN')} 条，不在其中`] : []),
]

/** A value as it was, marked where it is not today's; what nobody wrote down says so. */
function Cell({ resource, name, item }: { resource: Resource; name: string; item: Item }) {
  const field = fieldOf(resource, name)
  if (!(name in item.values)) return item.unknown.includes(name) ? <span className="past-unknown">未记录</span> : null
  const { Cell: View } = viewOf(field)
  return <span className="past-value" data-changed={item.changed.includes(name)}><View field={field} name={name} value={item.values[name]} row={item.values} /></span>
}

/** A list as it was at a moment, to be looked at alone (ADR 85): its filters ask what the records were then. */
export function PastList({ resource, at, query, state, columns, onChange, onOpen, onAsk }: Props) {
  const asked = { ...query, past: String(at), page: state.page - 1, page_size: state.pageSize }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['list-past', resource.name, asked],
    queryFn: ({ signal }) => {
      const { listAsOf } = resourceEndpoints(resource)
      if (!listAsOf) throw new Error(`${resource.name} keeps no log`)
      return call(listAsOf, asked, { signal, quiet: true })
    },
    placeholderData: keepPreviousData,
  })
  const said = data ? doubts(data) : []
  // What no record of the past has is no column: computed values, and what was never logged.
  const known = columns.filter((key) => !data || data.items.length === 0 || data.items.some(({ values }) => key in values) || key === 'id')
  return (
    <div className="past-list">
      <p className="past-bar" role="status">
        <span>{formatTime(at).slice(0, 16)} 的样子{data && ` · ${data.total.toLocaleString('zh-CN')} 条`}</span>
        <span><Button type="link" size="small" onClick={onAsk}>换个时间</Button><Button type="link" size="small" onClick={() => onChange({ past: undefined, page: 1 })}>回到现在</Button></span>
      </p>
      {error ? <Alert className="list-error" type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : (
        <Spin spinning={isFetching} delay={200}>
          <Table<Item> rowKey="id" size="middle" pagination={false} scroll={{ x: 'max-content' }} dataSource={data?.items ?? []}
            locale={{ emptyText: data ? <p className="list-empty">当时没有符合条件的{resource.label}</p> : ' ' }}
            columns={known.map((key, place) => ({
              key, title: key === 'id' ? '编号' : fieldOf(resource, key).label, align: alignOf(fieldOf(resource, key)), width: widthOf(fieldOf(resource, key)), ellipsis: true,
              render: (_value: unknown, item: Item) => (place > 0 ? <Cell resource={resource} name={key} item={item} /> : (
                <button type="button" className="past-open" onClick={() => onOpen(item.id)}>
                  {key === 'id' ? item.id : <Cell resource={resource} name={key} item={item} />}{item.state === 'removed' && <Tag>当时已删除</Tag>}
                </button>
              )),
            }))} />
          <footer className="list-foot">
            <span className="note">◆ 和现在不同。名称和关联记录的信息按今天显示{said.length > 0 && `；${said.join('；')}`}。</span>
            {data && <Pagination size="small" current={state.page} pageSize={state.pageSize} total={data.total} pageSizeOptions={PAGE_SIZES} onChange={(page, pageSize) => onChange(pageSize === state.pageSize ? { page } : { page: 1, pageSize })} />}
          </footer>
        </Spin>
      )}
    </div>
  )
}
