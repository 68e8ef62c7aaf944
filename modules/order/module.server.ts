import { serveModule } from '../../core/module/serve.server.ts'
import { orderFigures, listedLines } from './figures.server.ts'
import { findOrderCall } from './find-order.server.ts'
import { bookChecks } from './money-books.server.ts'
import { orderLines } from './printed.server.ts'
import door from './module.ts'

export default serveModule({ door, after: ['reference', 'staff', 'user'], calls: (kernel) => [findOrderCall(kernel)], figures: orderFigures, printed: orderLines, checks: bookChecks(listedLines) })
