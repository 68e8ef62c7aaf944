import type { AnyField } from '../field/any-field.ts'
import { STANDARD_ACTIONS } from '../grant/grant.ts'
import { resourceOf } from './behind.ts'
import type { Resource } from './define.ts'
import { keysWith } from './memo.ts'
import { metaFields } from './meta-fields.ts'
import type { ResourceService } from './serve.server.ts'

/** Columns that every table has and that no list shows. */
const HIDDEN_COLUMNS: ReadonlySet<string> = new Set(['rev', 'updated_by'])
const SUMMED: ReadonlySet<unknown> = new Set(['integer', 'bigint', 'numeric'])

/** A field of the resource or one that every record has; undefined where there is none. */
const find = (resource: Resource, key: string): AnyField | undefined => (Object.hasOwn(resource.fields, key) ? resource.fields[key] : Object.hasOwn(metaFields, key) ? metaFields[key] : undefined)

const hasColumn = (resource: Resource, key: string) => HIDDEN_COLUMNS.has(key) || Boolean(find(resource, key)?.column)

/** Values that a field can have; undefined where it is no choice. */
function valuesOf(field: AnyField | undefined): readonly unknown[] | undefined {
  if (field && 'on' in field) return [1, 0]
  return field && 'choices' in field ? field.choices.map(({ value }) => value) : undefined
}

/** What stands in a definition and is to be looked up: the part that says it, and the words. */
type Named = readonly [part: string, words: readonly string[]]

/** Parts that may name some fields only, with the question that each of them has to answer. */
function namedFields(resource: Resource): [ask: string, isOne: (key: string) => boolean, parts: readonly Named[]][] {
  const { list, form, transitions, indexes, unique, searchedWithin, pick, where, fresh, tree } = resource
  return [
    ['no field', (key) => find(resource, key) !== undefined, [['list.columns', list.columns]]],
    ['no field of its own', (key) => Object.hasOwn(resource.fields, key), [['title', [resource.title]], ['form', form.flatMap(({ fields }) => fields)], ['fresh', Object.keys(fresh)], ['tree.shows', tree?.shows ?? []], ['tree.facts', tree?.facts ?? []]]],
    ['nothing that a list can be narrowed by', (key) => (find(resource, key)?.filter ?? null) !== null, [['list.filters', list.filters], ['pick.within', pick.within]]],
    ['nothing that a list can be sorted by', (key) => key === 'id' || find(resource, key)?.sortable === true, [['list.sort', [list.sort.replace(/^-/, '')]]]],
    ['no number', (key) => resource.fields[key]?.computed === true || SUMMED.has(resource.fields[key]?.column), [['list.summary', list.summary]]],
    ['no column', (key) => hasColumn(resource, key), [
      ['import.columns', resource.import?.columns ?? []], ['import.key', resource.import?.key ?? []], ['transitions', transitions.map(({ field }) => field)], ['indexes', indexes.flat()], ['unique', unique.flat()],
      ['searchedWithin', searchedWithin], ['pick.offered', Object.keys(pick.offered ?? {})], ['where', Object.keys(where)], ['tree.group', tree?.group ?? []],
    ]],
  ]
}

type NamedStates = readonly [part: string, key: string, values: readonly unknown[]]

/** States that a definition names, with the field that has to know them. What a reference is needed in may be a list that several kinds share. */
function namedStates(resource: Resource): NamedStates[] {
  const singles = (part: string, values: Readonly<Record<string, unknown>> = {}) => Object.entries(values).map(([key, value]) => [part, key, [value]] as const)
  return [
    ...resource.transitions.map(({ name, field, from, to }) => [`transition ${name}`, field, [...from, to]] as const),
    ...singles('where', resource.where), ...singles('pick.offered', resource.pick.offered),
    ...Object.entries(resource.fresh).map(([key, values]) => ['fresh', key, values] as const),
    ...Object.entries(resource.fields).flatMap(([key, field]): NamedStates[] => {
      if ('neededWhile' in field) return Object.entries(field.neededWhile).map(([state, values]) => [`${key}.neededWhile`, state, valuesOf(resource.fields[state])?.some((value) => values.some((one) => one === value)) ? [] : values] as const)
      return 'shelf' in field && field.shelf ? [[`${key}.shelf`, field.shelf.state, [...field.shelf.on, field.shelf.off]] as const] : []
    }),
  ]
}

/** Whether a path leads from reference to reference to a column of one value: `school_id.partner_id`. */
function leads(resource: Resource, path: string): boolean {
  const [key = '', ...behind] = path.split('.')
  const field = resource.fields[key]
  if (behind.length === 0) return hasColumn(resource, key) && !(field && 'refers' in field && field.refers === 'many')
  return field !== undefined && 'target' in field && field.refers === 'one' && field.column !== null && leads(resourceOf(field), behind.join('.'))
}

const twice = (words: readonly string[]) => words.find((word, place) => words.indexOf(word) !== place)

/**
 * Refuses a definition that names what is not there: types cannot follow a reference, nor a definition that is made from data.
 * @throws Error with one sentence: the resource, the part of its definition and the word
 */
export function checkDefinition(resource: Resource): void {
  const refuse = (sentence: string) => { throw new Error(`${resource.name}: ${sentence}`) }
  for (const [ask, isOne, parts] of namedFields(resource)) {
    for (const [part, words] of parts) for (const word of words) if (!isOne(word)) refuse(`${part} names ${word}, which is ${ask}`)
  }
  for (const [part, key, values] of namedStates(resource)) {
    const known = valuesOf(resource.fields[key])
    const odd = known && values.find((value) => !known.includes(value))
    if (odd !== undefined) refuse(`${part} names ${String(odd)}, which is no value of ${key}`)
  }
  for (const [part, paths] of [['scope', Object.values(resource.scope)], ['responsible', resource.responsible]] as const) {
    for (const path of paths) if (!leads(resource, path)) refuse(`${part} names ${path}, which leads to no column of one value`)
  }
  for (const [key, field] of Object.entries(resource.fields)) {
    if (!('within' in field)) continue
    for (const [own, theirs] of Object.entries(field.within)) {
      if (!Object.hasOwn(resource.fields, own)) refuse(`${key}.within names ${own}, which is no field of its own`)
      const target = resourceOf(field)
      if ((find(target, theirs)?.filter ?? null) === null) refuse(`${key}.within names ${theirs}, by which ${target.name} cannot be narrowed`)
    }
  }
  const names = [...resource.transitions, ...resource.logged].map(({ name }) => name)
  const repeated = twice(resource.transitions.map(({ name }) => name))
  if (repeated !== undefined) refuse(`two transitions are called ${repeated}`)
  const taken = names.find((name) => name in STANDARD_ACTIONS)
  if (taken !== undefined) refuse(`${taken} is an action that every resource has`)
}

/**
 * Refuses rules for what the definition does not have, and computed fields and segments that no rule works out: they would never run,
 * or fail when somebody opens the list.
 * @throws Error with one sentence
 */
export function checkRules({ resource, rules }: ResourceService): void {
  const refuse = (sentence: string) => { throw new Error(`${resource.name}: ${sentence}`) }
  const keysOf = (test: (field: AnyField) => unknown) => keysWith(test)(resource)
  const same = (part: string, given: object | undefined, wanted: readonly string[]) => {
    const unknown = Object.keys(given ?? {}).find((key) => !wanted.includes(key))
    if (unknown !== undefined) refuse(`the rules have ${part} ${unknown}, which the definition does not have`)
    const missing = wanted.find((key) => !Object.hasOwn(given ?? {}, key))
    if (missing !== undefined) refuse(`the rules do not say what ${part} ${missing} is`)
  }
  same('computed', rules.computed, keysOf(({ computed }) => computed))
  const segments = keysOf(({ filter }) => filter === 'segment')
  same('segments', rules.segments, segments)
  for (const key of segments) same(`segments.${key}`, rules.segments?.[key], valuesOf(resource.fields[key])?.map(String) ?? [])
  const effect = Object.keys(rules.effects ?? {}).find((name) => !resource.transitions.some((transition) => transition.name === name))
  if (effect !== undefined) refuse(`the rules have an effect ${effect}, which is no transition`)
}
