import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Skeleton, Table, Tag } from 'antd'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { assetUses } from '../calls.ts'
import type { AssetRow } from './asset-view.tsx'

/** Where an asset is used: those places that the person may see, and how many there are. */
export function UsesTab({ row }: { row: AssetRow }) {
  const { data, error } = useQuery({ queryKey: ['asset-uses', row.id], queryFn: ({ signal }) => call(assetUses, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" title={error.message} />
  if (!data) return <Skeleton active />
  if (data.total === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有被引用，可以删除" />
  return (
    <>
      <p>共 {data.total} 处引用{data.items.length < data.total && `，您可以查看其中 ${data.items.length} 处`}</p>
      <Table size="small" pagination={false} rowKey={({ kind, title }) => `${kind} ${title}`} dataSource={data.items} columns={[
        { title: '类型', dataIndex: 'kind' },
        { title: '位置', dataIndex: 'title', render: (title: string, { path }) => (path === null ? title : <Link to={path}>{title}</Link>) },
        { title: '学员可见', dataIndex: 'live', render: (live: boolean) => (live ? <Tag color="success">使用中</Tag> : <Tag>草稿</Tag>) },
      ]} />
    </>
  )
}
