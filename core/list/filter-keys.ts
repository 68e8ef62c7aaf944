import { fieldOf } from '../resource/meta-fields.ts'
import type { Resource } from '../resource/define.ts'

/** Keys under which a filter's values stand in the address. */
export function filterKeys(resource: Resource, key: string): string[] {
  return fieldOf(resource, key).filter === 'range' ? [`${key}_start`, `${key}_end`] : [key]
}
