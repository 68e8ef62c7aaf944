import { defineModule } from '../../core/module/define.ts'
import { roomMoved } from './live.ts'

export { anyRoom } from './room.ts'

/** Rooms with their seats, cards, members and visits, of partners and of our own; pads. */
export default defineModule({
  name: 'room',
  title: '自习室门店',
  live: [roomMoved],
  screens: [
    '/new-study-room/self-study-room/user',
    '/study-room/user',
    '/new-study-room/self-study-room/order',
    '/new-study-room/self-study-room/user-order',
    '/study-room/order',
    '/study-room/user-order',
    '/new-study-room/self-study-room/list',
    '/study-room/list',
    '/new-study-room/self-study-room/membership-card',
    '/study-room/pad',
    '/study-room/member-card',
  ],
})
