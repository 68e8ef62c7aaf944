import type { Resource } from '../resource/define.ts'
import { arrangeColumns, columnKeys, type ColumnChoice } from './list-columns.ts'
import { formatListState, type ListState } from './list-state.ts'

/** What a view remembers of a list: filters, keyword and order in one spelling, so that two can be compared. */
export function viewQuery(state: ListState): string {
  const search = formatListState({ ...state, page: 1, pageSize: 20, cursor: undefined, view: undefined })
  search.sort()
  return search.toString()
}

/** The address part that opens a view. */
export function viewSearch(view: { id: number; query: string }): URLSearchParams {
  const search = new URLSearchParams(view.query)
  search.set('view', String(view.id))
  return search
}

/** Key of the preference that says how a person last looked at a list. */
export const lookKey = ({ name }: Pick<Resource, 'name'>): string => `look:${name}`

/** The address part that says how a list is looked at, whatever it holds. */
export const lookSearch = ({ look, colors }: Pick<ListState, 'look' | 'colors'>): URLSearchParams =>
  formatListState({ page: 1, pageSize: 20, sort: undefined, keyword: '', filters: {}, cursor: undefined, look, colors })

/** Columns that are seen, in their order. */
export function visibleColumns(resource: Resource, choice: ColumnChoice): string[] {
  return arrangeColumns(resource, choice).filter((column) => !column.hidden).map((column) => column.key)
}

/** A person's choice with exactly the columns of a view; widths, pins and density stay theirs. Columns that are gone are ignored. */
export function withColumns(resource: Resource, choice: ColumnChoice, columns: readonly string[]): ColumnChoice {
  const known = columnKeys(resource)
  const shown = columns.filter((key) => known.includes(key))
  if (shown.length === 0) return choice
  const hidden = known.filter((key) => !shown.includes(key))
  return { ...choice, order: [...shown, ...hidden], hidden }
}
