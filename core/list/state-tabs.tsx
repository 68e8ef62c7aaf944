import { useQuery } from '@tanstack/react-query'
import { request } from '../endpoint/call.tsx'
import type { Resource } from '../resource/define.ts'
import { STATE_CAP, type StateCounts } from '../resource/endpoints.ts'
import { listStates } from '../resource/status.ts'

interface Props {
  resource: Resource
  /** The list's filters, without the page. */
  query: Readonly<Record<string, unknown>>
  /** What is chosen now. */
  values: readonly string[]
  onChange: (key: string, values: string[]) => void
}

const countText = (count: number) => (count >= STATE_CAP ? `${STATE_CAP - 1}+` : String(count))

/** The states of a list with how many records stand in each: 全部 · 待审核 17 · 已生效. States of which there are none are left out. */
export function StateTabs({ resource, query, values, onChange }: Props) {
  const states = listStates(resource)
  const { [states?.key ?? '']: _chosen, sort: _sort, ...others } = query
  const { data } = useQuery({
    queryKey: ['list', resource.name, 'states', others],
    queryFn: ({ signal }) => request<StateCounts>('GET', `${resource.api.list}/states`, others, { signal }),
    enabled: states !== undefined,
    placeholderData: (before) => before,
  })
  if (!states) return null
  const counts = new Map(data?.states.map(({ value, count }) => [String(value), count]))
  const shown = states.choices.filter(({ value }) => values.includes(String(value)) || (counts.get(String(value)) ?? 0) > 0)
  const [only] = values.length === 1 ? values : []
  const tab = (value: string | undefined, label: string, count: number | undefined) => (
    <button key={value ?? ''} type="button" className="state-tab" aria-pressed={value === undefined ? values.length === 0 : value === only} onClick={() => onChange(states.key, value === undefined ? [] : [value])}>
      {label}{count !== undefined && <small>{countText(count)}</small>}
    </button>
  )
  return (
    <nav className="state-tabs" aria-label={`按${resource.fields[states.key]?.label ?? '状态'}查看`}>
      {tab(undefined, '全部', data?.all)}
      {shown.map(({ value, label }) => tab(String(value), label, counts.get(String(value))))}
    </nav>
  )
}
