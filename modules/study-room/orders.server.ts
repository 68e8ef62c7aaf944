import { partnerAccountCalls } from './partner-account.server.ts'
import { partnerLedgers, partnerOrders } from './partner-order.server.ts'
import { schoolOrders, selfSchoolOrders } from './school-order.server.ts'

/** Every line of orders of the study rooms. */
const lines = [partnerOrders, schoolOrders, selfSchoolOrders]

/** What the lines bring to the module. */
export const orderParts = {
  services: [...lines.flatMap(({ services }) => services), partnerLedgers],
  tiles: lines.flatMap(({ tiles }) => tiles),
  trends: lines.flatMap(({ trends }) => trends),
  overview: [schoolOrders.overview, selfSchoolOrders.overview],
  calls: (kernel: Parameters<(typeof partnerOrders)['calls']>[0]) => [...lines.flatMap(({ calls }) => calls(kernel)), ...partnerAccountCalls()],
  sweeps: (db: Parameters<(typeof partnerOrders)['sweep']>[0]) => lines.map(({ sweep }) => sweep(db)),
}
