/** What a decision of a round does to a question. */
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { notFound } from '../../../core/error/error.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import type { PracticeRow } from '../bank/access.server.ts'
import { practice, STATUS } from '../bank/practice.ts'
import { insertPractices, readWritten, updatePractice } from '../bank/write.server.ts'
import { PAIR_STATE } from '../compare/calls.ts'
import { closePairs, notePairs } from '../compare/pairs.server.ts'
import { followPublished } from '../compare/uses.server.ts'
import { settleReports } from '../report/settle.server.ts'
import type { Round } from './state.ts'

/** Writes down what a round found and lets go of the question. */
export async function record(tx: Queryable, staffId: number, row: PracticeRow, round: Round, found: { passed: boolean; errors: readonly string[]; note: string | undefined; seconds: number | undefined }): Promise<void> {
  await tx.query(sql`insert into practice_verify (practice_id, round, staff_id, owner_id, passed, errors, note, seconds, version_no)
    values (${row.id}, ${round.round}, ${staffId}, ${row.owner_id}, ${Number(found.passed)}, ${sql.param([...found.errors])}::text[], ${found.note ?? null}, ${found.seconds ?? null}, ${row.version_no})`)
  await tx.query(sql`delete from verify_claim where practice_id = ${row.id}`)
}

/** Puts a checked question into the official bank: as a new one, or as the next version of the one that it revises. */
export async function publish(tx: Queryable, staffId: number, row: PracticeRow): Promise<number> {
  const input = await readWritten(tx, row.id)
  if (!input) throw notFound('试题')
  const now = Math.floor(Date.now() / 1000)
  let official = row.origin_id
  if (official) {
    const [old] = await tx.query<{ id: number; version_no: number }>(sql`select id, version_no from practice where id = ${official} and pool = 'official' and deleted_at is null for no key update`)
    if (!old) throw notFound('修订的正式试题')
    await updatePractice(tx, staffId, old, input, { note: `修订自 ${row.no}`, published: true, extra: { status: STATUS.published, published_at: now } })
  } else {
    ;[official = null] = await insertPractices(tx, staffId, [{ ...input, pool: 'official', level: row.level, status: STATUS.published, owner_id: row.owner_id, origin_id: row.id, verifier1_id: row.verifier1_id, verifier2_id: row.verifier2_id, published_at: now }], `发布自 ${row.no}`)
  }
  if (!official) throw new Error('nothing was published')
  // From now on it is the official question that others are compared with.
  await closePairs(tx, row.id, PAIR_STATE.merged, staffId)
  await notePairs(tx, { id: official, subject_id: row.subject_id, origin_id: row.id, content: input.content })
  await touch(tx, practice, { status: STATUS.published, origin_id: official, published_at: now, assignee_id: null, urgent: 0 }, row.id)
  await settleReports(tx, official, row.id)
  await followPublished(tx, row.id, official)
  return official
}
