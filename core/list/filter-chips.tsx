import { CloseOutlined } from '@ant-design/icons'
import { viewOf } from '../field/views.tsx'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Resource } from '../resource/define.ts'
import { filterKeys } from './filter-keys.ts'
import type { ListState } from './list-state.ts'

interface Props {
  resource: Resource
  state: ListState
  onChange: (part: Partial<ListState>) => void
  /** The field that has tabs of its own. */
  tabbed: string | undefined
}

/** What narrows a list, each to be taken away by one click: 级别 市级、县级 ×. */
export function FilterChips({ resource, state, onChange, tabbed }: Props) {
  const given = resource.list.filters.flatMap((key) => {
    const names = filterKeys(resource, key)
    const values = names.length === 2 ? names.map((name) => state.filters[name]?.[0] ?? '') : [...(state.filters[key] ?? [])]
    // One state is what its tab shows already.
    return values.some(Boolean) && !(key === tabbed && values.length === 1) ? [{ key, names, values }] : []
  })
  if (given.length === 0 && !state.keyword) return null
  const without = (names: readonly string[]) => Object.fromEntries(Object.entries(state.filters).filter(([name]) => !names.includes(name)))
  return (
    <div className="filter-chips" role="group" aria-label="已用的筛选条件">
      {state.keyword && <Chip label="关键词" words={state.keyword} onRemove={() => onChange({ keyword: '' })} />}
      {given.map(({ key, names, values }) => {
        const field = fieldOf(resource, key)
        const { FilterWords } = viewOf(field)
        return <Chip key={key} label={field.label} words={FilterWords ? <FilterWords field={field} values={values} /> : values.filter(Boolean).join('、')} onRemove={() => onChange({ filters: without(names) })} />
      })}
      <button type="button" className="row-action" onClick={() => onChange({ keyword: '', filters: tabbed && state.filters[tabbed]?.length === 1 ? { [tabbed]: state.filters[tabbed] } : {}, view: undefined })}>清除</button>
    </div>
  )
}

function Chip({ label, words, onRemove }: { label: string; words: React.ReactNode; onRemove: () => void }) {
  return (
    <span className="filter-chip">
      <i>{label}</i><b>{words}</b>
      <button type="button" aria-label={`去掉条件「${label}」`} onClick={onRemove}><CloseOutlined /></button>
    </span>
  )
}
