import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
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

/** An account that a number leads to. */
interface Found {
  id: number
  mobile: string
  status: number
}

/**
 * The accounts of mobile numbers; made where there is none yet. Two callers at the same time get the same ones.
 * @param staffId who asks; null where nobody of the staff does
 * @param people each number once
 * @returns ids by number
 * @throws AppError when an account is closed or about to be
 */
export async function usersOfMobiles(tx: Queryable, staffId: number | null, people: readonly Newcomer[]): Promise<Map<string, number>> {
  const made = await tx.query(sql`insert into app_user (user_no, mobile, nickname, real_name, role, grade, school, region_code, agent_id, register_at, wechat_bound, status, created_by, updated_by)
    select (${FIRST_USER_NO} + nextval(pg_get_serial_sequence('app_user', 'id')))::text, r.mobile, r.name, r.name, 1, r.grade, r.school, r.region_code, r.agent_id, now(), 0, ${USER_STATUS.normal}, ${staffId}::bigint, ${staffId}::bigint
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as r (mobile text, name text, grade integer, school text, region_code text, agent_id bigint)
    where not exists (select 1 from app_user u where u.mobile = r.mobile and u.deleted_at is null)
    on conflict (mobile) where deleted_at is null do nothing returning id`)
  if (made.length > 0) recordsWritten(tx, appUser.table)
  const found = await tx.query<Found & Record<string, unknown>>(sql`select id, mobile, status from app_user where mobile = any(${sql.param(people.map(({ mobile }) => mobile))}::text[]) and deleted_at is null`)
  if (found.length < people.length) throw new Error('the account of a mobile number went away')
  if (found.some(({ status }) => status === USER_STATUS.closing || status === USER_STATUS.closed)) throw badRequest('该手机号的账号已注销，不能开通')
  return new Map(found.map(({ mobile, id }) => [mobile, id]))
}

/** The account of whoever owns a mobile number, as {@link usersOfMobiles} finds or makes it. */
export async function userOfMobile(tx: Queryable, staffId: number | null, person: Newcomer): Promise<number> {
  const id = (await usersOfMobiles(tx, staffId, [person])).get(person.mobile)
  if (id === undefined) throw new Error('the account of a mobile number went away')
  return id
}

/** Names of learners by their user numbers, as far as the person may see learners at all. */
export async function learnersByNumber(db: Queryable, staff: Pick<Staff, 'modules'>, numbers: readonly string[]): Promise<Map<string, string>> {
  if (numbers.length === 0 || !staff.modules.has(appUser.grant)) return new Map()
  const rows = await db.query<{ user_no: string; name: string }>(sql`select user_no, coalesce(real_name, nickname) as name from app_user where user_no = any(${sql.param([...numbers])}::text[]) and deleted_at is null`)
  return new Map(rows.map(({ user_no, name }) => [user_no, name]))
}
