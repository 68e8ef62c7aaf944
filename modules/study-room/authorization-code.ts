import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { behind } from '../../core/field/behind.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { codeFamily, HELD_CODES } from '../code/module.ts'
import { screenId } from '../screens.ts'
import { BASE } from './api.ts'
import { partnerOrder } from './partner-order.ts'
import { partner } from './partner.ts'
import { roomType } from './room-type.ts'
import { schoolStudent, STUDENT_RIGHTS } from './school-student.ts'
import { school } from './school.ts'
import { unit } from './unit.ts'

/** Line of the entitlements that study rooms open. */
export const STUDY_ROOM_LINE = 'study_room'

/** Codes by which partners open our units for the students of their schools (domain 1.8). */
export const authorizationCodes = codeFamily({
  name: 'activation_code',
  label: '授权码',
  line: STUDY_ROOM_LINE,
  base: BASE,
  screens: { batch: screenId('/new-study-room/authorization-code'), code: screenId('/new-study-room/authorization-detail') },
  owner: { key: 'partner_id', label: '合伙人', target: () => partner, scope: { partner: 'partner_id', agent: 'partner_id.agent_id' }, quota: { total: 'code_quota', used: 'used_quota' } },
  product: { key: 'unit_id', label: '套餐', target: () => unit, months: (id) => `${unit.api.item}/${id}` },
  batchFields: {
    type_id: reference('自习室类型', () => roomType, { createOnly: true, help: '不选则按合伙人的类型' }),
    // Partners' orders issue codes, and so do those of rooms: what is named here is the order's number, whichever line it is of.
    order_id: reference('来源订单', () => partnerOrder, { readonly: true }),
  },
  holderFields: {
    school_id: reference('学校', () => school, { readonly: true, neededWhile: { status: HELD_CODES } }),
    student_id: reference('学生', () => schoolStudent, { readonly: true, neededWhile: { status: HELD_CODES } }),
    pad_sn: text('平板 SN', { readonly: true, max: 24 }),
    teacher_name: behind<string>('student_id.teacher_id', 'name', { label: '督学' }),
  },
  scope: { school: 'school_id' },
  columns: { batch: ['type_id'], code: ['school_id', 'student_id', 'teacher_name', 'pad_sn'] },
  filters: { batch: ['type_id', 'order_id'], code: ['school_id', 'student_id', 'teacher_name'] },
})

export const activationCodeGroup = authorizationCodes.batch
export const activationCode = authorizationCodes.code

/** domain 1.8: a student activates a code, at their school. Answers with the student as the code left them. */
export const activateCodeCall = defineEndpoint<{ code_id: number; expire_at: number; student: WireRow }>()({
  method: 'POST', path: `${BASE}/activation_code/activate`, summary: '为学生激活授权码', grant: [STUDENT_RIGHTS.id('activate')],
  input: z.object({
    code: z.string('请输入授权码').check(z.maxLength(100, '授权码过长')),
    student_id: z.int('请选择学生').check(z.positive('请选择学生')),
    pad_sn: z.optional(z.string('平板 SN 应为文字').check(z.trim(), z.regex(/^[A-Z0-9]{8,24}$/, '平板 SN 应为 8 到 24 位大写字母和数字'))),
  }),
})

/** Right to give a student's code to another: that of setting it free. */
export const REBIND_GRANT = activationCode.rights.id('unbind')

/** domain 0.4, T-CODED, 换绑: another student has the rest of what a code opened. Counts as setting it free. */
export const rebindCode = defineEndpoint<WireRow>()({
  method: 'POST', path: `${activationCode.api.item}/{id}/rebind`, summary: '授权码换绑学生', grant: [REBIND_GRANT],
  input: z.object({ student_id: z.int('请选择学生').check(z.positive('请选择学生')), reason: reasonSchema, rev: z.optional(z.int('版本有误')) }),
})
