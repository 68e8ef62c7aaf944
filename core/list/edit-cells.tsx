import { viewOf } from '../field/views.tsx'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { Presentation } from '../resource/present.tsx'
import { writableKeys } from '../resource/rules.ts'

/** A cell of a list that is being changed where it stands. */
export interface EditedCell {
  readonly id: number
  readonly name: string
}

/**
 * Columns whose values can be changed in the list itself: plain ones, that need no more room than a cell has and no input of
 * their own, in the order in which they are shown.
 */
export function cellKeys(resource: Resource, presentation: Presentation, shown: readonly string[]): string[] {
  const writable = new Set(writableKeys(resource))
  return shown.filter((name) => {
    const field = resource.fields[name]
    return field !== undefined && writable.has(name) && field.createOnly !== true && viewOf(field).inCell !== undefined && presentation.inputs?.[name] === undefined
  })
}

/** The cell after, or before, another one, row by row; undefined at the ends. Rows that may not be changed are left out. */
export function nextCell(rows: readonly Pick<WireRow, 'id' | 'can'>[], names: readonly string[], from: EditedCell, by: 1 | -1): EditedCell | undefined {
  const cells = rows.filter(({ id, can }) => id === from.id || can.includes('edit')).flatMap(({ id }) => names.map((name) => ({ id, name })))
  return cells[cells.findIndex(({ id, name }) => id === from.id && name === from.name) + by]
}
