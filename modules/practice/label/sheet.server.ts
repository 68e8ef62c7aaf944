import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import type { Kernel } from '../../../core/module/serve.server.ts'
import { forgetCounts } from '../../../core/resource/list.server.ts'
import { applyOutline, readOutlineRows, type OutlineTree } from '../outline/outline.server.ts'
import { readOutline, type FactColumn } from '../outline/outline.ts'
import { rowsOf, sendOutline } from '../outline/sheet.server.ts'
import { checkKind, LABELS } from './change.server.ts'
import { EXAM_FREQUENCY, IMPORTANCE, LABEL_KINDS, MAX_DEPTH, type LabelKind } from './label.ts'
import { labelScope, subjectRoot } from './read.server.ts'
import { labelSheet, readLabelSheet } from './sheet-calls.ts'

/** A choice by its words or its number. */
const choiceFact = (key: string, label: string, choices: readonly { value: number; label: string }[]): FactColumn => ({
  key, label, read: (text) => choices.find((one) => one.label === text || String(one.value) === text)?.value ?? null, write: (value) => (value === null ? null : choiceLabel(choices, value as number)),
})

const FACTS: readonly FactColumn[] = [
  { key: 'code', label: '编码', read: (text) => (text.length <= 40 ? text : null), write: (value) => (value as string | null) },
  {
    key: 'alias', label: '别名',
    read: (text) => {
      const names = [...new Set(text.split(/[;；、,，|]/).map((one) => one.trim()).filter(Boolean))]
      return names.length <= 20 && names.every((one) => one.length <= 60) ? names : null
    },
    write: (value) => ((value as string[] | null) ?? []).join('；'),
  },
  choiceFact('importance', '要求', IMPORTANCE),
  choiceFact('exam_freq', '考频', EXAM_FREQUENCY),
]

/** The tree of a kind of labels of a subject. */
async function treeOf(db: Queryable, kind: LabelKind, subjectId: number): Promise<OutlineTree> {
  const root = kind === 'knowledge' ? await subjectRoot(db, kind, subjectId) : undefined
  if (kind === 'knowledge' && !root) throw badRequest('该学科还没有知识点的根标签')
  return {
    resource: LABELS[kind], where: sql`n.merged_into is null and n.kind = ${kind} and n.subject_id = ${subjectId}`, fixed: { kind, subject_id: subjectId, status: 1 },
    root: root ? { id: root.id, path: root.path, depth: Number(root.depth) } : null, facts: { code: 'text', alias: 'text[]', importance: 'integer', exam_freq: 'integer' },
  }
}

async function checkSubject(call: Pick<Call, 'db' | 'staff'>, subjectId: number): Promise<string> {
  const [found] = await call.db.query<{ name: string }>(sql`select s.name from subject s where s.id = ${subjectId} and s.deleted_at is null and exists (select 1 from (select s.id as subject_id) x where ${labelScope(call.staff)})`)
  if (!found) throw badRequest('请选择学科')
  return found.name
}

/** Labels in and out as a sheet, answered. */
export function labelSheetCalls({ files, registry }: Pick<Kernel, 'files' | 'registry'>): Served[] {
  return [
    handle(labelSheet, async (call) => {
      const { kind } = call.input
      const subjectId = Number(call.input.cat_id)
      const name = await checkSubject(call, subjectId)
      const tree = await treeOf(call.db, kind, subjectId)
      const nodes = await readOutlineRows(call.db, tree, sql`, (select count(*)::int from practice_label_tree t where t.label_id = n.id) as practices`)
      return sendOutline(call, `${name}${choiceLabel(LABEL_KINDS, kind)}`, MAX_DEPTH, FACTS, [{ key: 'practices', label: '题量' }], nodes)
    }),
    handle(readLabelSheet, async (call) => {
      const { kind, cat_id, file_id, mode, write } = call.input
      checkKind(call.staff, kind)
      await checkSubject(call, cat_id)
      const { nodes, problems } = readOutline(await rowsOf(files, call, file_id), MAX_DEPTH, 60, FACTS)
      if (write && problems.length > 0) throw badRequest(`表格还有 ${problems.length} 处问题，请改好后重新上传`)
      const tree = await treeOf(call.db, kind, cat_id)
      const report = await call.transaction(async (tx) => ({ nodes: nodes.length, problems: problems.slice(0, 100), effect: await applyOutline(tx, { registry, staff: call.staff }, tree, nodes, mode, write), written: write }), { action: 'import' })
      forgetCounts('label')
      return report
    }),
  ]
}
