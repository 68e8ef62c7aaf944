import { sql, type SQL } from 'drizzle-orm'

/**
 * Ids of nodes of a tree and of everything below them, as a query.
 * @param name of the tree's table
 * @param from what the nodes' ids are compared with
 */
export function below(name: string, from: SQL): SQL {
  const table = sql.identifier(name)
  return sql`with recursive below as (
      select id from ${table} where id = ${from}
      union select child.id from ${table} child join below on child.parent_id = below.id
    ) select id from below`
}
