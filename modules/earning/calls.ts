import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { Resource } from '../../core/resource/define.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { MAX_SUM } from '../order/module.ts'
import { agentEarning, agentSettlement, withdrawal, WITHDRAWAL_RIGHTS } from './agent-lines.ts'
import { EARNING_RIGHTS, ratePlan } from './plan.ts'
import { AMOUNT_RIGHTS, teacherEarning, teacherSettlement } from './teacher-lines.ts'

const id = (sentence: string) => z.int(sentence).check(z.positive(sentence))
const moment = (sentence: string) => z.int(sentence).check(z.gte(0, sentence), z.lte(4_102_444_800, sentence))

/** Accounts that one call settles. */
export const MAX_ACCOUNTS = 300

const settleInput = z.object({
  until: moment('请选择结算日期'),
  account_ids: z.optional(z.array(id('请选择账户'), '请选择账户').check(z.minLength(1, '请选择账户'), z.maxLength(MAX_ACCOUNTS, `一次最多 ${MAX_ACCOUNTS} 个账户`))),
})

const tradeInput = z.object({
  trade_no: z.string('请填写打款流水号').check(z.trim(), z.minLength(4, '打款流水号至少 4 位'), z.maxLength(64, '打款流水号最多 64 位')),
  paid_at: moment('请选择打款时间'),
})

const adjustInput = z.object({
  account_id: id('请选择账户'),
  amount: z.int('金额最多两位小数').check(z.gte(-MAX_SUM, '金额过大'), z.lte(MAX_SUM, '金额过大'), z.refine((value) => value !== 0, '金额不能为 0')),
  reason: reasonSchema,
})

/** What came of settling. */
export interface Settled { made: number; amount: number; /** Accounts of which nothing is due, or less than nothing. */ skipped: number }

/** A line with what went in, worked out again. */
export interface Explained {
  words: string | null
  /** What was booked for the same account, source and tier until now, and what it should be. */
  booked: number
  target: number
  lines: { id: number; at: number; cause: string; amount: number; words: string | null }[]
}

/** How the commissions of an order came about, or why there are none. */
export interface OrderExplained {
  order: { id: number; order_no: string; goods: string | null; amount: number; paid: number; refunded: number } | null
  why: string | null
  shares: { tier: number; agent_name: string; bp: number; plan: string; target: number; booked: number }[]
  lines: { id: number; at: number; agent_name: string; tier: number; amount: number; words: string | null; settlement_no: string | null }[]
}

/** What a rate would have meant for what was sold in the last days. */
export interface Trial {
  days: number
  orders: number
  before: { first: number; second: number }
  after: { first: number; second: number }
  agents: { id: number; name: string; before: number; after: number }[]
}

/** Sums above the list of a teacher's money. */
export interface AmountSums { owed: number; settled: number; auditing: number; deducted: number }

/** The calls around the lines of those who earn. */
function earnerCalls(settlement: Resource, earning: Resource, words: string, rights: { settle: number; adjust: number }) {
  return {
    settle: defineEndpoint<Settled>()({ method: 'POST', path: `${settlement.api.list}/settle`, summary: `生成${words}结算单`, back: { instead: '生成错了，作废结算单即可' }, grant: [rights.settle], input: settleInput }),
    adjust: defineEndpoint<{ id: number }>()({ method: 'POST', path: `${earning.api.list}/adjust`, summary: `${words}奖励和扣减`, grant: [rights.adjust], input: adjustInput }),
    explain: defineEndpoint<Explained>()({ method: 'GET', path: `${earning.api.item}/{id}/explain`, summary: `${words}怎么算的`, grant: [earning.grant] }),
  }
}

export const agentCalls = earnerCalls(agentSettlement, agentEarning, '佣金', { settle: EARNING_RIGHTS.id('settle'), adjust: WITHDRAWAL_RIGHTS.id('adjust') })
export const teacherCalls = earnerCalls(teacherSettlement, teacherEarning, '课酬', { settle: AMOUNT_RIGHTS.id('settle'), adjust: AMOUNT_RIGHTS.id('adjust') })

export const payTeacher = defineEndpoint<WireRow>()({ method: 'POST', path: `${teacherSettlement.api.item}/{id}/pay`, summary: '确认课酬已打款', grant: [AMOUNT_RIGHTS.id('pay')], input: tradeInput })

export const teacherSums = defineEndpoint<AmountSums>()({ method: 'GET', path: `${teacherEarning.api.list}/sums`, summary: '教师金额合计', grant: [teacherEarning.grant], input: z.object({ account_id: z.optional(z.coerce.number('教师编号有误').check(z.positive('教师编号有误'))) }) })

export const explainOrder = defineEndpoint<OrderExplained>()({
  method: 'GET', path: `${agentEarning.api.list}/of_order`, summary: '订单的佣金和无佣金的原因', grant: [agentEarning.grant],
  input: z.object({ order_no: z.string('请填写订单号').check(z.trim(), z.minLength(4, '请填写订单号'), z.maxLength(24, '订单号过长')) }),
})

export const attribute = defineEndpoint<OrderExplained>()({
  method: 'POST', path: `${agentEarning.api.list}/attribute`, summary: '订单改归属', grant: [EARNING_RIGHTS.id('attribute')],
  input: z.object({ order_id: id('请选择订单'), agent_id: z.nullable(id('请选择代理')), reason: reasonSchema }),
})

/** Days over which a rate is tried. */
export const TRIAL_DAYS = 90

export const tryRate = defineEndpoint<Trial>()({
  method: 'GET', path: `${ratePlan.api.list}/trial`, summary: '费率试算', grant: [ratePlan.grant],
  input: z.object({
    line: z.string('请选择业务').check(z.maxLength(40, '业务有误')), level: z.coerce.number('请选择代理等级').check(z.gte(1, '代理等级有误'), z.lte(3, '代理等级有误')),
    first: z.coerce.number('请填写直接佣金').check(z.gte(0, '直接佣金有误'), z.lte(40, '直接佣金最多 40%')), second: z.coerce.number('请填写上级佣金').check(z.gte(0, '上级佣金有误'), z.lte(20, '上级佣金最多 20%')),
  }),
})

export const askMoney = defineEndpoint<{ id: number; no: string }>()({
  method: 'POST', path: `${withdrawal.api.list}/ask`, summary: '申请提现', grant: [WITHDRAWAL_RIGHTS.id('withdraw')],
  input: z.object({
    agent_id: id('请选择代理'), amount: z.int('金额最多两位小数').check(z.gte(1, '提现金额应大于 0'), z.lte(MAX_SUM, '金额过大')),
    holder: z.string('请填写收款人').check(z.trim(), z.minLength(2, '请填写收款人'), z.maxLength(40, '收款人最多 40 个字')),
    bank: z.string('请填写开户行').check(z.trim(), z.minLength(2, '请填写开户行'), z.maxLength(60, '开户行最多 60 个字')),
    card: z.string('请填写银行卡号').check(z.overwrite((text) => text.replace(/\s/g, '')), z.regex(/^\d{12,25}$/, '银行卡号应为 12 到 25 位数字')),
  }),
})

export const payMoney = defineEndpoint<WireRow>()({ method: 'POST', path: `${withdrawal.api.item}/{id}/pay`, summary: '确认提现已打款', grant: [WITHDRAWAL_RIGHTS.id('pay')], input: tradeInput })

/** The whole number of the card, for who pays; each look is logged. */
export const readCard = defineEndpoint<{ card: string }>()({ method: 'POST', path: `${withdrawal.api.item}/{id}/card`, summary: '查看提现的完整卡号', secret: true, grant: [WITHDRAWAL_RIGHTS.id('pay')] })
