import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { recordsWritten } from '../../core/resource/list.server.ts'
import { FIRST_USER_NO } from './user.server.ts'
import { appUser, USER_STATUS } from './user.ts'

/** Somebody who is known by their number, and what else is known of them. */
export interface Newcomer {
  mobile: string
  name: string
  grade?: number | null
  school?: string | null
  region_code?: string | null
  agent_id?: number | null
}

/**
 * The account of the owner of a mobile number; made when there is none yet. Two callers at the same time get the same one.
 * @param staffId who asks; null where nobody of the staff does
 * @throws AppError when the account is closed or about to be
 */
export async function userOfMobile(tx: Queryable, staffId: number | null, person: Newcomer): Promise<number> {
  const made = await tx.query(sql`insert into app_user (user_no, mobile, nickname, real_name, role, grade, school, region_code, agent_id, register_at, wechat_bound, status, created_by, updated_by)
    select (${FIRST_USER_NO} + nextval(pg_get_serial_sequence('app_user', 'id')))::text, ${person.mobile}, ${person.name}, ${person.name}, 1, ${person.grade ?? null}::integer,
      ${person.school ?? null}, ${person.region_code ?? null}, ${person.agent_id ?? null}::bigint, now(), 0, ${USER_STATUS.normal}, ${staffId}::bigint, ${staffId}::bigint
    where not exists (select 1 from app_user where mobile = ${person.mobile} and deleted_at is null)
    on conflict (mobile) where deleted_at is null do nothing returning id`)
  if (made.length > 0) recordsWritten(tx, appUser.table)
  const [user] = await tx.query<{ id: number; status: number }>(sql`select id, status from app_user where mobile = ${person.mobile} and deleted_at is null`)
  if (!user) throw new Error('the account of a mobile number went away')
  if (user.status === USER_STATUS.closing || user.status === USER_STATUS.closed) throw badRequest('该手机号的账号已注销，不能开通')
  return user.id
}
