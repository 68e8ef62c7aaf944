import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { badRequest, invalid } from '../error/error.ts'
import type { Resource } from './define.ts'
import type { Row } from './list.server.ts'
import { setDerived } from './touch.server.ts'
import { BELOW_ITSELF, lockTree, refuseCycle } from './tree.server.ts'
import { childrenOf, keyAt, ofTree } from './tree-order.server.ts'
import { pathBelow } from './tree-path.ts'

/** What a change of a tree knows of a node. */
export interface Node {
  readonly id: number
  readonly path: string
  readonly depth: number
}

/** A record with the columns of a tree. */
export type NodeRow = Row & Node & { readonly parent_id: number | null; readonly ord: string | null }

type Values = Readonly<Record<string, unknown>>

/** Condition for everything below a node: paths are compared byte by byte, and `0` is the character behind `/`. */
export function isBelow(node: Pick<Node, 'id' | 'path'>, alias = ''): SQL {
  const from = pathBelow(node)
  const path = sql.raw(`${alias}path`)
  return sql`(${path} >= ${from} and ${path} < ${`${from.slice(0, -1)}0`})`
}

/** The same of a row of another table in the same statement. */
export const isBelowRow = (alias: string, above: string): SQL =>
  sql.raw(`(${alias}.path >= ${above}.path || ${above}.id || '/' and ${alias}.path < ${above}.path || ${above}.id || '0')`)

/** Levels of a node as people count them: a hidden root is none. */
const levelOf = ({ tree }: Resource, depth: number) => depth + (tree?.rooted ? 0 : 1)

/** The record below which the tree of these values hangs; undefined where it has none. */
async function rootOf(tx: Queryable, resource: Resource, values: Values): Promise<NodeRow | undefined> {
  if (!resource.tree?.rooted) return undefined
  const [root] = await tx.query<NodeRow>(sql`select * from ${sql.identifier(resource.table)} where ${childrenOf(resource, values, null)} order by ord, id limit 1`)
  return root
}

/** Whether a record is the hidden root of its tree. */
export const isRoot = ({ tree }: Resource, row: { readonly parent_id?: unknown }): boolean => tree?.rooted === true && (row.parent_id ?? null) === null

async function readNode(tx: Queryable, resource: Resource, id: number): Promise<NodeRow> {
  const [row] = await tx.query<NodeRow>(sql`select * from ${sql.identifier(resource.table)} where id = ${id} and deleted_at is null`)
  const label = resource.fields['parent_id']?.label ?? ''
  if (!row) throw invalid({ parent_id: `${label}不存在或已被删除，请重新选择` })
  return row
}

/** Refuses a name that a sibling has already (domain 1.19). */
export async function refuseNamesake(tx: Queryable, resource: Resource, values: Values, parentId: number | null, id: number | undefined, name: unknown): Promise<void> {
  if (resource.tree?.namesakes) return
  const [same] = await tx.query(sql`select 1 from ${sql.identifier(resource.table)} where ${childrenOf(resource, values, parentId)} and ${sql.identifier(resource.title)} = ${name} and id <> ${id ?? 0} limit 1`)
  if (same) throw invalid({ [resource.title]: '同级下已存在同名项' })
}

/** Where a node is to stand. */
export interface TreePosition {
  readonly parent_id: number | null
  readonly path: string
  readonly depth: number
}

/**
 * The place below a parent, after all that can be wrong with it was refused.
 * @param values what says which tree it is
 * @param node what is there already and comes with everything below it
 * @throws AppError that names the field
 */
export async function placeBelow(tx: Queryable, resource: Resource, values: Values, parentId: number | null, node?: NodeRow): Promise<TreePosition> {
  const { tree, label } = resource
  const parent = parentId === null ? await rootOf(tx, resource, values) : await readNode(tx, resource, parentId)
  if (node && isRoot(resource, node)) throw badRequest(`顶层的${label}不能移动`)
  if (!parent) return { parent_id: null, path: '/', depth: 0 }
  if (node && (parent.id === node.id || pathBelow(parent).startsWith(pathBelow(node)))) throw invalid({ parent_id: BELOW_ITSELF })
  const [same] = await tx.query(sql`select 1 from ${sql.identifier(resource.table)} where id = ${parent.id} and ${ofTree(resource, values)}`)
  if (!same) {
    const by = tree?.group.map((key) => resource.fields[key]?.label ?? key).join('、')
    throw invalid({ parent_id: `${resource.fields['parent_id']?.label ?? ''}应为同一${by || label}的${label}` })
  }
  const [deepest] = node ? await tx.query<{ depth: number | null }>(sql`select max(depth)::int as depth from ${sql.identifier(resource.table)} where ${isBelow(node)} and deleted_at is null`) : []
  const height = Math.max(0, (deepest?.depth ?? 0) - (node?.depth ?? 0))
  const depth = Number(parent.depth) + 1
  if (tree && levelOf(resource, depth + height) > tree.levels) throw invalid({ parent_id: `${label}最多 ${tree.levels} 级` })
  return { parent_id: parent.id, path: pathBelow(parent), depth }
}

/** Takes everything below a node along to where it will stand. One statement, whatever their number; removed ones come too. */
export async function takeAlong(tx: Queryable, resource: Resource, node: NodeRow, to: TreePosition): Promise<void> {
  const [from, into] = [pathBelow(node), pathBelow({ id: node.id, path: to.path })]
  await setDerived(tx, resource, { path: sql`${into}::text || substr(t.path, ${from.length + 1}::int)`, depth: sql`t.depth + ${to.depth - node.depth}::int` }, isBelow(node, 't.'))
}

/**
 * Gives a record that is about to be written its place in the tree: path, depth and key are added to the values, and what
 * stands below it comes along. A resource that is no tree is only kept from circles.
 * @param row the record as stored, locked; undefined for a new one
 * @param values what will be written
 * @returns whether it comes to hang below another parent; `rules.tree.moved` is asked once it is written
 * @throws AppError when it cannot stand there
 */
export async function placeInTree(tx: Queryable, resource: Resource, row: Row | undefined, values: Record<string, unknown>): Promise<boolean> {
  if (!resource.tree) {
    if (row) await refuseCycle(tx, resource, row.id, values)
    return false
  }
  const node = row as NodeRow | undefined
  const all = { ...row, ...values }
  const asked = (all['parent_id'] ?? null) as number | null
  const moves = !node || asked !== node.parent_id
  if (!moves && all[resource.title] === node[resource.title]) return false
  // Two changes at once could together do what each alone may not: a circle, one level too many, the same name twice.
  await lockTree(tx, resource.table)
  if (!moves) {
    await refuseNamesake(tx, resource, all, node.parent_id, node.id, all[resource.title])
    return false
  }
  const place = await placeBelow(tx, resource, all, asked, node)
  await refuseNamesake(tx, resource, all, place.parent_id, node?.id, all[resource.title])
  const ord = await keyAt(tx, resource, sql`${childrenOf(resource, all, place.parent_id)} and id <> ${node?.id ?? 0}`)
  Object.assign(values, place, { ord })
  if (node) await takeAlong(tx, resource, node, place)
  return node !== undefined
}

/**
 * Refuses to bring back a record into a tree in which another took its place, or its name, or which has no level for it.
 * The tree is held.
 * @throws AppError that says so
 */
export async function refuseReturn(tx: Queryable, resource: Resource, row: Row): Promise<void> {
  const { tree, label } = resource
  if (!tree) return
  if (tree.merges && (row['merged_into'] ?? null) !== null) throw badRequest(`该${label}已经合并，不能恢复`)
  const node = row as NodeRow
  if (levelOf(resource, Number(node.depth)) > tree.levels) throw badRequest(`${label}最多 ${tree.levels} 级，无法恢复`)
  await refuseNamesake(tx, resource, row, node.parent_id, row.id, row[resource.title])
}
