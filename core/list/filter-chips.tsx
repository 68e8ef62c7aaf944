import { CloseOutlined } from '@ant-design/icons'
import { Fragment, type ReactNode } from 'react'
import { viewOf } from '../field/views.tsx'
import { ANY, readAlternatives } from '../query/alternatives.ts'
import { askWords } from '../query/asks.ts'
import { parseSort } from '../query/sort.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Resource } from '../resource/define.ts'
import { filterValues, filterWord, isNarrowed, withoutFilter, type Filters } from './filter-keys.ts'
import type { ListState } from './list-state.ts'

interface Props {
  resource: Resource
  state: ListState
  onChange: (part: Partial<ListState>) => void
  /** The field that has tabs of its own. */
  tabbed: string | undefined
}

/** What a filter leaves, in words: 市级、县级; 近 30 天. */
function FilterWords({ resource, filters, name }: { resource: Resource; filters: Filters; name: string }) {
  const field = fieldOf(resource, name)
  const word = filterWord(filters, name)
  if (word !== undefined) return askWords(word)
  const values = filterValues(resource, filters, name)
  const { FilterWords: Words } = viewOf(field)
  return Words ? <Words field={field} values={values} /> : values.filter(Boolean).join('、')
}

/** Groups of conditions: 级别 市级 且 到期 30 天内，或 状态 意向. */
function AlternativeWords({ resource, text }: { resource: Resource; text: string }) {
  return (readAlternatives(text) ?? []).map((filters, place) => (
    <Fragment key={place}>
      {place > 0 && <i> 或 </i>}
      {resource.list.filters.filter((key) => isNarrowed(resource, filters, key)).map((key, row) => <Fragment key={key}>{row > 0 && <i> 且 </i>}<i>{fieldOf(resource, key).label}</i> <FilterWords resource={resource} filters={filters} name={key} /></Fragment>)}
    </Fragment>
  ))
}

const sortWords = (resource: Resource, sort: string) => parseSort(sort).map(({ key, descending }) => `${fieldOf(resource, key).label} ${descending ? '↓' : '↑'}`).join('，')

/** What narrows a list, each to be taken away by one click: 级别 市级、县级 ×. An order of several columns stands beside. */
export function FilterChips({ resource, state, onChange, tabbed }: Props) {
  const { filters, keyword, sort } = state
  // One state is what its tab shows already.
  const given = resource.list.filters.filter((key) => isNarrowed(resource, filters, key) && !(key === tabbed && filters[key]?.length === 1))
  const any = filters[ANY]?.[0]
  const several = sort?.includes(',') ? sort : undefined
  if (given.length === 0 && !keyword && !any && !several) return null
  return (
    <div className="filter-chips" role="group" aria-label="已用的筛选条件">
      {keyword && <Chip label="关键词" words={keyword} onRemove={() => onChange({ keyword: '' })} />}
      {given.map((key) => <Chip key={key} label={fieldOf(resource, key).label} words={<FilterWords resource={resource} filters={filters} name={key} />} onRemove={() => onChange({ filters: withoutFilter(resource, filters, key) })} />)}
      {any && <Chip label="任一" words={<AlternativeWords resource={resource} text={any} />} onRemove={() => onChange({ filters: { ...filters, [ANY]: [] } })} />}
      {several && <Chip label="排序" words={sortWords(resource, several)} onRemove={() => onChange({ sort: undefined })} />}
      <button type="button" className="row-action" onClick={() => onChange({ keyword: '', sort: undefined, filters: tabbed && filters[tabbed]?.length === 1 ? { [tabbed]: filters[tabbed] } : {}, view: undefined })}>清除</button>
    </div>
  )
}

function Chip({ label, words, onRemove }: { label: string; words: ReactNode; onRemove: () => void }) {
  return (
    <span className="filter-chip">
      <i>{label}</i><b>{words}</b>
      <button type="button" aria-label={`去掉条件「${label}」`} onClick={onRemove}><CloseOutlined /></button>
    </span>
  )
}
