import { sql } from 'drizzle-orm'
import { inBatches } from '../../../core/job/batches.server.ts'
import { defineJob, type JobDefinition } from '../../../core/job/define.server.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { STATUS } from '../bank/practice.ts'
import { addBands } from '../bank/write.server.ts'
import { fingerprintOf, picturesOf } from '../content/fingerprint.ts'
import type { QuestionContent } from '../content/question.ts'
import { hashPictures, readHashes } from '../picture/hash.server.ts'
import { COMPARE } from './calls.ts'
import { notePairs } from './pairs.server.ts'

export interface ScanInput {
  cat_id: number
}

/** How far a scan is: the last question that was looked at. */
interface ScanState {
  last: number
  looked: number
  pairs: number
}

/** Questions of one transaction. */
const BATCH = 100

export const SCAN_JOB = 'practice_duplicates'

/** Looks through the questions of a subject for duplicates, and at their pictures where nobody has; an interrupted run goes on where it was. */
export const scanJob = ({ files }: Pick<Kernel, 'files'>): JobDefinition => defineJob<ScanInput, ScanState>({
  kind: SCAN_JOB,
  grants: () => [COMPARE],
  async run(context) {
    const { db, input } = context
    const [counted] = await db.query<{ n: number }>(sql`select count(*)::int as n from practice where subject_id = ${input.cat_id} and status <> ${STATUS.void} and deleted_at is null`)
    const { looked, pairs } = await inBatches(context, { last: 0, looked: 0, pairs: 0 }, async (state) => {
      const rows = await db.query<{ id: number; subject_id: number; origin_id: number | null; content: QuestionContent }>(sql`select p.id, p.subject_id, p.origin_id, b.content from practice p join practice_body b on b.practice_id = p.id
        where p.subject_id = ${input.cat_id} and p.id > ${state.last} and p.status <> ${STATUS.void} and p.deleted_at is null order by p.id limit ${sql.raw(String(BATCH))}`)
      const last = rows.at(-1)
      if (!last) return undefined
      await hashPictures(db, files, rows.flatMap(({ content }) => picturesOf(content)))
      return async (tx) => {
        const hashes = await readHashes(tx, rows.map(({ content }) => content))
        const pictured = rows.filter(({ content }) => picturesOf(content).some((id) => hashes.has(id)))
        await addBands(tx, pictured.map(({ id, content }) => ({ id, bands: fingerprintOf(content, hashes).bands })))
        let pairs = state.pairs
        for (const row of rows) pairs += await notePairs(tx, row)
        return { last: last.id, looked: state.looked + rows.length, pairs }
      }
    }, (state) => [state.looked, counted?.n ?? 0])
    return { looked, pairs }
  },
})
