import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Table, Tag, type TableColumnType } from 'antd'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import { ChangeList } from '../../core/record/change-list.tsx'
import { placeName } from '../../core/login/place.ts'
import { useWide } from '../../core/ui/use-media.tsx'
import { auditEntities, auditLogs, type AuditEntry } from './audit.ts'
import { AuditFilters } from './audit-filters.tsx'
import { formatAuditQuery, parseAuditQuery } from './audit-query.ts'
import { CursorPager, useCursor } from './cursor.tsx'
import { useRecordPaths } from './record-paths.tsx'
import '../../core/list/list.css'
import './system.css'

const PAGE_SIZE = '50'
const DANGEROUS: ReadonlySet<string> = new Set(['remove', 'purge', 'merge', 'hand_over', 'import_undo'])

/** 操作日志: who changed what, when, from where, with what was there before. */
export default function AuditScreen() {
  const wide = useWide('md')
  const [search, setSearch] = useSearchParams()
  const query = parseAuditQuery(search)
  const key = formatAuditQuery(query).toString()
  const cursor = useCursor(key)
  const kinds = useQuery({ queryKey: ['audit-entities'], queryFn: ({ signal }) => call(auditEntities, undefined, { signal }), staleTime: Infinity })
  const { data, error, isFetching, isPending, refetch } = useQuery({
    queryKey: ['audit', key, cursor.at],
    queryFn: ({ signal }) => call(auditLogs, { ...query, page_size: PAGE_SIZE, cursor: cursor.at }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
  // Only the first page counts.
  const first = useQuery({ queryKey: ['audit', key, undefined], queryFn: ({ signal }) => call(auditLogs, { ...query, page_size: PAGE_SIZE }, { signal, quiet: true }), enabled: false })
  const items = data?.items ?? []
  const paths = useRecordPaths(kinds.data?.items ?? [], [...new Set(items.map((entry) => entry.entity))])

  const record = (entry: AuditEntry) => {
    const path = paths.get(entry.entity)
    const name = entry.title ?? (entry.entity_id > 0 ? `#${entry.entity_id}` : '—')
    if (!path || entry.entity_id === 0 || entry.action === 'purge') return <span title={name}>{name}</span>
    return <Link to={`${path}?open=${entry.entity_id}`} title={`打开「${name}」`}>{name}</Link>
  }
  const action = ({ action: name, action_name: words }: AuditEntry) => <Tag color={DANGEROUS.has(name) ? 'error' : name === 'create' ? 'success' : 'default'}>{words}</Tag>
  const changes = (entry: AuditEntry) => (
    <>
      {entry.reason && <div>原因：{entry.reason}</div>}
      <ChangeList fields={data?.fields[entry.entity] ?? {}} before={entry.before} after={entry.after} />
    </>
  )
  const place = ({ ip, request_id }: AuditEntry) => <span title={request_id ? `请求编号 ${request_id}` : undefined}>{placeName(ip)}</span>
  const columns: TableColumnType<AuditEntry>[] = [
    { title: '时间', dataIndex: 'at', width: 165, render: (at: number) => <time className="figure">{formatTime(at)}</time> },
    { title: '操作人', dataIndex: 'staff_name', width: 110, ellipsis: true, render: (name: string | null) => name ?? '系统' },
    { title: '操作', key: 'action', width: 120, render: (_, entry) => action(entry) },
    { title: '对象', dataIndex: 'entity_label', width: 110, ellipsis: true },
    { title: '记录', key: 'record', width: 170, ellipsis: true, render: (_, entry) => record(entry) },
    { title: '变化', key: 'changes', render: (_, entry) => changes(entry) },
    { title: '来源', key: 'ip', width: 140, render: (_, entry) => place(entry) },
  ]
  /** On a phone everything of an entry stands below each other. */
  const narrow: TableColumnType<AuditEntry>[] = [{
    key: 'entry', render: (_, entry) => (
      <>
        <div className="stacked">{action(entry)}{entry.entity_label}<span>{record(entry)}</span></div>
        <div className="stacked"><span>{entry.staff_name ?? '系统'}</span><time className="figure">{formatTime(entry.at)}</time>{place(entry)}</div>
        {changes(entry)}
      </>
    ),
  }]
  return (
    <section className="list-page" aria-label="操作日志">
      <AuditFilters key={key} query={query} kinds={kinds.data?.items ?? []} onChange={(next) => {
        // Asking the same again means: what is new?
        if (formatAuditQuery(next).toString() === key) void refetch()
        else setSearch(formatAuditQuery(next))
      }} />
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      <Table<AuditEntry> rowKey="id" size="middle" loading={isFetching && { delay: 200 }} dataSource={items} pagination={false} className="audit-table"
        locale={{ emptyText: isPending ? ' ' : <Empty description={key === '' ? '还没有操作日志' : '没有符合条件的日志'} /> }}
        {...(wide ? { columns, scroll: { x: 1080 } } : { columns: narrow, showHeader: false })} />
      <CursorPager cursor={cursor} total={data?.total ?? first.data?.total} next={data?.next} />
    </section>
  )
}
