import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound, notGranted, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { checkRecord } from '../../core/resource/rules.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { checkReferences, insertRow, updateRow } from '../../core/resource/write.server.ts'
import { papersToChoose } from './calls.server.ts'
import { createMicroPaper, microPapers, setPaperStatus, updateMicroPaper } from './calls.ts'
import { itemsOf, type Change } from './compose/body.ts'
import { applyChanges, findPaper, mayEdit, readBody, shelve, type PaperRow } from './content.server.ts'
import { PAPER_STATE, PAPER_STATES, PAPERS, resourceOf } from './paper.ts'

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
async function findMicro(tx: Queryable, call: Call, id: number, right: 'edit' | 'approve'): Promise<PaperRow> {
  const paper = await findPaper(tx, call.staff, id, true)
  if (paper.kind !== 'micro') throw notFound('微试卷')
  const { rights } = resourceOf(paper)
  if (!call.staff.modules.has(rights.id(right))) throw notGranted(`微试卷 · ${rights.title(right)}`)
  return paper
}

/** The spec's own calls of micro papers, beside those of the lists. */
export function microCalls({ registry }: Pick<Kernel, 'registry'>): Served[] {
  const targets = new Map([...registry].map(([name, known]) => [name, known.resource]))
  /** Values of a body in the spec's words, by the rules of the form. */
  const checkFields = async (tx: Queryable, call: Call, resource: Resource, body: Readonly<Record<string, unknown>>, paper?: PaperRow): Promise<Record<string, unknown>> => {
    const { values, errors } = checkRecord(resource, body, paper !== undefined)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    await checkReferences(tx, resource, targets, call.staff, values, paper && { ...paper })
    return values
  }
  return [
    handle(microPapers, (call) => papersToChoose(call, 'micro')),
    handle(createMicroPaper, (call) => call.transaction(async (tx) => {
      const { practices = [], ...fields } = call.input
      const [subject] = await tx.query<{ level: number }>(sql`select level from subject where id = ${call.input.cat_id} and deleted_at is null`)
      const { subject: subjects, level: levels } = call.staff.scopes
      const resource = PAPERS.micro[subject?.level ?? -1]
      if (!subject || !resource || !(subjects?.includes(call.input.cat_id) ?? true) || !(levels?.includes(subject.level) ?? true)) throw invalid({ cat_id: '请选择学科' })
      if (!mayEdit(call.staff, { kind: 'micro', level: subject.level })) throw notGranted('微试卷 · 新增和编辑')
      const row = await insertRow(tx, resource, call.staff.id, await checkFields(tx, call, resource, fields), {})
      const id = Number(row.id)
      if (practices.length > 0) await applyChanges(tx, call.staff, id, await replaceAll(tx, id, practices))
      return { id }
    })),
    handle(updateMicroPaper, (call) => call.transaction(async (tx) => {
      const paper = await findMicro(tx, call, idParam(call), 'edit')
      const { practices, ...fields } = call.input
      const resource = resourceOf(paper)
      const values = await checkFields(tx, call, resource, fields, paper)
      if (Object.keys(values).length > 0) await updateRow(tx, resource, paper.id, values, {})
      if (practices) await applyChanges(tx, call.staff, paper.id, await replaceAll(tx, paper.id, practices))
      return {}
    })),
    handle(setPaperStatus, (call) => call.transaction(async (tx) => {
      const { id, status } = call.input
      const paper = await findMicro(tx, call, id, 'approve')
      const state = status === 1 ? PAPER_STATE.shelved : PAPER_STATE.off
      const edge = resourceOf(paper).transitions.find((one) => one.to === state)
      // A micro paper may go from draft to the shelf in one step here: the call knows no submission.
      const from: readonly (string | number)[] = status === 1 ? [PAPER_STATE.draft, PAPER_STATE.revising, ...(edge?.from ?? [])] : edge?.from ?? []
      if (!from.includes(paper.state)) throw wrongState(status === 1 ? '上架' : '下架', choiceLabel(PAPER_STATES, paper.state))
      if (status === 1) await shelve(tx, call.staff.id, paper.id)
      await touch(tx, resourceOf(paper), { state }, paper.id)
      return {}
    })),
  ]
}
