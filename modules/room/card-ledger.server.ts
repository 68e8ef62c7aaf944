import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, defineError, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { recordsWritten } from '../../core/resource/list.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { isCounted, sayAmount } from './card-kind.ts'
import { canAct, CARD_ACTIONS, CARD_STATUS, CARD_STATUSES, type CardAction, type CardStatus } from './card-state.ts'
import type { Rooms } from './ownerships.ts'
import { cardLog, userCard } from './user-card.ts'

export const DAY = 86_400

export type UserCard = NonNullable<Rooms['userCard']['types']>['row']

export const cardShort = defineError('card_short', 409, (left: string) => `余额不足，当前剩余 ${left}`)
const cardInUse = defineError('card_in_use', 409, (action: string) => `该卡正在使用，请先签退再${action}`)

/** What an entry of the ledger changes. Amounts are in the card's unit, money in fen. */
export interface CardEntry {
  readonly action: CardAction
  /** Added to the balance. */
  readonly delta?: number
  /** Added to the time that the card runs. */
  readonly days?: number
  /** Money that came in; negative what went back. */
  readonly paid?: number
  readonly visit_id?: number | null
  readonly order_no?: string | null
  readonly reason?: string | null
  /** Further columns of the card. */
  readonly set?: Partial<Pick<UserCard, 'member_id' | 'status' | 'activated_at' | 'expire_at' | 'frozen_at' | 'frozen_until' | 'freeze_cnt' | 'frozen_days' | 'quota' | 'valid_days' | 'paid' | 'refunded' | 'order_no'>>
}

/** Last second of a card that runs for so many days from a moment on; the day of the moment is the first. */
export const lastSecond = (from: number, days: number): number => startOfDay(from) + days * DAY - 1

/** The state of a card that is neither new nor frozen nor given back, by its time and its balance. */
export function stateOf({ kind, remaining, expire_at }: Pick<UserCard, 'kind' | 'remaining' | 'expire_at'>, now: number): CardStatus {
  if (expire_at !== null && expire_at < now) return CARD_STATUS.expired
  return isCounted(kind) && remaining <= 0 ? CARD_STATUS.used_up : CARD_STATUS.active
}

/**
 * Writes one entry of a card's ledger and what it changes of the card: the balance of a card is the sum of its entries,
 * its last day that of its first and all their days.
 * @param card locked by the caller
 * @returns the card as it is afterwards
 * @throws cardShort when the balance would be negative
 */
export async function enter(tx: Queryable, staffId: number | null, card: UserCard, entry: CardEntry): Promise<UserCard> {
  const { action, delta = 0, days = 0, paid = 0, set = {} } = entry
  const remaining = card.remaining + delta
  if (remaining < 0) throw cardShort(sayAmount(card.kind, card.remaining))
  const expire_at = set.expire_at !== undefined ? set.expire_at : card.expire_at === null ? null : card.expire_at + days * DAY
  const changed = { ...set, remaining, expire_at }
  await touch(tx, userCard, changed, card.id)
  await tx.query(sql`insert into card_log (user_card_id, member_id, school_id, self_run, kind, action, delta, remaining, days, paid, visit_id, order_no, reason, created_by, updated_by)
    values (${card.id}, ${card.member_id}, ${card.school_id}, ${card.self_run}, ${card.kind}, ${action}, ${delta}, ${remaining}, ${days}, ${paid},
      ${entry.visit_id ?? null}, ${entry.order_no ?? null}, ${entry.reason ?? null}, ${staffId}, ${staffId})`)
  recordsWritten(tx, cardLog.table)
  return { ...card, ...changed, rev: card.rev + 1 }
}

/** Brings a locked card up to the hour: a freeze that is over, a time that has run out. */
export async function settle(tx: Queryable, card: UserCard, now: number): Promise<UserCard> {
  let current = card
  if (current.status === CARD_STATUS.frozen && current.frozen_until !== null && current.frozen_until <= now) {
    current = await enter(tx, null, current, { action: 'unfreeze', reason: '冻结到期', set: { status: stateOf(current, now), frozen_at: null, frozen_until: null } })
    if (current.status === CARD_STATUS.expired) return enter(tx, null, current, { action: 'expire' })
  }
  if (current.status === CARD_STATUS.active && stateOf(current, now) === CARD_STATUS.expired) {
    current = await enter(tx, null, current, { action: 'expire', set: { status: CARD_STATUS.expired } })
  }
  return current
}

/** Refuses what cannot be done with a card in its state. */
export function checkAction(card: Pick<UserCard, 'status'>, action: CardAction): void {
  if (!canAct(action, card.status)) throw wrongState(CARD_ACTIONS[action].label, choiceLabel(CARD_STATUSES, card.status))
}

/** Refuses what cannot be done while somebody sits on a seat with the card. */
export async function checkFree(tx: Queryable, card: Pick<UserCard, 'id'>, action: CardAction): Promise<void> {
  const [taken] = await tx.query(sql`select 1 from seated where user_card_id = ${card.id}`)
  if (taken) throw cardInUse(CARD_ACTIONS[action].label)
}

/**
 * Locks a card of somebody whom the person may see, up to the hour, for an action.
 * @throws wrongState, or cardInUse while its holder sits on a seat with it
 */
export async function lockCard(tx: Queryable, { userCard }: Rooms, staff: Staff, id: number, action: CardAction): Promise<UserCard> {
  const card = await lockRow(tx, userCard, staff, id)
  await checkFree(tx, card, action)
  const current = await settle(tx, card, Math.floor(Date.now() / 1000))
  checkAction(current, action)
  return current
}

/** Freezes that are over and times that have run out, for all cards at once; those in use wait for the check-out. */
export async function settleAll(tx: Queryable): Promise<void> {
  const thawed = await touch(tx, userCard, { status: sql`case when t.expire_at < now() then ${CARD_STATUS.expired}::int else ${CARD_STATUS.active}::int end`, frozen_at: null, frozen_until: null },
    sql`t.status = ${CARD_STATUS.frozen} and t.frozen_until <= now() and t.deleted_at is null`)
  await note(tx, thawed, 'unfreeze', '冻结到期')
  const ended = await touch(tx, userCard, { status: CARD_STATUS.expired },
    sql`t.status = ${CARD_STATUS.active} and t.expire_at < now() and t.deleted_at is null and not exists (select 1 from seated n where n.user_card_id = t.id)`)
  await note(tx, ended, 'expire', null)
}

/** Entries of cards whose balance and days stay as they are. */
async function note(tx: Queryable, cards: readonly { id: number }[], action: string, reason: string | null): Promise<void> {
  await tx.query(sql`insert into card_log (user_card_id, member_id, school_id, self_run, kind, action, delta, remaining, days, paid, reason)
    select id, member_id, school_id, self_run, kind, ${action}, 0, remaining, 0, 0, ${reason}::text from user_card where id = any(${sql.param(cards.map(({ id }) => id))}::bigint[]) order by id`)
  recordsWritten(tx, cardLog.table)
}

/** Whether a card is bound to its time alone, so that only days can be added or taken. */
export function refuseAmount(card: Pick<UserCard, 'kind'>, delta: number): void {
  if (delta !== 0 && !isCounted(card.kind)) throw badRequest('期限卡没有额度，只能调整天数')
}
