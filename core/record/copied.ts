import { isEmpty } from '../field/check.ts'
import type { Resource } from '../resource/define.ts'
import { writableKeys } from '../resource/rules.ts'

/**
 * Values that a copy of a record starts with: what two records may have alike. Hidden values are left out, for what is seen of
 * them is not what they are.
 */
export function copied(resource: Resource, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(writableKeys(resource).flatMap((key) => {
    const field = resource.fields[key]
    return field && !field.unique && !field.hidden && !field.unlisted && !isEmpty(row[key]) ? [[key, row[key]]] : []
  }))
}
