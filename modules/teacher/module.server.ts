import { sql } from 'drizzle-orm'
import { listTrend } from '../../core/module/dashboard.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { handTeacher } from '../apply/door.server.ts'
import { servePaper, waitingPapers } from '../paper/door.server.ts'
import { ALL_PAPERS } from '../paper/module.ts'
import { addPracticeUser } from '../practice/door.server.ts'
import { appCalls } from './app.server.ts'
import { classCalls, classes } from './class.server.ts'
import { insertTeacherPapers } from './demo-papers.server.ts'
import { insertTeacherDemo } from './demo.server.ts'
import { teacherEffect } from './effect.server.ts'
import door from './module.ts'
import { followWaiting, operationCalls } from './operation.server.ts'
import { OPERATION_RIGHTS } from './operation.ts'
import { teacherPaper, TEACHER_PAPERS } from './paper.ts'
import { questionUses, reviewCalls, reviewWaiting } from './review.server.ts'
import { teacherCalls, teacherOverview, teachers } from './teacher.server.ts'
import { TEACHER_PATH, teacherProfile } from './teacher.ts'

handTeacher(teacherEffect)
addPracticeUser(questionUses)

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'practice', 'paper', 'apply'],
  services: [teachers, classes, servePaper(teacherPaper)],
  uses: [...ALL_PAPERS, teacherPaper].map((target) => ({ target, table: 'teacher_homework', when: sql`r.paper_id = u.id and r.due_at > now()`, label: '进行中的作业', measure: '次' })),
  calls: (kernel) => [...teacherCalls(), ...classCalls(kernel), ...reviewCalls(), ...operationCalls(), ...appCalls()],
  waiting: [reviewWaiting, ...waitingPapers(TEACHER_PAPERS), followWaiting],
  trends: [listTrend(teacherProfile, { name: 'new_teacher', title: '新认证教师', as: 'number', path: TEACHER_PATH, at: 'created_at' })],
  overview: teacherOverview,
  rights: [OPERATION_RIGHTS],
  demo: [{ title: '教师和班级', run: insertTeacherDemo }, { title: '教师试卷', run: insertTeacherPapers }],
})
