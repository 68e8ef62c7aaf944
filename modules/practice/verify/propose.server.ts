import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { badRequest, notFound } from '../../../core/error/error.ts'
import { docOf, paragraph, plainText } from '../../../core/rich-text/rich-doc.ts'
import { editorPath, STATUS } from '../bank/practice.ts'
import type { PracticeRow } from '../bank/access.server.ts'
import { readWritten, updatePractice } from '../bank/write.server.ts'
import { openRevision } from './revise.server.ts'

interface Proposal {
  /** The question as learners know it. */
  readonly practiceId: number
  /** Plain words; each line is a paragraph. */
  readonly words: string
  /** Whose they are, for the version's note. */
  readonly from: string
}

/** States of a revision in which somebody still writes it. */
const WRITTEN: readonly number[] = [STATUS.draft, STATUS.rejected]

/**
 * Puts a further way to solve a question into the draft of its next version, which is opened where there is none. It reaches
 * learners when that was checked and published, as everything does.
 * @returns the draft
 * @throws AppError where the question is gone, or its next version is being checked
 */
export async function proposeSolution(tx: Queryable, staffId: number, { practiceId, words, from }: Proposal): Promise<{ id: number; no: string; path: string }> {
  const [row] = await tx.query<Pick<PracticeRow, 'id' | 'no' | 'pool' | 'level' | 'status' | 'owner_id'>>(sql`select id, no, pool, level, status, owner_id from practice where id = ${practiceId} and pool = 'official' and deleted_at is null for no key update`)
  if (!row) throw notFound('试题')
  const [writer] = await tx.query<{ id: number }>(sql`select id from staff where id = ${row.owner_id} and status = 1 and deleted_at is null`)
  const id = await openRevision(tx, staffId, row, writer?.id ?? staffId)
  const [draft] = await tx.query<{ id: number; version_no: number; status: number; level: number; no: string }>(sql`select id, version_no, status, level, no from practice where id = ${id} for no key update`)
  const input = await readWritten(tx, id)
  if (!draft || !input) throw notFound('试题')
  if (!WRITTEN.includes(draft.status)) throw badRequest('这道题的修订稿正在校对，发布后再采纳')
  const { analysis } = input.content
  if (plainText(analysis.solution).includes(words)) throw badRequest('这个解法已经在解析里')
  const added = [paragraph([`【${from}】`]), ...words.split('\n').filter((line) => line.trim() !== '').map((line) => paragraph([line.trim()]))]
  const solution = docOf([...analysis.solution?.c ?? [], ...added])
  await updatePractice(tx, staffId, draft, { ...input, content: { ...input.content, analysis: { ...analysis, solution } } }, { note: `采纳学员解法` })
  return { id, no: row.no, path: editorPath(row.level, 'back', id) }
}
