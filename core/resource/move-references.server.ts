import { sql } from 'drizzle-orm'
import { sqlState, type Queryable } from '../database/database.server.ts'
import { mergeConflict } from '../error/error.ts'
import { ownReferences } from './behind.ts'
import type { Resource } from './define.ts'
import { touch } from './touch.server.ts'
import type { Registry } from './uses.server.ts'

interface Reference {
  resource: Resource
  column: string
  /** What the column is called. */
  field: string
  isList: boolean
}

/** Columns of all resources that name records of one kind. Resources that share a table are met once. */
function referencesTo(registry: Registry, target: Resource): Reference[] {
  const found = new Map<string, Reference>()
  for (const { resource } of registry.values()) {
    for (const [column, field] of ownReferences(resource)) {
      // Where a node hangs decides more than its reference: its own module moves it.
      if (field.target().name !== target.name || (column === resource.tree && resource.table === target.table)) continue
      const key = `${resource.table}.${column}`
      if (!found.has(key)) found.set(key, { resource, column, field: field.label, isList: field.kind === 'reference_list' })
    }
  }
  return [...found.values()]
}

/**
 * Points everything that names one record at another that takes its place, deleted records too, since they may be restored.
 * @returns how many records of each kind were changed
 * @throws mergeConflict when both have a record of which there can be only one
 */
export async function moveReferences(tx: Queryable, registry: Registry, target: Resource, from: number, into: number): Promise<{ label: string; count: number }[]> {
  const moved: { label: string; count: number }[] = []
  for (const { resource, column, field, isList } of referencesTo(registry, target)) {
    const name = sql`t.${sql.identifier(column)}`
    const value = isList
      ? sql`case when ${name} @> array[${into}]::bigint[] then array_remove(${name}, ${from}::bigint) else array_replace(${name}, ${from}::bigint, ${into}::bigint) end`
      : sql`${into}`
    const match = isList ? sql`${name} @> array[${from}]::bigint[]` : sql`${name} = ${from}`
    const changed = await touch(tx, resource, { [column]: value }, match).catch((error: unknown) => {
      throw sqlState(error) === '23505' ? mergeConflict(resource.label) : error
    })
    if (changed.length > 0) moved.push({ label: `${resource.label}的${field}`, count: changed.length })
  }
  return moved
}
