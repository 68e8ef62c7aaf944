import { serveModule } from '../../core/module/serve.server.ts'
import { insertCompanionDemo, serveCompanion } from '../companion/door.server.ts'
import { accompany } from './accompany.ts'
import door from './module.ts'

export default serveModule({ door, after: ['companion', 'paper', 'order', 'asset'], ...serveCompanion(accompany), demo: (db, report, files) => insertCompanionDemo(db, report, files, accompany) })
