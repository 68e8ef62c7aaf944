import type { AnyField } from '../field/any-field.ts'
import { checkValue, isEmpty } from '../field/check.ts'
import type { Resource } from './define.ts'

/** Fields that a person may set. */
export function writableKeys(resource: Pick<Resource, 'fields' | 'where'>): string[] {
  return Object.keys(resource.fields).filter((key) => {
    const field = resource.fields[key]
    return field !== undefined && field.column !== null && !field.readonly && !(key in resource.where)
  })
}

/** Other names under which a field may be sent, beside its key. */
export const otherNames = ({ alias, wire }: Pick<AnyField, 'alias' | 'wire'>): string[] => [alias, wire].filter((name) => name !== undefined)

/** What was sent, by the names of the fields: a name of the specification's clients means the field that it is an alias of. */
export function byOwnNames<Value>(resource: Pick<Resource, 'fields'>, input: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const named = Object.entries(resource.fields).flatMap(([key, field]) => otherNames(field).filter((name) => name in input && !(key in input)).map((name) => [key, name] as const))
  if (named.length === 0) return input
  const own: Record<string, Value> = { ...input }
  for (const [key, name] of named) {
    const value = input[name]
    if (value !== undefined) own[key] = value
    delete own[name]
  }
  return own
}

/**
 * Checks a whole record.
 * @param sent values as sent; keys that are absent stay absent when `partial` (a PUT is a partial update)
 * @param stored records whose values were good when they were saved: rules such as that of exam years move on
 * @returns normal values and one sentence for each wrong field; unknown keys are dropped
 */
export function checkRecord(
  resource: Pick<Resource, 'fields' | 'where'>,
  sent: Readonly<Record<string, unknown>>,
  partial: boolean,
  stored: readonly Readonly<Record<string, unknown>>[] = [],
): { values: Record<string, unknown>; errors: Record<string, string> } {
  const input = byOwnNames(resource, sent)
  const values: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const key of writableKeys(resource)) {
    const field = resource.fields[key]
    if (!field || (partial && !(key in input)) || (partial && field.createOnly)) continue
    const given = key in input ? input[key] : field.initial
    const kept = !isEmpty(given) && stored.some((record) => JSON.stringify(record[key]) === JSON.stringify(given))
    const checked = kept ? { value: given } : checkValue(field, given)
    if ('message' in checked) errors[key] = checked.message
    else if (key in input || checked.value !== null) values[key] = checked.value
  }
  return { values, errors }
}
