import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { OnRemove, States } from '../field/reference.ts'
import { ownReferences } from './behind.ts'
import type { Resource } from './define.ts'
import { COUNT_CAP } from './list.server.ts'
import type { ResourceService } from './serve.server.ts'

/** A table that is no resource, whose rows need records of one kind. A module's server half names them. */
export interface TableUse {
  readonly target: Resource
  readonly table: string
  /** Condition that row `r` needs record `u.id`. */
  readonly when: SQL
  /** What its rows are called, as in 还被 3 道试题使用. */
  readonly label: string
  readonly measure: string
}

/** By what records of one kind name those of another, and what a removal does to them. */
export interface Use {
  readonly table: string
  readonly label: string
  readonly measure: string
  readonly onRemove: OnRemove
  /** Condition on row `r` for each column by which it names record `u.id`; of a resource, whether it lives is asked beside. */
  readonly conditions: readonly SQL[]
  /** Absent for a table that is no resource. */
  readonly resource?: Resource
}

/** Records of one kind that name those of another, whether they need them or not. */
export interface Naming {
  readonly resource: Resource
  /** What they are called: 学生, 下级代理. */
  readonly label: string
  /** The references by which they do. */
  readonly references: readonly { readonly key: string; readonly isList: boolean }[]
}

/** A resource with its rules, and everything that refers to its records. */
export interface Registered extends ResourceService {
  readonly usedBy: readonly Use[]
  readonly namedBy: readonly Naming[]
}

/** All resources of the product, by name. */
export type Registry = ReadonlyMap<string, Registered>

type Fixed = Resource['where']

/** Whether a record can be of both: no column is fixed to different values. */
const overlap = (a: Fixed, b: Fixed) => Object.entries(a).every(([key, value]) => !(key in b) || b[key] === value)
/** Whether every record of `inner` is one of `outer` too. */
const within = (inner: Fixed, outer: Fixed) => Object.entries(outer).every(([key, value]) => inner[key] === value)

/** Condition that row `r`, or the bare table's, is a resource's own among those that share its table. */
export function ownRows({ where }: Pick<Resource, 'where'>, alias = ''): SQL[] {
  return Object.entries(where).map(([column, value]) => sql`${sql.raw(alias)}${sql.identifier(column)} = ${sql.raw(typeof value === 'number' ? String(value) : `'${value}'`)}`)
}

/**
 * Which rows of a table name records of one kind by a column that names others in the rows of other resources, over the bare
 * table; undefined where all do.
 */
export function rowsNaming(registry: Registry, table: string, column: string, target: Pick<Resource, 'table'>): SQL | undefined {
  const sharing = [...registry.values()].flatMap(({ resource }) => {
    const field = resource.table === table ? resource.fields[column] : undefined
    return field && 'target' in field ? [{ resource, own: field.target().table === target.table }] : []
  })
  if (sharing.every(({ own }) => own)) return undefined
  return sql`(${sql.join(sharing.flatMap(({ resource, own }) => (own ? [sql`(${sql.join([sql`true`, ...ownRows(resource)], sql` and `)})`] : [])), sql` or `)})`
}

/** Condition that a record is in one of the states. */
function inStates(states: States): SQL[] {
  return Object.entries(states).map(([key, values]) => sql`r.${sql.identifier(key)} in (${sql.join(values.map((value) => sql.raw(typeof value === 'number' ? String(value) : `'${value}'`)), sql`, `)})`)
}

interface FoundReference {
  readonly resource: Resource
  readonly key: string
  readonly onRemove: OnRemove
  readonly neededWhile: States
  readonly isList: boolean
}

function referencesOf(resources: readonly Resource[], target: Resource): FoundReference[] {
  const found = resources.flatMap((resource) => ownReferences(resource).flatMap(([key, field]): FoundReference[] => {
    if (field.target().table !== target.table || resource.isView) return []
    const named = resources.find(({ name }) => name === field.target().name)
    if (named && !overlap(named.where, target.where)) return []
    return [{ resource, key, onRemove: field.onRemove, neededWhile: field.neededWhile, isList: field.refers === 'many' }]
  }))
  // Of resources that share a table, the one that has the records of another speaks for both.
  return found.filter((one, place) => !found.some((other, otherPlace) => other !== one && other.resource.table === one.resource.table && other.key === one.key
    && within(one.resource.where, other.resource.where) && (!within(other.resource.where, one.resource.where) || otherPlace < place)))
}

/** What the rows of a reference are called beside those of others: a tree's are 下级. */
const nounOf = ({ resource, key }: FoundReference, target: Resource) => (resource.tree && key === 'parent_id' && resource.table === target.table ? `下级${resource.label}` : resource.label)

/** The kinds of records that name those of a resource. */
export function namingOf(resources: readonly Resource[], target: Resource): Naming[] {
  const groups = Map.groupBy(referencesOf(resources, target), (one) => JSON.stringify([one.resource.name, nounOf(one, target)]))
  return [...groups.values()].flatMap((group) => group.slice(0, 1).map((one) => ({ resource: one.resource, label: nounOf(one, target), references: group.map(({ key, isList }) => ({ key, isList })) })))
}

/**
 * Everything that refers to the records of a resource: one entry for each kind of record and what a removal does to it.
 * @throws Error when a definition asks for what cannot be done
 */
export function usesOf(resources: readonly Resource[], tables: readonly TableUse[], target: Resource): Use[] {
  const references = referencesOf(resources, target)
  for (const { resource, key, onRemove, neededWhile, isList } of references) {
    if (onRemove === 'cascade' && (isList || !resource.audit)) throw new Error(`${resource.name}.${key}: only a logged record with a single reference can go with what it refers to`)
    if (onRemove !== 'refuse' && Object.keys(neededWhile).length > 0) throw new Error(`${resource.name}.${key}: neededWhile says when a removal is refused, but it never is`)
    for (const state of Object.keys(neededWhile)) if (!resource.fields[state]?.column) throw new Error(`${resource.name}.${key} is needed by ${state}, which is no column`)
  }
  const groups = Map.groupBy(references, (one) => JSON.stringify([one.resource.name, nounOf(one, target), one.onRemove]))
  const own = [...groups.values()].flatMap((group): Use[] => group.slice(0, 1).map((one) => ({
    table: one.resource.table, label: nounOf(one, target), measure: one.resource.measure, onRemove: one.onRemove, resource: one.resource,
    conditions: group.map(({ resource, key, isList, neededWhile }) => sql.join([
      isList ? sql`r.${sql.identifier(key)} @> array[u.id]` : sql`r.${sql.identifier(key)} = u.id`,
      ...ownRows(resource, 'r.'),
      ...inStates(neededWhile),
    ], sql` and `)),
  })))
  const others = tables.filter((use) => use.target.table === target.table && overlap(use.target.where, target.where)).map((use): Use => ({
    table: use.table, label: use.label, measure: use.measure, onRemove: 'refuse', conditions: [use.when],
  }))
  return [...own, ...others]
}

/** Condition that row `r` names record `u.id`. */
export const namesIt = ({ conditions }: Use): SQL => sql`(${sql.join(conditions.map((condition) => sql`(${condition})`), sql` or `)})`

/** How many records of one kind refer to a record, up to the cap of counts. */
export interface Used {
  readonly use: Use
  readonly count: number
}

/** In words: 3,305 个授权码. */
export const usedWords = ({ use, count }: Used): string => `${count >= COUNT_CAP ? '10,000+' : count.toLocaleString('zh-CN')} ${use.measure}${use.label}`

/**
 * Counts what refers to records, in one statement for each table that can.
 * @param cap where counting stops; 1 only asks whether
 * @returns for each id what there is; ids to which nothing refers are absent
 */
export async function countUses(tx: Queryable, uses: readonly Use[], ids: readonly number[], cap = COUNT_CAP): Promise<Map<number, Used[]>> {
  const found = new Map<number, Used[]>()
  if (ids.length === 0) return found
  const tables = [...Map.groupBy(uses, (use) => use.table)]
  const answers = await Promise.all(tables.map(([table, own]) => tx.query<Record<string, number>>(sql`select u.id${sql.join(own.map((use, place) => sql`, (select count(*)::int from (
      select 1 from ${sql.identifier(table)} r where ${namesIt(use)}${use.resource ? sql` and r.deleted_at is null` : sql``} limit ${sql.raw(String(cap))}) x) as ${sql.identifier(`n${place}`)}`), sql``)}
    from unnest(${sql.param([...ids])}::bigint[]) u (id)`)))
  for (const [place, rows] of answers.entries()) {
    const own = tables[place]?.[1] ?? []
    for (const row of rows) {
      const some = own.flatMap((use, n): Used[] => ((row[`n${n}`] ?? 0) > 0 ? [{ use, count: row[`n${n}`] ?? 0 }] : []))
      const id = row['id'] ?? 0
      if (some.length > 0) found.set(id, [...(found.get(id) ?? []), ...some])
    }
  }
  return found
}
