import { viewOf } from '../field/views.tsx'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Presentation } from '../resource/present.tsx'
import { rowSwitch } from '../resource/switch.ts'
import { RecordSwitch } from './record-switch.tsx'

interface Props {
  resource: Resource
  presentation: Presentation
  name: string
  row: WireRow
  /** There is little room, as in a list. */
  brief?: boolean
  /** After something about the record was changed here. */
  onChanged: () => void
}

/** A value of a record, as lists and the drawer show it: its own cell, a switch that works, or the cell of its kind. */
export function FieldCell({ resource, presentation, name, row, brief = false, onChanged }: Props) {
  const field = fieldOf(resource, name)
  const Own = presentation.cells?.[name]
  if (Own) return <Own value={row[name]} row={row} />
  const shown = rowSwitch(resource, row, name)
  if (shown) return <RecordSwitch resource={resource} row={row} name={name} shown={shown} onChanged={onChanged} />
  const { Cell } = viewOf(field)
  return <Cell field={field} name={name} value={row[name]} row={row} brief={brief} />
}
