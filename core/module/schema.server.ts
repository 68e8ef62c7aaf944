import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { getTableName, isTable } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Resource } from '../resource/define.ts'
import { checkSharing, tableOf } from '../resource/table.server.ts'

const root = join(import.meta.dirname, '../..')

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'fields' in value && 'api' in value && 'grant' in value
}

/** Every resource that a definition file exports, found by looking, so that none can be forgotten. */
export async function findResources(): Promise<Resource[]> {
  const found = new Map<string, Resource>()
  for await (const path of glob('{core,modules}/**/*.ts', { cwd: root, exclude: (name) => /\.(test|server)\.ts$/.test(name) })) {
    if (path.endsWith('.server.ts') || path.endsWith('.test.ts')) continue
    const exports = (await import(join(root, path))) as Record<string, unknown>
    for (const value of Object.values(exports).flat()) if (isResource(value)) found.set(value.name, value)
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/** Tables of which nothing that was written is ever changed, with the columns that say something: what `tables.server.ts` files export as `appendOnly`. */
export async function findAppendOnly(): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {}
  for await (const path of glob('{core,modules}/**/tables.server.ts', { cwd: root })) {
    const { appendOnly } = (await import(join(root, path))) as { appendOnly?: Record<string, readonly string[]> }
    Object.assign(found, appendOnly)
  }
  return found
}

/** Every table: those declared by hand in `tables.server.ts` files, and one for each resource. */
export async function findTables(): Promise<Record<string, PgTable>> {
  const tables: Record<string, PgTable> = {}
  for await (const path of glob('{core,modules}/**/tables.server.ts', { cwd: root })) {
    const exports = (await import(join(root, path))) as Record<string, unknown>
    for (const value of Object.values(exports)) if (isTable(value)) tables[getTableName(value)] = value as PgTable
  }
  for (const [name, [first, ...sharing]] of Map.groupBy(await findResources(), (resource) => resource.table)) {
    if (!first) continue
    checkSharing(name, [first, ...sharing])
    tables[name] ??= tableOf(first, ...sharing)
  }
  return tables
}
