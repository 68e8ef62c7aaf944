import { serveModule } from '../../core/module/serve.server.ts'
import { sql } from 'drizzle-orm'
import { addOrderWatcher } from '../order/door.server.ts'
import { checkCalls, checks } from './check.server.ts'
import { insertMatterDemo } from './demo.server.ts'
import { matterOverview, matterSweep, matterTrend, matterWaiting, shipFromStock } from './handover.server.ts'
import { matter } from './matter.ts'
import { matterCalls, matters, moves, warehouses } from './matter.server.ts'
import door from './module.ts'

addOrderWatcher({ moved: shipFromStock })

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'study-room', 'room', 'book'],
  services: [matters, warehouses, moves, checks],
  uses: [{ target: matter, table: 'matter_check_line', when: sql`r.matter_id = u.id and exists (select 1 from matter_check c where c.id = r.check_id and c.deleted_at is null)`, label: '盘点单', measure: '张' }],
  calls: () => [...matterCalls, ...checkCalls],
  waiting: matterWaiting,
  trends: [matterTrend],
  overview: [matterOverview],
  sweeps: ({ db }) => [matterSweep(db)],
  demo: insertMatterDemo,
})
