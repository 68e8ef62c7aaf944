import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { Presentation } from '../resource/present.tsx'
import { isEmpty } from '../field/check.ts'
import { FieldCell } from '../record/field-cell.tsx'

interface Props {
  resource: Resource
  presentation: Presentation
  /** The column that names the record. */
  name: string
  row: WireRow
  onOpen: (row: WireRow) => void
  onChanged: () => void
}

/** What a record is called, which opens it, and below in grey what tells it from others of that name. */
export function IdentityCell({ resource, presentation, name, row, onOpen, onChanged }: Props) {
  const under = resource.list.under.filter((key) => !isEmpty(row[key]))
  const Own = presentation.cells?.[name]
  return (
    <span className="identity">
      {/* A cell of its own may hold links, which no button can. */}
      {Own ? <span className="identity-name"><Own value={row[name]} row={row} /></span> : (
        <button type="button" className="identity-name" onClick={() => onOpen(row)}><FieldCell resource={resource} presentation={presentation} name={name} row={row} brief onChanged={onChanged} /></button>
      )}
      {under.length > 0 && (
        <span className="identity-under">{under.map((key) => <span key={key}><FieldCell resource={resource} presentation={presentation} name={key} row={row} brief onChanged={onChanged} /></span>)}</span>
      )}
    </span>
  )
}
