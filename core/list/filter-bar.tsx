import { DownOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Input, Space } from 'antd'
import { memo, useId, useState, type FormEvent } from 'react'
import { viewOf } from '../field/views.tsx'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Resource } from '../resource/define.ts'
import { useWide } from '../ui/use-media.tsx'
import type { ListState } from './list-state.ts'

interface FilterBarProps {
  resource: Resource
  state: ListState
  onChange: (part: Partial<ListState>) => void
}

/** Fields shown before 展开更多, the keyword among them: one row together with the buttons. On a phone the first alone. */
const SHORT = 3

/** Keys under which a filter's values stand in the address. */
function filterKeys(resource: Resource, key: string): string[] {
  return fieldOf(resource, key).filter === 'range' ? [`${key}_start`, `${key}_end`] : [key]
}

/** Filters of a list. They take effect together, by 查询 or Enter, so that a slow connection is asked once. */
export const FilterBar = memo(function FilterBar({ resource, state, onChange }: FilterBarProps) {
  const id = useId()
  const [keyword, setKeyword] = useState(state.keyword)
  const [filters, setFilters] = useState(state.filters)
  const [opened, setOpened] = useState<boolean>()
  // A saved view may bring filters that stand further down.
  const wide = useWide('md')
  const searchable = Object.values(resource.fields).filter((field) => field.search || field.hidden?.whole)
  const short = (wide ? SHORT : 1) - Number(searchable.length > 0)
  const open = opened ?? (wide && resource.list.filters.slice(short).some((key) => filterKeys(resource, key).some((name) => state.filters[name]?.length)))
  // The address may change by itself: back, a saved view, a link.
  const [seen, setSeen] = useState(state)
  if (seen.keyword !== state.keyword || seen.filters !== state.filters) {
    setSeen(state)
    setKeyword(state.keyword)
    setFilters(state.filters)
  }

  const shown = open ? resource.list.filters : resource.list.filters.slice(0, short)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({ keyword: keyword.trim(), filters })
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
    <form className="filter-bar" onSubmit={submit} role="search" aria-label={`筛选${resource.label}`}>
      {searchable.length > 0 && (
        <label className="filter wide-filter" htmlFor={`${id}-keyword`}>
          <span>关键词</span>
          <Input id={`${id}-keyword`} allowClear prefix={<SearchOutlined />} value={keyword} maxLength={60} placeholder={searchable.map((field) => field.label).join(' / ')}
            onChange={(event) => setKeyword(event.target.value)} />
        </label>
      )}
      {shown.map((key) => {
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
        <Button onClick={() => { setKeyword(''); setFilters({}); onChange({ keyword: '', filters: {}, sort: undefined, view: undefined }) }}>重置</Button>
        {resource.list.filters.length > short && (
          <Button type="link" aria-expanded={open} onClick={() => setOpened(!open)}>{open ? <>收起 <UpOutlined /></> : <>展开更多 <DownOutlined /></>}</Button>
        )}
      </Space>
    </form>
  )
})
