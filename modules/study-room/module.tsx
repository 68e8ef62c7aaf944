import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import door from './module.ts'

export default presentModule(door)({
  '/new-study-room/partner': resourceScreen(() => import('./partner.ts').then((file) => file.partner), () => import('./partner-view.tsx')),
  '/new-study-room/school/school-list': resourceScreen(() => import('./school.ts').then((file) => file.school), () => import('./school-view.tsx')),
  '/new-study-room/school/school-teacher': resourceScreen(() => import('./school-teacher.ts').then((file) => file.schoolTeacher)),
  '/new-study-room/school/school-student': resourceScreen(() => import('./school-student.ts').then((file) => file.schoolStudent), () => import('./school-student-view.tsx')),
  '/study-room/school/list': resourceScreen(() => import('./school.ts').then((file) => file.selfSchool)),
})
