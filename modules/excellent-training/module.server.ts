import { sql } from 'drizzle-orm'
import { invalid } from '../../core/error/error.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { serveCourseLines } from '../offer/door.server.ts'
import { ORDER_STATUS, orderRight } from '../order/module.ts'
import { servePaper, waitingPapers } from '../paper/door.server.ts'
import { bandProblem, type Band } from './bands.ts'
import { dealCalls, dealEffects } from './deal.server.ts'
import { insertExcellentDemo } from './demo.server.ts'
import { EXCELLENT_PAPERS, excellentPaper } from './excellent-paper.ts'
import { excellentLine, excellentPart } from './line.ts'
import door from './module.ts'
import { scores } from './score.server.ts'

const { orders, orderPath, line: { code } } = excellentLine

/** The level of the last test that somebody took; `t` is the entitlement. */
const assessed = sql`(select s.level from excellent_score s join app_user u on u.mobile = s.mobile where u.id = t.user_id and s.deleted_at is null order by s.taken_at desc, s.id desc limit 1)`

const line = serveCourseLines([excellentLine], { [code]: { effects: dealEffects, learners: { assessed } } })

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'practice', 'paper', 'offer', 'course-line', 'must-practice'],
  ...line,
  services: [
    ...line.services ?? [],
    servePaper(excellentPaper, (values) => {
      const problem = bandProblem((values['bands'] ?? []) as Band[])
      if (problem) throw invalid({ bands: problem })
    }),
    scores, serve(excellentPart)(),
  ],
  calls: (kernel) => [...line.calls?.(kernel) ?? [], ...dealCalls(kernel)],
  waiting: [
    ...line.waiting ?? [], ...waitingPapers(EXCELLENT_PAPERS),
    listWaiting(orders, {
      name: `${orders.name}_overdue`, title: '到期未付的款项', group: 'act', verb: '催收', path: orderPath, query: ({ now }) => ({ status: String(ORDER_STATUS.unpaid), due_at_end: String(now) }),
      grant: orderRight(orders, 'pay'), due: { days: 0 }, since: sql`coalesce((select p.due_at from excellent_part p where p.id = orders.side_id), orders.created_at)`, heads: ['buyer_name', 'order_no'], notes: ['goods', 'deal_no'], amount: 'amount',
    }),
  ],
  demo: insertExcellentDemo,
})
