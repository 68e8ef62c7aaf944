import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { invalid } from '../error/error.ts'
import type { Resource } from './define.ts'
import { isEmpty } from '../field/check.ts'

/** What is said to a person who would close a circle. */
export const BELOW_ITSELF = '不能移动到自己的下级'

/** Keys of the references by which a resource's records hang below one another. */
export function treeKeys(resource: Resource): string[] {
  return Object.entries(resource.fields).flatMap(([key, field]) => ('target' in field && field.filter === 'subtree' && field.column && field.target().table === resource.table ? [key] : []))
}

/**
 * Lets one transaction at a time change who hangs below whom in a table: two moves at once could close a circle that
 * neither sees. The lock is let go with the transaction; take it before the records.
 */
export async function lockTree(tx: Queryable, table: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`tree ${table}`}, 0))`)
}

/**
 * Holds the tree when values move a record in it, before the record is locked: two moves then wait here and not for each other.
 * @param values what will be written; absent where the record comes back
 */
export async function holdTree(tx: Queryable, resource: Resource, values?: Readonly<Record<string, unknown>>): Promise<void> {
  // Of a tree names are judged beside those of the siblings.
  const held = resource.tree ? !values || 'parent_id' in values || resource.title in values : values && treeKeys(resource).some((key) => !isEmpty(values[key]))
  if (held) await lockTree(tx, resource.table)
}

/** Those of some records that hang below themselves. */
export async function circular(tx: Queryable, resource: Resource, key: string, ids: readonly number[]): Promise<number[]> {
  const [table, parent] = [sql.identifier(resource.table), sql.identifier(key)]
  const rows = await tx.query<{ id: number }>(sql`with recursive up as (
      select id as start, ${parent} as at from ${table} where id = any(${sql.param([...ids])}::bigint[])
      union select up.start, t.${parent} from up join ${table} t on t.id = up.at
    ) select distinct start as id from up where at = start`)
  return rows.map(({ id }) => id)
}

/**
 * Refuses to hang a record below itself or below what hangs below it.
 * @param values what will be written
 * @throws AppError that names the field
 */
export async function refuseCycle(tx: Queryable, resource: Resource, id: number, values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const key of treeKeys(resource)) {
    if (isEmpty(values[key])) continue
    await lockTree(tx, resource.table)
    const [table, parent] = [sql.identifier(resource.table), sql.identifier(key)]
    const [found] = await tx.query(sql`with recursive up as (
        select id, ${parent} as above from ${table} where id = ${values[key]}
        union select t.id, t.${parent} from ${table} t join up on t.id = up.above
      ) select 1 from up where id = ${id}`)
    if (found) throw invalid({ [key]: BELOW_ITSELF })
  }
}
