import { askKey } from '../query/asks.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Resource } from '../resource/define.ts'

/** What filters are given, by their keys in the address. */
export type Filters = Readonly<Record<string, readonly string[]>>

/** Keys under which a filter's values stand in the address. */
export function filterKeys(resource: Resource, key: string): string[] {
  return fieldOf(resource, key).filter === 'range' ? [`${key}_start`, `${key}_end`] : [key]
}

/** The values of a filter; a range has two, either of which may be empty. */
export function filterValues(resource: Resource, filters: Filters, key: string): string[] {
  const names = filterKeys(resource, key)
  return names.length === 2 ? names.map((name) => filters[name]?.[0] ?? '') : [...(filters[key] ?? [])]
}

/** The word in which a filter is asked instead of by values. */
export const filterWord = (filters: Filters, key: string): string | undefined => filters[askKey(key)]?.[0] || undefined

/** Whether a filter narrows the list. */
export const isNarrowed = (resource: Resource, filters: Filters, key: string): boolean => filterWord(filters, key) !== undefined || filterValues(resource, filters, key).some(Boolean)

/** Filters without one of them. */
export function withoutFilter(resource: Resource, filters: Filters, key: string): Filters {
  const names = [askKey(key), ...filterKeys(resource, key)]
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name)))
}

/** Filters in which one has these values, or is asked in a word: never both, because one would go unseen. */
export function withFilter(resource: Resource, filters: Filters, key: string, given: readonly string[] | { word: string }): Filters {
  const others = withoutFilter(resource, filters, key)
  if ('word' in given) return { ...others, [askKey(key)]: [given.word] }
  const names = filterKeys(resource, key)
  return { ...others, ...(names.length === 2 ? Object.fromEntries(names.map((name, index) => [name, given[index] ? [given[index]] : []])) : { [key]: given }) }
}
