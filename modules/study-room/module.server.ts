import { sql } from 'drizzle-orm'
import { badRequest, invalid } from '../../core/error/error.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { orderParts } from '../order/door.server.ts'
import { activationCalls, codes } from './authorization-code.server.ts'
import { insertRoomTypes } from './base.server.ts'
import { batchCalls } from './batch.server.ts'
import { partnerChecks } from './checks.server.ts'
import { insertCodeDemo } from './demo-codes.server.ts'
import { insertOrderDemo } from './demo-orders.server.ts'
import { insertStudyRoomDemo } from './demo.server.ts'
import { endingSweeps } from './expire.server.ts'
import { orderPlace, selfOrderPlace } from './order-place.ts'
import { lookupCalls } from './lookup.server.ts'
import { diversionCalls, diversions, diversionSweep, diversionWaiting } from './diversion.server.ts'
import door from './module.ts'
import { studentOverview } from './overview.server.ts'
import { partnerAccountCalls } from './partner-account.server.ts'
import { partnerContactCalls } from './partner-contacts.server.ts'
import { partnerHealthCalls } from './partner-health.server.ts'
import { partnerLedgers, partnerOrders } from './partner-order.server.ts'
import { PARTNER_STATUS, partner } from './partner.ts'
import { roomType } from './room-type.ts'
import { sameSchool, studentPlaces } from './same-school.server.ts'
import { schoolOrders, selfSchoolOrders } from './school-order.server.ts'
import { schoolCell } from './school-cell.ts'
import { schoolStudent } from './school-student.ts'
import { schoolTeacher } from './school-teacher.ts'
import { school, selfSchool } from './school.ts'
import { studentMoveCalls } from './student-move.server.ts'
import { figures, waiting } from './waiting.server.ts'
import { unit } from './unit.ts'

const partners = serve(partner)({
  computed: {
    school_cnt: sql`select count(*)::int from app_school x where x.partner_id = t.id and x.deleted_at is null`,
    // Rooms are the business of another module; their table is read as it stands.
    room_cnt: sql`select count(*)::int from study_room r join app_school x on x.id = r.school_id where x.partner_id = t.id and x.deleted_at is null and r.deleted_at is null`,
  },
  async before({ tx, values, row }) {
    const sign = values.sign_at ?? row?.sign_at
    const expire = values.expire_at ?? row?.expire_at
    if (sign && expire && expire <= sign) throw invalid({ expire_at: '到期日期应晚于签约日期' })
    // domain 1.8: the fees default to those of the room type.
    if (!row && values.type_id && (values.service_fee ?? values.exchange_service_fee) == null) {
      const [type] = await tx.query<{ service_fee: number; exchange_service_fee: number }>(sql`select service_fee, exchange_service_fee from room_type where id = ${values.type_id}`)
      values.service_fee ??= type?.service_fee ?? null
      values.exchange_service_fee ??= type?.exchange_service_fee ?? null
    }
  },
  effects: {
    async sign({ row }) {
      if (row.expire_at * 1000 < Date.now()) throw badRequest('合同已过到期日期，请先修改到期日期')
    },
  },
})

const PARTNER_ENDED = '该合伙人已解约，不能再关联学校'

const schools = serve(school)({
  computed: {
    student_cnt: sql`select count(*)::int from school_student x where x.school_id = t.id and x.deleted_at is null`,
    teacher_cnt: sql`select count(*)::int from school_teacher x where x.school_id = t.id and x.deleted_at is null`,
  },
  async before({ tx, values }) {
    if (!values.partner_id) return
    const [owner] = await tx.query<{ status: number }>(sql`select status from partner where id = ${values.partner_id}`)
    if (owner?.status === PARTNER_STATUS.ended) throw invalid({ partner_id: PARTNER_ENDED })
  },
  async beforeImport({ tx, rows }) {
    const ids = [...new Set(rows.flatMap(({ values }) => values.partner_id ?? []))]
    const ended = await tx.query<{ id: number }>(sql`select id from partner where id = any(${sql.param(ids)}::bigint[]) and status = ${PARTNER_STATUS.ended}`)
    for (const { values, refuse } of rows) if (ended.some(({ id }) => id === values.partner_id)) refuse(PARTNER_ENDED)
  },
})

const selfSchools = serve(selfSchool)({
  computed: {
    room_cnt: sql`select count(*)::int from study_room r where r.school_id = t.id and r.deleted_at is null`,
    present_cnt: sql`select count(*)::int from seated n join study_room r on r.id = n.room_id where r.school_id = t.id`,
  },
})

const teachers = serve(schoolTeacher)(sameSchool([{ key: 'cell_ids', table: 'school_cell', label: '班级' }]))

const students = serve(schoolStudent)(studentPlaces)

const orders = orderParts([partnerOrders, schoolOrders, selfSchoolOrders], [schoolOrders, selfSchoolOrders])

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order'],
  services: [serve(roomType)(), serve(unit)(), partners, schools, selfSchools, serve(schoolCell)(), teachers, students, ...orders.services, serve(orderPlace)(), serve(selfOrderPlace)(), partnerLedgers, ...codes.services, diversions],
  calls: (kernel) => [...lookupCalls(), ...diversionCalls(), ...partnerHealthCalls(), ...partnerContactCalls(), ...batchCalls(kernel), ...orders.calls(kernel), ...partnerAccountCalls(), ...activationCalls(), ...studentMoveCalls(), ...codes.calls(kernel)],
  jobs: codes.jobs,
  sweeps: (kernel) => [...endingSweeps(kernel.db), ...orders.sweeps(kernel.db), ...codes.sweeps(kernel), diversionSweep(kernel.db)],
  overview: [studentOverview, ...codes.overview, ...orders.overview],
  waiting: [...waiting, diversionWaiting, ...orders.waiting],
  figures,
  checks: partnerChecks,
  base: insertRoomTypes,
  demo: [
    { title: '合伙人、学校和学生', run: insertStudyRoomDemo },
    { title: '授权码', run: insertCodeDemo },
    { title: '订单', run: insertOrderDemo },
  ],
})
