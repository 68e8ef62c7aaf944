import { serveModule } from '../../core/module/serve.server.ts'
import { assetCalls } from './calls.server.ts'
import { checkJob, versionSweep, waitingSweep } from './check.server.ts'
import { insertAssetDemo } from './demo/demo.server.ts'
import door from './module.ts'
import { assetServices } from './rules.server.ts'

export default serveModule({
  door,
  after: ['staff'],
  services: assetServices,
  demo: (db, _report, files) => insertAssetDemo(db, files),
  calls: assetCalls,
  jobs: (kernel) => [checkJob(kernel)],
  sweeps: (kernel) => [waitingSweep(kernel), versionSweep(kernel)],
})
