import { partnerAccountCalls } from './partner-account.server.ts'
import { PARTNER_ACCOUNT } from './partner-account.ts'
import { partnerLedgers, partnerOrders } from './partner-order.server.ts'
import { partner } from './partner.ts'
import { schoolOrders, selfSchoolOrders } from './school-order.server.ts'

/** Every line of orders of the study rooms. */
const lines = [partnerOrders, schoolOrders, selfSchoolOrders]

/** What the lines bring to the module. */
export const orderParts = {
  services: [...lines.flatMap(({ services }) => services), partnerLedgers],
  grants: [...lines.flatMap(({ grants }) => grants), ...Object.values(PARTNER_ACCOUNT).map(({ n, title }) => ({ screen: partner.grant, n, title }))],
  tiles: lines.flatMap(({ tiles }) => tiles),
  trends: lines.flatMap(({ trends }) => trends),
  overview: [schoolOrders.overview, selfSchoolOrders.overview],
  calls: (kernel: Parameters<(typeof partnerOrders)['calls']>[0]) => [...lines.flatMap(({ calls }) => calls(kernel)), ...partnerAccountCalls()],
  sweeps: (db: Parameters<(typeof partnerOrders)['sweep']>[0]) => lines.map(({ sweep }) => sweep(db)),
}
