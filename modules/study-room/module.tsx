import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import { orderScreen } from '../order/door.tsx'
import door from './module.ts'

export default presentModule(door)({
  '/new-study-room/partner': resourceScreen(() => import('./partner.ts').then((file) => file.partner), () => import('./partner-view.tsx')),
  '/new-study-room/authorization-code': resourceScreen(() => import('./authorization-code.ts').then((file) => file.activationCodeGroup), () => import('./authorization-code-view.tsx')),
  '/new-study-room/authorization-detail': resourceScreen(() => import('./authorization-code.ts').then((file) => file.activationCode), () => import('./authorization-detail-view.tsx')),
  '/new-study-room/partner-order': orderScreen(() => import('./partner-order.ts').then((file) => ({ line: file.partnerOrderLine, orders: file.partnerOrder, shipments: file.partnerShipment }))),
  '/new-study-room/school/school-order': orderScreen(() => import('./school-order.ts').then((file) => ({ line: file.schoolOrderLine, orders: file.schoolOrder }))),
  '/new-study-room/school/school-list': resourceScreen(() => import('./school.ts').then((file) => file.school), () => import('./school-view.tsx')),
  '/new-study-room/school/school-teacher': resourceScreen(() => import('./school-teacher.ts').then((file) => file.schoolTeacher)),
  '/new-study-room/school/school-student': resourceScreen(() => import('./school-student.ts').then((file) => file.schoolStudent), () => import('./school-student-view.tsx')),
  '/study-room/school/user-order': orderScreen(() => import('./school-order.ts').then((file) => ({ line: file.selfSchoolOrderLine, orders: file.selfSchoolOrder }))),
  '/study-room/school/list': resourceScreen(() => import('./school.ts').then((file) => file.selfSchool)),
}, {
  finders: [
    resourceFinder('/new-study-room/partner', '合伙人', () => import('./partner.ts').then((file) => file.partner), ['mobile', 'number', 'name'], ['contact', 'mobile']),
    resourceFinder('/new-study-room/school/school-list', '学校', () => import('./school.ts').then((file) => file.school), ['mobile', 'name'], ['manager', 'region_name']),
    resourceFinder('/new-study-room/school/school-teacher', '学校教师', () => import('./school-teacher.ts').then((file) => file.schoolTeacher), ['mobile', 'name'], ['school_name', 'mobile']),
    resourceFinder('/new-study-room/school/school-student', '学生', () => import('./school-student.ts').then((file) => file.schoolStudent), ['number', 'name'], ['student_no', 'school_name']),
  ],
})
