import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { api } from '../../core/resource/define.ts'
import { defineOrders, type OrderLine } from '../order/module.ts'
import { screenId } from '../screens.ts'
import { BASE } from './api.ts'
import { partner } from './partner.ts'
import { schoolStudent } from './school-student.ts'
import { school } from './school.ts'
import { unit } from './unit.ts'

/** Orders of students, written down by their school after they were paid; a sheet brings many at once (domain 1.8, A). */
export const schoolOrderLine: OrderLine = {
  code: 'school',
  name: 'app_school_order',
  label: '学校订单',
  selfRun: false,
  grant: screenId('/new-study-room/school/school-order'),
  api: api(BASE, 'app_school_orders', 'app_school_order'),
  flow: 'sale',
  goods: [{ kind: 'unit', label: '套餐', unit: '份', record: { label: '套餐', target: () => unit }, months: true }],
  account: { kind: 'school', column: 'school_id' },
  buyer: {
    school_id: reference('学校', () => school, { required: true, fixed: true }),
    partner_id: reference('合伙人', () => partner, { readonly: true }),
    student_id: reference('学生', () => schoolStudent, { fixed: true, within: { school_id: 'school_id' }, help: '不选则按手机号在该学校中查找' }),
    unit_id: reference('套餐', () => unit, { required: true, fixed: true }),
    months: number('月数', { required: true, fixed: true, min: 1, max: 120, unit: '个月' }),
  },
  asks: ['school_id', 'student_id', 'unit_id', 'months'],
  columns: ['school_id', 'student_id', 'unit_id', 'months'],
  filters: ['school_id', 'partner_id', 'unit_id'],
  scope: { school: 'school_id', partner: 'partner_id' },
  recorded: { columns: ['buyer_mobile', 'buyer_name', 'unit_id', 'months', 'amount', 'pay_channel', 'paid_at', 'remark'], key: ['buyer_mobile', 'unit_id', 'paid_at'] },
}

export const schoolOrder = defineOrders(schoolOrderLine)
