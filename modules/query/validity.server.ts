import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { notFound } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import { formatDate } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { keepUndo } from '../../core/resource/keep-undo.server.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { shownName } from '../../core/resource/names.ts'
import type { Done } from '../../core/resource/operations.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { addOrigin, readMobiles } from '../user/door.server.ts'
import { appUser, ENTITLEMENT_LINES } from '../user/module.ts'
import { readBars } from './validity-bars.server.ts'
import { changeValidity, findValidity, openableOffers, previewValidity, validityItems, type ValidityFound, type ValidityPreview, type ValidityRow } from './validity-calls.ts'
import { applyChange, askOfItems, makeChange, offerScope, planOf, readItems, secondFor, takeBackChange, type Planned } from './validity-change.server.ts'
import { TAKE_BACK_SECONDS, VALIDITY_PATH, VALIDITY_RIGHTS, VALIDITY_STATES, VALIDITY_STATUS, validityChange } from './validity.ts'

const S = VALIDITY_STATUS
const USER_STATES = appUser.fields['status']?.kind === 'choice' ? appUser.fields['status'].choices : []
/** Courses that somebody chooses from. */
const MOST_OFFERS = 50
/** Days before its end in which something is about to run out. */
const SOON_DAYS = 30

export const validityChanges = serve(validityChange)({
  refusals: async ({ staff }) => (row) => ({
    ...(row.created_by !== null && row.created_by !== staff.id && { ...(row.status === S.waiting && { withdraw: '只有提交人可以撤回' }), ...(row.status === S.done && { take_back: '只有提交人可以撤销' }) }),
    ...(row.status === S.done && row.auditor_id !== null && row.auditor_id !== undefined && { take_back: '经第二人批准的不能撤销，请另外提交一张' }),
    ...(row.status === S.done && !row.auditor_id && Date.now() / 1000 - row.created_at > TAKE_BACK_SECONDS && { take_back: '超过 24 小时，不能撤销' }),
  }),
  effects: {
    async approve({ tx, staff, row }) {
      await applyChange(tx, staff, row.id, await askOfItems(tx, row))
      await setDerived(tx, validityChange, { auditor_id: staff.id, done_at: Math.floor(Date.now() / 1000) }, row.id)
    },
    async reject({ tx, staff, row, reason }) {
      await setDerived(tx, validityChange, { auditor_id: staff.id, audit_remark: reason ?? null }, row.id)
    },
    async take_back({ tx, row, reason }) {
      await takeBackChange(tx, row.id)
      await setDerived(tx, validityChange, { audit_remark: reason ?? null }, row.id)
    },
  },
})

addOrigin('validity', async (db, id) => {
  const [row] = await db.query<{ what: string; reason: string; at: number; staff_name: string | null }>(sql`select c.what, c.reason, extract(epoch from c.created_at)::float8 as at, s.name as staff_name from validity_change c left join staff s on s.id = c.created_by where c.id = ${id}`)
  return row && { title: `${row.what}：${row.reason}`, path: `${VALIDITY_PATH}?show=changes&open=${id}`, at: Math.floor(row.at), staff_name: row.staff_name }
})

const shown = (staff: Staff, one: Planned): ValidityRow => ({
  key: `${one.user_id} ${one.offer_id} ${one.entitlement_id ?? ''}`, user: shownName(appUser, staff, one.user), product: one.product, line_name: choiceLabel(ENTITLEMENT_LINES, one.line),
  before: one.before_end, start_at: one.start_at, after: one.why === null ? one.after_end : null, why: one.why,
})

/** People by pasted numbers, with everything that they may use. */
async function find(db: Queryable, staff: Staff, mobiles: readonly string[]): Promise<ValidityFound> {
  const lines = readMobiles(mobiles).filter(({ mobile }) => mobile !== '')
  const good = lines.filter(({ reason }) => reason === null)
  const users = await db.query<{ id: number; user_no: string; nickname: string; mobile: string; status: number; grade: number | null }>(sql`select id, user_no, nickname, mobile, status, grade from app_user where ${listCondition(appUser, staff, {})} and mobile = any(${sql.param(good.map(({ mobile }) => mobile))}::text[])`)
  const bars = await readBars(db, staff, users.map(({ id }) => id))
  const byNumber = new Map(users.map((one) => [one.mobile, one]))
  const people = good.flatMap(({ mobile }) => {
    const user = byNumber.get(mobile)
    return user ? [{ id: user.id, user_no: user.user_no, name: shownName(appUser, staff, user.nickname), mobile: maskMobile(user.mobile), state: choiceLabel(USER_STATES, user.status), grade: user.grade, frozen: user.status !== 1, bars: bars.get(user.id) ?? [] }] : []
  })
  const [now, all] = [Date.now() / 1000, people.flatMap((one) => one.bars)]
  const running = all.filter(({ state }) => state === '生效中')
  return {
    people,
    missing: lines.flatMap(({ row, mobile, reason }) => (reason !== null ? [{ row, typed: mobile.slice(0, 40), why: reason }] : byNumber.has(mobile) ? [] : [{ row, typed: maskMobile(mobile), why: '没有这个用户，或不在您的数据范围内' }])),
    counts: { bars: all.length, running: running.length, soon: running.filter(({ expire_at }) => expire_at < now + SOON_DAYS * 86_400).length, over: all.filter(({ state }) => state === '已过期').length },
  }
}

/** The calls of the screen of validity. */
export const validityCalls = (): Served[] => [
  handle(findValidity, ({ db, staff, input }) => find(db, staff, input.mobiles)),
  handle(openableOffers, async ({ db, staff, input: { keyword } }) => {
    const rows = await db.query<{ id: number; title: string; line: string; valid_mode: number; valid_days: number | null; valid_until: number | null }>(sql`select o.id, o.title, o.line, o.valid_mode, o.valid_days, o.valid_until from offer o left join subject s on s.id = o.subject_id
      where o.deleted_at is null and o.state in (3, 4) and ${offerScope(staff)} and (o.valid_until is null or o.valid_until > now()) ${keyword?.trim() ? sql`and o.title ilike ${`%${keyword.trim().replace(/[\\%_]/g, '\\$&')}%`}` : sql``} order by o.id desc limit ${MOST_OFFERS}`)
    return { items: rows.map(({ id, title, line, valid_days, valid_until }) => ({ id, title, line, line_name: choiceLabel(ENTITLEMENT_LINES, line), valid: valid_days !== null ? `${valid_days} 天` : valid_until !== null ? `至 ${formatDate(valid_until)}` : '' })) }
  }),
  handle(previewValidity, async ({ db, staff, input: { ask } }): Promise<ValidityPreview> => {
    const plan = await planOf(db, staff, ask)
    const good = plan.filter(({ why }) => why === null)
    return { rows: plan.map((one) => shown(staff, one)), good: good.length, people: new Set(good.map(({ user_id }) => user_id)).size, second: (await secondFor(db, staff, good)) ?? null }
  }),
  handle(changeValidity, (call) => call.transaction(async (tx) => {
    const { ask, reason } = call.input
    const made = await makeChange(tx, call.staff, ask, reason)
    if (made.status === S.waiting) return made
    const record = await readOne(tx, validityChange, call.staff, made.id, {})
    if (!record) throw notFound(validityChange.label)
    const undo = await keepUndo(tx, { resource: validityChange, staff: call.staff, action: 'change_validity' }, [{ record, before: undefined, rev: record.rev, back: { by: 'transition', edge: 'take_back' } } satisfies Done])
    return { ...made, ...(undo !== undefined && { undo }) }
  }, { action: 'change_validity', reason: call.input.reason })),
  handle(validityItems, async (call) => {
    const row = await readOne(call.db, validityChange, call.staff, idParam(call), {})
    if (!row) throw notFound(validityChange.label)
    return { items: (await readItems(call.db, row.id)).map((one) => shown(call.staff, one)) }
  }),
]

/** What a second person has to agree to. */
export const validityWaiting = listWaiting(validityChange, {
  name: 'validity_change', title: '待批准的延期和补开', group: 'decide', verb: '批准', path: `${VALIDITY_PATH}?show=changes`, query: () => ({ status: String(S.waiting) }),
  grant: VALIDITY_RIGHTS.id('approve'), due: { days: 1 }, notes: ['second', 'reason', 'created_by_name'], pass: 'approve', refuse: 'reject',
})

/** More time that somebody was given, in the view that gathers everything about them. */
export const validityOverview: OverviewSection = {
  name: 'validity_change', title: '延期记录', grant: VALIDITY_RIGHTS.screen,
  async load(db, staff, { id }) {
    const rows = await db.query<{ id: number; product: string; before_end: number | null; after_end: number; status: number; reason: string; at: number }>(sql`select c.id, i.product, i.before_end, i.after_end, c.status, c.reason, extract(epoch from c.created_at)::float8 as at
      from validity_item i join (select * from validity_change where ${listCondition(validityChange, staff, {})}) c on c.id = i.change_id where i.user_id = ${id} order by c.id desc, i.n limit 50`)
    return {
      columns: [{ key: 'product', title: '产品', as: 'text' }, { key: 'before_end', title: '原到期', as: 'date' }, { key: 'after_end', title: '新到期', as: 'date' }, { key: 'status', title: '状态', as: 'text' }, { key: 'reason', title: '原因', as: 'text' }, { key: 'at', title: '提交时间', as: 'time' }],
      rows: rows.map((row) => ({ ...row, status: choiceLabel(VALIDITY_STATES, row.status) })), screen: `${VALIDITY_PATH}?show=changes`,
    }
  },
}
