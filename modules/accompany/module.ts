import { defineModule } from '../../core/module/define.ts'

/** 伴学: operation, tutors and research, on the engine of companions. */
export default defineModule<string>({
  name: 'accompany',
  title: '伴学',
  screens: [
    '/accompany/operation/student', '/accompany/operation/order', '/accompany/operation/class', '/accompany/operation/task', '/accompany/operation/report',
    '/accompany/operation/teacher/studentCount/:stuType',
    '/accompany/tutor/student', '/accompany/tutor/task', '/accompany/tutor/student/task/:studentId', '/accompany/tutor/student/report/:studentId', '/accompany/tutor/task/content',
    '/accompany/research/material', '/accompany/research/material/:id', '/accompany/research/material/terms/:id',
    '/accompany/research/paper', '/accompany/research/paper/:id', '/accompany/research/paper/practices/:id',
  ],
})
