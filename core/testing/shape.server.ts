/**
 * What resources have in common when the core does the same with all of them. The walking suites try everything with the
 * first resource of a shape, and with the others what belongs to each alone: reply, rights, scope, masks.
 */
import { createHash } from 'node:crypto'
import type { Resource } from '../resource/define.ts'
import type { ResourceService } from '../resource/serve.server.ts'

/** What names a resource and says where it stands. Everything else of a definition is its shape. */
const IDENTITY: ReadonlySet<string> = new Set<keyof Resource>(['name', 'table', 'label', 'measure', 'grant', 'rights', 'api', 'optionsPath'])
/** Of these the keys count: the values are rights of the resource's own screen, and what tells it from others in its table. */
const KEYS_ONLY: ReadonlySet<string> = new Set<keyof Resource>(['actions', 'where'])

const marks = new WeakMap<object, number>()
let marked = 0
/** A number that a function or a piece of SQL shares with nothing but itself. */
function markOf(one: object): number {
  const mark = marks.get(one) ?? ++marked
  marks.set(one, mark)
  return mark
}

/** What a module adds in code is compared by identity: two functions of one text may hold different values. */
function rulesText(value: unknown): string {
  if (typeof value === 'function') return `#${markOf(value)}`
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.getPrototypeOf(value) === Object.prototype ? `{${Object.entries(value).map(([key, one]) => `${key}:${rulesText(one)}`).join()}}` : `#${markOf(value)}`
}

/**
 * Text of a part of a definition, equal for parts that behave alike. Functions of a field are those of its kind: they differ by
 * nothing but the options beside them.
 * @param refer text of the resource that a field refers to
 */
function definitionText(value: unknown, refer: (target: Resource) => string, around: ReadonlySet<object> = new Set()): string {
  if (typeof value === 'function') return value.toString()
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return typeof value === 'string' ? JSON.stringify(value) : String(value)
  if (around.has(value)) return '…'
  const inside = new Set(around).add(value)
  const text = (one: unknown) => definitionText(one, refer, inside)
  if ('_zod' in value) return text((value._zod as { def: unknown }).def)
  if (value instanceof Map || value instanceof Set || Array.isArray(value)) return `[${[...value].map(text).join()}]`
  return `{${Object.entries(value).map(([key, one]) => `${key}:${key === 'target' && typeof one === 'function' ? refer((one as () => Resource)()) : text(one)}`).join()}}`
}

/**
 * Finds one resource of each shape.
 * @returns the names of the resources that are the first of their shape, in the order of `services`
 */
export function firstOfShape(services: Iterable<ResourceService>): ReadonlySet<string> {
  const byName = new Map([...services].map((service) => [service.resource.name, service]))
  const shapes = new Map<string, string>()
  const open = new Set<string>()

  function shapeOf({ resource, rules }: ResourceService): string {
    const known = shapes.get(resource.name)
    if (known) return known
    open.add(resource.name)
    // A reference has the shape of what it refers to, or its name where both are still being looked at.
    const refer = (target: Resource) => {
      const service = byName.get(target.name)
      return target.name === resource.name ? 'itself' : service && !open.has(target.name) ? shapeOf(service) : target.name
    }
    const parts = Object.entries(resource).filter(([key]) => !IDENTITY.has(key)).map(([key, value]) => `${key}=${definitionText(KEYS_ONLY.has(key) ? Object.keys(value as object) : value, refer)}`)
    const shape = createHash('sha256').update([...parts, rulesText(rules)].join('\n')).digest('hex')
    open.delete(resource.name)
    shapes.set(resource.name, shape)
    return shape
  }

  const first = new Map<string, string>()
  for (const service of byName.values()) {
    const shape = shapeOf(service)
    if (!first.has(shape)) first.set(shape, service.resource.name)
  }
  return new Set(first.values())
}
