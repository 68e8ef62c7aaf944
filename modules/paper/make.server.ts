import type { Queryable } from '../../core/database/database.server.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import { difference, itemsOf, type Change, type PaperBody } from './compose/body.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { applyChanges, readBody, writeBody } from './content.server.ts'
import { PAPER_STATE, type PaperResource } from './paper.ts'

/** What a new paper is, beside its questions. */
export interface NewPaper {
  readonly name: string
  readonly subject_id: number
  readonly level: number
  /** Columns of its kind. */
  readonly [key: string]: unknown
}

/** Makes a draft paper of a kind with these questions. Rights and scope are the caller's to check. @param staffId null where nobody of the staff makes it @returns its id */
export async function makePaper(tx: Queryable, staffId: number | null, resource: PaperResource, values: NewPaper, body: PaperBody): Promise<number> {
  const { id } = await insertRow(tx, resource, staffId, values, {})
  const paper = { id, name: values.name, kind: String(resource.where['kind']), level: values.level, subject_id: values.subject_id, subject_name: '', state: PAPER_STATE.draft, version_no: 0, duration: null }
  await writeBody(tx, staffId, paper, body, difference({ sections: [] }, body))
  return id
}

/** The questions of a paper. */
export const paperBody = async (db: Queryable, id: number): Promise<PaperBody> => (await readBody(db, id)).body

/** A question for the section of its kind. */
export interface PlacedQuestion { readonly practice_id: number; readonly version_no: number; readonly score: number; readonly type: string }

/** Adds questions at the end of the sections of their kinds; those that stand in the paper already stay where they are. @returns how many came in */
export async function addPaperQuestions(tx: Queryable, staff: Staff, id: number, questions: readonly PlacedQuestion[]): Promise<number> {
  const { body } = await readBody(tx, id)
  const there = new Set(itemsOf(body).map(({ practice_id }) => practice_id))
  const fresh = questions.filter(({ practice_id }) => !there.has(practice_id))
  if (fresh.length === 0) return 0
  const keys = new Map(body.sections.map(({ name, key }) => [name, key]))
  const changes: Change[] = []
  for (const [at, { type, ...item }] of fresh.entries()) {
    const section = keys.get(type) ?? `own${body.sections.length + at}`
    if (!keys.has(type)) changes.push({ do: 'section', key: section, name: type, title: '', instruction: '' })
    keys.set(type, section)
    changes.push({ do: 'item', section, item: { ...item, sub_scores: [] } })
  }
  await applyChanges(tx, staff, id, changes)
  return fresh.length
}
