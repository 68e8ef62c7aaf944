import { serveModule } from '../../core/module/serve.server.ts'
import { agents } from './agent.server.ts'
import { insertAgentDemo } from './demo.server.ts'
import { lookupCalls } from './lookup.server.ts'
import door from './module.ts'

export default serveModule({
  door,
  services: [agents],
  calls: lookupCalls,
  demo: insertAgentDemo,
})
