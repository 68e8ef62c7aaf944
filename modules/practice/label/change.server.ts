import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { badRequest, notFound, notGranted, staleWrite } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { Resource } from '../../../core/resource/define.ts'
import { insertNodes } from '../../../core/tree/change.server.ts'
import { refuseNamesake } from '../../../core/resource/tree-place.server.ts'
import { EDIT_GRANT, type SplitPart } from './calls.ts'
import { rebuildClosure } from './closure.server.ts'
import { knowledgeLabel, LABEL_KINDS, microLabel, practiceLabel, type LabelKind } from './label.ts'
import { labelScope, readNode, standing, type Label } from './read.server.ts'

/** The resource of each kind; as one type, because what is done here is the same for all. */
export const LABELS: Readonly<Record<LabelKind, Resource>> = { knowledge: knowledgeLabel, practice: practiceLabel, micro: microLabel }

/** Refuses a person who may not change trees of a kind. */
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
      const resource = LABELS[label.kind]
      await refuseNamesake(tx, resource, { ...label }, label.parent_id, undefined, name)
      const [made = 0] = await insertNodes(tx, resource, [{ kind: label.kind, subject_id: label.subject_id, parent_id: label.parent_id, name, status: 1, created_by: staff.id, updated_by: staff.id }])
      targetId = made
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
