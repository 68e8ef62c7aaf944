import { serveModule } from '../../core/module/serve.server.ts'
import { insertCompanionDemo, serveCompanion } from '../companion/door.server.ts'
import door from './module.ts'
import { topTraining } from './tptrain.ts'

export default serveModule({ door, after: ['companion', 'paper', 'order'], ...serveCompanion(topTraining), demo: (db, report, files) => insertCompanionDemo(db, report, files, topTraining) })
