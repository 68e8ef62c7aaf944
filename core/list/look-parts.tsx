import { Alert, Button, Select } from 'antd'
import type { ReactNode } from 'react'
import { choicesOf } from '../field/choice.ts'
import { StateWord } from '../field/choice.tsx'
import { viewOf } from '../field/views.tsx'
import type { Resource } from '../resource/define.ts'
import { groupKeys, UNITS, type Group, type Unit } from '../resource/groups.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { Presentation, RowTools } from '../resource/present.tsx'
import type { ListState } from './list-state.ts'
import { groupingOf, type Grouping, type Look, type LookKind, type LookOf } from './look.ts'
import { groupWords } from './narrow.ts'

/** What every look of a list is given. */
export interface LookProps<Kind extends LookKind = LookKind> {
  resource: Resource
  presentation: Presentation
  look: LookOf<Kind>
  onLook: (look: Look) => void
  state: ListState
  /** The list's filters and order, with those that cannot be taken away. */
  query: Readonly<Record<string, unknown>>
  /** Opens the plain list, narrowed like this. */
  onNarrow: (filters: ListState['filters']) => void
  /** Columns that are shown, in order. */
  columns: readonly string[]
  onOpen: (row: WireRow) => void
  onEdit: (row: WireRow) => void
  tools: RowTools
  tone: ((row: WireRow) => string | undefined) | undefined
  /** Rows as the list shows them. */
  table: (rows: WireRow[], query: Readonly<Record<string, unknown>>) => ReactNode
}

/** By what is grouped: a field, and of moments a unit. */
export function GroupingInput({ resource, by, onChange, label }: { resource: Resource; by: Grouping; onChange: (by: Grouping) => void; label: string }) {
  return (
    <>
      <Select<string> aria-label={label} value={by.key} popupMatchSelectWidth={false} showSearch={{ optionFilterProp: 'label' }} options={groupKeys(resource).map((key) => ({ value: key, label: fieldOf(resource, key).label }))}
        onChange={(key) => onChange(groupingOf(resource, key, by.unit))} />
      {by.unit && <Select<Unit> aria-label="时间单位" value={by.unit} options={Object.entries(UNITS).map(([unit, words]) => ({ value: unit as Unit, label: words }))} onChange={(unit) => onChange({ key: by.key, unit })} />}
    </>
  )
}

/** What a group is called; a state with its dot. */
export function GroupName({ resource, by, group }: { resource: Resource; by: Grouping; group: Pick<Group, 'value' | 'name'> }) {
  const choices = choicesOf(fieldOf(resource, by.key))
  return choices && group.value !== null ? <StateWord choices={choices} value={group.value} /> : <>{groupWords(resource, by, group)}</>
}

/** Sums of a group, each with its name. */
export function Sums({ resource, sums }: { resource: Resource; sums: Group['sums'] }) {
  return resource.list.summary.map((key) => <span key={key} className="group-sum"><small>{fieldOf(resource, key).label}</small> <SumCell resource={resource} name={key} sums={sums} /></span>)
}

/** One sum as the list shows such values. */
export function SumCell({ resource, name, sums }: { resource: Resource; name: string; sums: Group['sums'] }) {
  const field = fieldOf(resource, name)
  const { Cell } = viewOf(field)
  return <Cell field={field} name={name} value={sums[name]} row={sums} />
}

/** What could not be read, with another try. */
export const LookFailed = ({ error, retry }: { error: Error; retry: () => unknown }) =>
  <Alert className="list-error" type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void retry()}>重试</Button>} />

export const counted = (count: number) => count.toLocaleString('zh-CN')
