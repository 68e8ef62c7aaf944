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
}

/** Facts that a card shows beside name and state. */
const FACTS = 3

/** A list on a phone: a card for each record with its name, its state, three facts and a sheet of what can be done. */
export function CardList({ rows, empty, ...rest }: Props) {
  if (rows.length === 0) return <p className="list-empty">{empty}</p>
  return <ul className="card-list">{rows.map((row) => <Card key={row.id} row={row} {...rest} />)}</ul>
}

function Card({ resource, presentation, columns, row, onOpen, onEdit, tools }: Omit<Props, 'rows' | 'empty'> & { row: WireRow }) {
  const [identity = 'id', ...others] = columns
  const status = statusKey(resource)
  const facts = others.filter((key) => key !== status && !isEmpty(row[key])).slice(0, FACTS)
  const items = useRowItems({ resource, row, more: presentation.rowActions ?? [], onOpen, onEdit, tools })
  const cell = (key: string) => <FieldCell resource={resource} presentation={presentation} name={key} row={row} brief onChanged={tools.reload} />
  return (
    <li className="record-card ant-table-row" data-row-key={row.id}>
      <IdentityCell resource={resource} presentation={presentation} name={identity} row={row} onOpen={onOpen} onChanged={tools.reload} />
      <span className="record-card-end">
        {status !== undefined && status in row && cell(status)}
        <RowMenu label={`「${String(row[resource.title] ?? row.id)}」的更多操作`} items={items} />
      </span>
      {facts.length > 0 && <dl>{facts.map((key) => <div key={key}><dt>{fieldOf(resource, key).label}</dt><dd>{cell(key)}</dd></div>)}</dl>}
    </li>
  )
}
