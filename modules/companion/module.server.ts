import { serveModule } from '../../core/module/serve.server.ts'
import { insertTeacherDemo } from './demo.server.ts'
import door from './module.ts'
import { teacherCalls, teachers } from './teacher.server.ts'

export default serveModule({ door, after: ['reference', 'staff', 'user', 'order', 'practice', 'paper'], services: [teachers], calls: () => teacherCalls(), demo: insertTeacherDemo })
