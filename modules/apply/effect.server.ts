import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { closeAgent, openAgent } from '../agent/door.server.ts'
import { AGENT_STATUS } from '../agent/module.ts'
import { screenId } from '../screens.ts'
import { idOfRef, type Effect } from './serve.server.ts'

/** Type and level of an agent that a bookshop becomes. */
const BOOKSHOP = { type: 2, level_id: 3 } as const
/** Type of those who have a region to themselves. */
const REGIONAL = 1

/** The regional agent whose region holds this one; undefined where there is none. */
async function regional(db: Queryable, code: string): Promise<{ id: number; name: string } | undefined> {
  const [row] = await db.query<{ id: number; name: string }>(sql`select id, name from agent where type = ${REGIONAL} and status = ${AGENT_STATUS.active} and deleted_at is null and region_code is not null and starts_with(${code}, region_code) order by length(region_code) desc, id limit 1`)
  return row
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
/** Whether the day on which it is to end is over. */
export const passed = (due: number | null | undefined): boolean => due != null && due <= Date.now() / 1000

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

let teacher: Effect | undefined

/** Hands over what an approved teacher becomes, by the module that keeps teachers. */
export function handTeacher(effect: Effect): void {
  if (teacher) throw new Error('two modules bring about what a teacher applies for')
  teacher = effect
}

function handed(): Effect {
  if (!teacher) throw new Error('nobody brings about what a teacher applies for')
  return teacher
}

/** A person becomes a teacher, in the module that keeps teachers. */
export const teacherEffect: Effect = {
  problems: (db, row) => handed().problems(db, row),
  open: (tx, staff, row) => handed().open(tx, staff, row),
  close: (tx, row, by) => handed().close(tx, row, by),
  tell: (db, id, row) => handed().tell(db, id, row),
}
