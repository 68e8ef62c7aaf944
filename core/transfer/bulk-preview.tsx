import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { request } from '../endpoint/call.tsx'
import { viewOf } from '../field/views.tsx'
import type { Resource } from '../resource/define.ts'
import type { BulkInput, BulkPreview } from './calls.ts'

/** What a bulk action would do, asked of the server, which tries it on the first records. @param input undefined while it is not known */
export function useBulkPreview({ name, api }: Resource, input: BulkInput | undefined): UseQueryResult<BulkPreview> {
  return useQuery({
    queryKey: ['bulk-preview', name, input], enabled: input !== undefined, placeholderData: keepPreviousData, staleTime: 0, gcTime: 0, retry: false,
    queryFn: ({ signal }) => request<BulkPreview>('POST', `${api.list}/bulk/preview`, input, { signal, quiet: true, keepEmpty: true, background: true }),
  })
}

function Value({ resource, name, values }: { resource: Resource; name: string; values: Readonly<Record<string, unknown>> }) {
  const field = resource.fields[name]
  if (!field) return null
  const { Cell } = viewOf(field)
  return values[name] === null || values[name] === '' ? <>空</> : <Cell field={field} name={name} value={values[name]} row={values} brief />
}

/** The first records with what changes of them, and which of them would be left alone. */
export function BulkPreviewList({ resource, preview: { data, error, isFetching } }: { resource: Resource; preview: UseQueryResult<BulkPreview> }) {
  if (error) return <p className="bulk-why">{error.message}</p>
  if (!data) return isFetching ? <Skeleton active paragraph={{ rows: 3 }} title={false} /> : null
  const rest = data.count - data.rows.length
  return (
    <ul className="bulk-preview" aria-label="会怎样" aria-busy={isFetching}>
      {data.rows.map(({ id, name, before, after, why }) => (
        <li key={id}>
          <span className="bulk-name">{name}</span>
          {why !== null && <span className="bulk-why">跳过：{why}</span>}
          {after && Object.keys(before).filter((key) => key in resource.fields).map((key) => (
            <span key={key}><del><Value resource={resource} name={key} values={before} /></del> → <ins><Value resource={resource} name={key} values={after} /></ins></span>
          ))}
        </li>
      ))}
      {rest > 0 && <li className="note">还有 {rest.toLocaleString('zh-CN')} 条，每条都按自己的权限和状态检查</li>}
    </ul>
  )
}
