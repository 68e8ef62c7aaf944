import { defineModule } from '../../core/module/define.ts'

export { OWNERSHIP, SELF_RUN } from './api.ts'
export { orderPlace, selfOrderPlace } from './order-place.ts'
export { PARTNER_CODES, PARTNER_GOODS } from './partner-order.ts'
export { partner } from './partner.ts'
export { roomType } from './room-type.ts'
export { SCHOOL_STATUS, school, selfSchool } from './school.ts'
export { schoolStudent } from './school-student.ts'
export { unit } from './unit.ts'

/** Study rooms: partners, their schools with teachers and students, and what a code opens. */
export default defineModule({
  name: 'study-room',
  title: '自习室',
  screens: [
    '/new-study-room/partner',
    '/new-study-room/authorization-code',
    '/new-study-room/authorization-detail',
    '/new-study-room/partner-order',
    '/new-study-room/school/school-list',
    '/new-study-room/school/school-teacher',
    '/new-study-room/school/school-student',
    '/new-study-room/school/school-order',
    '/study-room/school/list',
    '/study-room/school/user-order',
  ],
})
