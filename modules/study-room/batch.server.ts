import { handle, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { importUpload } from '../../core/transfer/upload.server.ts'
import { batchSchoolOrder, batchSchoolStudent, batchSchoolTeacher } from './batch.ts'
import { schoolOrder } from './school-order.ts'
import { schoolStudent } from './school-student.ts'
import { schoolTeacher } from './school-teacher.ts'

/** The school that an upload belongs to. */
function schoolOf(call: Call): number {
  const id = Number((call.request.query as Readonly<Record<string, unknown>>)['self_study_room_id'])
  if (!Number.isSafeInteger(id) || id <= 0) throw invalid({ self_study_room_id: '请选择学校' })
  return id
}

/** Uploads that import people and orders into a school; wrong rows are left out and can be fetched with their reasons. */
export function batchCalls(kernel: Kernel): Served[] {
  return [
    handle(batchSchoolTeacher, async (call) => ({ job_id: await importUpload(kernel, call, schoolTeacher, { school_id: schoolOf(call) }) })),
    handle(batchSchoolStudent, async (call) => ({ job_id: await importUpload(kernel, call, schoolStudent, { school_id: schoolOf(call) }) })),
    handle(batchSchoolOrder, async (call) => ({ job_id: await importUpload(kernel, call, schoolOrder, { school_id: schoolOf(call) }) })),
  ]
}
