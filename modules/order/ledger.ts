import { choice, type Choice } from '../../core/field/choice.ts'
import type { AnyField } from '../../core/field/any-field.ts'
import { computed } from '../../core/field/json.ts'
import { money } from '../../core/field/number.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import type { ScopeKind } from '../../core/grant/grant.ts'
import { defineResource, type Api, type Resource } from '../../core/resource/define.ts'
import { PAY_CHANNELS } from './flow.ts'
import { MAX_SUM } from './line.ts'

/** Why money moved on an account. */
export const LEDGER_KINDS = [
  { value: 'payment', label: '收款', tone: 'success' },
  { value: 'order', label: '订单支付', tone: 'default' },
  { value: 'refund', label: '订单退款', tone: 'warning' },
  { value: 'payout', label: '退款打款', tone: 'error' },
  // Money that went another way than it had come, as a second person allowed.
  { value: 'other_refund', label: '改道退款', tone: 'error' },
  { value: 'other_payout', label: '改道打款', tone: 'error' },
  { value: 'top_up', label: '充值', tone: 'success' },
  { value: 'exchange', label: '置换服务费', tone: 'default' },
] as const satisfies readonly Choice<string>[]

export type LedgerKind = (typeof LEDGER_KINDS)[number]['value']

/** The accounts of one kind, as their statement shows them. */
export interface AccountKind {
  readonly kind: string
  /** Name of the resource, such as `partner_ledger`. */
  readonly name: string
  readonly label: string
  readonly grant: number
  readonly api: Api
  readonly owner: { readonly label: string; readonly target: () => Target }
  readonly scope: Readonly<Partial<Record<ScopeKind, string>>>
}

/**
 * Entries of the accounts of one kind: a statement that can be filtered and exported. Written by the server alone.
 * @example export const partnerLedger = defineLedger({ kind: 'partner', name: 'partner_ledger', label: '账目', … })
 */
export function defineLedger(account: AccountKind): Resource {
  const fields: Record<string, AnyField> = {
    account_kind: choice('账户类型', [{ value: account.kind, label: account.owner.label }], { required: true, readonly: true }),
    account_id: reference(account.owner.label, account.owner.target, { required: true, readonly: true, onRemove: 'keep' }),
    at: time('时间', { required: true, readonly: true }),
    kind: choice('类型', LEDGER_KINDS, { required: true, readonly: true }),
    order_no: text('订单号', { readonly: true, search: true, max: 24 }),
    amount: money('金额', { required: true, readonly: true, min: -MAX_SUM, max: MAX_SUM }),
    balance: computed('余额', 'money'),
    channel: choice('方式', PAY_CHANNELS, { readonly: true }),
    note: text('摘要', { readonly: true, max: 200 }),
  }
  return defineResource<Record<string, AnyField>, never, string, string>({
    name: account.name,
    table: 'ledger',
    label: account.label,
    title: 'order_no',
    grant: account.grant,
    api: account.api,
    fields,
    list: {
      columns: ['at', 'account_id', 'kind', 'order_no', 'amount', 'balance', 'channel', 'note', 'created_by_name'],
      filters: ['account_id', 'kind', 'channel', 'at'],
      summary: ['amount'],
    },
    where: { account_kind: account.kind },
    scope: account.scope,
    audit: false,
    without: ['create', 'update', 'edit', 'remove'],
  })
}
