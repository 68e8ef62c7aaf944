import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { request } from '../endpoint/call.tsx'
import type { Resource } from '../resource/define.ts'
import type { Groups } from '../resource/groups.ts'
import type { Grouping } from './look.ts'

/** A list counted by one field, under its own filters. @param samples records of each group that are named */
export function useGroups(resource: Resource, query: Readonly<Record<string, unknown>>, { key, unit }: Grouping, samples = 0): UseQueryResult<Groups> {
  const { sort: _sort, ...filters } = query
  const asked = { ...filters, group_by: key, ...(unit && { group_unit: unit }), ...(samples > 0 && { group_samples: samples }) }
  return useQuery({
    queryKey: ['list', resource.name, 'groups', asked],
    queryFn: ({ signal }) => request<Groups>('GET', `${resource.api.list}/groups`, asked, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
}
