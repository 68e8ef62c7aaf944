import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../endpoint/call.tsx'
import type { Resource } from '../resource/define.ts'
import { resourceEndpoints, STATE_CAP, type WireRow } from '../resource/endpoints.ts'
import { recordPath, screenPath } from '../resource/record-path.ts'

/** Records that name this one, kind by kind with their counts; the newest of a kind are looked at without leaving. */
export function RelatedStrip({ resource, row }: { resource: Resource; row: WireRow }) {
  const [of, setOf] = useState<string>()
  const { related } = resourceEndpoints(resource)
  const read = (kind: string | undefined) => ({
    queryKey: ['related', resource.name, row.id, kind ?? null],
    queryFn: ({ signal }: { signal: AbortSignal }) => call(related, kind === undefined ? {} : { of: kind }, { params: { id: row.id }, signal, quiet: true }),
  })
  const counts = useQuery(read(undefined))
  const peeked = useQuery({ ...read(of), enabled: of !== undefined })
  const kinds = counts.data?.items.filter(({ count }) => count > 0) ?? []
  const open = kinds.find(({ name }) => name === of)
  if (kinds.length === 0) return null
  return (
    <section className="record-related" aria-label="相关">
      <h3>相关</h3>
      <ul className="related-strip">
        {kinds.map(({ name, label, count }) => (
          <li key={name}>
            <button type="button" aria-expanded={of === name} onClick={() => setOf(of === name ? undefined : name)}>
              <b>{count >= STATE_CAP ? '999+' : count}</b><span>{label}</span>
            </button>
          </li>
        ))}
      </ul>
      {open && (
        <div className="related-peek">
          {peeked.data ? (
            <ul>{peeked.data.records.map(({ id, name }) => <li key={id}><Link to={recordPath({ grant: open.screen, name: open.name }, id)}>{name}</Link></li>)}</ul>
          ) : <Skeleton active paragraph={{ rows: 2 }} title={false} />}
          {open.filter !== null && <Link className="related-all" to={screenPath(open.screen, { [open.filter]: row.id })}>在{open.label}列表中查看</Link>}
        </div>
      )}
    </section>
  )
}
