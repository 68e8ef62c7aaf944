import { serveModule } from '../../core/module/serve.server.ts'
import door from './module.ts'

export default serveModule({ door })
