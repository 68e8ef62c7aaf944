import { sql } from 'drizzle-orm'
import { sqlState, type Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, defineError, invalid, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { recordsWritten } from '../../core/resource/list.server.ts'
import { shownName } from '../../core/resource/names.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { CARD_KIND, sayAmount, useOf } from './card-kind.ts'
import { checkAction, enter, settle, stateOf, type UserCard } from './card-ledger.server.ts'
import { activation } from './card.server.ts'
import { CARD_STATUS } from './card-state.ts'
import { tellRoom } from './front.server.ts'
import { endLeave } from './leave.server.ts'
import { MEMBER_STATUS } from './member.ts'
import { SEAT_KINDS, type PriceRule, type SeatKind } from './price-rule.ts'
import { read } from './row.server.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'
import { ownVisits, partnerVisits, type Bill } from './visit-calls.ts'

export const seatTaken = defineError('seat_taken', 409, (label: string) => `「${label}」已有人在座，请换一个座位`)
export const alreadySeated = defineError('already_seated', 409, (name: string) => `${name}已签到，请先签退`)
const visitOver = defineError('visit_over', 409, () => '该会员已签退')

type Visit = NonNullable<Rooms['visit']['types']>['row']

interface VisitedSeat {
  id: number
  label: string
  kind: SeatKind
  status: number
  room_id: number
  school_id: number
  self_run: number
  room_status: number
  price_rules: PriceRule[] | null
}

/** How long after it a check-in may still be taken back, in seconds. */
const UNDO_SECONDS = 60

const now = () => Math.floor(Date.now() / 1000)

async function placeOf(tx: Queryable, seatId: number): Promise<VisitedSeat | undefined> {
  const [place] = await tx.query<VisitedSeat>(sql`select s.id, s.label, s.kind, s.status, s.room_id, r.school_id, r.self_run, r.status as room_status, r.price_rules
    from seat s join study_room r on r.id = s.room_id and r.deleted_at is null where s.id = ${seatId} and s.deleted_at is null for key share of r`)
  return place
}

/** The rule by which a kind of seat is paid; a room without one lets cards count minutes and visits as they are. */
const ruleOf = (place: Pick<VisitedSeat, 'price_rules' | 'kind'>): PriceRule | undefined => place.price_rules?.find((rule) => rule.kind === place.kind)
const PLAIN_RULE: PriceRule = { kind: 1, hour: 0 }

/** Refuses a seat on which nobody can sit, or not with this card. */
function checkSeat(place: VisitedSeat | undefined, card: Pick<UserCard, 'school_id' | 'self_run' | 'kind' | 'room_ids' | 'seat_kinds'>): VisitedSeat {
  if (!place || place.school_id !== card.school_id || place.self_run !== card.self_run) throw invalid({ seat_id: '座位不存在或不属于该学校，请重新选择' })
  if (place.room_status !== 1) throw invalid({ seat_id: '该自习室已停业' })
  if (place.status !== 1) throw invalid({ seat_id: `「${place.label}」已停用，请换一个座位` })
  if (card.room_ids?.length && !card.room_ids.includes(place.room_id)) throw invalid({ user_card_id: '该卡不能在这间自习室使用' })
  if (card.seat_kinds?.length && !card.seat_kinds.includes(place.kind)) throw invalid({ seat_id: `该卡不能坐「${choiceLabel(SEAT_KINDS, place.kind)}」座位` })
  if (card.kind === CARD_KIND.value && !ruleOf(place)) throw invalid({ seat_id: '该座位没有定价，不能使用储值卡' })
  return place
}

/** What a visit comes to. A stay that has begun is at least a minute. */
function billOf(visit: Pick<Visit, 'in_at' | 'kind'>, place: Pick<VisitedSeat, 'price_rules' | 'kind'> | undefined, card: Pick<UserCard, 'remaining' | 'kind'>, outAt: number): Bill {
  const minutes = Math.max(1, Math.ceil((outAt - visit.in_at) / 60))
  const needed = useOf(card.kind, (place && ruleOf(place)) ?? PLAIN_RULE, minutes)
  const used = Math.min(needed, card.remaining)
  const short = needed - used
  const text = needed === 0 ? '期限卡，不扣额度' : `扣 ${sayAmount(card.kind, used)}，剩余 ${sayAmount(card.kind, card.remaining - used)}${short > 0 ? `；不足 ${sayAmount(card.kind, short)}，请现场补收` : ''}`
  return { minutes, used, short, text }
}

/** Ends a visit that is locked. */
async function endVisit(tx: Queryable, rooms: Rooms, staff: Staff, visit: Visit, outAt: number, remark: string | null | undefined): Promise<Bill> {
  if (visit.out_at !== null) throw visitOver()
  if (outAt < visit.in_at) throw invalid({ out_at: '签退时间不能早于签到时间' })
  if (outAt > now()) throw invalid({ out_at: '签退时间不能晚于现在' })
  const card = await lockRow(tx, rooms.userCard, staff, visit.user_card_id)
  const bill = billOf(visit, await placeOf(tx, visit.seat_id), card, outAt)
  await touch(tx, rooms.visit, { out_at: outAt, minutes: bill.minutes, used: bill.used, short: bill.short, remark: remark ?? undefined }, visit.id)
  await tx.query(sql`delete from seated where visit_id = ${visit.id}`)
  await setDerived(tx, rooms.member, { total_minutes: sql`coalesce(t.total_minutes, 0) + ${bill.minutes}` }, visit.member_id)
  const after = { ...card, remaining: card.remaining - bill.used }
  const status = stateOf(after, now())
  if (bill.used > 0 || status !== card.status) {
    await enter(tx, staff.id, card, { action: bill.used > 0 ? 'use' : 'expire', delta: -bill.used, visit_id: visit.id, set: { status } })
  }
  await tellRoom(tx, visit.room_id)
  return bill
}

function callsOf(rooms: Rooms, calls: typeof partnerVisits): Served[] {
  return [
    handle(calls.checkIn, (call) => call.transaction(async (tx) => {
      const { seat_id, user_card_id, remark } = call.input
      const member = await lockRow(tx, rooms.member, call.staff, idParam(call))
      if (member.status !== MEMBER_STATUS.normal) throw wrongState('签到', '停用')
      let card = await lockRow(tx, rooms.userCard, call.staff, user_card_id)
      if (card.member_id !== member.id) throw invalid({ user_card_id: '该卡不是这位会员的' })
      const at = now()
      card = await settle(tx, card, at)
      const activates = card.status === CARD_STATUS.unused
      if (activates) card = await enter(tx, call.staff.id, card, { action: 'activate', ...activation(card, at) })
      checkAction(card, 'use')
      const place = checkSeat(await placeOf(tx, seat_id), card)
      const [made] = await tx.query<{ id: number }>(sql`insert into visit (member_id, room_id, seat_id, user_card_id, school_id, self_run, in_at, kind, remark, created_by, updated_by)
        values (${member.id}, ${place.room_id}, ${place.id}, ${card.id}, ${member.school_id}, ${rooms.side.self_run}, to_timestamp(${at}), ${card.kind}, ${remark ?? null}, ${call.staff.id}, ${call.staff.id}) returning id`)
      recordsWritten(tx, rooms.visit.table)
      const visitId = made?.id ?? 0
      const [sat] = await tx.query(sql`insert into seated (seat_id, member_id, user_card_id, visit_id, room_id, in_at)
        values (${place.id}, ${member.id}, ${card.id}, ${visitId}, ${place.room_id}, to_timestamp(${at})) on conflict do nothing returning seat_id`)
      if (!sat) {
        const [here] = await tx.query(sql`select 1 from seated where member_id = ${member.id}`)
        throw here ? alreadySeated(shownName(rooms.member, call.staff, member.name)) : seatTaken(place.label)
      }
      const back = await endLeave(tx, member.id)
      await setDerived(tx, rooms.member, { visit_cnt: sql`coalesce(t.visit_cnt, 0) + 1`, last_in_at: at }, member.id)
      await tellRoom(tx, place.room_id)
      return { visit_id: visitId, undoable: !activates && !back }
    }, { action: 'check_in' })),

    handle(calls.undoCheckIn, (call) => call.transaction(async (tx) => {
      const { member_id } = await read(tx, rooms.visit, call.staff, idParam(call))
      const member = await lockRow(tx, rooms.member, call.staff, member_id)
      const visit = await lockRow(tx, rooms.visit, call.staff, idParam(call))
      if (visit.out_at !== null) throw visitOver()
      if (now() - visit.in_at > UNDO_SECONDS) throw badRequest('签到已超过 1 分钟，不能撤销，请签退')
      const card = await read(tx, rooms.userCard, call.staff, visit.user_card_id)
      if (card.activated_at !== null && card.activated_at >= visit.in_at) throw badRequest('这次签到激活了会员卡，不能撤销，请签退')
      await tx.query(sql`delete from seated where visit_id = ${visit.id}`)
      await touch(tx, rooms.visit, { deleted_at: sql`now()` }, visit.id)
      await setDerived(tx, rooms.member, { visit_cnt: sql`greatest(coalesce(t.visit_cnt, 0) - 1, 0)`, last_in_at: sql`(select max(v.in_at) from visit v where v.member_id = t.id and v.deleted_at is null)` }, member.id)
      await tellRoom(tx, visit.room_id)
      return {}
    }, { action: 'undo_check_in' })),

    handle(calls.bill, async (call) => {
      const visit = await read(call.db, rooms.visit, call.staff, idParam(call))
      if (visit.out_at !== null) throw visitOver()
      const card = await read(call.db, rooms.userCard, call.staff, visit.user_card_id)
      const outAt = call.input.out_at === undefined ? now() : Number(call.input.out_at)
      if (outAt < visit.in_at) throw invalid({ out_at: '签退时间不能早于签到时间' })
      return billOf(visit, await placeOf(call.db, visit.seat_id), card, outAt)
    }),

    handle(calls.checkOut, (call) => call.transaction(async (tx) => {
      const visit = await lockRow(tx, rooms.visit, call.staff, idParam(call))
      return endVisit(tx, rooms, call.staff, visit, call.input.out_at ?? now(), call.input.remark)
    }, { action: 'check_out' })),

    handle(calls.move, (call) => call.transaction(async (tx) => {
      const visit = await lockRow(tx, rooms.visit, call.staff, idParam(call))
      if (visit.out_at !== null) throw visitOver()
      const card = await lockRow(tx, rooms.userCard, call.staff, visit.user_card_id)
      const place = checkSeat(await placeOf(tx, call.input.seat_id), card)
      if (place.room_id !== visit.room_id) throw invalid({ seat_id: '只能换到同一自习室的座位' })
      await tx.query(sql`update seated set seat_id = ${place.id} where visit_id = ${visit.id}`).catch((error: unknown) => {
        throw sqlState(error) === '23505' ? seatTaken(place.label) : error
      })
      await touch(tx, rooms.visit, { seat_id: place.id }, visit.id)
      await tellRoom(tx, place.room_id)
      return { visit_id: visit.id }
    }, { action: 'move' })),

    handle(calls.comment, (call) => call.transaction(async (tx) => {
      const visit = await lockRow(tx, rooms.visit, call.staff, idParam(call))
      await touch(tx, rooms.visit, { comment: call.input.comment }, visit.id)
      return {}
    }, { action: 'comment' })),

    handle(calls.closeRoom, (call) => call.transaction(async (tx) => {
      const room = await read(tx, rooms.room, call.staff, idParam(call))
      const open = await tx.query<{ visit_id: number }>(sql`select visit_id from seated where room_id = ${room.id} order by visit_id`)
      if (open.length === 0) throw badRequest('没有人在座')
      const at = now()
      for (const { visit_id } of open) await endVisit(tx, rooms, call.staff, await lockRow(tx, rooms.visit, call.staff, visit_id), at, null)
      return { count: open.length }
    }, { action: 'check_out' })),
  ]
}

/** Coming, sitting and leaving, on both sides. */
export const visitCalls: readonly Served[] = [...callsOf(PARTNER_ROOMS, partnerVisits), ...callsOf(OWN_ROOMS, ownVisits)]
