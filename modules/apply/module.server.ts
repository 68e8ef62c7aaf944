import { serveModule } from '../../core/module/serve.server.ts'
import { applyCalls, served } from './apply.server.ts'
import { applyChecks } from './checks.server.ts'
import { insertApplyDemo } from './demo.server.ts'
import door from './module.ts'

export default serveModule({
  door,
  after: ['reference', 'agent', 'staff', 'user'],
  services: served.map(({ service }) => service),
  checks: applyChecks,
  calls: applyCalls,
  waiting: served.map(({ waiting }) => waiting),
  overview: served.map(({ overview }) => overview),
  sweeps: ({ db }) => served.map(({ sweep }) => sweep(db)),
  demo: insertApplyDemo,
})
