import type { AnyField } from '../field/any-field.ts'
import type { BehindField } from '../field/behind.ts'
import type { Field, Fields } from '../field/field.ts'
import { displayKey, type Target } from '../field/reference.ts'
import type { Resource } from './define.ts'
import { fieldOf } from './meta-fields.ts'

/** What a field refers to: always a resource, of which the field itself says less. */
export const resourceOf = (field: { target(): Target }): Resource => field.target() as Resource

/**
 * The resource at the end of a path of references.
 * @throws Error when a step is no reference to one record
 */
export function endOf(from: Pick<Resource, 'name' | 'fields'>, path: readonly string[]): Resource {
  let at: Pick<Resource, 'name' | 'fields'> = from
  for (const step of path) {
    const field = at.fields[step]
    if (!field || !('target' in field) || field.column !== 'bigint') throw new Error(`${from.name}: ${path.join('.')} does not lead through references, ${at.name} has no reference ${step}`)
    at = resourceOf(field)
  }
  return at as Resource
}

/** The resource to which the value of a field belongs. */
export const ownerOf = (resource: Resource, key: string): Resource => endOf(resource, resource.fields[key]?.behind?.path ?? [])

const isBehind = (field: Field): field is BehindField<unknown> => field.kind === 'behind'

/** The field behind a reference as a field of the resource that refers: everything of its kind, nothing of being stored. */
function borrowed(name: string, fields: Readonly<Record<string, AnyField>>, key: string, { behind, options }: BehindField<unknown>): AnyField {
  const end = endOf({ name, fields }, behind.path)
  const { alias: _alias, headings: _headings, initial: _initial, help: _help, audit: _audit, ...field } = fieldOf(end, behind.key)
  if (!field.column) throw new Error(`${name}.${key}: ${end.name} keeps no ${behind.key}`)
  const hasOrder = behind.path.length === 1 && !end.indexesLiving && end.indexes.some(([leading, next]) => leading === behind.key && next === 'id')
  return {
    ...field,
    ...('target' in field && { within: {}, onRemove: 'keep', neededWhile: {} }),
    label: options.label ?? field.label,
    search: options.search ?? false,
    column: null, required: false, readonly: true, createOnly: false, unique: false,
    sortable: field.sortable && hasOrder,
    behind,
  } as AnyField
}

/**
 * The fields of a resource, each of those behind references looked up where it belongs.
 * @throws Error when there is none, or a row would carry two values under one key
 */
export function lookUpFields(name: string, written: Fields): Readonly<Record<string, AnyField>> {
  const own = Object.fromEntries(Object.entries(written).filter(([, field]) => !isBehind(field))) as unknown as Record<string, AnyField>
  const fields = Object.fromEntries(Object.entries(written).map(([key, field]) => [key, isBehind(field) ? borrowed(name, own, key, field) : (field as unknown as AnyField)]))
  const twin = Object.keys(fields).map((key) => ('target' in (fields[key] ?? {}) ? displayKey(key) : '')).find((key) => key in fields)
  if (twin !== undefined) throw new Error(`${name}.${twin} is the name of what another field refers to; call it something else`)
  return fields
}

/** References that a resource itself keeps. */
export function ownReferences(resource: Pick<Resource, 'fields'>): [key: string, field: Extract<AnyField, { target: unknown }>][] {
  return Object.entries(resource.fields).flatMap(([key, field]) => ('target' in field && field.column ? [[key, field] as [string, Extract<AnyField, { target: unknown }>]] : []))
}
