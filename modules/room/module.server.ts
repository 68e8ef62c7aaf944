import { sql } from 'drizzle-orm'
import { serveModule } from '../../core/module/serve.server.ts'
import { settleAll } from './card-ledger.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { cardCalls } from './card.server.ts'
import { roomChecks } from './checks.server.ts'
import { closingCalls } from './closing.server.ts'
import { dayClosing } from './closing.ts'
import { allRoomsCall } from './lookup.server.ts'
import { agentCalls } from './device/agent.server.ts'
import { commandCalls, deviceServices } from './device/command.server.ts'
import { timeOutSweep } from './device/queue.server.ts'
import { frontCalls, watchMoney } from './front.server.ts'
import { insertRoomDemo } from './demo.server.ts'
import { deskCalls } from './desk.server.ts'
import door from './module.ts'
import { orders } from './orders.server.ts'
import { padCalls } from './pad.server.ts'
import { roomMember, selfMember } from './member.ts'
import { selfRoom, studyRoom } from './room.ts'
import { seatMapCalls } from './seat-map.server.ts'
import { services } from './service.server.ts'
import { trends, waiting } from './waiting.server.ts'
import { visitCalls } from './visit.server.ts'

watchMoney()

export default serveModule({
  door,
  after: ['study-room'],
  services: [...services, ...deviceServices, serve(dayClosing)(), ...orders.services],
  uses: [
    ...[studyRoom, selfRoom].map((target) => ({ target, table: 'seated', label: '在座会员', measure: '位', when: sql`r.room_id = u.id` })),
    ...[roomMember, selfMember].map((target) => ({ target, table: 'seated', label: '未结束的到店', measure: '次', when: sql`r.member_id = u.id` })),
  ],
  calls: (kernel) => [allRoomsCall, ...seatMapCalls, ...cardCalls, ...deskCalls(kernel), ...visitCalls, ...frontCalls, ...padCalls, ...commandCalls, ...agentCalls(), ...closingCalls, ...orders.calls(kernel)],
  sweeps: ({ db }) => [{ name: 'user_card', run: () => db.transaction({ staff_id: null, action: 'settle' }, settleAll) }, timeOutSweep(db), ...orders.sweeps(db)],
  waiting: [...waiting, ...orders.waiting],
  trends,
  checks: roomChecks,
  overview: orders.overview,
  demo: insertRoomDemo,
})
