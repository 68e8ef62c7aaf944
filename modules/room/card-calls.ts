import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import type { CardKind } from './card-kind.ts'
import { type MemberRight } from './card-state.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'

/** How a card is paid for at the desk; the values are those of orders (domain 0.4). */
export const CARD_PAY_CHANNELS = [
  { value: 'wechat', label: '微信' }, { value: 'alipay', label: '支付宝' }, { value: 'cash', label: '现金' }, { value: 'transfer', label: '对公' }, { value: 'offline', label: '线下' }, { value: 'free', label: '0元' },
] as const

const id = (ask: string) => z.int(ask).check(z.positive(ask))
const fen = (label: string) => z.int(`${label}最多两位小数`).check(z.gte(0, `${label}不能小于 0 元`), z.lte(99_999_999, `${label}过大`))
const channel = z.custom<(typeof CARD_PAY_CHANNELS)[number]['value']>((value) => CARD_PAY_CHANNELS.some((one) => one.value === value), '请选择支付方式')
const remark = z.optional(z.nullable(z.string('备注应为文字').check(z.trim(), z.maxLength(200, '备注最多 200 个字'))))
const big = (label: string) => z.int(`${label}应为整数`).check(z.gte(-9_999_999, `${label}过小`), z.lte(9_999_999, `${label}过大`))

/** What somebody at the desk has to know of a member before anything is sold. */
export interface Counter {
  /** Kinds of card that can be bought now, with what they cost in fen. */
  cards: { id: number; name: string; price: number; kind: CardKind; quota: number | null; valid_days: number }[]
  /** Where the member is or was last; the money is most likely booked there. */
  room_id: number | null
  /** The visit that is going on. */
  visit_id: number | null
}

/** What happens to the cards of members. */
function cardCalls({ member, userCard }: Rooms) {
  const grant = (right: MemberRight) => [member.rights.id(right)]
  const path = `${userCard.api.item}/{id}`
  return {
    counter: defineEndpoint<Counter>()({ method: 'GET', path: `${member.api.item}/{id}/counter`, summary: '会员可买的卡和在座情况', grant: [...grant('sell'), ...grant('visit')] }),
    open: defineEndpoint<WireRow>()({
      method: 'POST', path: `${member.api.item}/{id}/card`, summary: '开卡', grant: grant('sell'),
      input: z.object({
        card_id: id('请选择会员卡'),
        /** Where the money is booked. */
        room_id: id('请选择收款自习室'),
        /** Fen; the card's price by default. */
        paid: z.optional(fen('实付')),
        pay_channel: channel,
        /** 1 from now on, 0 from the first visit. */
        at_once: z.optional(z.custom<0 | 1>((value) => value === 0 || value === 1, '请选择生效方式')),
        remark,
      }),
    }),
    renew: defineEndpoint<WireRow>()({
      method: 'POST', path: `${path}/renew`, summary: '续卡', grant: grant('sell'), input: z.object({ room_id: id('请选择收款自习室'), paid: z.optional(fen('实付')), pay_channel: channel, remark }),
    }),
    freeze: defineEndpoint<WireRow>()({
      method: 'POST', path: `${path}/freeze`, summary: '冻结会员的卡', grant: grant('freeze'),
      input: z.object({ days: z.int('请填写冻结天数').check(z.gte(1, '至少冻结 1 天'), z.lte(365, '最多冻结 365 天')), reason: reasonSchema }),
    }),
    unfreeze: defineEndpoint<WireRow>()({ method: 'POST', path: `${path}/unfreeze`, summary: '解冻会员的卡', grant: grant('freeze'), input: z.object({ reason: z.optional(reasonSchema) }) }),
    transfer: defineEndpoint<WireRow>()({
      method: 'POST', path: `${path}/transfer`, summary: '转卡', grant: grant('transfer'), input: z.object({ member_id: id('请选择受让的会员'), reason: reasonSchema }),
    }),
    adjust: defineEndpoint<WireRow>()({
      method: 'POST', path: `${path}/adjust`, summary: '扣减或补录', grant: grant('adjust'),
      input: z.object({ delta: z.optional(big('数量')), days: z.optional(z.int('天数应为整数').check(z.gte(-3650, '天数过小'), z.lte(3650, '天数过大'))), reason: reasonSchema }),
    }),
    refund: defineEndpoint<WireRow>()({
      method: 'POST', path: `${path}/refund`, summary: '退卡', grant: grant('refund'), input: z.object({ amount: fen('退款金额'), reason: reasonSchema }),
    }),
  }
}

export const partnerCards = cardCalls(PARTNER_ROOMS)
export const ownCards = cardCalls(OWN_ROOMS)
