import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { RowType } from '../../core/resource/define.ts'
import { closeAgent, openAgent } from '../agent/door.server.ts'
import { AGENT_STATUS } from '../agent/module.ts'
import { screenId } from '../screens.ts'
import type { ApplyKind, bookstoreApply, teacherApply } from './apply.ts'

/** Type and level of an agent that a bookshop becomes. */
const BOOKSHOP = { type: 2, level_id: 3 } as const
/** Type of those who have a region to themselves. */
const REGIONAL = 1

/** An application as its effect needs it. */
export type EffectRow = Pick<RowType<typeof bookstoreApply>, 'id' | 'org' | 'applicant' | 'mobile' | 'region_code' | 'licence_no' | 'due_at' | 'effect_ref' | 'staff_id'>
  & Partial<Pick<RowType<typeof bookstoreApply>, 'agent_id' | 'quota'>> & Partial<Pick<RowType<typeof teacherApply>, 'role_before' | 'subject_id'>>

/** What an approval brings about, and how it is taken away again. */
export interface Effect {
  /** @returns what it made, and what is kept to take it back */
  open(tx: Queryable, staffId: number, row: EffectRow): Promise<{ effect_ref: string; due_at?: number; role_before?: number }>
  /** @param over it ran out by itself */
  close(tx: Queryable, row: EffectRow, over: boolean): Promise<void>
  /** What stands in the way of it, in sentences. */
  problems(db: Queryable, row: EffectRow): Promise<string[]>
  /** What it made, in words, and where it is seen. @param id of what it made */
  words(db: Queryable, id: number): Promise<EffectWords | null>
}

export interface EffectWords { readonly label: string; readonly value: string; readonly grant: number; readonly to: string }

/** Table and id that a reference of an effect names. */
export const idOfRef = (ref: string | null | undefined): number => Number(ref?.split(' ')[1] ?? 0)

/** The regional agent whose region holds this one; undefined where there is none. */
async function regional(db: Queryable, code: string): Promise<{ id: number; name: string } | undefined> {
  const [row] = await db.query<{ id: number; name: string }>(sql`select id, name from agent where type = ${REGIONAL} and status = ${AGENT_STATUS.active} and deleted_at is null and region_code is not null and starts_with(${code}, region_code) order by length(region_code) desc, id limit 1`)
  return row
}

/** Whether the day on which it is to end is over. */
export const passed = (due: number | null | undefined): boolean => due != null && due <= Date.now() / 1000

const bookstore: Effect = {
  async problems(db, { mobile, region_code, agent_id, due_at }) {
    const [known] = await db.query<{ name: string }>(sql`select name from agent where mobile = ${mobile} and deleted_at is null`)
    const holder = await regional(db, region_code)
    const own = holder && agent_id != null ? await db.query(sql`select 1 from agent where id = ${agent_id} and (id = ${holder.id} or path like ${`%/${holder.id}/%`})`) : []
    return [
      ...(known ? [`该手机号已是代理「${known.name}」`] : []),
      ...(holder && own.length === 0 ? [`该地区由「${holder.name}」独家代理，请选择其为上级代理`] : []),
      ...(passed(due_at) ? ['合作到期日已过，请先修改'] : []),
    ]
  },
  async open(tx, _staffId, { org, mobile, agent_id, quota }) {
    const id = await openAgent(tx, { name: org, mobile, ...BOOKSHOP, parent_id: agent_id ?? null, quota: quota ?? 0 })
    return { effect_ref: `agent ${id}` }
  },
  close: (tx, { effect_ref }) => closeAgent(tx, idOfRef(effect_ref)),
  async words(db, id) {
    const [agent] = await db.query<{ name: string; invite_code: string; quota: number | null }>(sql`select name, invite_code, quota from agent where id = ${id}`)
    return agent ? { label: '代理', value: `${agent.name} · 邀请码 ${agent.invite_code} · 名额 ${agent.quota ?? 0}`, grant: screenId('/distribution/account/proxy'), to: `/distribution/account/proxy?open=${id}` } : null
  },
}

const effects: Partial<Record<ApplyKind, Effect>> = { bookstore }

/** Hands over what an approval of a kind brings about, by the module whose records it makes. */
export function handEffect(kind: ApplyKind, effect: Effect): void {
  if (effects[kind]) throw new Error(`two modules bring about what a ${kind} applies for`)
  effects[kind] = effect
}

/** What applications of a kind bring about. */
export function effectOf(kind: ApplyKind): Effect {
  const effect = effects[kind]
  if (!effect) throw new Error(`nobody brings about what a ${kind} applies for`)
  return effect
}

/** Brings about what an application asks for. @throws AppError that says what stands in the way; nothing is approved then */
export async function openEffect(tx: Queryable, kind: ApplyKind, staffId: number, row: EffectRow): ReturnType<Effect['open']> {
  const [problem] = await effectOf(kind).problems(tx, row)
  if (problem) throw badRequest(problem)
  return effectOf(kind).open(tx, staffId, row)
}
