import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { Call } from '../endpoint/serve.server.ts'
import { defineError } from '../error/error.ts'
import { DEFAULT_PRIVACY, type PrivacySetting } from './privacy.ts'

const KEY = 'privacy'

/** What the setting says, as a part of a statement. */
const settingOf = (key: keyof PrivacySetting): SQL => sql`(select value->>${sql.raw(`'${key}'`)} from installation where key = ${sql.raw(`'${KEY}'`)})`

/** Whether names of learners are masked here, as a column. */
export const maskNamesColumn: SQL = sql`coalesce(${settingOf('mask_names')}::boolean, ${sql.raw(String(DEFAULT_PRIVACY.mask_names))})`

export async function readPrivacy(db: Queryable): Promise<PrivacySetting> {
  const [row] = await db.query<{ value: Partial<PrivacySetting> }>(sql`select value from installation where key = ${KEY}`)
  return { ...DEFAULT_PRIVACY, ...row?.value }
}

/** Decides it again; the log keeps who did. @param grant id of the screen on which it is done, as the log's number */
export async function writePrivacy(tx: Queryable, call: Pick<Call, 'staff' | 'ip' | 'requestId'>, grant: number, setting: PrivacySetting): Promise<void> {
  const before = await readPrivacy(tx)
  await tx.query(sql`insert into installation (key, value) values (${KEY}, ${JSON.stringify(setting)}::jsonb) on conflict (key) do update set value = excluded.value`)
  await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before, after)
    values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'update', 'privacy_setting', ${grant}, ${JSON.stringify(before)}::jsonb, ${JSON.stringify(setting)}::jsonb)`)
}

/** The security log takes it for an alert. */
const budgetSpent = defineError('reveal_budget', 429, (limit: number) => `今天查看完整信息已达 ${limit} 次上限，请明天再试，或联系管理员调整上限`)

/** Days as China counts them, by number. */
const today = sql`floor((extract(epoch from now()) + 28800) / 86400)::int`

/**
 * Counts one look at something that is hidden against the person's budget of the day, and logs it. In the transaction of
 * the look: neither stands without the other, and looks at the same time cannot go beyond the budget together.
 * @param field what was looked at, as the log says it
 * @throws AppError when the budget is spent
 */
export async function spendReveal(tx: Queryable, call: Pick<Call, 'staff' | 'ip' | 'requestId'>, seen: { table: string; id: number; field: string }): Promise<void> {
  const limit = sql`coalesce(${settingOf('reveal_daily')}::int, ${DEFAULT_PRIVACY.reveal_daily})`
  const [spent] = await tx.query(sql`insert into reveal_count as c (staff_id, day, count) select ${call.staff.id}, ${today}, 1 where ${limit} > 0
    on conflict (staff_id, day) do update set count = c.count + 1 where c.count < ${limit} returning count`)
  if (!spent) throw budgetSpent((await readPrivacy(tx)).reveal_daily)
  await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, after)
    values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'reveal', ${seen.table}, ${seen.id}, ${JSON.stringify({ field: seen.field })}::jsonb)`)
}

/** Forgets the counts of days that are over. */
export async function sweepReveals(db: Queryable): Promise<void> {
  await db.query(sql`delete from reveal_count where day < ${today} - 1`)
}
