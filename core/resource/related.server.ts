import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { Staff } from '../grant/staff.server.ts'
import { STATE_CAP } from './endpoints.ts'
import { perResource } from './memo.ts'
import type { Naming, Registered, Registry } from './uses.server.ts'
import { pickableCondition } from './where.server.ts'
import { shownName } from './names.ts'
import type { Related, RelatedRecord } from './related.ts'

/** Condition on the bare table that a record names another. */
const names = ({ references }: Naming, id: number): SQL => sql`(${sql.join(references.map(({ key, isList }) =>
  (isList ? sql`${sql.identifier(key)} @> array[${id}::bigint]` : sql`${sql.identifier(key)} = ${id}`)), sql` or `)})`

/** The filter of a list by which just these records are shown: there has to be one for the only reference by which they name it. */
const filterOf = perResource((resource) => new Set(resource.list.filters))

/**
 * Records that name a record, kind by kind, counted within what the person may see, up to `STATE_CAP`. Kinds whose screen the
 * person may not open are left out.
 */
export async function readRelated(db: Queryable, registry: Registry, staff: Staff, { namedBy }: Registered, id: number): Promise<Related[]> {
  const kinds = namedBy.filter(({ resource }) => registry.has(resource.name) && staff.modules.has(resource.grant))
  if (kinds.length === 0) return []
  const counts = kinds.map((kind, place) => sql`(select count(*)::int from (select 1 from ${sql.identifier(kind.resource.table)}
    where ${pickableCondition(kind.resource, staff)} and ${names(kind, id)} limit ${sql.raw(String(STATE_CAP))}) x) as ${sql.identifier(`n${place}`)}`)
  const [found] = await db.query<Record<string, number>>(sql`select ${sql.join(counts, sql`, `)}`)
  return kinds.map((kind, place) => {
    const [reference] = kind.references
    const filter = kind.references.length === 1 && reference && filterOf(kind.resource).has(reference.key) ? reference.key : null
    return { name: kind.resource.name, label: kind.label, screen: kind.resource.grant, count: found?.[`n${place}`] ?? 0, filter }
  })
}

/** Records of a kind that are looked at without leaving the record that they name. */
const PEEKED = 8

/** The newest records of one kind that name a record, within what the person may see. @param of name of their resource */
export async function peekRelated(db: Queryable, staff: Staff, { namedBy }: Registered, id: number, of: string): Promise<RelatedRecord[]> {
  const kind = namedBy.find(({ resource }) => resource.name === of)
  if (!kind || !staff.modules.has(kind.resource.grant)) return []
  const rows = await db.query<{ id: number; name: string | null }>(sql`select id, ${sql.identifier(kind.resource.title)}::text as name from ${sql.identifier(kind.resource.table)}
    where ${pickableCondition(kind.resource, staff)} and ${names(kind, id)} order by id desc limit ${PEEKED}`)
  return rows.map((row) => ({ id: row.id, name: shownName(kind.resource, staff, row.name ?? String(row.id)) }))
}
