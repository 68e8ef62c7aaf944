import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { formatDate } from '../../core/field/time.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { closeAgent, openAgent } from '../agent/door.server.ts'
import { AGENT_STATUS } from '../agent/module.ts'
import { openEntitlements, setEntitlements, userOfMobile } from '../user/door.server.ts'
import { appUser, ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { screenId } from '../screens.ts'
import { idOfRef, type Effect } from './serve.server.ts'

const DAY = 86_400
/** A teacher's account lasts so many days unless the application says until when. */
export const TEACHER_DAYS = 365
/** Type and level of an agent that a bookshop becomes. */
const BOOKSHOP = { type: 2, level_id: 3 } as const
/** Type of those who have a region to themselves. */
const REGIONAL = 1
const TEACHER_ROLE = 3

/** The regional agent whose region holds this one; undefined where there is none. */
async function regional(db: Queryable, code: string): Promise<{ id: number; name: string } | undefined> {
  const [row] = await db.query<{ id: number; name: string }>(sql`select id, name from agent where type = ${REGIONAL} and status = ${AGENT_STATUS.active} and deleted_at is null and region_code is not null and starts_with(${code}, region_code) order by length(region_code) desc, id limit 1`)
  return row
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
const passed = (due: number | null | undefined) => due != null && due <= Date.now() / 1000

/** A shop becomes an agent. */
export const bookstoreEffect: Effect = {
  async problems(db, { mobile, region_code, due_at, ...row }) {
    const agent_id = row['agent_id'] ?? null
    const [known] = await db.query<{ name: string }>(sql`select name from agent where mobile = ${mobile} and deleted_at is null`)
    const holder = await regional(db, region_code)
    const own = holder && agent_id !== null ? await db.query(sql`select 1 from agent where id = ${agent_id} and (id = ${holder.id} or path like ${`%/${holder.id}/%`})`) : []
    return [
      ...(known ? [`该手机号已是代理「${known.name}」`] : []),
      ...(holder && own.length === 0 ? [`该地区由「${holder.name}」独家代理，请选择其为上级代理`] : []),
      ...(passed(due_at) ? ['合作到期日已过，请先修改'] : []),
    ]
  },
  async open(tx, _staff, { org, mobile, ...row }) {
    const id = await openAgent(tx, { name: org, mobile, ...BOOKSHOP, parent_id: numberOf(row['agent_id']), quota: Number(row['quota'] ?? 0) })
    return { effect_ref: `agent ${id}` }
  },
  close: (tx, { effect_ref }) => closeAgent(tx, idOfRef(effect_ref)),
  async tell(db, id) {
    const [agent] = await db.query<{ name: string; invite_code: string; quota: number | null }>(sql`select name, invite_code, quota from agent where id = ${id}`)
    return agent ? { label: '代理', value: `${agent.name} · 邀请码 ${agent.invite_code} · 名额 ${agent.quota ?? 0}`, grant: screenId('/distribution/account/proxy'), to: `/distribution/account/proxy?open=${id}` } : null
  },
}

/** A person's account becomes a teacher's. */
export const teacherEffect: Effect = {
  async problems(db, { mobile, due_at }) {
    const [known] = await db.query<{ status: number; until: number | null }>(sql`select u.status, (select extract(epoch from max(e.expire_at))::float8 from entitlement e where e.user_id = u.id and e.line = 'teacher' and e.status = 1 and e.expire_at > now() and e.deleted_at is null) as until
      from app_user u where u.mobile = ${mobile} and u.deleted_at is null`)
    return [
      ...(known && known.status !== 1 ? ['该手机号的账号已冻结或注销，不能开通'] : []),
      ...(known?.until ? [`该账号已是认证教师，有效期至 ${formatDate(Math.floor(known.until))}`] : []),
      ...(passed(due_at) ? ['权益到期日已过，请先修改'] : []),
    ]
  },
  async open(tx, { id: staffId }, { id, applicant, mobile, org, region_code, due_at }) {
    const userId = await userOfMobile(tx, staffId, { mobile, name: applicant, school: org, region_code })
    const [user] = await tx.query<{ role: number }>(sql`select role from app_user where id = ${userId} for no key update`)
    if (user?.role !== TEACHER_ROLE) await touch(tx, appUser, { role: TEACHER_ROLE }, userId)
    const now = Math.floor(Date.now() / 1000)
    const expire_at = due_at ?? now + TEACHER_DAYS * DAY
    await openEntitlements(tx, staffId, [{ user_id: userId, line: 'teacher', product: '教师认证', offer_id: id, source: ENTITLEMENT_SOURCE.opened, ref: `apply ${id}`, start_at: now, expire_at }])
    return { effect_ref: `app_user ${userId}`, due_at: expire_at, role_before: user?.role ?? 1 }
  },
  async close(tx, { id, effect_ref, ...row }, by) {
    const [userId, before] = [idOfRef(effect_ref), numberOf(row['role_before']) ?? 1]
    await tx.query(sql`select id from app_user where id = ${userId} for no key update`)
    // Time that ran out is over by itself.
    if (by) await setEntitlements(tx, ENTITLEMENT_SOURCE.opened, [`apply ${id}`], ENTITLEMENT_STATUS.stopped)
    await touch(tx, appUser, { role: before as 1 }, sql`t.id = ${userId} and t.role = ${TEACHER_ROLE} and t.role <> ${before}
      and not exists (select 1 from apply a where a.kind = 'teacher' and a.status = 3 and a.effect_ref = ${`app_user ${userId}`} and a.id <> ${id})`)
  },
  async tell(db, id) {
    const [user] = await db.query<{ user_no: string; role: number }>(sql`select user_no, role from app_user where id = ${id}`)
    return user ? { label: '用户', value: `${user.user_no} · ${user.role === TEACHER_ROLE ? '教师' : '身份已恢复'}`, grant: screenId('/userManagement/total'), to: `/userManagement/total?open=${id}` } : null
  },
}
