import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { forgetCounts } from '../../core/resource/list.server.ts'
import { PARTNER_STATUS } from './partner.ts'
import { STUDENT_STATUS } from './school-student.ts'

/** What runs by itself when a day is over: contracts and students whose time has ended say so. */
const ENDS = [
  { table: 'partner', from: PARTNER_STATUS.signed, to: PARTNER_STATUS.expired },
  { table: 'school_student', from: STUDENT_STATUS.studying, to: STUDENT_STATUS.expired },
] as const

/** Marks what has ended. The last day counts until it is over: dates are kept as its first second or its last. */
export function endingSweeps(db: Database): Sweep[] {
  return ENDS.map(({ table, from, to }) => ({
    name: `${table} ended`,
    run: async () => {
      await db.transaction({ staff_id: null, action: 'expire' }, (tx) => tx.query(sql`update ${sql.identifier(table)} set status = ${to}, rev = rev + 1, updated_at = now(), updated_by = null
        where status = ${from} and deleted_at is null and expire_at < date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`))
      forgetCounts(table)
    },
  }))
}
