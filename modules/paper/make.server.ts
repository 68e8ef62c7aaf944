import type { Queryable } from '../../core/database/database.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import { difference, type PaperBody } from './compose/body.ts'
import { readBody, writeBody } from './content.server.ts'
import { PAPER_STATE, type PaperResource } from './paper.ts'

/** What a new paper is, beside its questions. */
export interface NewPaper {
  readonly name: string
  readonly subject_id: number
  readonly level: number
  /** Columns of its kind. */
  readonly [key: string]: unknown
}

/** Makes a draft paper of a kind with these questions. Rights and scope are the caller's to check. @returns its id */
export async function makePaper(tx: Queryable, staffId: number, resource: PaperResource, values: NewPaper, body: PaperBody): Promise<number> {
  const { id } = await insertRow(tx, resource as unknown as Resource, staffId, values, {})
  const paper = { id, name: values.name, kind: String(resource.where['kind']), level: values.level, subject_id: values.subject_id, subject_name: '', state: PAPER_STATE.draft, version_no: 0, duration: null }
  await writeBody(tx, staffId, paper, body, difference({ sections: [] }, body))
  return id
}

/** The questions of a paper. */
export const paperBody = async (db: Queryable, id: number): Promise<PaperBody> => (await readBody(db, id)).body
