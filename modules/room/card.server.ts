import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { maskName } from '../../core/field/person-name.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, readOne, recordsWritten } from '../../core/resource/list.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { ownCards, partnerCards, type Counter } from './card-calls.ts'
import { isCounted, sayAmount } from './card-kind.ts'
import { DAY, enter, lastSecond, lockCard, refuseAmount, stateOf, type UserCard } from './card-ledger.server.ts'
import { CARD_STATUS } from './card-state.ts'
import { MEMBER_STATUS } from './member.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'


export type Card = NonNullable<Rooms['card']['types']>['row']

const now = () => Math.floor(Date.now() / 1000)

/** A card as its list shows it. */
export async function showCard(tx: Queryable, rooms: Rooms, call: Pick<Call, 'staff'>, id: number): Promise<WireRow> {
  const resource = rooms.userCard
  const row = await readOne(tx, resource, call.staff, id, {})
  if (!row) throw notFound(resource.label)
  return present(resource, call.staff, row)
}

/** Number of a new card: the day and a count, so that it can be read over the telephone. */
async function nextNumber(tx: Queryable): Promise<{ id: number; card_no: string }> {
  const [next] = await tx.query<{ id: number; day: string }>(sql`select nextval(pg_get_serial_sequence('user_card', 'id')) as id, to_char(now() at time zone 'Asia/Shanghai', 'YYMMDD') as day`)
  if (!next) throw new Error('no number')
  return { id: next.id, card_no: `K${next.day}${String(next.id).padStart(6, '0')}` }
}

/** The stored value of a new row's columns as they were promised. */
export async function insertCard(tx: Queryable, rooms: Rooms, staffId: number | null, member: { id: number; school_id: number }, card: Card): Promise<UserCard> {
  const { id, card_no } = await nextNumber(tx)
  const [row] = await tx.query<UserCard>(sql`insert into user_card (id, card_no, member_id, card_id, school_id, self_run, kind, quota, remaining, valid_days, paid, refunded, freeze_cnt, frozen_days,
      freeze_times, freeze_days, transferable, room_ids, seat_kinds, pad, status, created_by, updated_by)
    select ${id}, ${card_no}, ${member.id}, c.id, ${member.school_id}, ${rooms.side.self_run}, c.kind, 0, 0, c.valid_days, 0, 0, 0, 0,
      coalesce(c.freeze_times, 0), coalesce(c.freeze_days, 0), c.transferable, c.room_ids, c.seat_kinds, c.pad, ${CARD_STATUS.unused}, ${staffId}, ${staffId}
    from member_card c where c.id = ${card.id} returning *`)
  if (!row) throw new Error('no card was inserted')
  recordsWritten(tx, rooms.userCard.table)
  return row
}

/** The quota that a kind of card brings; none for cards that are only bound to time. */
export const quotaOf = (card: Pick<Card, 'kind' | 'quota'>) => (isCounted(card.kind) ? card.quota : 0)

/** From when on a card runs: the columns of an activation and the days that it adds. */
export function activation(card: Pick<UserCard, 'valid_days'>, at: number) {
  return { days: card.valid_days, set: { status: CARD_STATUS.active, activated_at: at, expire_at: lastSecond(at, card.valid_days) } } as const
}

function callsOf(rooms: Rooms, calls: typeof partnerCards): Served[] {
  return [
    handle(calls.counter, async (call) => {
      const id = idParam(call)
      const [member] = await call.db.query<{ school_id: number }>(sql`select school_id from ${sql.identifier(rooms.member.table)} where id = ${id} and ${listCondition(rooms.member, call.staff, {})}`)
      if (!member) throw notFound(rooms.member.label)
      const [cards, [last]] = await Promise.all([
        call.db.query<Counter['cards'][number]>(sql`select id, name, price, kind, quota, valid_days from member_card
          where school_id = ${member.school_id} and self_run = ${rooms.side.self_run} and status = 1 and deleted_at is null order by price, id`),
        call.db.query<{ room_id: number; visit_id: number | null }>(sql`select v.room_id, case when v.out_at is null then v.id end as visit_id from visit v join study_room r on r.id = v.room_id and r.deleted_at is null
          where v.member_id = ${id} and v.deleted_at is null order by v.in_at desc, v.id desc limit 1`),
      ])
      return { cards, room_id: last?.room_id ?? null, visit_id: last?.visit_id ?? null }
    }),

    handle(calls.freeze, (call) => call.transaction(async (tx) => {
      const { days, reason } = call.input
      const card = await lockCard(tx, rooms, call.staff, idParam(call), 'freeze')
      const [times, most] = [card.freeze_times ?? 0, card.freeze_days ?? 0]
      if (times === 0 || most === 0) throw badRequest('该卡不可冻结')
      if (card.freeze_cnt >= times) throw badRequest(`该卡最多冻结 ${times} 次，已用完`)
      if (card.frozen_days + days > most) throw invalid({ days: `该卡累计最多冻结 ${most} 天，还可冻结 ${most - card.frozen_days} 天` })
      const at = now()
      await enter(tx, call.staff.id, card, {
        action: 'freeze', days, reason, set: { status: CARD_STATUS.frozen, frozen_at: at, frozen_until: at + days * DAY, freeze_cnt: card.freeze_cnt + 1, frozen_days: card.frozen_days + days },
      })
      return showCard(tx, rooms, call, card.id)
    }, { action: 'freeze', reason: call.input.reason })),

    handle(calls.unfreeze, (call) => call.transaction(async (tx) => {
      const card = await lockCard(tx, rooms, call.staff, idParam(call), 'unfreeze')
      // Days that were not needed are taken off again; a day that has begun counts.
      const unused = Math.floor(((card.frozen_until ?? 0) - now()) / DAY)
      const shorter = { ...card, expire_at: card.expire_at === null ? null : card.expire_at - unused * DAY }
      await enter(tx, call.staff.id, card, {
        action: 'unfreeze', days: unused === 0 ? 0 : -unused, reason: call.input.reason ?? null,
        set: { status: stateOf(shorter, now()), frozen_at: null, frozen_until: null, frozen_days: card.frozen_days - unused },
      })
      return showCard(tx, rooms, call, card.id)
    }, { action: 'unfreeze', ...(call.input.reason && { reason: call.input.reason }) })),

    handle(calls.transfer, (call) => call.transaction(async (tx) => {
      const { member_id, reason } = call.input
      const card = await lockCard(tx, rooms, call.staff, idParam(call), 'transfer')
      if (card.transferable !== 1) throw badRequest('该卡不可转让')
      if (member_id === card.member_id) throw invalid({ member_id: '不能转给本人' })
      const to = await lockRow(tx, rooms.member, call.staff, member_id)
      if (to.school_id !== card.school_id) throw invalid({ member_id: '只能转给同一学校的会员' })
      if (to.status !== MEMBER_STATUS.normal) throw invalid({ member_id: '该会员已停用' })
      await enter(tx, call.staff.id, card, { action: 'transfer', reason: `转给 ${maskName(to.name)}：${reason}`.slice(0, 200), set: { member_id } })
      return showCard(tx, rooms, call, card.id)
    }, { action: 'transfer', reason: call.input.reason })),

    handle(calls.adjust, (call) => call.transaction(async (tx) => {
      const { delta = 0, days = 0, reason } = call.input
      if (delta === 0 && days === 0) throw invalid({ delta: '请填写要调整的数量或天数' })
      if (delta * days < 0) throw invalid({ days: '数量和天数应同为扣减或同为补录' })
      const action = delta + days < 0 ? 'deduct' : 'supplement'
      const card = await lockCard(tx, rooms, call.staff, idParam(call), action)
      refuseAmount(card, delta)
      if (card.status === CARD_STATUS.unused && days !== 0) throw invalid({ days: '未激活的卡不能调整天数' })
      if (card.remaining + delta < 0) throw invalid({ delta: `余额不足，当前剩余 ${sayAmount(card.kind, card.remaining)}` })
      const after = { ...card, remaining: card.remaining + delta, expire_at: card.expire_at === null ? null : card.expire_at + days * DAY }
      if (days < 0 && after.expire_at !== null && after.expire_at < now()) throw invalid({ days: '有效期不能早于今天' })
      await enter(tx, call.staff.id, card, { action, delta, days, reason, ...(card.status !== CARD_STATUS.unused && { set: { status: stateOf(after, now()) } }) })
      return showCard(tx, rooms, call, card.id)
    }, { action: 'adjust', reason: call.input.reason })),
  ]
}

/** What happens to the cards of members beside money, on both sides. */
export const cardCalls: readonly Served[] = [...callsOf(PARTNER_ROOMS, partnerCards), ...callsOf(OWN_ROOMS, ownCards)]
