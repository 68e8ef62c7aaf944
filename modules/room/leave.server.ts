import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { startOfDay } from '../../core/field/time.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { LEAVE_STATUS, memberLeave } from './leave.ts'

/** Longest leave, in days: who stays away longer has the card frozen instead. */
const LONGEST = 60
const DAY = 86_400

const today = () => startOfDay(Math.floor(Date.now() / 1000))

/** Serves the leaves of one side. */
export const serveLeave = (leave: typeof memberLeave) => serve(leave)({
  beforeOnlyReads: true,
  async before({ tx, values, row }) {
    const memberId = values.member_id ?? row?.member_id
    const [from, until] = [values.from_at ?? row?.from_at ?? 0, values.until_at ?? row?.until_at ?? 0]
    if (until < from) throw invalid({ until_at: '结束日期不能早于开始日期' })
    if (until - from >= LONGEST * DAY) throw invalid({ until_at: `一次最多请假 ${LONGEST} 天，更长请冻结会员卡` })
    if (row && row.status !== LEAVE_STATUS.asked) throw badRequest('已销假或已撤销，不能修改')
    const [member] = await tx.query<{ school_id: number }>(sql`select school_id from room_member where id = ${memberId} and deleted_at is null`)
    if (member) values['school_id'] = member.school_id
  },
})

/** A member who comes while on leave is back. @returns whether they were on leave */
export async function endLeave(tx: Queryable, memberId: number): Promise<boolean> {
  const ended = await touch(tx, memberLeave, { status: LEAVE_STATUS.back }, sql`t.member_id = ${memberId} and t.status = ${LEAVE_STATUS.asked} and t.deleted_at is null and t.from_at <= now() and t.until_at >= to_timestamp(${today()})`)
  return ended.length > 0
}

/** SQL of the last day of the leave that a member `t` is on. */
export const LEAVE_UNTIL = sql`select max(l.until_at) from member_leave l where l.member_id = t.id and l.status = ${LEAVE_STATUS.asked} and l.deleted_at is null
  and l.from_at <= now() and l.until_at >= date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`
