import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Skeleton, Tag } from 'antd'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { practiceUses } from './calls.ts'

/** Papers, sets and lists that a question is used in. */
export function UsesPanel({ id }: { id: number }) {
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['practice', id, 'uses'], queryFn: ({ signal }) => call(practiceUses, undefined, { params: { id }, signal, quiet: true }) })
  if (error) return <Alert type="error" title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (isPending) return <Skeleton active />
  if (data.items.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有被引用" />
  return (
    <ul className="rail-labels" aria-label="引用">
      {data.items.map(({ kind, title, path }, index) => <li key={index}><span>{path === null ? <b>{title}</b> : <Link to={path}>{title}</Link>}</span><Tag>{kind}</Tag></li>)}
    </ul>
  )
}
