import { choice } from '../../core/field/choice.ts'
import { money, number } from '../../core/field/number.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { MAX_SUM } from '../order/module.ts'
import { staff } from '../staff/module.ts'
import type { AccountKind } from './line.ts'

/** domain 1.18. What was paid or booked is final: what changes afterwards is a line of the next one. */
export const SETTLEMENT = { draft: 1, waiting: 2, paying: 3, paid: 4, booked: 5, dropped: 6 } as const

const S = SETTLEMENT

export const SETTLEMENT_STATES = [
  { value: S.draft, label: '草稿', tone: 'idle' }, { value: S.waiting, label: '待审', tone: 'warning' }, { value: S.paying, label: '待打款', tone: 'processing' },
  { value: S.paid, label: '已付', tone: 'success' }, { value: S.booked, label: '已入余额', tone: 'success' }, { value: S.dropped, label: '已驳回', tone: 'default' },
] as const

/** The fields of a settlement, whoever it is for. */
export const settlementFields = <const Kind extends AccountKind>(kind: Kind, label: string, target: () => Target) => ({
  no: text('结算单号', { required: true, readonly: true, unique: true, max: 24, search: true }),
  account_kind: choice('账户', [{ value: kind, label }], { required: true, readonly: true, initial: kind }),
  account_id: reference(label, target, { required: true, readonly: true, onRemove: 'keep' }),
  until: time('结算到', { required: true, readonly: true }),
  line_cnt: number('明细', { required: true, readonly: true, unit: '条' }),
  amount: money('金额', { required: true, readonly: true, min: -MAX_SUM, max: MAX_SUM }),
  /** Over the lines as they were taken up: approval refuses when they are others. */
  hash: text('校验', { readonly: true, max: 64 }),
  submitted_by: reference('提交人', () => staff, { readonly: true, onRemove: 'keep' }),
  auditor_id: reference('审核人', () => staff, { readonly: true, onRemove: 'keep' }),
  audited_at: time('审核时间', { readonly: true }),
  trade_no: text('打款流水号', { readonly: true, max: 64 }),
  paid_at: time('打款时间', { readonly: true }),
  status: choice('状态', SETTLEMENT_STATES, { required: true, readonly: true, initial: S.draft }),
})

/** A person who made a settlement does not let it through. */
export const SECOND = '结算单须由另一人审核，不能是生成或提交的人'
