import { sql } from 'drizzle-orm'
import { addContribution } from '../../core/discussion/add.server.ts'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../core/error/error.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { contacted, MOST_LATER_DAYS, partnersToCall, type PartnerToCall } from './partner-contacts.ts'
import { healthOf } from './partner-health.ts'
import { readNumbers } from './partner-health.server.ts'
import { LISTED_FROM, reasonsOf, urgencyOf, type ContactFacts } from './partner-reasons.ts'
import { PARTNER_STATUS, partner } from './partner.ts'

const DAY = 86_400
const WEEK = sql.raw(`(date_trunc('week', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai')`)
/** Partners with whom there is, or was just now, something to talk about. */
const CALLED = [PARTNER_STATUS.signed, PARTNER_STATUS.frozen, PARTNER_STATUS.expired].join(', ')

interface Found extends Record<string, unknown>, Omit<PartnerToCall, 'score' | 'urgency' | 'reasons' | 'state' | 'last'>, Pick<ContactFacts, 'status' | 'expire_at' | 'balance' | 'quota' | 'used' | 'last_at'> {
  week: number
  at: number | null
  outcome: 'done' | 'later' | null
  note: string | null
  until: number | null
  staff_name: string | null
}

/** Partners within somebody's data with why they should be called; one alone where its id is told. */
async function readPartners(db: Queryable, staff: Call['staff'], id?: number): Promise<(PartnerToCall & { week: number })[]> {
  const rows = await db.query<Found>(sql`select t.id, t.name, t.contact, t.mobile, t.owner_id, o.name as owner_name, t.status, extract(epoch from t.expire_at)::float8 as expire_at, t.balance::float8 as balance,
      coalesce(t.code_quota, 0)::int as quota, coalesce(t.used_quota, 0)::int as used, extract(epoch from ${WEEK})::float8 as week,
      extract(epoch from greatest(c.at, (select max(d.created_at) from discussion d where d.entity = 'partner' and d.entity_id = t.id)))::float8 as last_at,
      extract(epoch from c.at)::float8 as at, c.outcome, c.note, extract(epoch from c.until)::float8 as until, s.name as staff_name
    from (select * from partner where ${listCondition(partner, staff, id === undefined ? {} : { ids: String(id) })} and status in (${sql.raw(CALLED)})) t
    left join staff o on o.id = t.owner_id
    left join lateral (select * from partner_contact k where k.partner_id = t.id order by k.id desc limit 1) c on true left join staff s on s.id = c.staff_id order by t.id`)
  const numbers = await readNumbers(db, rows.map((row) => row.id))
  const now = Date.now() / 1000
  return rows.map(({ status, expire_at, balance, quota, used, last_at, at, outcome, note, until, staff_name, week, mobile, ...row }) => {
    const counted = numbers(row.id)
    const reasons = reasonsOf({ ...counted, status, expire_at, balance, quota, used, last_at }, now)
    const state = outcome === 'later' && (until ?? 0) > now ? 'later' : outcome === 'done' && (at ?? 0) >= week ? 'done' : 'due'
    return {
      ...row, mobile: partner.fields['mobile']?.hidden?.mask(mobile) ?? '', score: healthOf(counted).score, reasons, urgency: urgencyOf(reasons), state, week,
      last: at === null ? null : { at, staff_name, note, until },
    }
  })
}

/** The week's calls: whom, why, and what came of it. */
export function partnerContactCalls(): Served[] {
  return [
    handle(partnersToCall, async ({ db, staff }) => {
      const found = await readPartners(db, staff)
      const [{ week } = { week: 0 }] = await db.query<{ week: number }>(sql`select extract(epoch from ${WEEK})::float8 as week`)
      // Who was called this week stays in sight, also where the cause is gone.
      const items = found.filter(({ urgency, state }) => urgency >= LISTED_FROM || state !== 'due').map(({ week: _week, ...one }) => one)
      return { week, items: items.sort((a, b) => b.urgency - a.urgency || (a.score ?? 100) - (b.score ?? 100) || a.id - b.id) }
    }),
    handle(contacted, (call) => call.transaction(async (tx) => {
      const { input } = call
      const now = Date.now() / 1000
      const { id } = await lockRow(tx, partner, call.staff, idParam(call))
      if (input.outcome === 'later' && (input.until <= now || input.until > now + MOST_LATER_DAYS * DAY)) throw invalid({ until: `请选择今天以后、${MOST_LATER_DAYS} 天以内的日期` })
      if (input.outcome === 'done' && input.follow_up_at !== undefined && input.follow_up_at <= now) throw invalid({ follow_up_at: '下次联系应晚于现在' })
      const [before] = await readPartners(tx, call.staff, id)
      if (!before) throw notFound('可联系的合伙人')
      const facts = JSON.stringify(before.reasons.map(({ fact }) => fact))
      await tx.query(sql`insert into partner_contact (partner_id, staff_id, outcome, note, until, reasons) values (${id}, ${call.staff.id}, ${input.outcome}, ${input.outcome === 'done' ? input.note : null}, to_timestamp(${input.outcome === 'later' ? input.until : null}), ${facts}::jsonb)`)
      // What was talked about stands with the record, and the follow-up among what waits for the person.
      if (input.outcome === 'done') await addContribution(tx, partner, id, call.staff.id, { body: `联系：${input.note}`, ...(input.follow_up_at !== undefined && { follow_up: { at: input.follow_up_at, staff_id: call.staff.id } }) })
      const [after] = await readPartners(tx, call.staff, id)
      if (!after) throw notFound(partner.label)
      const { week: _week, ...one } = after
      return one
    })),
  ]
}
