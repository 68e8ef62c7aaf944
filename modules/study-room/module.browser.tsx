import { takesWords } from '../../core/module/find.ts'
import { presentModule, resourceScreen, type ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import { orderFinder, orderScreen } from '../order/door.tsx'
import door from './module.ts'

const CODES = '/new-study-room/authorization-detail'

/** Batches with what was activated where it does not belong; records are opened as batches. */
const batches: ScreenLoader = Object.assign(() => import('./code-screen.tsx'), {
  resource: () => import('./authorization-code.ts').then((file) => file.activationCodeGroup), presentation: () => import('./authorization-code-view.tsx').then((file) => file.default),
})

/** Partners with whom to call this week; records are opened as partners. */
const partners: ScreenLoader = Object.assign(() => import('./partner-screen.tsx'), {
  resource: () => import('./partner.ts').then((file) => file.partner), presentation: () => import('./partner-view.tsx').then((file) => file.default),
})

export default presentModule(door)({
  '/new-study-room/partner': partners,
  '/new-study-room/authorization-code': batches,
  '/new-study-room/authorization-detail': resourceScreen(() => import('./authorization-code.ts').then((file) => file.activationCode), () => import('./authorization-detail-view.tsx')),
  '/new-study-room/partner-order': orderScreen(async () => {
    const [file, { OrderBatches }] = await Promise.all([import('./partner-order.ts'), import('./order-batches.tsx')])
    return { line: file.partnerOrderLine, orders: file.partnerOrder, shipments: file.partnerShipment, own: { slots: { MoreDetails: OrderBatches } } }
  }),
  '/new-study-room/school/school-order': orderScreen(() => import('./school-order.ts').then((file) => ({ line: file.schoolOrderLine, orders: file.schoolOrder }))),
  '/new-study-room/school/school-list': resourceScreen(() => import('./school.ts').then((file) => file.school), () => import('./school-view.tsx')),
  '/new-study-room/school/school-teacher': resourceScreen(() => import('./school-teacher.ts').then((file) => file.schoolTeacher)),
  '/new-study-room/school/school-student': resourceScreen(() => import('./school-student.ts').then((file) => file.schoolStudent), () => import('./school-student-view.tsx')),
  '/study-room/school/user-order': orderScreen(() => import('./school-order.ts').then((file) => ({ line: file.selfSchoolOrderLine, orders: file.selfSchoolOrder }))),
  '/study-room/school/list': resourceScreen(() => import('./school.ts').then((file) => file.selfSchool)),
}, {
  records: { code_diversion: { resource: () => import('./diversion.ts').then((file) => file.codeDiversion), presentation: () => import('./diversion-view.tsx').then((file) => file.default) } },
  finders: [
    orderFinder('/new-study-room/partner-order', '合伙人订单', () => import('./partner-order.ts').then((file) => file.partnerOrder)),
    orderFinder('/new-study-room/school/school-order', '学校订单', () => import('./school-order.ts').then((file) => file.schoolOrder)),
    orderFinder('/study-room/school/user-order', '学校用户订单', () => import('./school-order.ts').then((file) => file.selfSchoolOrder)),
    { label: '授权码', screen: CODES, takes: takesWords('number'), find: (words, signal) => import('./code-finder.tsx').then((file) => file.default(CODES, words, signal)) },
    resourceFinder('/new-study-room/partner', '合伙人', () => import('./partner.ts').then((file) => file.partner), ['mobile', 'number', 'name'], ['contact', 'mobile']),
    resourceFinder('/new-study-room/school/school-list', '学校', () => import('./school.ts').then((file) => file.school), ['mobile', 'name'], ['manager', 'region_name']),
    resourceFinder('/new-study-room/school/school-teacher', '学校教师', () => import('./school-teacher.ts').then((file) => file.schoolTeacher), ['mobile', 'name'], ['school_name', 'mobile']),
    resourceFinder('/new-study-room/school/school-student', '学生', () => import('./school-student.ts').then((file) => file.schoolStudent), ['number', 'name'], ['student_no', 'school_name']),
  ],
})
