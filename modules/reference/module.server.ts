import { serveModule } from '../../core/module/serve.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { channel } from './channel.ts'
import { insertReferenceDemo } from './demo.server.ts'
import { lookupCalls } from './lookup.server.ts'
import door from './module.ts'
import { insertSubjects, subjects } from './subject.server.ts'

export default serveModule({
  door,
  services: [subjects, serve(channel)()],
  calls: (kernel) => lookupCalls(kernel.db),
  base: insertSubjects,
  demo: insertReferenceDemo,
})
