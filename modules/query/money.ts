import { choiceLabel } from '../../core/field/choice.ts'
import { DISCOUNT_KINDS, PAY_CHANNELS, REFUND_STATUS } from '../order/module.ts'
import type { AnyOrderDetail, MoneyStep } from './calls.ts'

interface Facts { readonly total: number; readonly amount: number; readonly discounts: readonly { kind: string; amount: number }[]; readonly payments: AnyOrderDetail['detail']['payments']; readonly refunds: AnyOrderDetail['detail']['refunds'] }

/** Where an order's money went, step by step: list price, each discount, what was to be paid, what came in by which way, what went back, what is left. */
export function moneySteps({ total, amount, discounts, payments, refunds }: Facts): MoneyStep[] {
  const paid = payments.reduce((sum, one) => sum + one.amount, 0)
  const back = refunds.filter(({ status }) => status === REFUND_STATUS.done)
  const returned = back.reduce((sum, one) => sum + one.amount, 0)
  return [
    { label: '标价合计', amount: total, note: null },
    ...discounts.map((one): MoneyStep => ({ label: choiceLabel(DISCOUNT_KINDS, one.kind), amount: -one.amount, note: null })),
    { label: '应付', amount, note: null, sum: true },
    ...payments.map((one): MoneyStep => ({ label: `收款 · ${choiceLabel(PAY_CHANNELS, one.channel)}`, amount: one.amount, note: one.trade_no ?? one.staff_name })),
    ...(amount > paid ? [{ label: '未付', amount: amount - paid, note: null }] : []),
    ...back.map((one): MoneyStep => ({ label: '退款', amount: -one.amount, note: one.reason })),
    { label: '净收', amount: paid - returned, note: null, sum: true },
  ]
}
