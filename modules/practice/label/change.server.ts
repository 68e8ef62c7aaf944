import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { badRequest, invalid, notFound, notGranted, staleWrite } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { Resource } from '../../../core/resource/define.ts'
import { moveReferences } from '../../../core/resource/move-references.server.ts'
import { refuseRemoval, type Remover } from '../../../core/resource/remove.server.ts'
import { BELOW_ITSELF } from '../../../core/resource/tree.server.ts'
import { mergeSets } from '../selected/places.server.ts'
import { EDIT_GRANT, type SplitPart } from './calls.ts'
import { rebuildClosure } from './closure.server.ts'
import { knowledgeLabel, LABEL_KINDS, MAX_DEPTH, microLabel, pathBelow, practiceLabel, type LabelKind } from './label.ts'
import { atOrBelow, labelScope, readNode, standing, type Label } from './read.server.ts'
import { refuseSameName } from './rules.server.ts'

/** The resource of each kind; as one type, because what is done here is the same for all. */
export const LABELS = { knowledge: knowledgeLabel, practice: practiceLabel, micro: microLabel } as unknown as Readonly<Record<LabelKind, Resource>>

/** Refuses whoever may not change trees of a kind. */
export function checkKind(staff: Staff, kind: LabelKind, grants: Readonly<Record<LabelKind, number>> = EDIT_GRANT): void {
  if (!staff.modules.has(grants[kind])) throw notGranted(`编辑${choiceLabel(LABEL_KINDS, kind)}`)
}

/**
 * Locks a label that stands in a tree within the person's reach.
 * @throws AppError when there is none, or it changed since `rev`
 */
export async function lockLabel(tx: Queryable, staff: Staff, id: number, rev?: number): Promise<Label> {
  const [label] = await tx.query<Label & { updated_by: number | null }>(sql`select * from label where id = ${id} and ${standing} and ${labelScope(staff)} for update`)
  if (!label) throw notFound('标签')
  if (rev !== undefined && rev !== label.rev) {
    const [by] = await tx.query<{ name: string }>(sql`select name from staff where id = ${label.updated_by}`)
    throw staleWrite(by?.name, await readNode(tx, id))
  }
  return { ...label, alias: label.alias ?? [] }
}

/** Puts a label with everything below it under another parent; paths and the index of questions follow. */
async function hang(tx: Queryable, staffId: number, label: Label, parent: Pick<Label, 'id' | 'path' | 'depth'> | null): Promise<void> {
  const path = parent ? pathBelow(parent) : '/'
  const depth = parent ? parent.depth + 1 : 0
  const [deepest] = await tx.query<{ depth: number }>(sql`select max(depth)::int as depth from label where ${atOrBelow(label)} and ${standing}`)
  if ((deepest?.depth ?? label.depth) - label.depth + depth > MAX_DEPTH) throw invalid({ parent_id: `移动后超过 ${MAX_DEPTH} 级` })
  const [from, to] = [pathBelow(label), pathBelow({ id: label.id, path })]
  await tx.query(sql`update label set path = ${to} || substr(path, ${from.length + 1}::int), depth = depth + ${depth - label.depth} where path like ${`${from}%`}`)
  await tx.query(sql`update label set parent_id = ${parent?.id ?? null}, path = ${path}, depth = ${depth}, rev = rev + 1, updated_at = now(), updated_by = ${staffId} where id = ${label.id}`)
  await rebuildClosure(tx, sql`select pl.practice_id from practice_label pl join label l on l.id = pl.label_id where ${atOrBelow({ id: label.id, path }, 'l.')}`)
}

/** Numbers siblings anew, ten apart, with `moved` before `beforeId` or at the end. */
async function placeAmong(tx: Queryable, label: Pick<Label, 'id' | 'kind' | 'subject_id'>, parentId: number | null, beforeId: number | undefined): Promise<void> {
  const siblings = await tx.query<{ id: number }>(sql`select id from label where kind = ${label.kind} and subject_id = ${label.subject_id} and parent_id is not distinct from ${parentId}
    and ${standing} and id <> ${label.id} order by sort, id`)
  const ids = siblings.map(({ id }) => id)
  const place = beforeId === undefined ? -1 : ids.indexOf(beforeId)
  ids.splice(place < 0 ? ids.length : place, 0, label.id)
  await writeOrder(tx, ids)
}

/** Writes an order of siblings; those that stand right already are not touched. */
export async function writeOrder(tx: Queryable, ids: readonly number[]): Promise<void> {
  await tx.query(sql`update label set sort = u.place * 10 from unnest(${sql.param([...ids])}::bigint[]) with ordinality u(id, place) where label.id = u.id and label.sort is distinct from u.place * 10`)
}

/** Moves a label; see the call. */
export async function move(tx: Queryable, staff: Staff, label: Label, parentId: number | null, beforeId: number | undefined): Promise<void> {
  const parent = parentId === null ? null : await lockLabel(tx, staff, parentId)
  if (parent && (parent.kind !== label.kind || parent.subject_id !== label.subject_id)) throw invalid({ parent_id: '只能移动到同一学科的同类标签下' })
  if (parent && (parent.id === label.id || pathBelow(parent).startsWith(pathBelow(label)))) throw invalid({ parent_id: BELOW_ITSELF })
  if (parent?.id !== label.parent_id) {
    await refuseSameName(tx, { ...label, parent_id: parent?.id ?? null })
    await hang(tx, staff.id, label, parent)
  }
  await placeAmong(tx, label, parent?.id ?? null, beforeId)
}

/**
 * Lets `into` take the place of `label`. Children that both have by name are merged as well.
 * @returns number of questions that carried the label or one of the children that were merged
 */
export async function merge(tx: Queryable, { registry, staff }: Remover, label: Label, into: Label): Promise<number> {
  if (label.id === into.id) throw invalid({ into_id: '不能合并到自己' })
  if (label.kind !== into.kind || label.subject_id !== into.subject_id) throw invalid({ into_id: '只能合并到同一学科的同类标签' })
  if (label.parent_id === null) throw invalid({ into_id: '根标签不能合并' })
  if (pathBelow(into).startsWith(pathBelow(label))) throw invalid({ into_id: '不能合并到自己的子级' })
  let moved = 0
  const children = await tx.query<Label>(sql`select * from label where parent_id = ${label.id} and ${standing} order by sort, id for update`)
  for (const child of children) {
    const [twin] = await tx.query<Label>(sql`select * from label where parent_id = ${into.id} and name = ${child.name} and ${standing} for update`)
    if (twin) moved += await merge(tx, { registry, staff }, child, { ...twin, alias: twin.alias ?? [] })
    else await hang(tx, staff.id, child, into)
  }
  const changed = await tx.query<{ practice_id: number }>(sql`with gone as (delete from practice_label where label_id = ${label.id} returning practice_id, main),
    put as (insert into practice_label (practice_id, label_id, main) select practice_id, ${into.id}, main from gone
      on conflict (practice_id, label_id) do update set main = practice_label.main or excluded.main)
    select practice_id from gone`)
  await tx.query(sql`with gone as (delete from label_chapter where label_id = ${label.id} returning chapter_id)
    insert into label_chapter (label_id, chapter_id) select ${into.id}, chapter_id from gone on conflict do nothing`)
  await mergeSets(tx, 'label', label.id, into.id)
  await moveReferences(tx, registry, LABELS[label.kind], label.id, into.id)
  // What had the label for its first step may be the one that takes its place.
  await tx.query(sql`update label set prereq_ids = array_remove(prereq_ids, id) where id = ${into.id} and prereq_ids @> array[id]`)
  const alias = [...new Set([...into.alias, label.name, ...(label.alias ?? [])])].filter((name) => name !== into.name).slice(0, 20)
  into.alias = alias
  await tx.query(sql`update label set alias = ${sql.param(alias)}::text[], rev = rev + 1, updated_at = now(), updated_by = ${staff.id} where id = ${into.id}`)
  await refuseRemoval(tx, { registry, staff }, LABELS[label.kind].name, label.id)
  await tx.query(sql`update label set merged_into = ${into.id}, deleted_at = now(), rev = rev + 1, updated_at = now(), updated_by = ${staff.id} where id = ${label.id}`)
  await rebuildClosure(tx, sql`select unnest(${sql.param(changed.map((row) => row.practice_id))}::bigint[])`)
  return moved + changed.length
}

/** Condition on question `p` for one part of a split. */
function partCondition({ keyword, types, difficulties }: SplitPart) {
  const parts = [
    ...(keyword ? [sql`p.search_text ilike ${`%${keyword.replace(/[\\%_]/g, (char) => `\\${char}`)}%`}`] : []),
    ...(types?.length ? [sql`p.type = any(${sql.param(types)}::int[])`] : []),
    ...(difficulties?.length ? [sql`p.difficulty = any(${sql.param(difficulties)}::int[])`] : []),
  ]
  if (parts.length === 0) throw badRequest('每一部分都要有筛选条件')
  return sql.join(parts, sql` and `)
}

/** Divides a label; see the call. */
export async function split(tx: Queryable, staff: Staff, label: Label, parts: readonly SplitPart[], dry: boolean) {
  if (label.parent_id === null) throw badRequest('根标签不能拆分')
  const done: { name: string; label_id: number | null; practices: number }[] = []
  const taken: number[] = []
  for (const part of parts) {
    const target = part.label_id === undefined ? undefined : await lockLabel(tx, staff, part.label_id)
    if (target && (target.kind !== label.kind || target.subject_id !== label.subject_id || target.id === label.id)) throw badRequest('只能拆分到同一学科的其他同类标签')
    const name = target?.name ?? part.name
    if (!name) throw badRequest('请填写新标签的名称')
    const found = await tx.query<{ id: number; main: boolean }>(sql`select p.id, pl.main from practice_label pl join practice p on p.id = pl.practice_id
      where pl.label_id = ${label.id} and ${partCondition(part)} and not p.id = any(${sql.param(taken)}::bigint[])`)
    const ids = found.map((row) => row.id)
    taken.push(...ids)
    done.push({ name, label_id: target?.id ?? null, practices: ids.length })
    if (dry) continue
    let targetId = target?.id
    if (targetId === undefined) {
      await refuseSameName(tx, { kind: label.kind, subject_id: label.subject_id, parent_id: label.parent_id, name })
      const [row] = await tx.query<{ id: number }>(sql`insert into label (kind, subject_id, parent_id, name, path, depth, sort, status, created_by, updated_by)
        values (${label.kind}, ${label.subject_id}, ${label.parent_id}, ${name}, ${label.path}, ${label.depth}, ${label.sort}, 1, ${staff.id}, ${staff.id}) returning id`)
      targetId = row?.id ?? 0
      const last = done.at(-1)
      if (last) last.label_id = targetId
    }
    await tx.query(sql`with gone as (delete from practice_label where label_id = ${label.id} and practice_id = any(${sql.param(ids)}::bigint[]) returning practice_id, main)
      insert into practice_label (practice_id, label_id, main) select practice_id, ${targetId}, main from gone
      on conflict (practice_id, label_id) do update set main = practice_label.main or excluded.main`)
  }
  const [rest] = await tx.query<{ n: number }>(sql`select count(*) as n from practice_label where label_id = ${label.id}${dry ? sql` and not practice_id = any(${sql.param(taken)}::bigint[])` : sql``}`)
  if (!dry) await rebuildClosure(tx, sql`select unnest(${sql.param(taken)}::bigint[])`)
  return { parts: done, rest: rest?.n ?? 0 }
}
