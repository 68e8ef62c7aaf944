import { serveModule } from '../../core/module/serve.server.ts'
import { announcementCalls, announcements, insertAnnouncements } from './announcement.server.ts'
import { appClientCalls, appClients, findAppClient } from './app-client.server.ts'
import { auditCheckCall, auditCheckJob } from './audit-check.server.ts'
import { auditCalls } from './audit.server.ts'
import { errorCalls } from './errors.server.ts'
import { ERROR_RIGHTS } from './errors.ts'
import { healthCalls } from './health.server.ts'
import { HEALTH_RIGHTS } from './health.ts'
import door from './module.ts'
import { channelCalls, messageChannels } from './message/channel.server.ts'
import { messageDeliveries, messageSweeps } from './message/delivery.server.ts'
import { subscriptionCalls, unsubscribePage } from './message/subscription.server.ts'
import { printCalls, printTemplates } from './print/print.server.ts'
import { seedTemplates } from './print/seed.server.ts'
import { privacyCalls } from './privacy.server.ts'
import { PRIVACY_RIGHTS } from './privacy.ts'
import { recycleCalls } from './recycle.server.ts'
import { securityLogs, securityAlerts, watchSecurity } from './security.server.ts'

export default serveModule({
  door,
  services: [announcements, securityLogs, appClients, messageChannels, messageDeliveries, printTemplates],
  findAppClient,
  calls(kernel) {
    watchSecurity(kernel.db)
    return [...announcementCalls(), ...appClientCalls(kernel), ...auditCalls(kernel), ...errorCalls(), ...healthCalls(kernel), ...channelCalls(kernel), ...subscriptionCalls(kernel), ...printCalls(kernel), auditCheckCall(kernel), ...privacyCalls(kernel), ...recycleCalls(kernel.registry)]
  },
  waiting: [securityAlerts],
  publicPages: () => [unsubscribePage],
  sweeps: messageSweeps,
  jobs: () => [auditCheckJob],
  rights: [ERROR_RIGHTS, HEALTH_RIGHTS, PRIVACY_RIGHTS],
  base: seedTemplates,
  renew: seedTemplates,
  demo: insertAnnouncements,
})
