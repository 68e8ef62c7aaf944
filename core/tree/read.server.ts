import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { badRequest, notFound } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource } from '../resource/define.ts'
import { shownName } from '../resource/names.ts'
import type { ResourceService } from '../resource/serve.server.ts'
import { first, keptCondition, likeText, pickableCondition, scopeCondition, type Query } from '../resource/where.server.ts'
import type { FoundNode, NodeWithPath, TreeNode } from './calls.ts'
import { isBelowRow } from '../resource/tree-place.server.ts'

/** Nodes of one level that an answer holds; of more, people look for what they want. */
const LEVEL = 3000
/** Nodes that a search answers. */
const FOUND = 50

/** Which tree is meant: conditions on the bare table from the fields by which the table falls into trees. */
export function groupCondition(resource: Resource, query: Query): SQL {
  return sql.join([sql`true`, ...(resource.tree?.group ?? []).flatMap((key) => keptCondition(resource, key, query) ?? [])], sql` and `)
}

/** Nodes of a tree that an inner query of whole rows gives, as the wire has them. */
async function nodes(db: Queryable, { resource, rules }: ResourceService, staff: Staff, inner: SQL): Promise<TreeNode[]> {
  const table = sql.identifier(resource.table)
  // Who only refers to nodes sees names; what else a node shows belongs to its own screen.
  const shows = staff.modules.has(resource.grant) ? resource.tree?.shows ?? [] : []
  const columns = shows.map((key) => sql`, ${rules.computed?.[key] ? sql`(${rules.computed[key]})` : sql`t.${sql.identifier(key)}`} as ${sql.identifier(key)}`)
  const rows = await db.query<TreeNode & { name: string | null }>(sql`select t.id, t.rev, t.parent_id, t.${sql.identifier(resource.title)} as name,
    (select count(*)::int from ${table} d where ${isBelowRow('d', 't')} and d.deleted_at is null) as below${sql.join(columns)}
    from (${inner}) t order by t.ord, t.id`)
  return rows.map((row) => ({ ...row, name: shownName(resource, staff, row.name ?? '') }))
}

/** Condition for the top of what a person sees: what has no parent, a hidden root's children, or what hangs below something hidden from them. */
function atTop(resource: Resource, staff: Staff): SQL {
  const table = sql.identifier(resource.table)
  const roots = resource.tree?.rooted ? sql`parent_id in (select id from ${table} where parent_id is null)` : sql`parent_id is null`
  return scopeCondition(resource, staff) ? sql`(${roots} or (parent_id is not null and parent_id not in (select id from ${table} where ${pickableCondition(resource, staff)})))` : roots
}

/** The children of a node, or the top of the trees that the query means. */
export async function readLevel(db: Queryable, service: ResourceService, staff: Staff, query: Query): Promise<TreeNode[]> {
  const { resource } = service
  const parent = first(query, 'parent_id')
  if (parent !== undefined && !/^\d{1,15}$/.test(parent)) throw badRequest('上级编号有误')
  const where = parent === undefined ? atTop(resource, staff) : sql`parent_id = ${Number(parent)}`
  return nodes(db, service, staff, sql`select * from ${sql.identifier(resource.table)} where ${pickableCondition(resource, staff)} and ${groupCondition(resource, query)} and ${where} order by ord, id limit ${sql.raw(String(LEVEL))}`)
}

/** Names above rows `l` of the table, from the top; a hidden root is left out. */
const namesAbove = ({ table, title, tree }: Resource): SQL => sql`array(select a.${sql.identifier(title)} from unnest(string_to_array(trim(both '/' from l.path), '/')) with ordinality u (id, place)
  join ${sql.identifier(table)} a on a.id = nullif(u.id, '')::bigint${tree?.rooted ? sql` where a.parent_id is not null` : sql``} order by u.place)`

/** Nodes whose name, or one of the facts that are words, holds a text; those that begin with it first. */
export async function findNodes(db: Queryable, { resource }: ResourceService, staff: Staff, query: Query): Promise<FoundNode[]> {
  const words = (first(query, 'keyword') ?? '').trim().slice(0, 60)
  if (words === '') throw badRequest('请输入搜索内容')
  const title = sql.identifier(resource.title)
  const like = `%${likeText(words)}%`
  const texts = (resource.tree?.facts ?? []).flatMap((key) => {
    const column = resource.fields[key]?.column
    return column === 'text' ? [sql`${sql.identifier(key)} ilike ${like}`] : column === 'text[]' ? [sql`array_to_string(${sql.identifier(key)}, ' ') ilike ${like}`] : []
  })
  const rows = await db.query<{ id: number; name: string | null; above: string[] }>(sql`select l.id, l.${title} as name, ${namesAbove(resource)} as above from (
      select * from ${sql.identifier(resource.table)} where ${pickableCondition(resource, staff)} and ${groupCondition(resource, query)}${resource.tree?.rooted ? sql` and parent_id is not null` : sql``}
        and (${sql.join([sql`${title} ilike ${like}`, ...texts], sql` or `)})
    ) l order by (l.${title} = ${words}) desc, (l.${title} ilike ${`${likeText(words)}%`}) desc, length(l.${title}), l.id limit ${sql.raw(String(FOUND))}`)
  return rows.map((row) => ({ ...row, name: shownName(resource, staff, row.name ?? '') }))
}

/**
 * Ids that nodes have today: a merged one's id means what took its place.
 * @returns old id → living id; ids that mean nothing any more are absent
 */
export async function resolveNodes(db: Queryable, { table, tree }: Resource, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const today = tree?.merges ? sql`coalesce(a.merged_into, a.id)` : sql`a.id`
  const rows = await db.query<{ asked: number; id: number }>(sql`select a.id as asked, l.id from ${sql.identifier(table)} a join ${sql.identifier(table)} l on l.id = ${today}
    where a.id = any(${sql.param([...new Set(ids)])}::bigint[]) and l.deleted_at is null`)
  return new Map(rows.map((row) => [row.asked, row.id]))
}

/** A node with what stands above it. @throws notFound when the person sees none */
export async function readNodeWithPath(db: Queryable, service: ResourceService, staff: Staff, asked: number): Promise<NodeWithPath> {
  const { resource } = service
  const table = sql.identifier(resource.table)
  const id = (await resolveNodes(db, resource, [asked])).get(asked) ?? 0
  const [node] = await nodes(db, service, staff, sql`select * from ${table} where id = ${id} and ${pickableCondition(resource, staff)}`)
  if (!node) throw notFound(resource.label)
  const above = await db.query<{ id: number; name: string }>(sql`select a.id, a.${sql.identifier(resource.title)} as name
    from (select path from ${table} where id = ${id}) l, unnest(string_to_array(trim(both '/' from l.path), '/')) with ordinality u (id, place)
    join ${table} a on a.id = nullif(u.id, '')::bigint${resource.tree?.rooted ? sql` where a.parent_id is not null` : sql``} order by u.place`)
  return { node, above: above.map((one) => ({ ...one, name: shownName(resource, staff, one.name) })) }
}

/**
 * SQL that counts the records of another resource at a node and below it, for a computed field of the tree.
 * @param by the other resource
 * @param key its reference to the tree, one or several
 * @example computed: { asset_cnt: countBelow(materialTag, asset, 'tag_ids') }
 */
export function countBelow(tree: Pick<Resource, 'table'>, by: Pick<Resource, 'table' | 'fields'>, key: string): SQL {
  const [own, other, column] = [sql.identifier(tree.table), sql.identifier(by.table), sql.identifier(key)]
  const branch = sql`array(select d.id from ${own} d where d.id = t.id or ${isBelowRow('d', 't')})`
  const named = by.fields[key]?.refers === 'many' ? sql`r.${column} && ${branch}` : sql`r.${column} = any(${branch})`
  return sql`select count(*)::int from ${other} r where r.deleted_at is null and ${named}`
}
