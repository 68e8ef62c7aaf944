import { sql, type SQL } from 'drizzle-orm'
import { invalid } from '../../core/error/error.ts'
import { limits } from '../../core/grant/staff.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { ENTITLEMENT_STATUS } from './entitlement.ts'
import { ENTITLEMENT_LINES } from './lines.ts'
import { appUser } from './user.ts'

/** User numbers have eight digits and begin here. */
export const FIRST_USER_NO = 10_000_000

/**
 * What somebody has paid, less what went back, in fen: orders that name their account, or no account and their number.
 * Orders are another module's; their table is read as it stands. What partners and rooms buy is no learner's.
 */
const paidBy = (user: SQL) => sql`select coalesce(sum(o.paid - o.refunded), 0)::float8 from orders o where (o.user_id = ${user}.id or (o.user_id is null and o.buyer_mobile = ${user}.mobile))
  and o.line not in ('partner', 'room') and o.virtual = 0 and o.deleted_at is null`

export const USER_COMPUTED = {
  total_paid: paidBy(sql`t`),
  password_state: sql`select coalesce((select case when not c.once then '已设置' when c.used_at is not null then '一次性密码已使用' when c.expires_at <= now() then '一次性密码已过期' else '一次性密码待使用' end from user_credential c where c.user_id = t.id), '未设置')`,
}

const SELF = sql`app_user`
const seen = (days: number) => sql`app_user.last_login_at >= now() - make_interval(days => ${sql.raw(String(days))})`
const away = (days: number) => sql`app_user.last_login_at < now() - make_interval(days => ${sql.raw(String(days))})`
const PAID = sql`(${paidBy(SELF)}) > 0`

/** What the groups mean by which users are narrowed. */
const SEGMENTS = {
  payer: { paid: PAID, unpaid: sql`not ${PAID}` },
  // Who may use something of the line now.
  line: Object.fromEntries(ENTITLEMENT_LINES.map(({ value }) => [value, sql`exists (select 1 from entitlement e where e.user_id = ${SELF}.id and e.line = ${value}
    and e.status = ${ENTITLEMENT_STATUS.active} and e.start_at <= now() and e.expire_at > now() and e.deleted_at is null)`])),
  active: { 7: seen(7), 30: seen(30), over30: away(30), over90: away(90), never: sql`app_user.last_login_at is null` },
}

export const users = serve(appUser)({
  computed: USER_COMPUTED,
  segments: SEGMENTS,
  async before({ tx, staff, values, row }) {
    const agents = limits(staff, 'agent')
    const owner = 'agent_id' in values ? values.agent_id : row?.agent_id
    // A person who is limited to agents would not see the user any more.
    if (agents && (owner == null || !agents.includes(owner))) throw invalid({ agent_id: '请选择所属代理' })
    if (row) return
    // One number of the row's own sequence: unique and growing, though not the row's id.
    const [next] = await tx.query<{ n: number }>(sql`select nextval(pg_get_serial_sequence(${appUser.table}, 'id')) as n`)
    values['user_no'] = String(FIRST_USER_NO + (next?.n ?? 0))
    values['register_at'] = Math.floor(Date.now() / 1000)
  },
})
