import { serveModule } from '../../core/module/serve.server.ts'
import { insertValidityDemo } from './demo.server.ts'
import door from './module.ts'
import { queryCalls } from './query.server.ts'
import { validityCalls, validityChanges, validityOverview, validityWaiting } from './validity.server.ts'

export default serveModule({
  door,
  after: ['user', 'staff', 'offer', 'course-line'],
  services: [validityChanges],
  calls: (kernel) => [...queryCalls(kernel), ...validityCalls()],
  waiting: [validityWaiting],
  overview: [validityOverview],
  demo: insertValidityDemo,
})
