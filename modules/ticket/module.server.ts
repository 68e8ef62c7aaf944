import { listFigure } from '../../core/kernel/figure.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { onReportFixed } from '../practice/door.server.ts'
import { ticketCalls } from './calls.server.ts'
import { ticketChecks } from './checks.server.ts'
import { insertTicketDemo } from './demo.server.ts'
import door from './module.ts'
import { ticket } from './ticket.ts'
import { answerFixed, tickets, ticketOverview, ticketSweep, ticketWaiting } from './ticket.server.ts'

onReportFixed(answerFixed)

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'practice'],
  services: [tickets],
  calls: ticketCalls,
  waiting: ticketWaiting,
  figures: [listFigure(ticket, { name: 'new_ticket', title: '新增反馈', about: '当天收到的反馈', less: true, path: '/operate/feedback', at: 'created_at' })],
  checks: ticketChecks,
  overview: [ticketOverview],
  sweeps: ({ db }) => [ticketSweep(db)],
  demo: insertTicketDemo,
})
