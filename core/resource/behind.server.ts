import { sql, type SQL } from 'drizzle-orm'
import type { BehindPath } from '../field/behind.ts'
import { endOf } from './behind.ts'
import type { Resource } from './define.ts'

/**
 * Condition over the bare table that the record at the end of a path of references fulfils another. The reference and the id
 * have indexes, so that the database begins at whichever end has fewer records.
 * @param condition over the bare table of the resource at the end
 */
export function throughReferences(resource: Resource, path: readonly string[], condition: (end: Resource) => SQL): SQL {
  const [key, ...rest] = path
  if (key === undefined) return condition(resource)
  const target = endOf(resource, [key])
  return sql`${sql.identifier(key)} in (select id from ${sql.identifier(target.table)} where ${throughReferences(target, rest, condition)})`
}

/** What narrows a list: a condition over the bare table that a path of references leads to, the list's own at its beginning. */
export interface Part {
  readonly path: readonly string[]
  readonly condition: SQL
}

/** Parts as one condition over the bare table. What is asked of the same records is asked of them at once. */
export function joinParts(resource: Resource, parts: readonly Part[]): SQL {
  const groups = Map.groupBy(parts, ({ path }) => path.join('.'))
  return sql.join([...groups.values()].map((group) => {
    const [{ path } = { path: [] }] = group
    return throughReferences(resource, path, () => sql.join(group.map(({ condition }) => condition), sql` and `))
  }), sql` and `)
}

/** Name by which a statement knows the record that a path of references leads to. */
export const aliasOf = (path: readonly string[]): SQL => sql`${sql.identifier(`r_${path.join('.')}`)}`

/** The column of a field in a statement of rows `t`. */
export const columnOf = (resource: Resource, key: string): SQL => {
  const behind = resource.fields[key]?.behind
  return behind ? sql`${aliasOf(behind.path)}.${sql.identifier(behind.key)}` : sql`t.${sql.identifier(key)}`
}

/** Joins that bring the records at the ends of paths; those of the resource's own references bring their names anyway. */
export function joinsBehind(resource: Resource): SQL[] {
  const paths = Object.values(resource.fields).flatMap(({ behind }) => (behind ? behind.path.slice(1).map((_step, place) => behind.path.slice(0, place + 2)) : []))
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()].map((path) => sql`left join ${sql.identifier(endOf(resource, path).table)} ${aliasOf(path)}
    on ${aliasOf(path)}.id = ${aliasOf(path.slice(0, -1))}.${sql.identifier(path.at(-1) ?? '')}`)
}

/** A place in the order of a field behind a reference: its value, the record that holds it, the record itself. */
export type BehindCursor = readonly [value: string | number | null, id: number, reference: number | null]

interface Wanted {
  /** What narrows the list. */
  readonly parts: readonly Part[]
  readonly behind: BehindPath
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
  readonly after: BehindCursor | undefined
}

/**
 * Statement for ids in the order of a field behind a reference: by its value, then by the record that holds it, then by id.
 * The other table's index gives that order, and of each of its records those that refer to it are looked up, so that a page
 * reads little more than itself. What has no value, and what refers to nothing, is read apart: as PostgreSQL sorts, it comes
 * last going up and first going down.
 */
export function idsInOrder(resource: Resource, { parts, behind: { path, key }, descending, limit, offset, after }: Wanted): SQL {
  const [reference = ''] = path
  const target = endOf(resource, path)
  const field = target.fields[key]
  const table = sql.identifier(resource.table)
  const way = sql.raw(descending ? 'desc' : 'asc')
  const than = sql.raw(descending ? '<' : '>')
  // What is asked of the records that hold the values is asked of them where they are read in order.
  const isOfTarget = (part: Part) => path.every((step, place) => part.path[place] === step)
  const [theirs, own] = [parts.filter(isOfTarget), parts.filter((part) => !isOfTarget(part))]
  const condition = joinParts(resource, own)
  const narrowed = theirs.length > 0 ? sql` where ${joinParts(target, theirs.map((part) => ({ ...part, path: part.path.slice(path.length) })))}` : sql``
  const most = sql.raw(String(limit + offset))
  const joined = sql`select id, b_value, b_reference from ${table} join (select id as b_reference, ${sql.identifier(key)} as b_value from ${sql.identifier(target.table)}${narrowed}) b on b_reference = ${sql.identifier(reference)} where ${condition}`
  const [value = null, id = 0, from = null] = after ?? []
  const bound = field?.column === 'timestamptz' ? sql`to_timestamp(${value}::float8)` : sql`${value}`
  /** Three stretches of the order, going up, each with what of it comes after the cursor. */
  const stretches: readonly { found: SQL; later: SQL; order: SQL; empty: boolean }[] = [
    {
      found: sql`${joined} and b_value is not null`,
      // The first comparison is one of the other table alone: its index begins there.
      later: sql` and (b_value, b_reference) ${than}= (${bound}, ${from}::bigint) and (b_value, b_reference, id) ${than} (${bound}, ${from}::bigint, ${id}::bigint)`,
      order: sql`b_value ${way}, b_reference ${way}, id ${way}`, empty: false,
    },
    {
      found: sql`${joined} and b_value is null`,
      later: sql` and b_reference ${than}= ${from}::bigint and (b_reference, id) ${than} (${from}::bigint, ${id}::bigint)`,
      order: sql`b_reference ${way}, id ${way}`, empty: field?.required ?? false,
    },
    {
      found: sql`select id, null as b_value, null::bigint as b_reference from ${table} where ${condition} and ${sql.identifier(reference)} is null`,
      later: sql` and id ${than} ${id}::bigint`,
      order: sql`id ${way}`, empty: theirs.length > 0 || (resource.fields[reference]?.required ?? false),
    },
  ]
  const at = !after ? undefined : value !== null ? 0 : from !== null ? 1 : 2
  const wanted = stretches.flatMap(({ found, later, order, empty }, place) => {
    if (empty || (at !== undefined && (descending ? place > at : place < at))) return []
    return [sql`(${found}${place === at ? later : sql``} order by ${order} limit ${most})`]
  })
  return sql`select id from (${sql.join(wanted, sql` union all `)}) b order by b_value ${way}, b_reference ${way}, id ${way} limit ${sql.raw(String(limit))} offset ${sql.raw(String(offset))}`
}
