import type { AnyField } from './any-field.ts'
import { lineOf, type GroupField, type GroupRow } from './group.ts'
import type { GroupInputProps } from './group-input.tsx'
import { lazyInput } from './lazy-input.tsx'
import { NONE, type CellProps, type FieldView, type InputProps } from './view.tsx'

/** The first line, and how many there are. */
function Cell({ field, value }: CellProps<GroupField>) {
  if (!Array.isArray(value) || value.length === 0) return NONE
  // A log carries the words of a field without its lines' own fields.
  if (!('fields' in field)) return <span>{value.length} 行</span>
  const lines = (value as GroupRow[]).map((row) => lineOf(field.fields, row))
  return <span title={lines.join('\n')}>{lines[0]}{lines.length > 1 && ` 等 ${lines.length} 行`}</span>
}

const Rows = lazyInput<GroupInputProps>(async () => ({ default: (await import('./group-input.tsx')).GroupInput }))

/** @param viewOf the browser half of each field of a line; the table of all kinds hands it over, which knows this one too */
export function groupView(viewOf: (field: AnyField) => FieldView<AnyField>): FieldView<GroupField> {
  return { Cell, Input: (props: InputProps<GroupField>) => <Rows {...props} viewOf={viewOf} /> }
}
