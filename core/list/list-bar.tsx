import { FilterOutlined, ReloadOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Input, Tooltip, type InputRef } from 'antd'
import { useState, type ReactNode, type Ref } from 'react'
import type { Resource } from '../resource/define.ts'
import { listStates } from '../resource/status.ts'
import { ScanButton } from '../ui/scan-button.tsx'
import { ColumnSettings } from './column-settings.tsx'
import type { ColumnChoice } from './list-columns.ts'
import type { ListState } from './list-state.ts'
import { StateTabs } from './state-tabs.tsx'

/** Letters that a list is searched by at most. */
const MOST_WORDS = 60

interface Props {
  resource: Resource
  state: ListState
  query: Readonly<Record<string, unknown>>
  onChange: (part: Partial<ListState>) => void
  /** How many filters narrow the list. */
  narrowed: number
  filtersOpen: boolean
  /** Absent where the button for filters stands elsewhere. */
  onFilters: (() => void) | undefined
  search: Ref<InputRef>
  refreshing: boolean
  reload: () => void
  choice: ColumnChoice
  setChoice: (choice: ColumnChoice) => void
  /** The switch between ways to look at it. */
  looks: ReactNode
}

/** What narrows a list, above it: its states with their counts, words, further filters; and how it is shown. */
export function ListBar({ resource, state, query, onChange, narrowed, filtersOpen, onFilters, search, refreshing, reload, choice, setChoice, looks }: Props) {
  const searchable = Object.values(resource.fields).filter((field) => field.search || field.hidden?.whole)
  const states = listStates(resource)
  const [keyword, setKeyword] = useState(state.keyword)
  // The address may change by itself: back, a saved view, a link.
  const [seen, setSeen] = useState(state.keyword)
  if (seen !== state.keyword) {
    setSeen(state.keyword)
    setKeyword(state.keyword)
  }
  return (
    <div className="list-bar">
      <StateTabs resource={resource} query={query} values={states ? state.filters[states.key] ?? [] : []} onChange={(key, values) => onChange({ filters: { ...state.filters, [key]: values } })} />
      <span className="list-bar-space" />
      {searchable.length > 0 && (
        <search>
          <form onSubmit={(event) => { event.preventDefault(); onChange({ keyword: keyword.trim() }) }}>
            <Input ref={search} className="list-search" allowClear prefix={<SearchOutlined />} suffix={keyword !== '' ? undefined : searchable.some((field) => field.scanned) ? <><ScanButton onScan={(text) => onChange({ keyword: text.slice(0, MOST_WORDS) })} /><kbd aria-hidden>/</kbd></> : <kbd aria-hidden>/</kbd>} value={keyword} maxLength={MOST_WORDS}
              aria-label={`搜索${resource.label}`} placeholder={searchable.map((field) => field.label).join('、')}
              onChange={(event) => {
                setKeyword(event.target.value)
                if (event.target.value === '' && state.keyword !== '') onChange({ keyword: '' })
              }} />
          </form>
        </search>
      )}
      {onFilters && resource.list.filters.length > 0 && (
        <Button icon={<FilterOutlined />} aria-expanded={filtersOpen} data-on={narrowed > 0} className="filter-button" onClick={onFilters}>{narrowed > 0 ? `筛选 ${narrowed}` : '筛选'}</Button>
      )}
      {looks}
      <Tooltip title="刷新"><Button type="text" icon={<ReloadOutlined spin={refreshing} />} aria-label="刷新列表" onClick={reload} /></Tooltip>
      <ColumnSettings resource={resource} choice={choice} onChange={setChoice} />
    </div>
  )
}
