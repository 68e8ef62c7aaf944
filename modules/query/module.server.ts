import { serveModule } from '../../core/module/serve.server.ts'
import door from './module.ts'
import { queryCalls } from './query.server.ts'

export default serveModule({ door, calls: queryCalls })
