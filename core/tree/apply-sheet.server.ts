import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { badRequest } from '../error/error.ts'
import { touch } from '../resource/touch.server.ts'
import { countUses } from '../resource/uses.server.ts'
import { insertNodes, type TreeContext } from './change.server.ts'
import { pathKey, type SheetNode } from './level-sheet.ts'
import { childrenOf, ofTree, orderSiblings } from '../resource/tree-order.server.ts'
import type { SheetEffect } from './sheet-calls.ts'

/** Which tree a sheet is read into, and how. */
export interface SheetChange {
  /** What all its nodes share. */
  readonly values: Readonly<Record<string, unknown>>
  /** `add` leaves alone what the sheet does not name; `rebuild` takes it away when nothing needs it. */
  readonly mode: 'add' | 'rebuild'
  /** False only counts. */
  readonly write: boolean
}

interface Existing extends Record<string, unknown> {
  id: number
  parent_id: number | null
  name: string
}

/** Names of nodes that a report shows. */
const EXAMPLES = 8

/**
 * Brings a tree to what a sheet says: new nodes are added, facts and order follow the sheet. Nodes keep their ids.
 * The tree is held.
 */
export async function applySheet(tx: Queryable, context: TreeContext, nodes: readonly SheetNode[], { values, mode, write }: SheetChange): Promise<SheetEffect> {
  const { service: { resource, rules }, staff } = context
  const table = sql.identifier(resource.table)
  const title = sql.identifier(resource.title)
  const facts = resource.tree?.facts ?? []
  const existing = await tx.query<Existing>(sql`select id, parent_id, ${title} as name${sql.join(facts.map((key) => sql`, ${sql.identifier(key)}`))}
    from ${table} where deleted_at is null and ${ofTree(resource, values)} order by depth, ord, id${write ? sql` for no key update` : sql``}`)
  const root = resource.tree?.rooted ? existing.find(({ parent_id }) => parent_id === null) : undefined
  if (resource.tree?.rooted && !root) throw badRequest(`这里还没有顶层的${resource.label}`)
  const below = existing.filter((node) => node !== root)
  const byId = new Map(below.map((node) => [node.id, node]))
  const pathOf = (node: Existing): string[] => {
    const parent = node.parent_id === null ? undefined : byId.get(node.parent_id)
    return [...(parent ? pathOf(parent) : []), node.name]
  }
  const ids = new Map(below.map((node) => [pathKey(pathOf(node)), node.id]))
  const known = new Set(ids.keys())
  const named = new Set(nodes.map(({ path }) => pathKey(path)))
  const changes = nodes.flatMap(({ path, facts: told }) => {
    const node = byId.get(ids.get(pathKey(path)) ?? 0)
    return node && Object.entries(told).some(([key, value]) => JSON.stringify(node[key] ?? null) !== JSON.stringify(value)) ? [{ id: node.id, ...told }] : []
  })
  const absent = below.filter((node) => !named.has(pathKey(pathOf(node))))
  // Nodes themselves refer to those above them; what else needs one keeps it where it is.
  const uses = context.service.usedBy.filter(({ onRemove, table: by }) => onRemove === 'refuse' && by !== resource.table)
  const used = await countUses(tx, uses, absent.map(({ id }) => id), 1)
  // Whatever stands above something that stays has to stay too.
  const stays = new Set<number>()
  for (const node of absent) if (used.has(node.id)) for (let at: Existing | undefined = node; at; at = at.parent_id === null ? undefined : byId.get(at.parent_id)) stays.add(at.id)
  const effect: SheetEffect = {
    added: [...named].filter((key) => !known.has(key)).length, changed: changes.length, missing: absent.length, used: absent.filter(({ id }) => stays.has(id)).length,
    examples: (mode === 'rebuild' ? absent : []).slice(0, EXAMPLES).map((node) => `${pathOf(node).join(' › ')}${stays.has(node.id) ? '（还在使用，保留）' : ''}`),
  }
  if (!write) return effect

  const parentOf = (path: readonly string[]) => (path.length === 1 ? root?.id ?? null : ids.get(pathKey(path.slice(0, -1))) ?? null)
  const levels = Math.max(0, ...nodes.map(({ path }) => path.length))
  for (let level = 1; level <= levels; level++) {
    const fresh = nodes.filter(({ path }) => path.length === level && !known.has(pathKey(path)))
    const rows = fresh.map(({ path, facts: told }) => ({ ...values, ...resource.where, [resource.title]: path.at(-1), parent_id: parentOf(path), created_by: staff.id, updated_by: staff.id, ...told }))
    for (const row of rows) await rules.before?.({ tx, staff, values: row, row: undefined })
    const made = await insertNodes(tx, resource, rows)
    fresh.forEach(({ path }, index) => ids.set(pathKey(path), made[index] ?? 0))
  }
  for (const key of facts) {
    const some = changes.filter((change) => key in change).map((change) => ({ id: change.id, v: (change as Record<string, unknown>)[key] }))
    if (some.length === 0) continue
    await touch(tx, resource, { [key]: sql`r.v` }, sql`t.id = r.id and t.${sql.identifier(key)} is distinct from r.v`, { from: sql`jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as r (id bigint, v ${sql.raw(resource.fields[key]?.column ?? 'text')})` })
  }
  for (const [parent, family] of Map.groupBy(nodes, ({ path }) => parentOf(path))) {
    await orderSiblings(tx, resource, childrenOf(resource, values, parent), family.flatMap(({ path }) => ids.get(pathKey(path)) ?? []))
  }
  if (mode === 'rebuild') {
    const gone = absent.filter(({ id }) => !stays.has(id)).map(({ id }) => id)
    await touch(tx, resource, { deleted_at: sql`now()` }, gone)
  }
  return effect
}
