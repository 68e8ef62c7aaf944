import { listFigure } from '../../core/kernel/figure.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { addOrderWatcher } from '../order/door.server.ts'
import { clueChecks } from './checks.server.ts'
import { clueCalls, clueOverview, clues, clueSweep, clueWaiting, watchOrder } from './clue.server.ts'
import { clue, CLUE_PATH } from './clue.ts'
import { insertClueDemo } from './demo.server.ts'
import door from './module.ts'

/** Line of the orders that win clues. */
const LINE = 'excellent_training'

addOrderWatcher({ moved: (tx, before, after) => watchOrder(tx, LINE, before, after) })

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'excellent-training'],
  services: [clues],
  calls: clueCalls,
  waiting: clueWaiting,
  overview: [clueOverview],
  sweeps: ({ db }) => [clueSweep(db)],
  figures: [listFigure(clue, { name: 'new_clue', title: '新增线索', about: '当天录入或导入的线索', path: CLUE_PATH, at: 'created_at' })],
  checks: clueChecks,
  demo: insertClueDemo,
})
