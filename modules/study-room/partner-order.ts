import { reference } from '../../core/field/reference.ts'
import { api } from '../../core/resource/define.ts'
import { defineLedger, defineOrders, defineShipments, OPEN_ORDERS, type OrderLine } from '../order/module.ts'
import { screenId } from '../screens.ts'
import { BASE } from './api.ts'
import { partner } from './partner.ts'
import { unit } from './unit.ts'

/** What partners buy (domain 1.8). Codes and pads are there once the order is fulfilled; a service fee of a renewal extends the contract. */
export const PARTNER_GOODS = { code: 'code', pad: 'pad', service: 'service', joining: 'joining', material: 'material' } as const

/** 续费, see `BIZ_TYPES`: a service fee of such an order makes the contract longer. */
export const RENEWAL = 2

/** Goods of partners with what follows from them, wherever they are sold. */
export const PARTNER_CODES = { kind: PARTNER_GOODS.code, label: '授权码', unit: '个', gives: (qty: number) => `名额 +${qty}，生效后发 ${qty} 个码` } as const
export const PARTNER_PADS = { kind: PARTNER_GOODS.pad, label: '平板', unit: '台', ships: true, gives: (qty: number) => `平板数 +${qty}，生效后寄出` } as const

/** Orders of partners: paid, then approved by a second person, which fulfils them. */
export const partnerOrderLine: OrderLine = {
  code: 'partner',
  name: 'partner_order',
  label: '合伙人订单',
  grant: screenId('/new-study-room/partner-order'),
  api: api(BASE, 'partner_orders', 'partner_order'),
  flow: 'audited',
  goods: [
    { ...PARTNER_CODES, record: { label: '套餐', target: () => unit } },
    PARTNER_PADS,
    { kind: PARTNER_GOODS.service, label: '服务费', unit: '年', gives: (qty, bizType) => (bizType === RENEWAL ? `合同顺延 ${qty} 年` : undefined) },
    { kind: PARTNER_GOODS.joining, label: '加盟费', unit: '次' },
    { kind: PARTNER_GOODS.material, label: '物料', unit: '套', ships: true },
  ],
  account: { of: 'buyer', balanceTable: 'partner' },
  buyer: { kind: 'partner', field: reference('合伙人', () => partner, { required: true, wire: 'partner_id', neededWhile: { status: OPEN_ORDERS } }) },
  inputFields: ['buyer_ref_id'],
  columns: ['buyer_ref_id'],
  filters: ['buyer_ref_id'],
  scope: { partner: 'buyer_ref_id', agent: 'agent_id' },
  entryMode: 'steps',
  invoiced: true,
}

export const partnerOrder = defineOrders(partnerOrderLine)
export const partnerShipment = defineShipments(partnerOrderLine, partnerOrder)

/** What partners have paid in advance, paid for orders and got back (domain 1.8, 对账单). */
export const partnerLedger = defineLedger({
  kind: 'partner',
  name: 'partner_ledger',
  label: '对账单',
  grant: screenId('/new-study-room/partner'),
  api: api(BASE, 'partner_ledgers', 'partner_ledger'),
  owner: { label: '合伙人', target: () => partner },
  scope: { partner: 'account_id', agent: 'account_id.agent_id' },
})
