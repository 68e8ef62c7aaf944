import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton, Tag } from 'antd'
import { call } from '../endpoint/call.tsx'
import type { AnyField } from '../field/any-field.ts'
import { isEmpty } from '../field/check.ts'
import { formatTime } from '../field/time.ts'
import { viewOf } from '../field/views.tsx'
import type { Resource } from '../resource/define.ts'
import { resourceEndpoints, type PastRecord, type WireRow } from '../resource/endpoints.ts'
import './record.css'

/** A moment of a record's past: a time, or right after one of its changes. */
export type PastMoment = { readonly at: number } | { readonly change_id: number }

interface Props {
  resource: Resource
  /** The record as it is today. */
  row: WireRow
  moment: PastMoment
  onBack: () => void
}

const STATES: Readonly<Record<PastRecord['state'], string | undefined>> = { there: undefined, removed: '当时已被删除', absent: '当时还没有这条记录' }

/** A value by the cell of its kind: cells of a screen's own may know of today alone. */
function Value({ field, name, values }: { field: AnyField; name: string; values: Readonly<Record<string, unknown>> }) {
  const { Cell } = viewOf(field)
  return <Cell field={field} name={name} value={values[name]} row={values} />
}

function Facts({ resource, row, past }: Pick<Props, 'resource' | 'row'> & { past: PastRecord }) {
  const keys = Object.keys(resource.fields).filter((key) => !(key in resource.where))
  const lost = keys.filter((key) => past.unknown.includes(key))
  return (
    <>
      <div className="record-facts-box"><dl className="record-facts past-facts">
        {keys.flatMap((key) => {
          const field = resource.fields[key]
          const changed = past.changed.includes(key)
          if (!field || !(key in past.values) || (!changed && (field.unlisted || isEmpty(past.values[key])))) return []
          return (
            <div key={key} data-changed={changed}>
              <dt>{field.label}</dt>
              <dd>
                <Value field={field} name={key} values={past.values} />
                {past.gone.includes(key) && <small>（所指记录现已删除）</small>}
                {changed && <p className="past-now"><span>现在</span><Value field={field} name={key} values={row} /></p>}
              </dd>
            </div>
          )
        })}
      </dl></div>
      {lost.length > 0 && <p className="note">未记录，无法还原：{lost.map((key) => resource.fields[key]?.label ?? key).join('、')}</p>}
    </>
  )
}

/** A record as it was, to be looked at alone: what differs from today is marked, with today's value beside it. */
export function PastView({ resource, row, moment, onBack }: Props) {
  const { data: past, error, refetch } = useQuery({
    queryKey: ['record-past', resource.name, row.id, row.rev, moment],
    queryFn: ({ signal }) => {
      const { asOf } = resourceEndpoints(resource)
      if (!asOf) throw new Error(`${resource.name} keeps no log`)
      const asked = 'at' in moment ? { at: String(moment.at) } : { change_id: String(moment.change_id) }
      return call(asOf, asked, { params: { id: row.id }, signal, quiet: true })
    },
  })
  const said = past && STATES[past.state]
  const changed = past?.changed.length ?? 0
  return (
    <div className="record past">
      <p className="past-bar" role="status">
        <span>{past ? `${formatTime(past.at).slice(0, 'change_id' in moment ? 19 : 16)} 的样子` : '正在还原……'}</span>
        <Button type="link" size="small" onClick={onBack}>回到现在</Button>
      </p>
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : !past ? <Skeleton active /> : (
        <>
          <header className="record-head">
            <div>
              <h2>{String(past.values[resource.title] ?? row[resource.title] ?? row.id)}</h2>
              <p>
                {said && <Tag>{said}</Tag>}
                {past.state !== 'absent' && <span>{changed > 0 ? `${changed} 项和现在不同` : '和现在相同'}</span>}
                {past.state !== 'absent' && !past.whole && <span>日志里没有它的创建，更早的变化可能没有记录</span>}
              </p>
            </div>
          </header>
          {past.state !== 'absent' && <Facts resource={resource} row={row} past={past} />}
        </>
      )}
    </div>
  )
}
