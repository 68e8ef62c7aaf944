import { listTrend } from '../../core/module/dashboard.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { accountMonitor, MONITOR_PATH } from './account-monitor.ts'
import { insertRiskDemo } from './demo.server.ts'
import door from './module.ts'
import { accountMonitors, riskCalls, riskOverview, riskWaiting } from './risk.server.ts'
import { scoringSweeps } from './scoring.server.ts'
import { oldSessions } from './session.server.ts'
import { deviceSession } from './session.ts'

export default serveModule({
  door,
  after: ['staff', 'user', 'query'],
  services: [accountMonitors],
  records: [deviceSession],
  calls: riskCalls,
  waiting: riskWaiting,
  overview: [riskOverview],
  trends: [listTrend(accountMonitor, { name: 'risk_alarm', title: '风险预警', as: 'number', path: MONITOR_PATH, at: 'alarm_at', less: true })],
  sweeps: ({ db }) => [...scoringSweeps(db), oldSessions(db)],
  demo: insertRiskDemo,
})
