import { reference } from '../../core/field/reference.ts'
import { api } from '../../core/resource/define.ts'
import { OPEN_ORDERS, type OrderLine } from '../order/module.ts'
import type { ProductLine } from '../reference/module.ts'
import { lineBase } from './line.ts'
import type { OfferResource } from './offer.ts'

/** The kind of goods that every line of courses sells. */
export const OFFER_GOODS = 'offer'

/** What a line's orders have beside those of every line of courses; its goods come behind the courses. */
export type OrderMore = Partial<Pick<OrderLine, 'goods' | 'side' | 'more' | 'inputFields' | 'columns' | 'filters'>>

const WHOLE_ORDERS = 'An order can sell courses of several subjects at once; whoever works with orders answers for all of it.'

/**
 * The row by which a line's orders come from the engine: learners buy offers, and are known by their number.
 * @param grant id of the screen that shows them
 */
export function offerOrderLine(line: Pick<ProductLine, 'code' | 'name' | 'noun'>, grant: number, offers: OfferResource, more: OrderMore = {}): OrderLine {
  const { goods = [], ...own } = more
  const [noun = '课程'] = line.noun ?? []
  return {
    code: line.code,
    name: `${line.code}_order`,
    label: `${line.name}订单`,
    grant,
    api: api(lineBase(line), 'orders', 'orders'),
    flow: 'sale',
    goods: [{ kind: OFFER_GOODS, label: noun, unit: '份', record: { label: noun, target: () => offers, priced: true } }, ...goods],
    sold: { kind: OFFER_GOODS, field: reference(noun, () => offers, { readonly: true, wire: 'offer_id', neededWhile: { status: OPEN_ORDERS } }) },
    inputFields: [],
    columns: [],
    scope: { agent: 'agent_id' },
    unscoped: { subject: WHOLE_ORDERS, level: WHOLE_ORDERS },
    entryMode: 'steps',
    learners: true,
    ...own,
    filters: ['goods_ref_id', ...own.filters ?? []],
  }
}
