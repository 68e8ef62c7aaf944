import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import type { Caller, TestApp } from '../../core/testing/app.server.ts'
import { activationCode, activationCodeGroup } from './authorization-code.ts'
import { PARTNER_STATUS, partner } from './partner.ts'
import { schoolStudent } from './school-student.ts'
import { school } from './school.ts'
import { unit } from './unit.ts'

const DAY = 86_400

/** Two partners with a school and students each, and units to open. */
export interface CodeWorld {
  partners: [number, number]
  schools: [number, number]
  /** Of the first partner's school. */
  students: number[]
  /** Of the second's. */
  strangers: number[]
  units: [number, number]
}

/** Puts two partners, their schools and students into a fresh database. @param quota of each partner */
export function openCodeWorld(app: TestApp, quota = 200_000): Promise<CodeWorld> {
  const now = Math.floor(Date.now() / 1000)
  return seedTransaction(app.kernel.db, async (tx) => {
    const units = await insertMany(tx, unit, [{ name: '初中全科年卡', subjects: ['数学'], months: 12 }, { name: '中考冲刺季卡', subjects: ['数学'], months: 3 }])
    const partners = await insertMany(tx, partner, ['苏州启航', '广州博学'].map((name, index) => ({
      name, contact: '王', mobile: `1390011000${index}`, region_code: index === 0 ? '320508' : '440106', level: 4 as const, type_id: 1, sign_at: now - 400 * DAY, expire_at: now + 400 * DAY,
      status: PARTNER_STATUS.signed, code_quota: quota, used_quota: 0, balance: 0, exchange_service_fee: 120_00,
    })))
    const schools = await insertMany(tx, school, partners.map((partner_id, index) => ({
      name: `学校${index}`, partner_id, type_id: 1, region_code: '320508', address: '人民路', manager: '王', mobile: '13900110012', expire_at: now + 400 * DAY, status: 1 as const,
    })))
    const people = (school_id: number, prefix: string, count: number) => insertMany(tx, schoolStudent, Array.from({ length: count }, (_, index) => ({
      name: `学生${prefix}${index}`, mobile: `${prefix}${String(index).padStart(8, '0')}`, school_id, grade: 9 as const,
    })))
    return {
      partners: [partners[0] ?? 0, partners[1] ?? 0], schools: [schools[0] ?? 0, schools[1] ?? 0], units: [units[0] ?? 0, units[1] ?? 0],
      students: await people(schools[0] ?? 0, '151', 60), strangers: await people(schools[1] ?? 0, '152', 5),
    }
  })
}

/** Valid input of a new batch. */
export function batchInput(world: CodeWorld, given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: '春季批次', partner_id: world.partners[0], unit_id: world.units[0], count: 5, code_len: 12, valid_months: 12, redeem_before: Math.floor(Date.now() / 1000) + 90 * DAY, purpose: 1, ...given,
  }
}

export interface BatchRow {
  id: number
  rev: number
  total: number
  used: number
  left: number
  cancelled: number
  expired: number
  frozen: number
  [key: string]: unknown
}

/** Makes a batch by its call. */
export async function makeBatch(caller: Caller, world: CodeWorld, given: Record<string, unknown> = {}): Promise<BatchRow> {
  const answer = await caller.post<BatchRow>(activationCodeGroup.api.item, batchInput(world, given))
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

export interface CodeRow {
  id: number
  rev: number
  code: string
  status: number
  [key: string]: unknown
}

/** Codes of a batch, the first first. */
export async function codesOf(caller: Caller, group: number, query: Record<string, unknown> = {}): Promise<CodeRow[]> {
  return (await caller.get<{ items: CodeRow[] }>(activationCode.api.list, { group_id: group, sort: 'id', page_size: 200, ...query })).body.items
}

/** A whole code, by the call that reveals it. */
export async function revealed(caller: Caller, id: number): Promise<string> {
  const answer = await caller.post<{ value: string }>(`${activationCode.api.item}/${id}/reveal_code`)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.value
}
