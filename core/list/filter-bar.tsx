import { Button, Space } from 'antd'
import { memo, useId, useState, type FormEvent } from 'react'
import { viewOf } from '../field/views.tsx'
import { ANY } from '../query/alternatives.ts'
import { formatSort, parseSort, type SortKey } from '../query/sort.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Resource } from '../resource/define.ts'
import { AlternativesInput, draftsOf, textOfDrafts, type AlternativeDraft } from './alternatives-input.tsx'
import { FilterInput } from './filter-input.tsx'
import type { Filters } from './filter-keys.ts'
import type { ListState } from './list-state.ts'
import { SortInput } from './sort-input.tsx'

interface FilterBarProps {
  resource: Resource
  state: ListState
  onChange: (part: Partial<ListState>) => void
  onClose: () => void
}

interface Draft {
  filters: Filters
  alternatives: readonly AlternativeDraft[]
  sort: readonly SortKey[]
}

const draftOf = (resource: Resource, { filters, sort }: ListState): Draft => ({ filters, alternatives: draftsOf(resource, filters[ANY]?.[0]), sort: sort ? parseSort(sort) : [] })

/** All filters of a list, and its order. They take effect together, by 查询 or Enter, so that a slow connection is asked once. */
export const FilterBar = memo(function FilterBar({ resource, state, onChange, onClose }: FilterBarProps) {
  const id = useId()
  const [draft, setDraft] = useState(() => draftOf(resource, state))
  // The address may change by itself: back, a saved view, a link.
  const [seen, setSeen] = useState(state)
  if (seen.filters !== state.filters || seen.sort !== state.sort) {
    setSeen(state)
    setDraft(draftOf(resource, state))
  }
  const put = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({ filters: { ...draft.filters, [ANY]: [textOfDrafts(draft.alternatives)] }, sort: formatSort(draft.sort) })
  }

  return (
    <form className="filter-bar" onSubmit={submit} aria-label={`筛选${resource.label}`}>
      {resource.list.filters.map((key) => viewOf(fieldOf(resource, key)).Filter && (
        <label key={key} className="filter" htmlFor={`${id}-${key}`}>
          <span>{fieldOf(resource, key).label}</span>
          <FilterInput resource={resource} name={key} id={`${id}-${key}`} filters={draft.filters} onChange={(filters) => put({ filters })} />
        </label>
      ))}
      <AlternativesInput resource={resource} id={id} drafts={draft.alternatives} onChange={(alternatives) => put({ alternatives })} />
      <SortInput resource={resource} keys={draft.sort} onChange={(sort) => put({ sort })} />
      <Space className="filter-actions">
        <Button type="primary" htmlType="submit">查询</Button>
        <Button onClick={() => { setDraft({ filters: {}, alternatives: [], sort: [] }); onChange({ filters: {}, sort: undefined, view: undefined }) }}>重置</Button>
        <Button type="text" onClick={onClose}>收起</Button>
      </Space>
    </form>
  )
})
