import { touch } from '../../../core/resource/touch.server.ts'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Call } from '../../../core/endpoint/serve.server.ts'
import { invalid, wrongState } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { checkRecord } from '../../../core/resource/rules.ts'
import { holdTargets } from '../../../core/resource/write.server.ts'
import { attempt } from '../../../core/transfer/over-records.server.ts'
import { PAIR_STATE } from '../compare/calls.ts'
import { closePairs } from '../compare/pairs.server.ts'
import { rebuildClosure } from '../label/closure.server.ts'
import { reopenReports } from '../report/settle.server.ts'
import { lockPractices, type PracticeRow } from './access.server.ts'
import { checkAction } from './held.server.ts'
import type { BulkChanges, BulkDone } from './calls.ts'
import { practice, STATUS, STATUSES } from './practice.ts'
import type { Edge } from './state.ts'
import { readLabels } from './write.server.ts'

/** Does something with each of several questions in one transaction; whatever refuses one leaves it alone and goes on. */
export async function each(call: Call, ids: readonly number[], action: string, work: (tx: Queryable, row: PracticeRow) => Promise<void>): Promise<BulkDone> {
  return call.transaction(async (tx) => {
    const rows = await lockPractices(tx, call.staff, ids)
    const done: BulkDone = { done: 0, skipped: ids.filter((id) => !rows.some((row) => row.id === id)).map((id) => ({ id, no: '', reason: '试题不存在或已被删除' })) }
    for (const row of rows) {
      const reason = await attempt(tx, () => work(tx, row))
      if (reason === undefined) done.done++
      else done.skipped.push({ id: row.id, no: row.no, reason })
    }
    return done
  }, { action })
}

/** Moves a locked question along an edge of its life. */
export async function takeEdge(tx: Queryable, call: Pick<Call, 'staff'>, row: PracticeRow, edge: Edge, extra: Readonly<Record<string, unknown>> = {}): Promise<void> {
  checkAction(call.staff, row, edge.action, edge.label)
  if (row.pool !== edge.pool || !edge.from.includes(row.status)) throw wrongState(edge.label, choiceLabel(STATUSES, row.status))
  await touch(tx, practice, { status: edge.to, ...extra }, row.id)
  if (edge.to === STATUS.void) await closePairs(tx, row.id, PAIR_STATE.distinct, call.staff.id)
  // A revision that is given up leaves the official question as it was.
  if (edge.to === STATUS.void && row.origin_id) {
    await touch(tx, practice, { status: STATUS.published }, sql`t.id = ${row.origin_id} and t.pool = 'official' and t.status = ${STATUS.revising}`)
    await reopenReports(tx, row.origin_id)
  }
}

/** Changes labels, difficulty, source and the like of a question that is locked. */
async function change(tx: Queryable, call: Call, row: PracticeRow, changes: BulkChanges): Promise<void> {
  checkAction(call.staff, row, 'edit', '修改试题')
  if (row.status === STATUS.void) throw wrongState('修改', choiceLabel(STATUSES, row.status))
  const { add_label_ids, remove_label_ids, main_label_id, add_tags, ...facts } = changes
  const { values, errors } = checkRecord(practice, facts, true)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (values['category_id']) {
    const [category] = await tx.query(sql`select 1 from practice_category where id = ${values['category_id']} and subject_id = ${row.subject_id} and type = ${row.type} and deleted_at is null for key share`)
    if (!category) throw invalid({ category_id: '题型分类与该题的学科或题型不符' })
  }
  if (add_tags?.length) {
    const [old] = await tx.query<{ tags: string[] | null }>(sql`select tags from practice where id = ${row.id}`)
    const tags = [...new Set([...(old?.tags ?? []), ...add_tags])]
    if (tags.length > 20) throw invalid({ tags: '最多 20 个标记' })
    values['tags'] = tags
  }
  await touch(tx, practice, values, row.id)
  if (add_label_ids || remove_label_ids || main_label_id) {
    const old = await tx.query<{ id: number; main: boolean }>(sql`select label_id as id, main from practice_label where practice_id = ${row.id}`)
    const kept = old.filter(({ id }) => !remove_label_ids?.includes(id))
    const wanted = [...kept, ...[...(add_label_ids ?? []), ...(main_label_id ? [main_label_id] : [])].filter((id) => !kept.some((label) => label.id === id)).map((id) => ({ id, main: false }))]
    const labels = await readLabels(tx, row.subject_id, wanted.map(({ id, main }) => ({ id, main: main_label_id ? id === main_label_id : main })))
    await holdTargets(tx, { table: 'label', label: '标签' }, labels.map(({ id }) => id))
    await tx.query(sql`delete from practice_label where practice_id = ${row.id}`)
    await tx.query(sql`insert into practice_label (practice_id, label_id, main) select ${row.id}, l, m from jsonb_to_recordset(${JSON.stringify(labels.map(({ id, main }) => ({ l: id, m: main })))}::jsonb) as r (l bigint, m boolean)`)
    // The triggers know nothing of the links: the log names them here.
    await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before, after)
      values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'label', 'practice', ${row.id}, ${JSON.stringify({ label_ids: old.map(({ id }) => id) })}::jsonb, ${JSON.stringify({ label_ids: labels.map(({ id }) => id) })}::jsonb)`)
    await rebuildClosure(tx, sql`select ${row.id}::bigint`)
  }
}

export const changeMany = (call: Call, ids: readonly number[], changes: BulkChanges): Promise<BulkDone> => each(call, ids, 'bulk', (tx, row) => change(tx, call, row, changes))

export const assignMany = (call: Call, ids: readonly number[], staffId: number | null): Promise<BulkDone> => each(call, ids, 'assign', async (tx, row) => {
  checkAction(call.staff, row, 'assign', '分配校对')
  if (row.pool !== 'back' || ![STATUS.draft, STATUS.rejected, STATUS.first, STATUS.second, STATUS.final].includes(row.status as 1)) throw wrongState('分配校对', choiceLabel(STATUSES, row.status))
  if (staffId !== null && staffId === row.owner_id) throw invalid({ staff_id: '不能把试题分配给录入人自己校对' })
  await touch(tx, practice, { assignee_id: staffId }, row.id)
})

