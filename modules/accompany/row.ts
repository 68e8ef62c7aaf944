import type { CompanionKind } from '../companion/module.ts'

/** 伴学: a teacher keeps a learner company with tasks, messages and reports (domain 1.12). */
export const ACCOMPANY: CompanionKind = {
  value: 'accompany', label: '伴学', learner: '伴学学生', line: 'accompany', base: '/daoyuan/api/end/accompany', taskPath: 'teacher/tasks',
  screens: {
    students: '/accompany/operation/student', orders: '/accompany/operation/order', tasks: '/accompany/operation/task', reports: '/accompany/operation/report', packs: '/accompany/research/material', terms: '/accompany/research/material/terms/:id',
    classes: [{ category: 'common', label: '伴学班级', screen: '/accompany/operation/class', path: 'classes' }],
    papers: { list: '/accompany/research/paper', detail: '/accompany/research/paper/:id', add: '/accompany/research/paper/practices/:id' },
    tutor: { students: '/accompany/tutor/student', tasks: '/accompany/tutor/task', thread: '/accompany/tutor/student/task/:studentId', report: '/accompany/tutor/student/report/:studentId', content: '/accompany/tutor/task/content' },
  },
}
