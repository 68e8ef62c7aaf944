import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { MAX_SUM, PAY_CHANNELS, MONEY_CHANNELS } from '../order/module.ts'
import { partner, PARTNER_RIGHTS } from './partner.ts'

const outside: ReadonlySet<string> = new Set(MONEY_CHANNELS)

/** How money is paid in advance: every channel by which it really comes in. */
export const TOP_UP_CHANNELS = PAY_CHANNELS.filter(({ value }) => outside.has(value))

const channels = new Set<unknown>(TOP_UP_CHANNELS.map(({ value }) => value))

export const topUpSchema = z.object({
  amount: z.int('金额最多两位小数').check(z.gte(1, '充值金额应大于 0'), z.lte(MAX_SUM, '充值金额过大')),
  channel: z.custom<(typeof TOP_UP_CHANNELS)[number]['value']>((value) => channels.has(value), '请选择支付方式'),
  note: z.optional(z.string('备注应为文字').check(z.trim(), z.maxLength(200, '备注最多 200 个字'))),
})

/** Money that a partner pays in advance. */
export const topUp = defineEndpoint<{ balance: number }>()({
  method: 'POST', path: `${partner.api.item}/{id}/top_up`, summary: '合伙人充值', grant: [PARTNER_RIGHTS.id('topUp')], input: topUpSchema,
})
