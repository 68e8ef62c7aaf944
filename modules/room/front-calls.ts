import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { CardKind } from './card-kind.ts'
import type { CardStatus } from './card-state.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'

/** Somebody who was found at the counter. */
export interface FoundMember {
  id: number
  name: string
  mobile: string
  /** The card by whose number they were found. */
  card_no: string | null
  /** The seat on which they sit, wherever that is. */
  seat: string | null
}

/** A card that a member holds, as the counter has to know it. */
export interface HeldCard {
  id: number
  card_no: string
  name: string
  kind: CardKind
  remaining: number
  quota: number
  expire_at: number | null
  status: CardStatus
  /** Seats on which it may be used; all where it says none. */
  seat_kinds: number[] | null
  /** Good in this room. */
  here: boolean
  /** Somebody sits on a seat with it. */
  in_use: boolean
  /** What another period costs; null where its kind is not sold any more. Fen. */
  price: number | null
  /** What of its money can go back. Fen. */
  left_paid: number
}

/** The member in front of the counter: what is left, what is due, where they sit. */
export interface FrontMember {
  id: number
  name: string
  mobile: string
  photo: string | null
  normal: boolean
  remark: string | null
  visit: { id: number; room_id: number; room_name: string; seat_id: number; seat: string; card_id: number; in_at: number } | null
  cards: HeldCard[]
  /** Kinds of card that can be bought now. */
  sold: { id: number; name: string; price: number; kind: CardKind; quota: number | null; valid_days: number }[]
  /** The seat of the visit before. */
  last_seat_id: number | null
  /** Orders of theirs that wait for their money; null for a person who may not see orders. */
  unpaid: { orders: number; amount: number } | null
}

/** What happened in a room today. */
export interface FrontDay {
  /** Midnight, unix seconds: where the lists that show the same begin. */
  since: number
  arrivals: number
  visits: { id: number; member_id: number; name: string; seat: string; in_at: number; out_at: number | null; minutes: number | null }[]
  /** Null for a person who may not see orders. */
  takings: { paid: number; refunded: number; channels: { channel: string; orders: number; paid: number }[] } | null
}

const words = z.string('请输入姓名、手机号或卡号').check(z.trim(), z.minLength(1, '请输入姓名、手机号或卡号'), z.maxLength(100, '最多 100 个字'))

/** What the person at the counter of a room asks. */
function frontCalls({ member, room }: Rooms) {
  const grant = [member.rights.id('visit'), member.rights.id('sell')]
  const path = `${room.api.item}/{id}/front`
  return {
    day: defineEndpoint<FrontDay>()({ method: 'GET', path, summary: '前台：今日到店和收款', grant }),
    find: defineEndpoint<{ members: FoundMember[]; exact: boolean }>()({ method: 'GET', path: `${path}/find`, summary: '前台：按姓名、手机号、卡号或扫码找会员', grant, input: z.object({ words }) }),
    member: defineEndpoint<FrontMember>()({ method: 'GET', path: `${path}/members/{member_id}`, summary: '前台：会员的卡和在座情况', grant }),
  }
}

export const partnerFront = frontCalls(PARTNER_ROOMS)
export const ownFront = frontCalls(OWN_ROOMS)
