import { reference, type Target } from '../../core/field/reference.ts'
import { api } from '../../core/resource/define.ts'
import { defineOrders, defineShipments, OPEN_ORDERS, type Good, type OrderLine, type OrderParty } from '../order/module.ts'
import { screenId, type ScreenPath } from '../screens.ts'
import { orderPlace, partner, PARTNER_CODES, PARTNER_GOODS, selfOrderPlace, unit } from '../study-room/module.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'

/** Screens of the orders of one side. */
interface Screens {
  readonly room: ScreenPath
  readonly user: ScreenPath
}

const CODES: Good = { ...PARTNER_CODES, record: { label: '套餐', target: () => unit } }

/** What rooms buy of us (domain 1.8: 码/服务费/平板); our own rooms need no codes. */
const goodsOf = ({ side }: Rooms): readonly Good[] => [
  ...(side.self_run ? [] : [CODES]),
  { kind: PARTNER_GOODS.pad, label: '平板', unit: '台', ships: true },
  { kind: PARTNER_GOODS.service, label: '服务费', unit: '年' },
  { kind: PARTNER_GOODS.material, label: '物料', unit: '套', ships: true },
]

const roomOf = ({ room }: Rooms, help?: string): OrderParty => ({
  kind: 'room', field: reference('自习室', (): Target => room, { required: true, wire: 'room_id', neededWhile: { status: OPEN_ORDERS }, ...(help && { help }) }),
})

/** Whose the room was; the effects work it out. */
const placesOf = ({ side }: Rooms) => (side.self_run ? selfOrderPlace : orderPlace)

const account = { of: 'place' } as const

function roomLine(rooms: Rooms, path: ScreenPath): OrderLine {
  const { side } = rooms
  return {
    code: 'room',
    name: `${side.prefix}room_order`,
    label: '自习室订单',
    ...(side.self_run === 1 && { selfRun: true }),
    grant: screenId(path),
    api: api(side.base, 'room_orders', 'room_order'),
    flow: 'sale',
    goods: goodsOf(rooms),
    account,
    place: roomOf(rooms),
    buyer: { kind: 'partner', field: reference('合伙人', () => partner, { readonly: true, onRemove: 'keep', wire: 'partner_id' }) },
    side: placesOf(rooms),
    // The partner is the buyer.
    sideFields: ['school_id'],
    inputFields: ['place_ref_id'],
    columns: ['place_ref_id', 'school_id'],
    filters: ['place_ref_id', 'school_id'],
    scope: { school: 'side_id.school_id', partner: 'buyer_ref_id', agent: 'agent_id' },
    entryMode: 'steps',
  }
}

/** What members buy: cards, and more time on cards that they hold. */
export const MEMBER_GOODS = { card: 'card', renewal: 'renewal' } as const

function userLine(rooms: Rooms, path: ScreenPath): OrderLine {
  const { side, member, card, userCard } = rooms
  return {
    code: 'member',
    learners: true,
    name: `${side.prefix}user_order`,
    label: '用户订单',
    ...(side.self_run === 1 && { selfRun: true }),
    grant: screenId(path),
    api: api(side.base, 'user_orders', 'user_order'),
    flow: 'sale',
    goods: [
      { kind: MEMBER_GOODS.card, label: '会员卡', unit: '张', record: { label: '会员卡', target: (): Target => card, priced: true } },
      { kind: MEMBER_GOODS.renewal, label: '续卡', unit: '期', record: { label: '会员的卡', target: (): Target => userCard, priced: true } },
    ],
    account,
    place: roomOf(rooms, '收款记在该自习室'),
    buyer: { kind: 'member', field: reference('会员', (): Target => member, { required: true, wire: 'member_id', neededWhile: { status: OPEN_ORDERS } }) },
    side: placesOf(rooms),
    sideFields: ['school_id', 'partner_id'],
    inputFields: ['place_ref_id', 'buyer_ref_id'],
    columns: ['place_ref_id'],
    filters: ['place_ref_id', 'buyer_ref_id', 'school_id'],
    scope: { school: 'side_id.school_id', partner: 'side_id.partner_id', agent: 'agent_id' },
    entryMode: 'steps',
  }
}

const PARTNER_SCREENS: Screens = { room: '/new-study-room/self-study-room/order', user: '/new-study-room/self-study-room/user-order' }
const OWN_SCREENS: Screens = { room: '/study-room/order', user: '/study-room/user-order' }

/** What rooms buy, in partners' schools and in our own. */
export const roomOrderLine = roomLine(PARTNER_ROOMS, PARTNER_SCREENS.room)
export const roomOrder = defineOrders(roomOrderLine)
export const roomShipment = defineShipments(roomOrderLine, roomOrder)
export const selfRoomOrderLine = roomLine(OWN_ROOMS, OWN_SCREENS.room)
export const selfRoomOrder = defineOrders(selfRoomOrderLine)
export const selfRoomShipment = defineShipments(selfRoomOrderLine, selfRoomOrder)

/** Cards that members buy, on both sides. */
export const userOrderLine = userLine(PARTNER_ROOMS, PARTNER_SCREENS.user)
export const userOrder = defineOrders(userOrderLine)
export const selfUserOrderLine = userLine(OWN_ROOMS, OWN_SCREENS.user)
export const selfUserOrder = defineOrders(selfUserOrderLine)
