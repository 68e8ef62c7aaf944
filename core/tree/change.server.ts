import { sql } from 'drizzle-orm'
import { generateNKeysBetween } from 'fractional-indexing'
import type { Queryable } from '../database/database.server.ts'
import { badRequest, invalid } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource } from '../resource/define.ts'
import { recordsWritten, type Row } from '../resource/list.server.ts'
import { moveFiles } from '../record-file/record-file.server.ts'
import { moveReferences } from '../resource/move-references.server.ts'
import { refuseRemoval } from '../resource/remove.server.ts'
import type { Registered, Registry } from '../resource/uses.server.ts'
import { touch } from '../resource/touch.server.ts'
import { insertMany } from '../setup/insert-many.server.ts'
import { childrenOf, keyAt, lastKey, ofTree } from '../resource/tree-order.server.ts'
import { pathBelow } from '../resource/tree-path.ts'
import { isBelow, isRoot, placeBelow, refuseNamesake, type NodeRow, type TreePosition } from '../resource/tree-place.server.ts'

/** Who changes a tree, and what is known of its records. */
export interface TreeContext {
  readonly service: Registered
  readonly staff: Staff
}

/** Puts a node with everything below it somewhere: one statement, whatever their number. */
async function hang(tx: Queryable, { service: { resource }, staff }: TreeContext, node: NodeRow, to: TreePosition, ord: string): Promise<NodeRow> {
  const [from, into] = [pathBelow(node), pathBelow({ id: node.id, path: to.path })]
  const own = sql`id = ${node.id}`
  const rows = await tx.query<NodeRow>(sql`update ${sql.identifier(resource.table)} set
      parent_id = case when ${own} then ${to.parent_id}::bigint else parent_id end, ord = case when ${own} then ${ord}::text else ord end,
      path = case when ${own} then ${to.path}::text else ${into}::text || substr(path, ${from.length + 1}::int) end, depth = depth + ${to.depth - node.depth}::int,
      rev = case when ${own} then rev + 1 else rev end, updated_at = case when ${own} then now() else updated_at end, updated_by = case when ${own} then ${staff.id}::bigint else updated_by end
    where ${own} or ${isBelow(node)} returning *`)
  recordsWritten(tx, resource.table)
  const moved = rows.find(({ id }) => id === node.id)
  if (!moved) throw new Error(`${resource.name} ${node.id} is gone while it is held`)
  return moved
}

/**
 * Moves a node, with everything below it, to a place among the children of a parent.
 * @param node locked, as the tree is
 * @param parentId null for the top
 * @param before id of the sibling before which it comes to stand; behind all of them without it
 * @throws AppError that says why it cannot stand there
 */
export async function moveNode(tx: Queryable, context: TreeContext, node: NodeRow, parentId: number | null, before?: number): Promise<NodeRow> {
  const { resource, rules } = context.service
  const place = await placeBelow(tx, resource, node, parentId, node)
  const below = place.parent_id !== node.parent_id
  if (below) await refuseNamesake(tx, resource, node, place.parent_id, node.id, node[resource.title])
  const ord = await keyAt(tx, resource, sql`${childrenOf(resource, node, place.parent_id)} and id <> ${node.id}`, before)
  const moved = await hang(tx, context, node, place, ord)
  if (below) await rules.tree?.moved?.({ tx, staff: context.staff, node: moved })
  return moved
}

/**
 * Lets a node take the place of another of the same tree. Children that both have by name are merged as well, the others come
 * along behind those that are there; whatever named the old node names the new one.
 * @param from locked, as `into` and the tree are
 * @throws AppError when it cannot be
 */
export async function mergeNodes(tx: Queryable, registry: Registry, context: TreeContext, from: NodeRow, into: NodeRow): Promise<void> {
  const { service: { resource, rules }, staff } = context
  const table = sql.identifier(resource.table)
  if (from.id === into.id) throw invalid({ into_id: `请选择另一个${resource.label}` })
  if (isRoot(resource, from)) throw invalid({ into_id: `顶层的${resource.label}不能合并` })
  if (pathBelow(into).startsWith(pathBelow(from))) throw invalid({ into_id: '不能合并到自己的下级' })
  const [same] = await tx.query(sql`select 1 from ${table} where id = ${into.id} and ${ofTree(resource, from)}`)
  if (!same) throw invalid({ into_id: `只能与同一${resource.tree?.group.map((key) => resource.fields[key]?.label).join('、') ?? ''}的${resource.label}合并` })
  const children = await tx.query<NodeRow>(sql`select * from ${table} where ${childrenOf(resource, from, from.id)} order by ord, id for no key update`)
  for (const child of children) {
    const [twin] = resource.tree?.namesakes ? [] : await tx.query<NodeRow>(sql`select * from ${table} where ${childrenOf(resource, from, into.id)} and ${sql.identifier(resource.title)} = ${child[resource.title]} and id <> ${from.id} for no key update`)
    if (twin) await mergeNodes(tx, registry, context, child, twin)
    else await moveNode(tx, context, child, into.id)
  }
  await moveReferences(tx, registry, resource, from.id, into.id)
  await moveFiles(tx, resource, from.id, into.id)
  await rules.tree?.merged?.({ tx, staff, from, into })
  await refuseRemoval(tx, { registry, staff }, resource.name, from.id)
  await touch(tx, resource, { merged_into: into.id, deleted_at: sql`now()` }, from.id)
}

/** Locks the children of a node that are named, which have to stand below one parent. @throws AppError when they do not */
export async function lockSiblings(tx: Queryable, resource: Resource, scope: ReturnType<typeof sql>, ids: readonly number[]): Promise<NodeRow[]> {
  const wanted = [...new Set(ids)]
  const rows = await tx.query<NodeRow>(sql`select * from ${sql.identifier(resource.table)} where id = any(${sql.param(wanted)}::bigint[]) and ${scope} order by id for no key update`)
  const [first] = rows
  if (!first || rows.length < wanted.length) throw badRequest(`部分${resource.label}不存在或已被删除，请刷新后重试`)
  const together = await tx.query(sql`select 1 from ${sql.identifier(resource.table)} where id = any(${sql.param(wanted)}::bigint[]) and ${childrenOf(resource, first, first.parent_id)}`)
  if (together.length < wanted.length) throw badRequest(`只能给同一上级下的${resource.label}排序`)
  return rows
}

/**
 * Inserts many nodes behind those that stand below their parents already, for base and demo data and for sheets: places are
 * made, nothing is checked.
 * @param nodes parents are there before; siblings come in this order
 * @returns the ids, in the order of the nodes
 */
export async function insertNodes<Found extends Row, Input extends Record<string, unknown>>(tx: Queryable, resource: Resource<Found, Input>, nodes: readonly Partial<Found>[]): Promise<number[]> {
  const rows: readonly Readonly<Record<string, unknown>>[] = nodes
  const parents = [...new Set(rows.flatMap((row) => (row['parent_id'] == null ? [] : [Number(row['parent_id'])])))]
  const known = new Map((await tx.query<NodeRow>(sql`select * from ${sql.identifier(resource.table)} where id = any(${sql.param(parents)}::bigint[])`)).map((parent) => [parent.id, parent]))
  const placed: Record<string, unknown>[] = rows.map((row) => {
    const parent = row['parent_id'] == null ? undefined : known.get(Number(row['parent_id']))
    return parent ? { ...row, path: pathBelow(parent), depth: Number(parent.depth) + 1 } : { ...row, parent_id: null, path: '/', depth: 0 }
  })
  const families = Map.groupBy(placed, (row) => JSON.stringify([row['parent_id'], ...(resource.tree?.group ?? []).map((key) => row[key])]))
  const last = new Map((await tx.query<{ parent_id: number; ord: string | null }>(sql`select parent_id, max(ord) as ord from ${sql.identifier(resource.table)}
    where parent_id = any(${sql.param(parents)}::bigint[]) and deleted_at is null group by parent_id`)).map(({ parent_id, ord }) => [parent_id, ord]))
  for (const family of families.values()) {
    const [first = {}] = family
    const parent = first['parent_id'] as number | null
    const keys = generateNKeysBetween(parent === null ? await lastKey(tx, resource, childrenOf(resource, first, null)) : last.get(parent) ?? null, null, family.length)
    family.forEach((row, index) => Object.assign(row, { ord: keys[index] }))
  }
  return insertMany(tx, resource, placed as never[])
}
