import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import type { Resource } from '../../../core/resource/define.ts'
import type { Remover } from '../../../core/resource/remove.server.ts'
import { countUses } from '../../../core/resource/uses.server.ts'
import { pathKey, type OutlineNode } from './outline.ts'
import type { OutlineEffect } from './sheet.ts'

/** A tree that a sheet can be read into. */
export interface OutlineTree {
  readonly resource: Resource
  /** Which rows of the table belong to it. */
  readonly where: SQL
  /** What every node of it carries. */
  readonly fixed: Readonly<Record<string, unknown>>
  /** The node below which the first level of the sheet stands, if there is one. */
  readonly root: { id: number; path: string; depth: number } | null
  /** Columns beside the name that a sheet may change, with their SQL types. */
  readonly facts: Readonly<Record<string, string>>
}

interface Existing {
  id: number
  parent_id: number | null
  name: string
  path: string
  depth: number
  facts: Record<string, unknown>
}

/**
 * Brings a tree to what a sheet says: new nodes are added, facts and order follow the sheet. Nodes keep their ids.
 * @param mode `add` leaves alone what the sheet does not name; `rebuild` takes it away when nothing hangs on it
 * @param write false only counts
 */
export async function applyOutline(tx: Queryable, { registry, staff: { id: staffId } }: Remover, tree: OutlineTree, nodes: readonly OutlineNode[], mode: 'add' | 'rebuild', write: boolean): Promise<OutlineEffect> {
  const table = sql.identifier(tree.resource.table)
  const facts = Object.keys(tree.facts)
  const object = facts.length === 0 ? sql`'{}'::jsonb` : sql`jsonb_build_object(${sql.join(facts.flatMap((key) => [sql`${sql.raw(`'${key}'`)}`, sql`n.${sql.identifier(key)}`]), sql`, `)})`
  const existing = await tx.query<Existing>(sql`select n.id, n.parent_id, n.name, n.path, n.depth::int as depth, ${object} as facts
    from ${table} n where n.deleted_at is null and ${tree.where} order by n.depth, n.sort, n.id${write ? sql` for update` : sql``}`)
  const byId = new Map(existing.map((node) => [node.id, node]))
  const pathOf = (node: Existing): string[] => {
    const parent = node.parent_id === null || node.parent_id === tree.root?.id ? undefined : byId.get(node.parent_id)
    return [...(parent ? pathOf(parent) : []), node.name]
  }
  const known = new Map<string, { id: number; path: string; depth: number; row?: Existing }>()
  for (const node of existing) if (node.id !== tree.root?.id) known.set(pathKey(pathOf(node)), { id: node.id, path: node.path, depth: node.depth, row: node })

  const named = new Set(nodes.map(({ path }) => pathKey(path)))
  const changes = nodes.flatMap(({ path, facts: told }) => {
    const row = known.get(pathKey(path))?.row
    return row && Object.entries(told).some(([key, value]) => JSON.stringify(row.facts[key] ?? null) !== JSON.stringify(value)) ? [{ id: row.id, ...told }] : []
  })
  const absent = existing.filter((node) => node.id !== tree.root?.id && !named.has(pathKey(pathOf(node))))
  // Nodes themselves refer to those above them; what else needs one keeps it where it is.
  const uses = registry.get(tree.resource.name)?.usedBy.filter(({ onRemove, table: by }) => onRemove === 'refuse' && by !== tree.resource.table) ?? []
  const used = await countUses(tx, uses, absent.map(({ id }) => id), 1)
  // Whatever stands above something that stays has to stay too.
  const stays = new Set<number>()
  for (const node of absent) if (used.has(node.id)) for (let at: Existing | undefined = node; at; at = at.parent_id === null ? undefined : byId.get(at.parent_id)) stays.add(at.id)
  const kept = absent.filter(({ id }) => stays.has(id))
  const effect: OutlineEffect = {
    added: [...named].filter((key) => !known.has(key)).length, changed: changes.length, missing: absent.length, used: kept.length,
    examples: (mode === 'rebuild' ? absent : []).slice(0, 8).map((node) => `${pathOf(node).join(' › ')}${stays.has(node.id) ? '（还在使用，保留）' : ''}`),
  }
  if (!write) return effect

  for (let level = 1; level <= 5; level++) {
    const fresh = nodes.filter(({ path }) => path.length === level && !known.has(pathKey(path)))
    const rows = fresh.map(({ path, facts: told }) => {
      const above = level === 1 ? tree.root : known.get(pathKey(path.slice(0, -1))) ?? null
      return {
        ...tree.fixed, name: path.at(-1), parent_id: above?.id ?? null, path: above ? `${above.path}${above.id}/` : '/', depth: above ? above.depth + 1 : 0, sort: 0, created_by: staffId, updated_by: staffId, ...told,
      }
    })
    const ids = await insertMany(tx, tree.resource as Resource<never, never>, rows as never[])
    fresh.forEach(({ path }, index) => known.set(pathKey(path), { id: ids[index] ?? 0, path: String(rows[index]?.path), depth: Number(rows[index]?.depth) }))
  }
  for (const key of facts) {
    const some = changes.filter((change) => key in change)
    if (some.length === 0) continue
    await tx.query(sql`update ${table} n set ${sql.identifier(key)} = r.v, rev = rev + 1, updated_at = now(), updated_by = ${staffId}
      from jsonb_to_recordset(${JSON.stringify(some.map((change) => ({ id: change.id, v: (change as Record<string, unknown>)[key] })))}::jsonb) as r (id bigint, v ${sql.raw(tree.facts[key] ?? 'text')}) where n.id = r.id and n.${sql.identifier(key)} is distinct from r.v`)
  }
  const order = nodes.map(({ path }, index) => ({ id: known.get(pathKey(path))?.id, s: index * 10 + 10 }))
  await tx.query(sql`update ${table} n set sort = r.s from jsonb_to_recordset(${JSON.stringify(order)}::jsonb) as r (id bigint, s integer) where n.id = r.id and n.sort is distinct from r.s`)
  if (mode === 'rebuild') {
    const gone = absent.filter(({ id }) => !stays.has(id)).map(({ id }) => id)
    await tx.query(sql`update ${table} n set deleted_at = now(), rev = rev + 1, updated_at = now(), updated_by = ${staffId} where n.id = any(${sql.param(gone)}::bigint[])`)
  }
  return effect
}

/** Nodes of a tree with the names above them, in reading order, for a sheet. */
export async function readOutlineRows(db: Queryable, tree: Pick<OutlineTree, 'resource' | 'where' | 'root' | 'facts'>, extra: SQL = sql``): Promise<{ path: string[]; node: Record<string, unknown> }[]> {
  const columns = Object.keys(tree.facts).map((key) => sql`, n.${sql.identifier(key)}`)
  const all = await db.query<Record<string, unknown> & { id: number; parent_id: number | null; name: string }>(sql`select n.id, n.parent_id, n.name${sql.join(columns, sql``)}${extra}
    from ${sql.identifier(tree.resource.table)} n where n.deleted_at is null and ${tree.where} order by n.depth, n.sort, n.id`)
  const children = Map.groupBy(all, (node) => node.parent_id)
  const walk = (id: number | null, above: string[]): { path: string[]; node: Record<string, unknown> }[] =>
    (children.get(id) ?? []).flatMap((node) => [{ path: [...above, node.name], node }, ...walk(node.id, [...above, node.name])])
  return walk(tree.root?.id ?? null, [])
}
