import type { AnyField } from '../field/any-field.ts'
import { maskName } from '../field/person-name.ts'
import { displayKey } from '../field/reference.ts'
import { WORKPLACES } from '../grant/grant.ts'
import type { Staff } from '../grant/staff.server.ts'
import { ownerOf } from './behind.ts'
import type { Resource } from './define.ts'
import { keysWith, perResource } from './memo.ts'

type Looking = Pick<Staff, 'id' | 'masksNames' | 'scopes'>

/** Key under which a row carries the n-th of those who are responsible for it; gone before it goes over the wire. */
export const responsibleKey = (n: number): string => `responsible_${n}`

/** Fields that hold the name of somebody who learns. */
export const nameKeys = keysWith(({ hidden }) => hidden?.from === 'strangers')

/** Twins that carry such a name. */
export const nameTwins = perResource((resource) => Object.entries(resource.fields).flatMap(([key, field]) => ('target' in field && field.target().masksTitle ? [displayKey(key)] : [])))

/** Every key of a row under which such a name stands, by the resource that the name belongs to: a twin's is the record's own. */
const namesByOwner = perResource((resource) => Map.groupBy(Object.entries(resource.fields).flatMap(([key, field]) => {
  const name = field.hidden?.from === 'strangers' ? key : 'target' in field && field.target().masksTitle ? displayKey(key) : undefined
  return name === undefined ? [] : [{ name, owner: ownerOf(resource, key) }]
}), ({ owner }) => owner))

/**
 * Whether a person sees the names of a resource as they are: names are not masked here, or everything that they see of it
 * belongs to places where they work.
 */
export function seesNames(resource: Pick<Resource, 'scope'>, staff: Pick<Looking, 'masksNames' | 'scopes'>): boolean {
  return !staff.masksNames || WORKPLACES.some((kind) => staff.scopes[kind] !== undefined && resource.scope[kind] !== undefined)
}

/**
 * The same for one row: a person who is responsible for a learner knows their name.
 * @param owner the resource that the name belongs to, where it stands behind a reference
 */
export function seesNamesOf(resource: Resource, staff: Looking, row: Readonly<Record<string, unknown>>, owner: Pick<Resource, 'scope'> = resource): boolean {
  return seesNames(owner, staff) || resource.responsible.some((_path, n) => row[responsibleKey(n)] === staff.id)
}

/** A value as everybody may see it who has not asked to see what is hidden. */
export const hiddenFromAll = (field: Pick<AnyField, 'hidden'> | undefined, value: string): string => (field?.hidden?.from === 'everybody' ? field.hidden.mask(value) : value)

/** A name as a person may see it, for what is not a row of a list: a title, an option, a line of a log. */
export function shownName(resource: Pick<Resource, 'scope' | 'masksTitle'>, staff: Pick<Looking, 'masksNames' | 'scopes'>, name: string): string {
  return resource.masksTitle && !seesNames(resource, staff) ? maskName(name) : name
}

const masked = (value: unknown): unknown => (typeof value === 'string' ? maskName(value) : Array.isArray(value) ? value.map(masked) : value)

/** Masks the names of a row that the person may not see, in place, and takes away what only says who may. */
export function hideNames(resource: Resource, staff: Looking, row: Record<string, unknown>): void {
  for (const [owner, names] of namesByOwner(resource)) {
    if (!seesNamesOf(resource, staff, row, owner)) for (const { name } of names) row[name] = masked(row[name])
  }
  for (const n of resource.responsible.keys()) delete row[responsibleKey(n)]
}
