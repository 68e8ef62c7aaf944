import { serveModule } from '../../core/module/serve.server.ts'
import { serveCourseLines } from '../offer/door.server.ts'
import { servePaper, waitingPapers } from '../paper/door.server.ts'
import { insertMustDemo } from './demo.server.ts'
import { mustLine } from './line.ts'
import door from './module.ts'
import { MUST_PAPERS, mustPaper } from './must-paper.ts'
import { forgetPlan, planCalls } from './plan.server.ts'

const line = serveCourseLines([mustLine], { [mustLine.line.code]: { checkOffer: ({ values }) => forgetPlan(values) } })

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'practice', 'paper', 'offer', 'course-line'],
  ...line,
  services: [...line.services ?? [], servePaper(mustPaper)],
  calls: (kernel) => [...line.calls?.(kernel) ?? [], ...planCalls()],
  waiting: [...line.waiting ?? [], ...waitingPapers(MUST_PAPERS)],
  demo: insertMustDemo,
})
