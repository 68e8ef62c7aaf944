import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { request } from '../endpoint/call.tsx'
import { formatSort, parseSort } from '../query/sort.ts'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf, metaFields } from '../resource/meta-fields.ts'
import { byOwnNames } from '../resource/rules.ts'
import { filterQuery, formatListState, parseListState, type ListState } from './list-state.ts'

/** From here on a total says "more than" (see the server's cap). */
export const COUNT_CAP = 10_001

export interface ListController {
  state: ListState
  rows: WireRow[]
  /** Capped; undefined while paging by place. */
  total: number | undefined
  /** Place after this page; undefined at the end. */
  next: string | undefined
  /** What is shown is not what was asked for yet. */
  loading: boolean
  /** It is being read again. */
  refreshing: boolean
  /** True until the first answer. */
  first: boolean
  error: Error | null
  change: (part: Partial<ListState>) => void
  reload: () => void
}

/** A list inside another page, such as the classes of one school: its state stays out of the address. */
export interface Embedded {
  /** Filters that cannot be taken away. */
  readonly fixed: Readonly<Record<string, readonly string[]>>
}

const NO_ROWS: WireRow[] = []
const NO_PARAMS: readonly string[] = []

type SetSearch = (next: (current: URLSearchParams) => URLSearchParams, options?: { replace: boolean }) => void

/** Parameters of the address that belong to the page around a list, and not to the list. */
export const PageParams = createContext<readonly string[]>([])

/** The address as the list sees it. */
function withoutPage(address: URLSearchParams, names: readonly string[]): URLSearchParams {
  const own = new URLSearchParams(address)
  for (const name of names) own.delete(name)
  return own
}

/**
 * Where a list keeps its state: the address of its page, or its own memory when it is part of another.
 * @param params what else of the address is not the list's: what stands beside it on its screen reads it
 */
export function useListSearch(embedded: Embedded | undefined, params: readonly string[] = NO_PARAMS): [URLSearchParams, SetSearch] {
  const around = useContext(PageParams)
  const names = useMemo(() => [...around, ...params], [around, params])
  const [address, setAddress] = useSearchParams()
  const [memory, setMemory] = useState(() => new URLSearchParams())
  const own = useMemo(() => withoutPage(address, names), [address, names])
  const setOwn = useCallback<SetSearch>((next, options) => setAddress((current) => {
    const made = next(withoutPage(current, names))
    for (const name of names) for (const value of current.getAll(name)) made.append(name, value)
    return made
  }, options), [setAddress, names])
  return embedded ? [memory, (next) => setMemory(next)] : [own, setOwn]
}

/**
 * A list's data and state, without any look.
 * @param waiting nothing is asked for yet, because what the list begins with is still being found out
 */
export function useList(resource: Resource, [search, setSearch]: readonly [URLSearchParams, SetSearch], embedded?: Embedded, waiting = false): ListController {
  const state = useMemo(() => {
    const read = parseListState(search)
    const asked = { ...read, filters: byOwnNames(resource, read.filters) }
    // An old address or saved view may sort by what is not sorted by any more.
    const known = (asked.sort ? parseSort(asked.sort) : []).filter(({ key }) => key === 'id' || (key in metaFields || key in resource.fields ? fieldOf(resource, key).sortable : false))
    return { ...asked, sort: formatSort(known) }
  }, [search, resource])
  const client = useQueryClient()
  const query = { ...filterQuery(state), ...embedded?.fixed, page_size: state.pageSize, ...(state.cursor ? { cursor: state.cursor } : { page: state.page - 1 }) }
  const { data, error, isFetching, isPending, isPlaceholderData } = useQuery({
    queryKey: ['list', resource.name, query],
    queryFn: ({ signal }) => request<Record<string, unknown>>('GET', resource.api.list, query, { signal }),
    placeholderData: keepPreviousData,
    enabled: !waiting,
  })
  const change = useCallback((part: Partial<ListState>) => {
    // Whatever narrows or sorts leads back to the first page.
    const onlyPaging = Object.keys(part).every((key) => key === 'page' || key === 'cursor')
    setSearch((current) => formatListState({ ...parseListState(current), ...(!onlyPaging && { page: 1, cursor: undefined }), ...part }))
  }, [setSearch])
  const reload = useCallback(() => {
    void client.invalidateQueries({ queryKey: ['list', resource.name] })
    void client.invalidateQueries({ queryKey: ['summary', resource.name] })
    void client.invalidateQueries({ queryKey: ['options', resource.name] })
    void client.invalidateQueries({ queryKey: ['record', resource.name] })
  }, [client, resource.name])
  const { items, total } = resource.api.reply
  return {
    state,
    rows: (data?.[items] ?? NO_ROWS) as WireRow[],
    total: data?.[total] as number | undefined,
    next: data?.['next'] as string | undefined,
    loading: waiting || isPlaceholderData || (isPending && isFetching),
    refreshing: isFetching,
    first: isPending,
    error,
    change,
    reload,
  }
}
