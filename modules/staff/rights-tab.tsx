import { useQuery } from '@tanstack/react-query'
import { Alert, Descriptions, Empty, Skeleton } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { SCOPE_KINDS } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { GrantList } from './grant-difference.tsx'
import { useGrantTree } from './grant-drawer.tsx'
import { difference } from './grant-set.ts'
import { readGrants } from './grants.ts'
import { ReadFailed } from './read-failed.tsx'
import { useScopeNames } from './scope-editor.tsx'
import { scopeKinds } from './scopes.ts'
import { SUPER, type staff } from './staff.ts'

/** What somebody may do and see, to be looked at. */
export function RightsTab({ row }: { row: WireRow<typeof staff> }) {
  const tree = useGrantTree()
  const grants = useQuery({
    queryKey: ['grants', row.id, 'view', row.rev], queryFn: ({ signal }) => call(readGrants, undefined, { params: { id: row.id }, signal, quiet: true }),
  })
  const nameOf = useScopeNames(grants.data ? [grants.data.scopes] : [])
  const error = tree.error ?? grants.error
  if (error) return <ReadFailed error={error} onRetry={() => { void tree.refetch(); void grants.refetch() }} />
  if (!tree.data || !grants.data) return <Skeleton active />
  const { modules, scopes } = grants.data
  const { added, addedCount } = difference(tree.data, new Set(), new Set(modules))
  return (
    <>
      <Descriptions className="form-alert" bordered size="small" column={1} title="数据范围" items={scopeKinds.map((kind) => ({ key: kind, label: SCOPE_KINDS[kind], children: nameOf(kind, scopes[kind]) }))} />
      {row.role === SUPER
        ? <Alert type="info" showIcon title="超级管理员拥有全部功能权限。" />
        : addedCount === 0 ? <Empty description="还没有授予任何功能权限" /> : <GrantList groups={added} />}
    </>
  )
}
