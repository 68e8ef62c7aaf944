import type { AnyField } from '../../core/field/any-field.ts'
import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { money, number } from '../../core/field/number.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { MAX_SUM } from '../order/module.ts'

/** Who earns: an agent or a teacher. */
export const ACCOUNT = { agent: 'agent', teacher: 'companion_teacher' } as const

export type AccountKind = (typeof ACCOUNT)[keyof typeof ACCOUNT]

/** What earns. */
export const SOURCES = [
  { value: 'order', label: '订单' }, { value: 'lesson', label: '课时' }, { value: 'month', label: '包月' }, { value: 'adjust', label: '奖励和扣减' },
] as const

/** How far the money of a line is: it follows from the line's own columns. */
export const PHASES = [
  { value: 'held', label: '待结算' }, { value: 'due', label: '可结算' }, { value: 'settling', label: '结算中' }, { value: 'settled', label: '已结算' }, { value: 'back', label: '冲回和扣减' },
] as const

/** Fields by which the keyword finds a line. */
export const searchFields = {
  order_no: text('订单号', { readonly: true, max: 24, search: true }),
  title: text('内容', { readonly: true, max: 200, search: true }),
}

/** The fields of a line, whoever earns it. */
export const earningFields = <const Kind extends AccountKind>(kind: Kind, label: string, target: () => Target, settlement: () => Target) => ({
  account_kind: choice('账户', [{ value: kind, label }], { required: true, readonly: true, initial: kind }),
  account_id: reference(label, target, { required: true, readonly: true, onRemove: 'keep' }),
  source_kind: choice('来源', SOURCES, { required: true, readonly: true }),
  source_id: number('来源编号', { required: true, readonly: true }),
  ...searchFields,
  tier: choice('层级', [{ value: 0, label: '本人' }, { value: 1, label: '直接' }, { value: 2, label: '上级' }], { required: true, readonly: true, initial: 0 }),
  cause: text('事由', { required: true, readonly: true, max: 60 }),
  amount: money('金额', { required: true, readonly: true, min: -MAX_SUM, max: MAX_SUM }),
  base: number('计算基数', { required: true, readonly: true, min: -MAX_SUM, max: MAX_SUM }),
  rate: number('费率', { required: true, readonly: true, min: 0, max: MAX_SUM }),
  rate_id: number('费率编号', { readonly: true }),
  words: longText('怎么算的', { readonly: true, max: 300 }),
  at: time('入账时间', { required: true, readonly: true }),
  due_at: time('可结算时间', { required: true, readonly: true }),
  settlement_id: reference('结算单', settlement, { readonly: true, onRemove: 'keep' }),
  state: computed('状态', 'text'),
  phase: segment('状态', PHASES),
} satisfies Record<string, AnyField>)
