import { serveModule } from '../../core/module/serve.server.ts'
import { announcementCalls, announcements, insertAnnouncements } from './announcement.server.ts'
import { auditCalls } from './audit.server.ts'
import { errorCalls } from './errors.server.ts'
import { CLEAR_ERRORS } from './errors.ts'
import { healthCalls } from './health.server.ts'
import door from './module.ts'
import { recycleCalls } from './recycle.server.ts'

export default serveModule({
  door,
  services: [announcements],
  calls: (kernel) => [...announcementCalls(), ...auditCalls(kernel.registry), ...errorCalls(), ...healthCalls(kernel), ...recycleCalls(kernel.registry)],
  grants: [CLEAR_ERRORS],
  demo: insertAnnouncements,
})
