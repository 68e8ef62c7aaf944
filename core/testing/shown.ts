/** How the walking suites expect values to travel. */
import { isEmpty } from '../field/check.ts'
import type { Resource } from '../resource/define.ts'

/** A value as a record shows it. */
export function shown(resource: Resource, key: string, value: unknown): unknown {
  const mask = resource.fields[key]?.hidden?.mask
  if (mask && typeof value === 'string') return mask(value)
  return isEmpty(value) ? null : value
}

/** A record as it is shown, of values as they were sent. */
export function shownRecord(resource: Resource, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, shown(resource, key, value)]))
}

/** The part of a record that was sent, empty lists and absent values being one. */
export function pick(row: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, isEmpty(row[key]) ? null : row[key]]))
}
