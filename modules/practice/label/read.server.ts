import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { notFound } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { scopeCondition } from '../../../core/resource/where.server.ts'
import type { LabelBranch, LabelNode, NamedLabel } from './calls.ts'
import { resolveNodes } from '../../../core/tree/read.server.ts'
import { knowledgeLabel, type LabelKind } from './label.ts'

/** A label as a change of its tree needs it. */
export interface Label {
  id: number
  rev: number
  kind: LabelKind
  subject_id: number
  parent_id: number | null
  name: string
  alias: string[]
  path: string
  depth: number
}

/** What limits the labels that a person sees; all kinds are limited alike. */
export const labelScope = (staff: Staff): SQL => scopeCondition(knowledgeLabel, staff) ?? sql`true`

/** Labels that stand in a tree. */
export const standing = sql`deleted_at is null and merged_into is null`

/** Rows for nodes `l` that an inner query gives, siblings all or none, with the numbers of questions at and below them. */
function nodes(inner: SQL, order: SQL = sql`l.ord, l.id`): SQL {
  const count = (pool: string) => sql`(select count(*)::int from practice_label_tree c where c.label_id = l.id and c.pool = ${pool})`
  return sql`select l.id, l.rev, l.kind, l.subject_id as cat_id, l.parent_id as pid, l.name, coalesce(l.alias, '{}') as alias, l.code, l.colour, l.importance, l.exam_freq,
    l.depth::int as depth, (row_number() over (partition by l.kind, l.subject_id, l.parent_id order by l.ord, l.id) * 10)::int as sort, l.status,
    exists (select 1 from label x where x.parent_id = l.id and x.deleted_at is null and x.merged_into is null) as has_children,
    ${count('back')} as back_count, ${count('official')} as official_count
    from (${inner}) l order by ${order}`
}

/** What the children of a label are asked for. */
export interface LevelQuery {
  pid?: number | undefined
  cat_id?: number | undefined
  kind?: LabelKind | undefined
}

/** One level of a tree: the children of `pid`, else the roots. */
export function readLevel(db: Queryable, staff: Staff, { pid, cat_id, kind }: LevelQuery): Promise<LabelNode[]> {
  const parts = [labelScope(staff), standing, pid === undefined ? sql`parent_id is null` : sql`parent_id = ${pid}`]
  if (cat_id !== undefined) parts.push(sql`subject_id = ${cat_id}`)
  if (kind !== undefined) parts.push(sql`kind = ${kind}`)
  return db.query<LabelNode>(nodes(sql`select * from label where ${sql.join(parts, sql` and `)} order by subject_id, ord, id limit 3000`, sql`l.subject_id, l.ord, l.id`))
}

/** The one root under which a kind of tree of a subject hangs, or undefined where its groups have none above them. */
export async function subjectRoot(db: Queryable, kind: LabelKind, subjectId: number): Promise<Label | undefined> {
  const [root] = await db.query<Label>(sql`select * from label where kind = ${kind} and subject_id = ${subjectId} and parent_id is null and ${standing} order by ord, id limit 1`)
  return root
}

/** The top level that people see: what stands below the subject's own root of knowledge, or the groups of the other kinds. */
export async function readTop(db: Queryable, staff: Staff, kind: LabelKind, subjectId: number | undefined): Promise<LabelNode[]> {
  if (kind !== 'knowledge' || subjectId === undefined) return readLevel(db, staff, { kind, cat_id: subjectId })
  const root = await subjectRoot(db, kind, subjectId)
  return root ? readLevel(db, staff, { pid: root.id }) : []
}

/** Whole trees of a kind, of one subject or of all subjects of a level. Leaves have no list of children. */
export async function readTree(db: Queryable, staff: Staff, { kind, cat_id, level }: { kind: LabelKind; cat_id?: number | undefined; level?: number | undefined }): Promise<LabelBranch[]> {
  const parts = [labelScope(staff), standing, sql`kind = ${kind}`]
  if (cat_id !== undefined) parts.push(sql`subject_id = ${cat_id}`)
  if (level !== undefined) parts.push(sql`subject_id in (select id from subject where level = ${level})`)
  const all = await db.query<LabelNode>(nodes(sql`select * from label where ${sql.join(parts, sql` and `)}`, sql`l.subject_id, l.depth, l.ord, l.id`))
  return growTree(all)
}

/** Puts nodes that come parents first into a tree; a node whose parent is not among them is a root. */
export function growTree(all: readonly LabelNode[]): LabelBranch[] {
  const known = new Map<number, LabelBranch>()
  const roots: LabelBranch[] = []
  for (const node of all) {
    const branch: LabelBranch = { ...node }
    known.set(node.id, branch)
    const parent = node.pid === null ? undefined : known.get(node.pid)
    if (parent) (parent.children ??= []).push(branch)
    else roots.push(branch)
  }
  return roots
}

/** One node as the wire shows it. */
export async function readNode(db: Queryable, id: number): Promise<LabelNode> {
  const [node] = await db.query<LabelNode>(sql`select * from (${nodes(sql`select s.* from label l join label s on s.kind = l.kind and s.subject_id = l.subject_id and s.parent_id is not distinct from l.parent_id and s.deleted_at is null where l.id = ${id}`)}) n where n.id = ${id}`)
  if (!node) throw notFound('标签')
  return node
}

/** Ids that labels of any kind have today: a merged label's id means the one that took its place. */
export const resolveLabels = (db: Queryable, ids: readonly number[]): Promise<Map<number, number>> => resolveNodes(db, knowledgeLabel, ids)

/** Labels that an inner query of `id` and `place` gives, with the names above them. */
function named(inner: SQL, extra: SQL = sql``): SQL {
  return sql`select l.id, l.name, l.kind, l.subject_id as cat_id${extra},
    array(select a.name from unnest(string_to_array(trim(both '/' from l.path), '/')) with ordinality u(id, place) join label a on a.id = nullif(u.id, '')::bigint
      where a.kind <> 'knowledge' or a.parent_id is not null order by u.place) as above
    from (${inner}) w join label l on l.id = w.id order by w.place`
}

/** Names labels, in the order of the ids. */
export async function nameLabels(db: Queryable, ids: readonly number[]): Promise<NamedLabel[]> {
  if (ids.length === 0) return []
  const today = await resolveLabels(db, ids)
  const living = [...new Set(ids.flatMap((id) => today.get(id) ?? []))]
  return db.query<NamedLabel>(named(sql`select * from unnest(${sql.param(living)}::bigint[]) with ordinality u(id, place)`))
}

/** Labels of one question, the main one first. */
export function labelsOfPractice(db: Queryable, practiceId: number): Promise<(NamedLabel & { main: boolean })[]> {
  return db.query(named(sql`select label_id as id, main, case when main then 0 else 1 end as place from practice_label where practice_id = ${practiceId}`, sql`, w.main`))
}

/** Labels that a person, or else everybody, has given most often during the last three months. */
export async function readCommon(db: Queryable, staff: Staff, kind: LabelKind, catId: number | undefined): Promise<NamedLabel[]> {
  const used = (who: SQL) => db.query<NamedLabel>(named(sql`
    select pl.label_id as id, -count(*) as place from practice_label pl join practice p on p.id = pl.practice_id
    where p.updated_at > now() - interval '90 days' and p.deleted_at is null and ${who}
      and pl.label_id in (select id from label where kind = ${kind} and parent_id is not null and ${standing} and ${labelScope(staff)}${catId === undefined ? sql`` : sql` and subject_id = ${catId}`})
    group by pl.label_id order by count(*) desc, pl.label_id limit 30`))
  const own = await used(sql`p.owner_id = ${staff.id}`)
  return own.length > 0 ? own : used(sql`true`)
}
