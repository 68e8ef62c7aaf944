import { useQuery } from '@tanstack/react-query'
import { Result, Skeleton } from 'antd'
import { Link, useParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { resourceEndpoints, type WireRow } from '../../core/resource/endpoints.ts'
import { useTabTitle } from '../../core/shell/tabs-context.tsx'
import type { Companion } from './companion.ts'
import { termsPath } from './kind.ts'
import { PackEditor } from './pack-editor.tsx'
import type { PackResource } from './pack.ts'

/** 资料详情: one pack with what it holds. */
export const packScreen = (companion: Companion) => function PackScreen() {
  const id = Number(useParams()['id'])
  const { one } = resourceEndpoints(companion.packs)
  const { data, error, refetch } = useQuery({ queryKey: ['pack', companion.kind.value, id], queryFn: ({ signal }) => call(one, undefined, { params: { id }, signal, quiet: true }) as Promise<WireRow<PackResource>> })
  useTabTitle(data?.name)
  if (error) return <Result status="warning" title={error.message} />
  if (!data) return <Skeleton active paragraph={{ rows: 12 }} />
  return <section className="page-body"><header className="page-bar"><h1>{data.name}</h1>{companion.kind.screens.terms && <Link to={termsPath(companion.kind.screens, id)}>词条 {(data.terms ?? []).length} 个</Link>}</header><PackEditor key={data.rev} companion={companion} pack={data} onSaved={() => void refetch()} /></section>
}
