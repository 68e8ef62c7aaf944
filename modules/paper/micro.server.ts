import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound, notGranted, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { actionId } from '../../core/grant/grant.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import { papersToChoose } from './calls.server.ts'
import { createMicroPaper, microPapers, setPaperStatus, updateMicroPaper } from './calls.ts'
import { itemsOf, type Change } from './compose/body.ts'
import { applyChanges, findPaper, mayEdit, readBody, shelve, type PaperRow } from './content.server.ts'
import { PAPER_ACTIONS, PAPER_STATUS, PAPER_STATUSES, PAPERS, resourceOf } from './paper.ts'

/** The one section of a micro paper that the spec's calls know. */
const SECTION = 'main'

/** Changes that make a micro paper consist of these questions, in their order. */
async function replaceAll(tx: Queryable, id: number, practices: readonly { id: number; score: number }[]): Promise<Change[]> {
  const { body } = await readBody(tx, id)
  const wanted = new Set(practices.map((one) => one.id))
  const present = new Set(itemsOf(body).map(({ practice_id }) => practice_id))
  return [
    ...(body.sections.some(({ key }) => key === SECTION) ? [] : [{ do: 'section' as const, key: SECTION, name: '试题', title: '', instruction: '' }]),
    ...[...present].filter((one) => !wanted.has(one)).map((practice_id) => ({ do: 'drop-item' as const, practice_id })),
    ...practices.map((one): Change => (present.has(one.id)
      ? { do: 'score', practice_id: one.id, score: one.score, sub_scores: [] }
      : { do: 'item', section: SECTION, item: { practice_id: one.id, version_no: 0, score: one.score, sub_scores: [] } })),
    { do: 'arrange', order: [{ key: SECTION, items: practices.map((one) => one.id) }] },
  ]
}

/** A micro paper that the caller may do this to. */
async function findMicro(tx: Queryable, call: Call, id: number, n: number, title: string): Promise<PaperRow> {
  const paper = await findPaper(tx, call.staff, id, true)
  if (paper.kind !== 'micro') throw notFound('微试卷')
  if (!call.staff.modules.has(actionId(resourceOf(paper).grant, n))) throw notGranted(`微试卷 · ${title}`)
  return paper
}

/** The spec's own calls of micro papers, beside those of the lists. */
export function microCalls(): Served[] {
  return [
    handle(microPapers, (call) => papersToChoose(call, 'micro')),
    handle(createMicroPaper, (call) => call.transaction(async (tx) => {
      const { name, cat_id, practices = [] } = call.input
      const [subject] = await tx.query<{ level: number }>(sql`select level from subject where id = ${cat_id} and deleted_at is null`)
      const { subject: subjects, level: levels } = call.staff.scopes
      const resource = PAPERS.micro[subject?.level ?? -1]
      if (!subject || !resource || !(subjects?.includes(cat_id) ?? true) || !(levels?.includes(subject.level) ?? true)) throw invalid({ cat_id: '请选择学科' })
      if (!mayEdit(call.staff, { kind: 'micro', level: subject.level })) throw notGranted('微试卷 · 新增和编辑')
      const row = await insertRow(tx, resource, call.staff.id, { name, subject_id: cat_id }, {})
      const id = Number(row.id)
      if (practices.length > 0) await applyChanges(tx, call.staff, id, await replaceAll(tx, id, practices))
      return { id }
    })),
    handle(updateMicroPaper, (call) => call.transaction(async (tx) => {
      const paper = await findMicro(tx, call, idParam(call), 1, '新增和编辑')
      const { name, duration, practices } = call.input
      await tx.query(sql`update paper set name = coalesce(${name ?? null}, name), duration = coalesce(${duration ?? null}::numeric, duration), rev = rev + 1, updated_at = now(), updated_by = ${call.staff.id} where id = ${paper.id}`)
      if (practices) await applyChanges(tx, call.staff, paper.id, await replaceAll(tx, paper.id, practices))
      return {}
    })),
    handle(setPaperStatus, (call) => call.transaction(async (tx) => {
      const { id, status } = call.input
      const paper = await findMicro(tx, call, id, PAPER_ACTIONS.approve, '审核和上下架')
      const label = status === PAPER_STATUS.shelved ? '上架' : '下架'
      const resource = resourceOf(paper)
      const edge = resource.transitions.find((one) => one.to === status)
      // A micro paper may go from draft to the shelf in one step here: the call knows no submission.
      const from: readonly (string | number)[] = status === PAPER_STATUS.shelved ? [PAPER_STATUS.draft, PAPER_STATUS.off, PAPER_STATUS.revising, ...(edge?.from ?? [])] : edge?.from ?? []
      if (!from.includes(paper.status)) throw wrongState(label, choiceLabel(PAPER_STATUSES, paper.status))
      if (status === PAPER_STATUS.shelved) await shelve(tx, call.staff.id, paper.id)
      await tx.query(sql`update paper set status = ${status}, rev = rev + 1, updated_at = now(), updated_by = ${call.staff.id} where id = ${paper.id}`)
      return {}
    })),
  ]
}
