import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { partner, PARTNER_STATUS } from './partner.ts'
import { schoolStudent, STUDENT_STATUS } from './school-student.ts'

/** The day is over; the last day counts until it is: dates are kept as its first second or its last. */
const ENDED = sql`t.deleted_at is null and t.expire_at < date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`

/** What runs by itself when a day is over: contracts and students whose time has ended say so. */
const ENDS: readonly { table: string; end: (tx: Queryable) => Promise<unknown> }[] = [
  { table: partner.table, end: (tx) => touch(tx, partner, { status: PARTNER_STATUS.expired }, sql`t.status = ${PARTNER_STATUS.signed} and ${ENDED}`) },
  { table: schoolStudent.table, end: (tx) => touch(tx, schoolStudent, { status: STUDENT_STATUS.expired }, sql`t.status = ${STUDENT_STATUS.studying} and ${ENDED}`) },
]

/** Marks what has ended. */
export function endingSweeps(db: Database): Sweep[] {
  return ENDS.map(({ table, end }) => ({ name: `${table} ended`, run: () => db.transaction({ staff_id: null, action: 'expire' }, end) }))
}
