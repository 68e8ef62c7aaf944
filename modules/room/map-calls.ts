import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { CardKind } from './card-kind.ts'
import { SEAT_KINDS, type PriceRule, type SeatKind } from './price-rule.ts'
import { GRID, MAX_SEATS } from './seat-layout.ts'
import type { Rooms } from './ownerships.ts'
import { OWN_ROOMS, PARTNER_ROOMS } from './ownerships.ts'

/** Somebody on a seat. */
export interface Sitting {
  visit_id: number
  member_id: number
  member_name: string
  card_name: string
  in_at: number
  /** What is on the card, in its unit, and until when it runs. */
  card_kind: CardKind
  remaining: number
  expire_at: number | null
}

/** A seat of the map with who sits there and which pad lies there. */
export interface MapSeat {
  id: number
  area: string
  row: number
  no: number
  kind: SeatKind
  x: number
  y: number
  status: number
  label: string
  pad_sn: string | null
  sitting: Sitting | null
}

export interface SeatMap {
  room: { id: number; rev: number; name: string; school_id: number; status: number; price_rules: PriceRule[] | null }
  seats: MapSeat[]
}

/** Mean number of people in the room in each hour of the day, on school days and at weekends. */
export interface BusyHours {
  seats: number
  /** Days that were counted. */
  days: { workday: number; weekend: number }
  hours: { hour: number; workday: number; weekend: number }[]
}

const seatInput = z.object({
  id: z.optional(z.int('座位编号有误').check(z.positive('座位编号有误'))),
  area: z.string('请填写区域').check(z.trim(), z.minLength(1, '请填写区域'), z.maxLength(10, '区域最多 10 个字')),
  row: z.int('排号应为整数').check(z.gte(1, '排号不能小于 1'), z.lte(99, '排号不能大于 99')),
  no: z.int('座号应为整数').check(z.gte(1, '座号不能小于 1'), z.lte(999, '座号不能大于 999')),
  kind: z.custom<SeatKind>((value) => SEAT_KINDS.some((kind) => kind.value === value), '座位类型有误'),
  x: z.int('座位位置有误').check(z.gte(0, '座位位置有误'), z.lt(GRID.width, '座位超出了座位图')),
  y: z.int('座位位置有误').check(z.gte(0, '座位位置有误'), z.lt(GRID.height, '座位超出了座位图')),
  status: z.custom<0 | 1>((value) => value === 0 || value === 1, '座位状态有误'),
}, '座位有误')

/** The calls around the map of a room. */
function mapCalls({ side, room }: Rooms) {
  const path = `${room.api.item}/{id}`
  return {
    read: defineEndpoint<SeatMap>()({ method: 'GET', path: `${path}/seat_map`, summary: '座位图和在座情况', grant: [side.screens.room, side.screens.member] }),
    save: defineEndpoint<SeatMap>()({
      method: 'PUT', path: `${path}/seat_map`, summary: '保存座位图', grant: [standardId(side.screens.room, 'edit')],
      input: z.object({ rev: z.int('请刷新后重试'), seats: z.array(seatInput, '座位有误').check(z.maxLength(MAX_SEATS, `每间自习室最多 ${MAX_SEATS} 个座位`)) }),
    }),
    busy: defineEndpoint<BusyHours>()({ method: 'GET', path: `${path}/busy`, summary: '分时在座情况', grant: [side.screens.room] }),
  }
}

export const partnerMap = mapCalls(PARTNER_ROOMS)
export const ownMap = mapCalls(OWN_ROOMS)
