import * as z from 'zod/mini'
import { yuan } from '../../core/field/number.ts'
import { checkFields, inputFields, MAX_SUM, type OrderLine } from './line.ts'
import { ORDER_PARTS, type OrderPart } from './new-order.ts'

/** An order that is being written down: whatever was typed so far, by part. */
export type DraftBody = Partial<Record<OrderPart, Readonly<Record<string, unknown>>>>

interface DraftItem {
  readonly kind?: string
  readonly ref_id?: number | null
  readonly price?: number
  readonly qty?: number
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** Leaves out what was not given, at any depth: forms hold null where nothing was typed. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !isEmpty(one)).map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([, one]) => !isEmpty(one)).map(([key, one]) => [key, withoutEmpty(one)]))
}

/** What a draft orders so far. */
export const draftItems = (body: DraftBody): readonly DraftItem[] => (Array.isArray(body.order_info?.['items']) ? (body.order_info['items'] as readonly (DraftItem | null)[]).filter((item) => item !== null) : [])

/** Whether anything of it has to be sent. */
export function draftShips(line: OrderLine, body: DraftBody): boolean {
  return draftItems(body).some(({ kind }) => line.goods.some((good) => good.kind === kind && good.ships))
}

/** What of a draft counts: a receiver only where something is sent, money only where it is taken. */
export function asSent(line: OrderLine, { receiving_info, package_price, ...body }: DraftBody): DraftBody {
  return {
    ...body,
    ...(receiving_info && draftShips(line, body) && { receiving_info }),
    ...(package_price && body.order_info?.['virtual'] !== true && { package_price }),
  }
}

/** What the items cost together, and what is left to pay after the discount; in fen. */
export function draftSums(body: DraftBody): { total: number; amount: number } {
  const total = draftItems(body).reduce((sum, { price = 0, qty = 0 }) => sum + (price || 0) * (qty || 0), 0)
  const discount = body.order_info?.['virtual'] === true ? total : Number(body.package_price?.['discount'] ?? 0)
  return { total, amount: total - discount }
}

/** What is wrong with one part of a draft: a sentence for each wrong field, by its path inside the part. */
export function checkPart(line: OrderLine, key: OrderPart, body: DraftBody): Record<string, string> {
  if (key === 'receiving_info' && !draftShips(line, body)) return {}
  const step = ORDER_PARTS.find((one) => one.key === key)
  const errors: Record<string, string> = {}
  const value = withoutEmpty(body[key] ?? {})
  const result = step ? z.safeParse(step.schema, value) : undefined
  for (const issue of result?.error?.issues ?? []) errors[issue.path.join('.')] ??= issue.message
  if (key === 'order_info') Object.assign(errors, checkItems(line, body))
  if (key === 'package_price') Object.assign(errors, checkPrice(body))
  if (key !== 'user_info') return errors
  Object.assign(errors, checkFields(inputFields(line), body.user_info ?? {}).errors)
  return errors
}

function checkItems(line: OrderLine, body: DraftBody): Record<string, string> {
  const errors: Record<string, string> = {}
  if (draftSums(body).total > MAX_SUM) errors['items'] = `订单金额不能超过 ${yuan(MAX_SUM)} 元`
  for (const [index, item] of draftItems(body).entries()) {
    const good = line.goods.find(({ kind }) => kind === item.kind)
    const given = item as Readonly<Record<string, unknown>>
    if (good?.record && isEmpty(given['ref_id'])) errors[`items.${index}.ref_id`] = `请选择${good.record.label}`
    if (good?.months && isEmpty(given['months'])) errors[`items.${index}.months`] = '请填写月数'
  }
  return errors
}

function checkPrice(body: DraftBody): Record<string, string> {
  const { total, amount } = draftSums(body)
  const { discount, paid, pay_channel: channel } = body.package_price ?? {}
  if (Number(discount ?? 0) > total) return { discount: '优惠不能超过原价' }
  if (Number(paid ?? 0) > amount) return { paid: '到账金额不能超过应付金额' }
  return Number(paid ?? 0) > 0 && isEmpty(channel) ? { pay_channel: '请选择支付方式' } : {}
}
