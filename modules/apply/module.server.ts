import { serveModule } from '../../core/module/serve.server.ts'
import { applyCalls, applyOverview, applyServices, applySweep, applyWaiting } from './apply.server.ts'
import { applyChecks } from './checks.server.ts'
import { insertApplyDemo } from './demo.server.ts'
import door from './module.ts'

export default serveModule({
  door,
  after: ['reference', 'agent', 'staff', 'user'],
  services: applyServices,
  checks: applyChecks,
  calls: applyCalls,
  waiting: applyWaiting,
  overview: applyOverview,
  sweeps: ({ db }) => [applySweep(db)],
  demo: insertApplyDemo,
})
