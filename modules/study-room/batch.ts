import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { BASE } from './api.ts'
import { schoolOrder } from './school-order.ts'
import { schoolStudent } from './school-student.ts'
import { schoolTeacher } from './school-teacher.ts'

/** The job that imports the file; GET jobs/{id} tells how far it is and what came of it. */
export interface BatchStarted {
  job_id: number
}

/**
 * spec 7: a sheet of teachers as multipart, `?self_study_room_id=` naming where they belong. The spec does not show what
 * the id means; a teacher belongs to a school here, so it is the school's.
 */
export const batchSchoolTeacher = defineEndpoint<BatchStarted>()({
  method: 'POST', path: `${BASE}/batch_school_teacher`, summary: '上传表格导入学校教师', grant: [standardId(schoolTeacher.grant, 'import')], upload: true,
})

/** spec 7: a sheet of students as multipart, `?self_study_room_id=` being the school's id as above. */
export const batchSchoolStudent = defineEndpoint<BatchStarted>()({
  method: 'POST', path: `${BASE}/batch_school_student`, summary: '上传表格导入学生', grant: [standardId(schoolStudent.grant, 'import')], upload: true,
})

/** spec 7: a sheet of orders that were paid elsewhere as multipart, `?self_study_room_id=` being the school's id as above. */
export const batchSchoolOrder = defineEndpoint<BatchStarted>()({
  method: 'POST', path: `${BASE}/batch_app_school_order`, summary: '上传表格导入学校订单', grant: [standardId(schoolOrder.grant, 'import')], upload: true,
})
