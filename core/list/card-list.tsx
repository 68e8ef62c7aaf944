import type { ComponentProps } from 'react'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Presentation, RowTools } from '../resource/present.tsx'
import { statusKey } from '../resource/status.ts'
import { isEmpty } from '../field/check.ts'
import { FieldCell } from '../record/field-cell.tsx'
import { IdentityCell } from './identity-cell.tsx'
import { useRowItems } from '../record/row-actions.tsx'
import { RowMenu } from '../record/row-menu.tsx'

interface Props {
  resource: Resource
  presentation: Presentation
  /** What is shown of a record, in order. */
  columns: readonly string[]
  rows: readonly WireRow[]
  empty: string | undefined
  onOpen: (row: WireRow) => void
  onEdit: (row: WireRow) => void
  tools: RowTools
  /** The colour that a rule gives a record. */
  tone: ((row: WireRow) => string | undefined) | undefined
}

/** Facts that a card shows beside name and state. */
const FACTS = 3

/** A list on a phone: a card for each record with its name, its state, three facts and a sheet of what can be done. */
export function CardList({ rows, empty, ...rest }: Props) {
  if (rows.length === 0) return <p className="list-empty">{empty}</p>
  return <ul className="card-list">{rows.map((row) => <RecordCard key={row.id} row={row} {...rest} />)}</ul>
}

/** What a card is made from. */
export type CardProps = Omit<Props, 'rows' | 'empty'> & {
  row: WireRow
  /** Where the card stands says its state already. */
  stateless?: boolean
  /** What the card is beside, as something that can be dragged. */
  item?: ComponentProps<'li'>
}

/** A record as a card: its name, its state, three facts and a menu of what can be done. */
export function RecordCard({ resource, presentation, columns, row, onOpen, onEdit, tools, tone, stateless = false, item }: CardProps) {
  const [identity = 'id', ...others] = columns
  const status = statusKey(resource)
  const facts = others.filter((key) => key !== status && !isEmpty(row[key])).slice(0, FACTS)
  const items = useRowItems({ resource, row, more: presentation.rowActions ?? [], onOpen, onEdit, tools })
  const cell = (key: string) => <FieldCell resource={resource} presentation={presentation} name={key} row={row} brief onChanged={tools.reload} />
  return (
    <li {...item} className={`record-card ant-table-row ${tone?.(row) ?? ''}`} data-row-key={row.id}>
      <IdentityCell resource={resource} presentation={presentation} name={identity} row={row} onOpen={onOpen} onChanged={tools.reload} />
      <span className="record-card-end">
        {!stateless && status !== undefined && status in row && cell(status)}
        <RowMenu label={`「${String(row[resource.title] ?? row.id)}」的更多操作`} items={items} />
      </span>
      {facts.length > 0 && <dl>{facts.map((key) => <div key={key}><dt>{fieldOf(resource, key).label}</dt><dd>{cell(key)}</dd></div>)}</dl>}
    </li>
  )
}
