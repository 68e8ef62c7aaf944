import { serveModule } from '../../core/module/serve.server.ts'
import { alertCalls } from './alert-calls.server.ts'
import { alertRules, alerts, alertSilences, alertWaiting } from './alert.server.ts'
import { checkCalls, checkJobs, checkWaiting, nightly, ownChecks } from './check.server.ts'
import { insertStatDemo } from './demo.server.ts'
import { allFigures, knownChecks, knowFigures } from './figures.server.ts'
import { statJobs } from './jobs.server.ts'
import door from './module.ts'
import { DATA_RIGHTS } from './rights.ts'
import { statCalls } from './stat-calls.server.ts'
import { sendSummaries, summaryWaiting } from './summary.server.ts'
import { countWhenDue } from './compute.server.ts'
import { watch } from './watch.server.ts'

export default serveModule({
  door,
  after: ['reference', 'agent', 'staff', 'user', 'order', 'study-room', 'room', 'offer', 'course-line', 'companion', 'accompany', 'tptrain', 'vacation', 'must-practice', 'excellent-training', 'english-app', 'book', 'lesson', 'earning', 'apply', 'ticket', 'clue'],
  services: [alertRules, alerts, alertSilences],
  calls(kernel) {
    knowFigures(kernel.figures, kernel.checks)
    return [...statCalls(kernel), ...alertCalls(), ...checkCalls(kernel)]
  },
  jobs: (kernel) => [...statJobs(kernel), ...checkJobs(kernel)],
  sweeps: ({ db, figures, checks, sessions }) => [
    {
      name: 'stat', every: 60,
      async run() {
        if (await countWhenDue(db, figures)) await watch(db)
        await sendSummaries(db, sessions)
      },
    },
    { name: 'self_check', run: () => nightly(db, checks) },
  ],
  rights: [DATA_RIGHTS],
  waiting: [...alertWaiting, summaryWaiting, checkWaiting(knownChecks)],
  checks: ownChecks(allFigures),
  demo: insertStatDemo,
})
