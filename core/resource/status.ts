import { choicesOf, type Choice } from '../field/choice.ts'
import type { Resource } from './define.ts'

/** The field that says where a record stands: that of its transitions, else one that is called so. */
export function statusKey({ fields, transitions }: Pick<Resource, 'fields' | 'transitions'>): string | undefined {
  return [transitions[0]?.field, 'state', 'status'].find((key) => key !== undefined && fields[key] !== undefined && choicesOf(fields[key]) !== undefined)
}

/**
 * The states by which a list is walked through, where it can be narrowed by them.
 * @returns nothing where a record has no state, or the list no filter for it
 */
export function listStates(resource: Pick<Resource, 'fields' | 'transitions' | 'list'>): { key: string; choices: readonly Choice[] } | undefined {
  const key = statusKey(resource)
  const field = key === undefined ? undefined : resource.fields[key]
  const choices = field && choicesOf(field)
  return key !== undefined && choices && resource.list.filters.includes(key) ? { key, choices } : undefined
}
