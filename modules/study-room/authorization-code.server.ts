import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, tooMany } from '../../core/error/error.ts'
import { rateLimit } from '../../core/endpoint/rate.server.ts'
import { NOTHING_COMPUTED, present, readOne } from '../../core/resource/list.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { checkRev, holdTargets } from '../../core/resource/write.server.ts'
import { activateCode, changeCodes, findCode, issueCodes, refusedAction, serveCodes, takeBackCodes, UNKNOWN_CODE, type CodeHooks, type Holder, type HolderChange } from '../code/door.server.ts'
import { CODE_STATUS, DEFAULT_LENGTH, MAX_BATCH } from '../code/module.ts'
import { post } from '../order/door.server.ts'
import { ENTITLEMENT_STATUS } from '../user/module.ts'
import { userOfMobile } from '../user/door.server.ts'
import { activateCodeCall, activationCode, authorizationCodes, rebindCode, STUDY_ROOM_LINE } from './authorization-code.ts'
import { PARTNER_STATUS } from './partner.ts'
import { schoolStudent, STUDENT_STATUS } from './school-student.ts'

/** Wrong codes that one person may try in ten minutes. */
const MISSES = 20
const MISSES_WITHIN = 10 * 60_000

/** Changes of each student together, as rows `c` with the units and ends. */
function changesOf(changes: readonly HolderChange[]) {
  const rows = changes.map(({ code: { student_id, user_id, unit_id }, until }) => ({ student_id, user_id, unit_id, until }))
  return sql`(select student_id, max(user_id) as user_id, array_agg(unit_id) as units, max("until") as last, array_agg(to_timestamp("until")) as ends
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (student_id bigint, user_id bigint, unit_id bigint, "until" float8) where student_id is not null group by student_id) c`
}

/** Students carry until when they may study, and what: a code only ever adds to it. */
async function openForStudents(tx: Queryable, changes: readonly HolderChange[]): Promise<void> {
  await touch(tx, schoolStudent, {
    start_at: sql`coalesce(t.start_at, now())`, expire_at: sql`greatest(t.expire_at, to_timestamp(c.last))`,
    unit_ids: sql`array(select distinct x from unnest(coalesce(t.unit_ids, '{}') || c.units) x order by x)`,
    status: sql`case when t.status = ${STUDENT_STATUS.expired} and c.last > extract(epoch from now()) then ${STUDENT_STATUS.studying} else t.status end`,
  }, sql`t.id = c.student_id`, { from: changesOf(changes) })
  // A student who was moved while their code was being activated is where they are now, and so is the code.
  await setDerived(tx, activationCode, { school_id: sql`s.school_id` },
    sql`s.id = t.student_id and t.id = any(${sql.param(changes.map(({ code }) => code.id))}::bigint[]) and t.school_id is distinct from s.school_id`, { from: sql`school_student s` })
}

/** Takes away what a code gave: its unit, unless something else opens it, and the end that was its own. */
async function closeForStudents(tx: Queryable, changes: readonly HolderChange[]): Promise<void> {
  const living = sql`select offer_id, expire_at from entitlement e where e.user_id = c.user_id and e.line = ${STUDY_ROOM_LINE} and e.status = ${ENTITLEMENT_STATUS.active} and e.expire_at > now() and e.deleted_at is null`
  const end = sql`case when t.expire_at = any(c.ends) then coalesce((select max(expire_at) from (${living}) l), least(t.expire_at, now())) else t.expire_at end`
  await touch(tx, schoolStudent, {
    expire_at: end,
    unit_ids: sql`array(select x from unnest(t.unit_ids) x where x <> all(c.units) or x in (select offer_id from (${living}) l))`,
    status: sql`case when t.status = ${STUDENT_STATUS.studying} and ${end} <= now() then ${STUDENT_STATUS.expired} else t.status end`,
  }, sql`t.id = c.student_id`, { from: changesOf(changes) })
}

const hooks: CodeHooks = {
  opened: openForStudents,
  closed: closeForStudents,
  async check(tx, values) {
    const [owner] = await tx.query<{ status: number; over: boolean; type_id: number }>(sql`select status, expire_at < now() as over, type_id from partner where id = ${values['partner_id']}`)
    if (!owner || owner.status !== PARTNER_STATUS.signed || owner.over) throw invalid({ partner_id: '该合伙人没有有效的合同，不能发码' })
    const [product] = await tx.query<{ status: number }>(sql`select status from unit where id = ${values['unit_id']}`)
    if (product?.status !== 1) throw invalid({ unit_id: '该套餐已下架，请选择其他套餐' })
    values['type_id'] ??= owner.type_id
  },
  async fee(db, owner) {
    const [row] = await db.query<{ fee: number | null }>(sql`select coalesce(p.exchange_service_fee, t.exchange_service_fee) as fee from partner p left join room_type t on t.id = p.type_id where p.id = ${owner}`)
    return row?.fee ?? 0
  },
  async charge(tx, staff, { owner, count, from, into }) {
    const amount = count * ((await hooks.fee?.(tx, owner)) ?? 0)
    await post(tx, staff.id, { kind: 'partner', id: owner, balanceTable: 'partner' }, [{ amount: -amount, kind: 'exchange', note: `批次 ${from} 置换 ${count} 个码到批次 ${into}` }])
    return amount
  },
  // A code that is activated in another province than its partner's points at goods sold on to where they do not belong.
  places: (db, batch) => db.query<{ region: string; n: number; away: boolean }>(sql`select substr(s.region_code, 1, 2) as region, count(*) as n, bool_or(substr(s.region_code, 1, 2) <> substr(p.region_code, 1, 2)) as away
    from activation_code c join app_school s on s.id = c.school_id join partner p on p.id = c.partner_id
    where c.group_id = ${batch} and c.activated_at is not null and c.status <> ${CODE_STATUS.cancelled} and c.deleted_at is null group by 1 order by 2 desc, 1`),
}

export const codes = serveCodes(authorizationCodes, hooks)

/** What an order asks for when it issues codes. */
export interface OrderedCodes {
  readonly name: string
  readonly partner_id: number
  readonly unit_id: number
  readonly count: number
  readonly order_id: number
  /** Fen for each code. */
  readonly price: number
}

/** How long codes of an order can be activated, in days. */
const REDEEM_DAYS = 365

/**
 * Issues the codes of an approved order, in its transaction; what the partner was granted must have grown before.
 * @returns ids of the batches; more codes than one holds make several
 * @throws AppError when the quota is too small
 */
export async function issueOrderedCodes(tx: Queryable, staffId: number | null, { count, name, ...order }: OrderedCodes): Promise<number[]> {
  const [terms] = await tx.query<{ months: number; type_id: number }>(sql`select u.months, p.type_id from unit u, partner p where u.id = ${order.unit_id} and p.id = ${order.partner_id}`)
  const parts = Math.ceil(count / MAX_BATCH)
  const ids: number[] = []
  for (let part = 0; part < parts; part++) {
    ids.push(await issueCodes(tx, codes.served(), staffId, {
      ...order, name: `${name}${parts > 1 ? `（${part + 1}/${parts}）` : ''}`.slice(-40), count: Math.min(MAX_BATCH, count - part * MAX_BATCH), type_id: terms?.type_id ?? null, valid_months: terms?.months ?? 12,
      redeem_before: Math.floor(Date.now() / 1000) + REDEEM_DAYS * 86_400, code_len: DEFAULT_LENGTH, purpose: 1,
    }))
  }
  return ids
}

/**
 * Takes codes of an order back, in the transaction of its refund: those that were never activated, the last batch first.
 * @throws AppError when too many were activated
 */
export async function takeBackOrderedCodes(tx: Queryable, batches: readonly number[], count: number): Promise<void> {
  const rows = await tx.query<{ id: number; n: number }>(sql`select id, ("left" + expired)::int as n from activation_code_group where id = any(${sql.param([...batches])}::bigint[]) order by id desc`)
  const fresh = rows.reduce((sum, { n }) => sum + n, 0)
  if (fresh < count) throw badRequest(`授权码已使用，最多还能收回 ${fresh.toLocaleString('zh-CN')} 个`)
  let rest = count
  for (const { id, n } of rows) {
    const part = Math.min(n, rest)
    if (part > 0) await takeBackCodes(tx, codes.served(), id, part)
    rest -= part
  }
}

/** A student as the holder of a code, and the partner whose school they go to. */
export async function holderOf(tx: Queryable, call: Pick<Call, 'staff' | 'ip'>, studentId: number, padSn: string | null): Promise<{ holder: Holder; partner_id: number | null }> {
  await holdTargets(tx, schoolStudent, [studentId])
  const student = await readOne(tx, schoolStudent, call.staff, studentId, {})
  if (!student) throw notFound('学生')
  const [place] = await tx.query<{ partner_id: number | null; name: string; region_code: string }>(sql`select partner_id, name, region_code from app_school where id = ${student.school_id}`)
  const user_id = await userOfMobile(tx, call.staff.id, { mobile: student.mobile, name: student.name, grade: student.grade, school: place?.name ?? null, region_code: place?.region_code ?? null })
  return { holder: { user_id, mobile: student.mobile, ip: call.ip, fields: { school_id: student.school_id, student_id: studentId, pad_sn: padSn } }, partner_id: place?.partner_id ?? null }
}

/** The calls by which codes come to students: activated at their school, or taken over from another student. */
export function activationCalls(): Served[] {
  const mayMiss = rateLimit(MISSES, MISSES_WITHIN)
  return [handle(activateCodeCall, async (call) => {
    const served = codes.served()
    const { code, student_id, pad_sn } = call.input
    const id = await findCode(call.db, served, code)
    if (id === undefined) {
      if (!mayMiss(String(call.staff.id))) throw tooMany('输入次数过多，请 10 分钟后再试')
      throw invalid({ code: UNKNOWN_CODE })
    }
    const answer = await call.transaction(async (tx) => {
      const { holder, partner_id } = await holderOf(tx, call, student_id, pad_sn ?? null)
      return activateCode(tx, served, call.staff.id, id, holder, Math.floor(Date.now() / 1000), (known) => {
        // The right words for somebody else's code are those for no code at all.
        if (known['partner_id'] !== partner_id) throw invalid({ code: UNKNOWN_CODE })
      })
    }, { action: 'code_activate' })
    const row = await readOne(call.db, schoolStudent, call.staff, student_id, {})
    if (!row) throw notFound('学生')
    return { code_id: answer.id, expire_at: answer.expire_at, student: present(schoolStudent, call.staff, row) }
  }), handle(rebindCode, async (call) => {
    const { student_id, reason, rev } = call.input
    const [id, now, served] = [idParam(call), Math.floor(Date.now() / 1000), codes.served()]
    await call.transaction(async (tx) => {
      const before = await readOne(tx, activationCode, call.staff, id, NOTHING_COMPUTED)
      if (!before) throw notFound(activationCode.label)
      await checkRev(tx, before, rev, (stale) => present(activationCode, call.staff, stale))
      if (before['student_id'] === student_id) throw invalid({ student_id: '授权码已在该学生名下' })
      const { holder, partner_id } = await holderOf(tx, call, student_id, null)
      if (partner_id !== before['partner_id']) throw invalid({ student_id: '该学生不在这个合伙人的学校' })
      const { refused: [problem] } = await changeCodes(tx, served, call.staff, 'unbind', [id], {}, now)
      if (problem) throw refusedAction(problem.reason)
      await activateCode(tx, served, call.staff.id, id, { ...holder, until: Number(before['expire_at']) }, now)
      return { id }
    }, { action: 'code_rebind', reason })
    const row = await readOne(call.db, activationCode, call.staff, id, NOTHING_COMPUTED)
    if (!row) throw notFound(activationCode.label)
    return present(activationCode, call.staff, row)
  })]
}
