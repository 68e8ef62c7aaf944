import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { mobile } from '../../core/field/mobile.ts'
import { startOfDay } from '../../core/field/time.ts'
import { CONTRACT_LENGTH, excellentLine, PART } from './line.ts'

const DAY = 86_400

/** Most payments of a deal. */
const MOST_PARTS = 24

/** A payment of a deal. */
export interface DealPart {
  readonly amount: number
  /** Unix seconds; absent for what is paid at once. */
  readonly due_at?: number | undefined
}

/** An order of a deal, as its view shows it. */
export interface DealOrder {
  id: number
  order_no: string
  part: number
  part_no: number
  due_at: number | null
  amount: number
  paid: number
  refunded: number
  status: number
}

const { orders: { api: { list, item }, grant, label } } = excellentLine
const fen = (words: string) => z.int(words).check(z.gte(1, `${words}至少 0.01 元`))

/** 签约: one contract, paid by as many orders as it has parts. */
export const signDeal = defineEndpoint<{ deal_no: string; ids: number[] }>()({
  method: 'POST', path: `${list}/deals`, summary: `${label}签约`, grant: [standardId(grant, 'edit')],
  input: z.object({
    offer_id: z.int('请选择项目').check(z.positive('请选择项目')),
    contract_no: z.string('请填写合同号').check(z.trim(), z.minLength(1, '请填写合同号'), z.maxLength(CONTRACT_LENGTH, `合同号最多 ${CONTRACT_LENGTH} 个字`)),
    mobile: mobile('手机号').schema,
    name: z.string('请填写姓名').check(z.trim(), z.minLength(1, '请填写姓名'), z.maxLength(40, '姓名最多 40 个字')),
    parts: z.array(z.object({ amount: fen('金额'), due_at: z.optional(z.int('应付日期有误')) }), '请填写付款安排').check(z.minLength(1, '请填写付款安排'), z.maxLength(MOST_PARTS, `最多 ${MOST_PARTS} 期`)),
    remark: z.optional(z.string('备注应为文字').check(z.maxLength(200, '备注最多 200 个字'))),
  }),
})

/** Everything that is paid under the deal of an order; an order without a contract is a deal of its own. */
export const readDeal = defineEndpoint<{ deal_no: string | null; orders: DealOrder[] }>()({ method: 'GET', path: `${item}/{id}/deal`, summary: `${label}的合同`, grant: [grant] })

/** What the n-th of so many payments is called: two are a deposit and a balance. */
export function partOf(index: number, count: number): number {
  if (count === 1) return PART.whole
  if (count === 2) return index === 0 ? PART.deposit : PART.balance
  return PART.instalment
}

/**
 * A price in payments a month apart, as even as whole fen allow; the first one is what the person wants, or takes what is left over.
 * @param now unix seconds of the day of the first
 */
export function spreadDeal(price: number, count: number, now: number, first?: number): DealPart[] {
  const rest = first === undefined ? price : price - first
  const shares = first === undefined ? count : count - 1
  const each = shares > 0 ? Math.floor(rest / shares) : 0
  return Array.from({ length: count }, (_, index) => {
    const even = first === undefined || index > 0
    const left = even && index === count - shares ? rest - each * shares : 0
    return { amount: even ? each + left : first, ...(index > 0 && { due_at: startOfDay(now) + index * 30 * DAY }) }
  })
}

/** What is wrong with the payments of a deal, as one sentence. */
export function dealProblem(price: number, parts: readonly DealPart[], { instalments }: { instalments: number | null }): string | undefined {
  const sum = parts.reduce((all, { amount }) => all + amount, 0)
  if (sum !== price) return `各期合计 ${(sum / 100).toFixed(2)} 元，应等于项目价格 ${(price / 100).toFixed(2)} 元`
  if (parts.length > Math.max(2, instalments ?? 1)) return instalments === null ? '该项目不能分期，最多分为定金和尾款' : `该项目最多分 ${instalments} 期`
  const dates = parts.slice(1).map(({ due_at }) => due_at)
  if (dates.some((at) => at === undefined)) return '首期以外的款项，请填写应付日期'
  return dates.some((at, index) => index > 0 && (at ?? 0) <= (dates[index - 1] ?? 0)) ? '应付日期应一期晚于一期' : undefined
}
