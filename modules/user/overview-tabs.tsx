import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Descriptions, Empty, Skeleton, Table } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate, formatTime } from '../../core/field/time.ts'
import { formatMoney } from '../../core/field/number.ts'
import { NONE } from '../../core/field/view.tsx'
import type { OverviewContent, OverviewKind } from '../../core/kernel/overview.server.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { DetailTab } from '../../core/resource/present.tsx'
import { useWide } from '../../core/ui/use-media.tsx'
import { userOverview } from './calls.ts'
import type { appUser } from './user.ts'

const shown: Readonly<Record<OverviewKind, (value: number) => string>> = {
  text: String,
  number: (value) => value.toLocaleString('zh-CN'),
  money: formatMoney,
  date: formatDate,
  time: (value) => formatTime(value).slice(0, 16),
}

function Value({ value, as }: { value: unknown; as: OverviewKind }) {
  if (value === null || value === undefined || value === '') return NONE
  return <span className="figure">{typeof value === 'number' ? shown[as](value) : String(value)}</span>
}

/** What one module knows of a person: single facts, or a table of records. */
function Section({ content }: { content: OverviewContent }) {
  const wide = useWide('md')
  if ('stats' in content) {
    return <Descriptions bordered size="small" column={wide ? 2 : 1} items={content.stats.map(({ label, value, as }) => ({ key: label, label, children: <Value value={value} as={as} /> }))} />
  }
  return (
    <Table size="small" rowKey={(row) => String(row.id)} dataSource={[...content.rows]} scroll={{ x: 'max-content' }}
      pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="暂无记录" /> }}
      columns={content.columns.map(({ key, title, as }, place) => ({
        key, title, dataIndex: key, ...(as === 'number' || as === 'money' ? { align: 'right' as const } : {}), render: (value: unknown, row: Readonly<Record<string, unknown>>) => (place === 0 && content.screen !== undefined
          ? <Link to={`${content.screen}?open=${row.id}`}><Value value={value} as={as} /></Link> : <Value value={value} as={as} />),
      }))} />
  )
}

/** The drawer itself shows the fields and the history of a record. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['profile', 'history'])

/** One tab for each module that knows something of this person. */
export function OverviewTabs({ row, children }: { row: WireRow<typeof appUser>; children: (tabs: readonly DetailTab[]) => ReactNode }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', row.id, row.rev], queryFn: ({ signal }) => call(userOverview, undefined, { params: { id: row.id }, signal, quiet: true }),
  })
  if (error) {
    return children([{ key: 'overview', label: '全景', children: <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> }])
  }
  if (!data) return children([{ key: 'overview', label: '全景', children: <Skeleton active /> }])
  return children(data.sections.filter(({ name }) => !SHOWN_ELSEWHERE.has(name)).map((section) => ({
    key: section.name,
    label: 'rows' in section && section.rows.length > 0 ? `${section.title} (${section.rows.length})` : section.title,
    children: <Section content={section} />,
  })))
}
