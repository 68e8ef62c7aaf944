import { reference, type Target } from '../../core/field/reference.ts'
import { api } from '../../core/resource/define.ts'
import { defineOrders, defineShipments, OPEN_ORDERS, type Good, type OrderLine } from '../order/module.ts'
import { screenId, type ScreenPath } from '../screens.ts'
import { partner, PARTNER_GOODS, unit } from '../study-room/module.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'

/** Screens of the orders of one side. */
interface Screens {
  readonly room: ScreenPath
  readonly user: ScreenPath
}

const CODES: Good = { kind: PARTNER_GOODS.code, label: '授权码', unit: '个', record: { label: '套餐', target: () => unit } }

/** What rooms buy of us (domain 1.8: 码/服务费/平板); our own rooms need no codes. */
const goodsOf = ({ side }: Rooms): readonly Good[] => [
  ...(side.self_run ? [] : [CODES]),
  { kind: PARTNER_GOODS.pad, label: '平板', unit: '台', ships: true },
  { kind: PARTNER_GOODS.service, label: '服务费', unit: '年' },
  { kind: PARTNER_GOODS.material, label: '物料', unit: '套', ships: true },
]

/** Where an order belongs; the effects work it out from the room. */
const placeOf = (rooms: Rooms) => ({
  school_id: reference('学校', rooms.side.schools, { readonly: true, onRemove: 'keep' }),
  partner_id: reference('合伙人', () => partner, { readonly: true, onRemove: 'keep' }),
})

const scope = { school: 'school_id', partner: 'partner_id', agent: 'agent_id' } as const
const account = { kind: 'room', column: 'room_id' } as const

function roomLine(rooms: Rooms, path: ScreenPath): OrderLine {
  const { side, room } = rooms
  return {
    code: 'room',
    name: `${side.prefix}room_order`,
    label: '自习室订单',
    selfRun: side.self_run === 1,
    grant: screenId(path),
    api: api(side.base, 'room_orders', 'room_order'),
    flow: 'sale',
    goods: goodsOf(rooms),
    account,
    buyer: { room_id: reference('自习室', (): Target => room, { required: true, neededWhile: { status: OPEN_ORDERS } }), ...placeOf(rooms) },
    inputFields: ['room_id'],
    columns: ['room_id', 'school_id'],
    filters: ['room_id', 'school_id'],
    scope,
  }
}

/** What members buy: cards, and more time on cards that they hold. */
export const MEMBER_GOODS = { card: 'card', renewal: 'renewal' } as const

function userLine(rooms: Rooms, path: ScreenPath): OrderLine {
  const { side, room, member, card, userCard } = rooms
  return {
    code: 'member',
    learners: true,
    name: `${side.prefix}user_order`,
    label: '用户订单',
    selfRun: side.self_run === 1,
    grant: screenId(path),
    api: api(side.base, 'user_orders', 'user_order'),
    flow: 'sale',
    goods: [
      { kind: MEMBER_GOODS.card, label: '会员卡', unit: '张', record: { label: '会员卡', target: (): Target => card, priced: true } },
      { kind: MEMBER_GOODS.renewal, label: '续卡', unit: '期', record: { label: '会员的卡', target: (): Target => userCard, priced: true } },
    ],
    account,
    buyer: {
      room_id: reference('自习室', (): Target => room, { required: true, neededWhile: { status: OPEN_ORDERS }, help: '收款记在该自习室' }),
      member_id: reference('会员', (): Target => member, { required: true, neededWhile: { status: OPEN_ORDERS } }),
      ...placeOf(rooms),
    },
    inputFields: ['room_id', 'member_id'],
    columns: ['room_id'],
    filters: ['room_id', 'member_id', 'school_id'],
    scope,
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
