import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { PracticeUser } from '../compare/uses.server.ts'
import { REPORT_STATUS } from './report.ts'

const change = (tx: Queryable, staffId: number, set: SQL, where: SQL) =>
  tx.query(sql`update practice_report set ${set}, rev = rev + 1, updated_at = now(), updated_by = ${staffId} where ${where} and deleted_at is null`)

/** What was accepted has been mended and published: of the question itself and of the draft that became it. */
export async function settleReports(tx: Queryable, staffId: number, ...practiceIds: number[]): Promise<void> {
  await change(tx, staffId, sql`fixed_at = now()`, sql`practice_id = any(${sql.param(practiceIds)}::bigint[]) and status = ${REPORT_STATUS.accepted} and fixed_at is null`)
}

/** The revision that was to mend it is given up: somebody has to decide again. */
export async function reopenReports(tx: Queryable, staffId: number, practiceId: number): Promise<void> {
  await change(tx, staffId, sql`status = ${REPORT_STATUS.open}, handled_at = null`, sql`practice_id = ${practiceId} and status = ${REPORT_STATUS.accepted} and fixed_at is null`)
}

/** Reports follow a question into what it was merged with; they use nothing. */
export const reportedPractice: PracticeUser = {
  list: async () => [],
  async move(tx, staff, from, to) {
    await change(tx, staff.id, sql`practice_id = ${to}, practice_no = (select no from practice where id = ${to})`, sql`practice_id = ${from}`)
    return { moved: 0, left_alone: 0 }
  },
}
