import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { viewOf } from '../field/views.tsx'
import { MOST_ALTERNATIVES, MOST_QUESTIONS, readAlternatives, writeAlternatives } from '../query/alternatives.ts'
import type { Resource } from '../resource/define.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { FilterInput } from './filter-input.tsx'
import { isNarrowed, withoutFilter, type Filters } from './filter-keys.ts'

/** An alternative as it is being written: which fields are asked, also those that have no value yet. */
export interface AlternativeDraft {
  readonly keys: readonly string[]
  readonly filters: Filters
}

/** Reads alternatives out of the address, to be changed. */
export function draftsOf(resource: Resource, text: string | undefined): AlternativeDraft[] {
  return (readAlternatives(text ?? '') ?? []).map((filters) => ({ keys: resource.list.filters.filter((key) => isNarrowed(resource, filters, key)), filters }))
}

/** Writes them into the address, without what has no value. */
export const textOfDrafts = (drafts: readonly AlternativeDraft[]): string => writeAlternatives(drafts.map(({ filters }) => filters))

interface Props {
  resource: Resource
  id: string
  drafts: readonly AlternativeDraft[]
  onChange: (drafts: readonly AlternativeDraft[]) => void
}

/** Groups of conditions, one of which a record has to fulfil; within a group it fulfils all. */
export function AlternativesInput({ resource, id, drafts, onChange }: Props) {
  const offered = resource.list.filters.filter((key) => viewOf(fieldOf(resource, key)).Filter)
  const start = (): AlternativeDraft => ({ keys: offered.slice(0, 1), filters: {} })
  const put = (place: number, next: AlternativeDraft) => onChange(drafts.flatMap((draft, at) => (at !== place ? [draft] : next.keys.length > 0 ? [next] : [])))
  if (drafts.length === 0) return <Button type="text" size="small" className="alternatives-start" icon={<PlusOutlined />} onClick={() => onChange([start(), start()])}>满足任一组条件</Button>
  return (
    <fieldset className="alternatives">
      <legend>还要满足其中一组</legend>
      {drafts.map((draft, place) => {
        const free = offered.filter((key) => !draft.keys.includes(key))
        return (
          <div key={place} className="alternative" role="group" aria-label={`第 ${place + 1} 组条件`}>
            {draft.keys.map((key, row) => {
              const { label } = fieldOf(resource, key)
              const without = withoutFilter(resource, draft.filters, key)
              return (
                <div key={key} className="alternative-row">
                  <span className="alternative-word">{row > 0 ? '且' : place > 0 ? '或' : ''}</span>
                  <Select className="alternative-field" value={key} aria-label={`第 ${place + 1} 组的字段`} showSearch={{ optionFilterProp: 'label' }} options={[key, ...free].map((value) => ({ value, label: fieldOf(resource, value).label }))}
                    onChange={(next: string) => put(place, { keys: draft.keys.map((one) => (one === key ? next : one)), filters: without })} />
                  <FilterInput resource={resource} name={key} id={`${id}-${place}-${key}`} filters={draft.filters} onChange={(filters) => put(place, { ...draft, filters })} />
                  <Button type="text" size="small" icon={<CloseOutlined />} aria-label={`去掉第 ${place + 1} 组的「${label}」`} onClick={() => put(place, { keys: draft.keys.filter((one) => one !== key), filters: without })} />
                </div>
              )
            })}
            {free.length > 0 && draft.keys.length < MOST_QUESTIONS && <Button type="text" size="small" icon={<PlusOutlined />} onClick={() => put(place, { ...draft, keys: [...draft.keys, ...free.slice(0, 1)] })}>并且</Button>}
          </div>
        )
      })}
      {drafts.length < MOST_ALTERNATIVES && <Button type="text" size="small" icon={<PlusOutlined />} onClick={() => onChange([...drafts, start()])}>或者</Button>}
    </fieldset>
  )
}
