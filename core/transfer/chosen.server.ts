import type { Staff } from '../grant/staff.server.ts'
import type { Resource } from '../resource/define.ts'
import { checkQuery, listCondition, type Query } from '../resource/where.server.ts'

type Values = Readonly<Record<string, unknown>>

/** A list query out of a JSON body, in the form in which a URL brings it. */
function toQuery(input: Values): Query {
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, Array.isArray(value) ? value.map(text) : text(value)]))
}

/** What belongs to a page of a list, not to the list. */
const PAGING = ['page', 'page_size', 'cursor']

/**
 * The query that names the records of a bulk action or an export.
 * @throws AppError when a filter is wrong: now, not in the job
 */
export function chosenQuery(resource: Resource, staff: Staff, query: Values | undefined, ids: readonly number[] | undefined): Query {
  const all = { ...toQuery(Object.fromEntries(Object.entries(query ?? {}).filter(([key]) => !PAGING.includes(key)))), ...(ids && { ids: ids.map(String) }) }
  checkQuery(resource, all)
  listCondition(resource, staff, all)
  return all
}
