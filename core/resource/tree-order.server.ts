import { sql, type SQL } from 'drizzle-orm'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import type { Queryable } from '../database/database.server.ts'
import type { Resource } from './define.ts'
import { setDerived } from './touch.server.ts'

/** Longest key that a place gets before all siblings get short ones again: some hundred insertions at one spot. */
const LONGEST = 60

type Values = Readonly<Record<string, unknown>>

/** Condition on the bare table for the records of one tree, in which a record with these values stands. */
export function ofTree(resource: Resource, values: Values): SQL {
  const fixed = { ...Object.fromEntries((resource.tree?.group ?? []).map((key) => [key, values[key]])), ...resource.where }
  return sql.join([sql`true`, ...Object.entries(fixed).map(([key, value]) => sql`${sql.identifier(key)} is not distinct from ${value}`)], sql` and `)
}

/** Condition on the bare table for the living children of a node, or for the top of the tree of a record with these values. */
export function childrenOf(resource: Resource, values: Values, parentId: number | null): SQL {
  return sql`${ofTree(resource, values)} and parent_id is not distinct from ${parentId}::bigint and deleted_at is null`
}

interface Placed {
  id: number
  ord: string | null
}

const ordered = (tx: Queryable, resource: Resource, siblings: SQL) =>
  tx.query<Placed>(sql`select id, ord from ${sql.identifier(resource.table)} where ${siblings} order by ord, id`)

/** Gives records the keys of these places; those that have them already are not touched. */
async function writeKeys(tx: Queryable, resource: Resource, placed: readonly { id: number; ord: string }[]): Promise<void> {
  await setDerived(tx, resource, { ord: sql`r.ord` }, sql`t.id = r.id and t.ord is distinct from r.ord`, { from: sql`jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) as r (id bigint, ord text)` })
}

/** Gives siblings short keys in this order. */
async function spread(tx: Queryable, resource: Resource, ids: readonly number[]): Promise<void> {
  const keys = generateNKeysBetween(null, null, ids.length)
  await writeKeys(tx, resource, ids.map((id, index) => ({ id, ord: keys[index] ?? '' })))
}

/**
 * A key for the place before a sibling, or behind all of them. Where no short key is left in between, siblings are spread
 * once; otherwise nothing is written.
 * @param siblings condition on the bare table; the record itself is left out
 * @param before id of the sibling; one that is none means the end
 */
export async function keyAt(tx: Queryable, resource: Resource, siblings: SQL, before?: number): Promise<string> {
  const look = async () => {
    const all = await ordered(tx, resource, siblings)
    const at = before === undefined ? -1 : all.findIndex(({ id }) => id === before)
    return { all, next: all[at], previous: at < 0 ? all.at(-1) : all[at - 1] }
  }
  const between = ({ previous, next }: Awaited<ReturnType<typeof look>>): string | undefined => {
    const [low, high] = [previous ? previous.ord : undefined, next ? next.ord : undefined]
    // Records that were written by hand may have no key or none that is one, and two may have the same.
    if (low === null || high === null || (low !== undefined && high !== undefined && low >= high)) return undefined
    try {
      const key = generateKeyBetween(low, high)
      return key.length > LONGEST ? undefined : key
    } catch {
      return undefined
    }
  }
  const found = await look()
  const key = between(found)
  if (key !== undefined) return key
  await spread(tx, resource, found.all.map(({ id }) => id))
  return between(await look()) ?? generateKeyBetween(null, null)
}

/** Key of the last of some siblings; null where there is none. */
export async function lastKey(tx: Queryable, resource: Resource, siblings: SQL): Promise<string | null> {
  const [row] = await tx.query<{ ord: string | null }>(sql`select max(ord) as ord from ${sql.identifier(resource.table)} where ${siblings}`)
  return row?.ord ?? null
}

/**
 * Puts siblings into an order; what it does not name comes behind, as it stood.
 * @param siblings condition on the bare table for all that stand there
 * @returns whether anything moved
 */
export async function orderSiblings(tx: Queryable, resource: Resource, siblings: SQL, ids: readonly number[]): Promise<boolean> {
  const all = await ordered(tx, resource, siblings)
  const known = new Set(all.map(({ id }) => id))
  const wanted = [...ids.filter((id) => known.has(id)), ...all.map(({ id }) => id).filter((id) => !ids.includes(id))]
  if (wanted.every((id, index) => all[index]?.id === id)) return false
  await spread(tx, resource, wanted)
  return true
}
