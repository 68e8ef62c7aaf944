import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import type { PracticeUser } from '../compare/uses.server.ts'
import { practiceReport, REPORT_STATUS } from './report.ts'

/** Hears, in the same transaction, that questions which somebody had reported were mended and published. */
type FixedListener = (tx: Queryable, practiceIds: readonly number[]) => Promise<void>

const listeners: FixedListener[] = []

/** Tells a module of mended questions: whoever reported one is answered. */
export function onReportFixed(listener: FixedListener): void {
  listeners.push(listener)
}

/** What was accepted has been mended and published: of the question itself and of the draft that became it. */
export async function settleReports(tx: Queryable, ...practiceIds: number[]): Promise<void> {
  const fixed = await touch(tx, practiceReport, { fixed_at: sql`now()` }, sql`t.practice_id = any(${sql.param(practiceIds)}::bigint[]) and t.status = ${REPORT_STATUS.accepted} and t.fixed_at is null and t.deleted_at is null`, { returning: ['practice_id'] })
  if (fixed.length > 0) for (const listener of listeners) await listener(tx, [...new Set(fixed.map(({ practice_id }) => practice_id))])
}

/** The revision that was to mend it is given up: somebody has to decide again. */
export async function reopenReports(tx: Queryable, practiceId: number): Promise<void> {
  await touch(tx, practiceReport, { status: REPORT_STATUS.open, handled_at: null }, sql`t.practice_id = ${practiceId} and t.status = ${REPORT_STATUS.accepted} and t.fixed_at is null and t.deleted_at is null`)
}

/** Reports follow a question into what it was merged with; they use nothing. */
export const reportedPractice: PracticeUser = {
  list: async () => [],
  async move(tx, _staff, from, to) {
    await touch(tx, practiceReport, { practice_id: to, practice_no: sql`(select no from practice where id = ${to})` }, sql`t.practice_id = ${from} and t.deleted_at is null`)
    return { moved: 0, left_alone: 0 }
  },
}
