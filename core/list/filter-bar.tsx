import { Button, Space } from 'antd'
import { memo, useId, useState, type FormEvent } from 'react'
import { viewOf } from '../field/views.tsx'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Resource } from '../resource/define.ts'
import { filterKeys } from './filter-keys.ts'
import type { ListState } from './list-state.ts'

interface FilterBarProps {
  resource: Resource
  state: ListState
  onChange: (part: Partial<ListState>) => void
  onClose: () => void
}

/** All filters of a list. They take effect together, by 查询 or Enter, so that a slow connection is asked once. */
export const FilterBar = memo(function FilterBar({ resource, state, onChange, onClose }: FilterBarProps) {
  const id = useId()
  const [filters, setFilters] = useState(state.filters)
  // The address may change by itself: back, a saved view, a link.
  const [seen, setSeen] = useState(state.filters)
  if (seen !== state.filters) {
    setSeen(state.filters)
    setFilters(state.filters)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({ filters })
  }
  const read = (key: string): string[] => {
    const names = filterKeys(resource, key)
    return names.length === 2 ? names.map((name) => filters[name]?.[0] ?? '') : [...(filters[key] ?? [])]
  }
  const write = (key: string, values: string[]) => {
    const names = filterKeys(resource, key)
    setFilters({ ...filters, ...(names.length === 2 ? Object.fromEntries(names.map((name, index) => [name, values[index] ? [values[index]] : []])) : { [key]: values }) })
  }

  return (
    <form className="filter-bar" onSubmit={submit} aria-label={`筛选${resource.label}`}>
      {resource.list.filters.map((key) => {
        const field = fieldOf(resource, key)
        const Filter = viewOf(field).Filter
        return Filter && (
          <label key={key} className="filter" htmlFor={`${id}-${key}`}>
            <span>{field.label}</span>
            <Filter field={field} name={key} id={`${id}-${key}`} values={read(key)} fixed={resource.where} onChange={(values) => write(key, values)} />
          </label>
        )
      })}
      <Space className="filter-actions">
        <Button type="primary" htmlType="submit">查询</Button>
        <Button onClick={() => { setFilters({}); onChange({ filters: {}, sort: undefined, view: undefined }) }}>重置</Button>
        <Button type="text" onClick={onClose}>收起</Button>
      </Space>
    </form>
  )
})
