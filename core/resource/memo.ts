import type { AnyField } from '../field/any-field.ts'
import type { Resource } from './define.ts'

/** Remembers what follows from a definition alone: definitions never change, and every request would work it out again. */
export function perResource<Result>(work: (resource: Resource) => Result): (resource: Resource) => Result {
  const known = new WeakMap<Resource, Result>()
  return (resource) => {
    let result = known.get(resource)
    if (result === undefined) known.set(resource, (result = work(resource)))
    return result
  }
}

/** Keys of the fields that something is true of. */
export const keysWith = (test: (field: AnyField) => unknown) => perResource((resource) => Object.entries(resource.fields).flatMap(([key, field]) => (test(field) ? [key] : [])))
