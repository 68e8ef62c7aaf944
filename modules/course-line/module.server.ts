import { serveModule } from '../../core/module/serve.server.ts'
import { insertCourseDemo, serveCourseLines } from '../offer/door.server.ts'
import { courseLines } from './lines.ts'
import door from './module.ts'

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'practice', 'outline', 'offer'],
  ...serveCourseLines(courseLines),
  demo: (db, report, files) => insertCourseDemo(db, report, files, courseLines),
})
