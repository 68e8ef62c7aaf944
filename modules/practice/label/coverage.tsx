import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Segmented, Skeleton } from 'antd'
import { useState, type CSSProperties } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { bankPath, DIFFICULTY_BANDS, POOLS, type Pool } from '../bank/practice.ts'
import { formatSearch } from '../bank/search-state.ts'
import { levelOfSubject } from '../bank/number.ts'
import { labelCoverage, labelOrphans } from './calls.ts'
import type { LabelKind } from './label.ts'

interface Props {
  kind: LabelKind
  subjectId: number
  /** The label whose children are shown; the top level without it. */
  pid?: number | undefined
  onOpen: (id: number) => void
}

/** How many questions there are of each label and difficulty: the paler a field, the fewer, so that holes are seen (domain 1.11). */
export function Coverage({ kind, subjectId, pid, onOpen }: Props) {
  const navigate = useNavigate()
  const [pool, setPool] = useState<Pool>('official')
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['label-coverage', kind, subjectId, pid, pool],
    queryFn: ({ signal }) => call(labelCoverage, { kind, cat_id: String(subjectId), pool, ...(pid !== undefined && { pid: String(pid) }) }, { signal, quiet: true }),
  })
  const inBand = (counts: readonly number[], values: readonly number[]) => values.reduce((sum, value) => sum + (counts[value - 1] ?? 0), 0)
  const most = Math.max(1, ...(data?.items ?? []).flatMap(({ counts }) => DIFFICULTY_BANDS.map(({ values }) => inBand(counts, values))))
  const open = (label: number, difficulties: readonly number[]) => void navigate(`${bankPath(pool, levelOfSubject(subjectId))}?${formatSearch({ cat_id: subjectId, label_ids: [label], difficulties: [...difficulties] })}`)
  return (
    <div className="coverage">
      <Segmented<Pool> size="small" value={pool} onChange={setPool} options={POOLS.map(({ value, label }) => ({ value, label }))} />
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
        : isPending ? <Skeleton active /> : data.items.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有下级标签" /> : (
          <div className="coverage-scroll">
            <table aria-label="标签与难度的题量">
              <thead><tr><th scope="col">标签</th>{DIFFICULTY_BANDS.map(({ label }) => <th key={label} scope="col">{label}</th>)}<th scope="col">合计</th></tr></thead>
              <tbody>
                {data.items.map(({ id, name, counts }) => (
                  <tr key={id}>
                    <th scope="row"><button type="button" onClick={() => onOpen(id)}>{name}</button></th>
                    {DIFFICULTY_BANDS.map(({ values, label }) => {
                      const n = inBand(counts, values)
                      return (
                        <td key={label} className={n === 0 ? 'coverage-hole' : undefined} style={{ '--share': `${Math.round((n / most) ** 0.5 * 62)}%` } as CSSProperties}>
                          {n === 0 ? <span aria-label={`${name}，${label}，没有试题`}>0</span> : <button type="button" aria-label={`${name}，${label}，${n} 道，去题库查看`} onClick={() => open(id, values)}>{n}</button>}
                        </td>
                      )
                    })}
                    <td className="coverage-sum">{counts.reduce((sum, n) => sum + n, 0)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
    </div>
  )
}

/** Labels that lead to nothing, and how many questions nothing leads to. */
export function Orphans({ kind, subjectId, onOpen }: Omit<Props, 'pid'>) {
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['label-orphans', kind, subjectId], queryFn: ({ signal }) => call(labelOrphans, { kind, cat_id: String(subjectId) }, { signal, quiet: true }),
  })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (isPending) return <Skeleton active />
  return (
    <div className="orphans">
      {kind === 'knowledge' && data.unlabelled.length > 0 && (
        <p>
          没有知识点的试题：{POOLS.map(({ value, label }) => {
            const count = data.unlabelled.find(({ pool }) => pool === value)?.count ?? 0
            return count > 0 && <Button key={value} size="small" type="link" onClick={() => void navigate(`${bankPath(value, levelOfSubject(subjectId))}?${formatSearch({ cat_id: subjectId, unlabelled: 1 })}`)}>{label} {count} 道</Button>
          })}
        </p>
      )}
      {data.labels.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="每个末级标签都有试题" /> : (
        <>
          <p className="note">{data.labels.length >= 500 ? '前 500 个' : `${data.labels.length} 个`}末级标签下没有试题</p>
          <ul className="label-found">{data.labels.map(({ id, name, above }) => <li key={id}><button type="button" onClick={() => onOpen(id)}><b>{name}</b><small>{above.join(' › ')}</small></button></li>)}</ul>
        </>
      )}
    </div>
  )
}
