import { number } from '../../core/field/number.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { api, type Resource } from '../../core/resource/define.ts'
import { defineOrders, OPEN_ORDERS, type OrderLine } from '../order/module.ts'
import { screenId, type ScreenPath } from '../screens.ts'
import { OWNERSHIP } from './api.ts'
import { orderPlace, selfOrderPlace } from './order-place.ts'
import { schoolStudent } from './school-student.ts'
import { school, selfSchool } from './school.ts'
import { unit } from './unit.ts'

/** What tells the orders of partners' schools from those of our own. */
interface SchoolSide {
  readonly run: (typeof OWNERSHIP)[keyof typeof OWNERSHIP]
  readonly name: string
  readonly label: string
  readonly path: ScreenPath
  readonly schools: () => Target
  readonly places: Resource
  /** Whether the schools keep students; otherwise an order opens the account of its number alone. */
  readonly students: boolean
}

/** Orders of students, written down by their school after they were paid; a sheet brings many at once (domain 1.8, A). */
function schoolLine({ run, name, label, path, schools, places, students }: SchoolSide): OrderLine {
  const named = students ? ['buyer_ref_id'] : []
  return {
    code: 'school',
    name,
    label,
    ...(run.self_run === 1 && { selfRun: true }),
    grant: screenId(path),
    api: api(run.base, 'app_school_orders', 'app_school_order'),
    flow: 'sale',
    goods: [{ kind: 'unit', label: '套餐', unit: '份', record: { label: '套餐', target: () => unit }, months: true }],
    account: { of: 'place' },
    learners: true,
    place: { kind: 'school', field: reference('学校', schools, { required: true, createOnly: true, wire: 'school_id', neededWhile: { status: OPEN_ORDERS } }) },
    ...(students && { buyer: {
      kind: 'student',
      field: reference('学生', () => schoolStudent, { createOnly: true, wire: 'student_id', neededWhile: { status: OPEN_ORDERS }, within: { place_ref_id: 'school_id' }, help: '不选则按手机号在该学校中查找' }),
    } }),
    sold: { kind: 'unit', field: reference('套餐', () => unit, { required: true, createOnly: true, wire: 'unit_id', neededWhile: { status: OPEN_ORDERS } }) },
    more: { months: number('月数', { required: true, createOnly: true, min: 1, max: 120, unit: '个月' }) },
    side: places,
    // The school is the place itself.
    sideFields: ['partner_id'],
    inputFields: ['place_ref_id', ...named, 'goods_ref_id', 'months'],
    columns: ['place_ref_id', ...named, 'goods_ref_id', 'months'],
    filters: ['place_ref_id', ...(students ? ['partner_id'] : []), 'goods_ref_id'],
    scope: { school: 'place_ref_id', partner: 'side_id.partner_id', agent: 'agent_id' },
    entryMode: 'recorded',
    sheet: { columns: ['buyer_mobile', 'buyer_name', 'goods_ref_id', 'months', 'amount', 'pay_channel', 'paid_at', 'remark'], key: ['buyer_mobile', 'goods_ref_id', 'paid_at'] },
  }
}

export const schoolOrderLine = schoolLine({ run: OWNERSHIP.partner, name: 'app_school_order', label: '学校订单', path: '/new-study-room/school/school-order', schools: () => school, places: orderPlace, students: true })
export const schoolOrder = defineOrders(schoolOrderLine)

export const selfSchoolOrderLine = schoolLine({ run: OWNERSHIP.own, name: 'self_school_order', label: '学校用户订单', path: '/study-room/school/user-order', schools: () => selfSchool, places: selfOrderPlace, students: false })
export const selfSchoolOrder = defineOrders(selfSchoolOrderLine)
