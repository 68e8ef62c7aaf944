import { serveModule } from '../../core/module/serve.server.ts'
import { onReportFixed } from '../practice/door.server.ts'
import { ticketCalls } from './calls.server.ts'
import { insertTicketDemo } from './demo.server.ts'
import door from './module.ts'
import { answerFixed, tickets, ticketOverview, ticketSweep, ticketWaiting } from './ticket.server.ts'

onReportFixed(answerFixed)

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'practice'],
  services: [tickets],
  calls: ticketCalls,
  waiting: ticketWaiting,
  overview: [ticketOverview],
  sweeps: ({ db }) => [ticketSweep(db)],
  demo: insertTicketDemo,
})
