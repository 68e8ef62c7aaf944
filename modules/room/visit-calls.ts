import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'

/** What a visit takes from its card when it ends at a moment. */
export interface Bill {
  minutes: number
  /** In the unit of the card; never more than it holds. */
  used: number
  /** What the card does not cover. */
  short: number
  /** In words: 扣 1小时30分，剩余 2小时. */
  text: string
}

const remark = z.optional(z.nullable(z.string('备注应为文字').check(z.trim(), z.maxLength(200, '备注最多 200 个字'))))
const id = (ask: string) => z.int(ask).check(z.positive(ask))
/** Unix seconds; now by default. */
const moment = z.optional(z.int('时间有误').check(z.gte(1_000_000_000, '时间有误'), z.lte(7_258_118_400, '时间有误')))

/** Coming, sitting and leaving. */
function visitCalls({ member, visit, room }: Rooms) {
  const grant = [member.rights.id('visit')]
  const path = `${visit.api.item}/{id}`
  return {
    checkIn: defineEndpoint<{ visit_id: number; /** Nothing but a place was taken: it can be given back as if nobody had come. */ undoable: boolean }>()({
      method: 'POST', path: `${member.api.item}/{id}/check_in`, summary: '签到', grant, input: z.object({ seat_id: id('请选择座位'), user_card_id: id('请选择会员卡'), remark }),
    }),
    bill: defineEndpoint<Bill>()({ method: 'GET', path: `${path}/bill`, summary: '签退预览', grant, input: z.object({ out_at: z.optional(z.string('时间有误').check(z.regex(/^\d{10}$/, '时间有误'))) }) }),
    checkOut: defineEndpoint<Bill>()({ method: 'POST', path: `${path}/check_out`, summary: '签退', grant, input: z.object({ out_at: moment, remark }) }),
    undoCheckIn: defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${path}/undo_check_in`, summary: '撤销签到', grant }),
    move: defineEndpoint<{ visit_id: number }>()({ method: 'POST', path: `${path}/move`, summary: '换座', grant, input: z.object({ seat_id: id('请选择座位') }) }),
    comment: defineEndpoint<Record<string, never>>()({
      method: 'POST', path: `${path}/comment`, summary: '填写督学评语', grant, input: z.object({ comment: z.string('请填写评语').check(z.trim(), z.minLength(2, '评语至少 2 个字'), z.maxLength(200, '评语最多 200 个字')) }),
    }),
    closeRoom: defineEndpoint<{ count: number }>()({ method: 'POST', path: `${room.api.item}/{id}/check_out_all`, summary: '闭店签退', grant }),
  }
}

export const partnerVisits = visitCalls(PARTNER_ROOMS)
export const ownVisits = visitCalls(OWN_ROOMS)
