/** Everything about a list that belongs into its address, so that it survives a reload and can be sent to a colleague. */
export interface ListState {
  page: number
  pageSize: number
  /** Field to sort by, with a minus when descending; undefined means the resource's own order. */
  sort: string | undefined
  keyword: string
  /** Filter texts by key; a range's two bounds stand under `key_start` and `key_end`. */
  filters: Readonly<Record<string, readonly string[]>>
  /** Place to go on from, when paging beyond what is counted. */
  cursor: string | undefined
  /** Saved view that this state started from. */
  view?: number | undefined
  /** How it is looked at, when not as a plain table (look.ts). */
  look?: string | undefined
  /** Rules that colour records (color-rules.ts). */
  colors?: string | undefined
  /** Columns that stay at an edge, where it is not left to the person (list-columns.ts). */
  pinned?: string | undefined
  /** The moment of the past that is looked at, in unix seconds. */
  past?: number | undefined
}

export const PAGE_SIZES = [20, 50, 100, 200]
const OWN = new Set(['page', 'page_size', 'sort', 'keyword', 'cursor', 'view', 'open', 'look', 'colors', 'pinned', 'past'])

/** Reads a list's state from its address. Pages in the address count from 1, as people do. */
export function parseListState(search: URLSearchParams): ListState {
  const filters: Record<string, string[]> = {}
  for (const key of new Set(search.keys())) if (!OWN.has(key)) filters[key] = search.getAll(key)
  const page = Number(search.get('page') ?? 1)
  const size = Number(search.get('page_size') ?? 20)
  const view = Number(search.get('view') ?? 0)
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    pageSize: PAGE_SIZES.includes(size) ? size : 20,
    sort: search.get('sort') ?? undefined,
    keyword: search.get('keyword') ?? '',
    filters,
    cursor: search.get('cursor') ?? undefined,
    view: Number.isInteger(view) && view > 0 ? view : undefined,
    look: search.get('look') ?? undefined,
    colors: search.get('colors') ?? undefined,
    pinned: search.get('pinned') ?? undefined,
    past: Number(search.get('past')) || undefined,
  }
}

/** Writes a list's state into an address; what is as usual is left out. */
export function formatListState(state: ListState): URLSearchParams {
  const search = new URLSearchParams()
  if (state.page > 1) search.set('page', String(state.page))
  if (state.pageSize !== 20) search.set('page_size', String(state.pageSize))
  if (state.sort) search.set('sort', state.sort)
  if (state.keyword) search.set('keyword', state.keyword)
  if (state.cursor) search.set('cursor', state.cursor)
  if (state.view) search.set('view', String(state.view))
  if (state.look) search.set('look', state.look)
  if (state.colors) search.set('colors', state.colors)
  if (state.pinned !== undefined) search.set('pinned', state.pinned)
  if (state.past) search.set('past', String(state.past))
  for (const [key, values] of Object.entries(state.filters)) for (const value of values) if (value !== '') search.append(key, value)
  return search
}

/** The query of the list call: filters and order, without the page. */
export function filterQuery(state: ListState): Record<string, unknown> {
  return { ...state.filters, ...(state.keyword && { keyword: state.keyword }), ...(state.sort && { sort: state.sort }) }
}
