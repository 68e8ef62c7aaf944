import type { RecordFinder } from '../../core/module/find.ts'
import { presentModule, resourceScreen, type ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import type { Resource } from '../../core/resource/define.ts'
import type { Presentation } from '../../core/resource/present.tsx'
import { orderFinder, orderScreen } from '../order/door.tsx'
import { FRONT } from './front-address.ts'
import door from './module.ts'

/** The rooms of one side, with the counter of each. */
function roomScreen(load: () => Promise<Resource>, presentation: () => Promise<Presentation>, own: boolean): ScreenLoader {
  const screen = async () => {
    const [resource, look, { RoomScreen, partnerFrontCalls, ownFrontCalls }] = await Promise.all([load(), presentation(), import('./front-screen.tsx')])
    return { default: () => <RoomScreen resource={resource} presentation={look} calls={own ? ownFrontCalls : partnerFrontCalls} /> }
  }
  return Object.assign(screen, { resource: load, presentation })
}

/** The counter of a room by the room's name. */
const frontFinder = (screen: string, label: string, load: () => Promise<Resource>): RecordFinder => {
  const rooms = resourceFinder(screen, label, load, ['name'], ['school_name'])
  return { ...rooms, find: async (words, signal) => (await rooms.find(words.replace(/前台/g, '').trim() || words, signal)).map((one) => ({ ...one, title: `前台 · ${one.title}`, to: `${screen}?${FRONT}=${one.id}` })) }
}

export default presentModule(door)({
  '/new-study-room/self-study-room/user': resourceScreen(() => import('./member.ts').then((file) => file.roomMember), () => import('./member-view.tsx').then((file) => ({ default: file.partnerMemberView }))),
  '/study-room/user': resourceScreen(() => import('./member.ts').then((file) => file.selfMember), () => import('./member-view.tsx').then((file) => ({ default: file.ownMemberView }))),
  '/new-study-room/self-study-room/order': orderScreen(async () => {
    const [file, { OrderBatches }] = await Promise.all([import('./orders.ts'), import('../study-room/door.tsx')])
    return { line: file.roomOrderLine, orders: file.roomOrder, shipments: file.roomShipment, own: { slots: { MoreDetails: OrderBatches } } }
  }),
  '/new-study-room/self-study-room/user-order': orderScreen(async () => {
    const [file, { present }, { usageTab }, { PARTNER_ROOMS }] = await Promise.all([import('./orders.ts'), import('../../core/resource/present.tsx'), import('./usage-tab.tsx'), import('./ownerships.ts')])
    return { line: file.userOrderLine, orders: file.userOrder, own: present(file.userOrder)({ slots: { details: [usageTab(PARTNER_ROOMS)] } }) }
  }),
  '/study-room/order': orderScreen(async () => {
    const [file, { ClosingButton }] = await Promise.all([import('./orders.ts'), import('./closing-button.tsx')])
    return { line: file.selfRoomOrderLine, orders: file.selfRoomOrder, shipments: file.selfRoomShipment, own: { slots: { toolbar: ClosingButton } } }
  }),
  '/study-room/user-order': orderScreen(async () => {
    const [file, { present }, { ClosingButton }, { usageTab }, { OWN_ROOMS }] = await Promise.all([import('./orders.ts'), import('../../core/resource/present.tsx'), import('./closing-button.tsx'), import('./usage-tab.tsx'), import('./ownerships.ts')])
    return { line: file.selfUserOrderLine, orders: file.selfUserOrder, own: present(file.selfUserOrder)({ slots: { toolbar: ClosingButton, details: [usageTab(OWN_ROOMS)] } }) }
  }),
  '/new-study-room/self-study-room/list': roomScreen(() => import('./room.ts').then((file) => file.studyRoom), () => import('./room-view.tsx').then((file) => file.partnerRoomView), false),
  '/study-room/list': roomScreen(() => import('./room.ts').then((file) => file.selfRoom), () => import('./room-view.tsx').then((file) => file.ownRoomView), true),
  '/new-study-room/self-study-room/membership-card': resourceScreen(() => import('./card.ts').then((file) => file.memberCard), () => import('./card-view.tsx').then((file) => ({ default: file.partnerCardView }))),
  '/study-room/pad': resourceScreen(() => import('./pad.ts').then((file) => file.pad), () => import('./pad-view.tsx')),
  '/study-room/member-card': resourceScreen(() => import('./card.ts').then((file) => file.selfMemberCard), () => import('./card-view.tsx').then((file) => ({ default: file.ownCardView }))),
}, {
  finders: [
    frontFinder('/study-room/list', '前台', () => import('./room.ts').then((file) => file.selfRoom)),
    frontFinder('/new-study-room/self-study-room/list', '前台', () => import('./room.ts').then((file) => file.studyRoom)),
    orderFinder('/new-study-room/self-study-room/order', '自习室订单', () => import('./orders.ts').then((file) => file.roomOrder)),
    orderFinder('/new-study-room/self-study-room/user-order', '用户订单', () => import('./orders.ts').then((file) => file.userOrder)),
    orderFinder('/study-room/order', '自营自习室订单', () => import('./orders.ts').then((file) => file.selfRoomOrder)),
    orderFinder('/study-room/user-order', '自营用户订单', () => import('./orders.ts').then((file) => file.selfUserOrder)),
    resourceFinder('/study-room/pad', '平板', () => import('./pad.ts').then((file) => file.pad), ['number'], ['model', 'room_name']),
    resourceFinder('/new-study-room/self-study-room/user', '自习室会员', () => import('./member.ts').then((file) => file.roomMember), ['mobile', 'name'], ['mobile', 'school_name']),
    resourceFinder('/study-room/user', '自营自习室会员', () => import('./member.ts').then((file) => file.selfMember), ['mobile', 'name'], ['mobile', 'school_name']),
    resourceFinder('/study-room/list', '自营自习室', () => import('./room.ts').then((file) => file.selfRoom), ['name'], ['school_name']),
    resourceFinder('/new-study-room/self-study-room/list', '自习室', () => import('./room.ts').then((file) => file.studyRoom), ['name'], ['school_name']),
  ],
})
