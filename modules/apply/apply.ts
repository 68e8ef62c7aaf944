import { choice } from '../../core/field/choice.ts'
import { images } from '../../core/field/file.ts'
import { mobile } from '../../core/field/mobile.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { text } from '../../core/field/text.ts'
import { date } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { agent } from '../agent/module.ts'
import { subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { APPLY_POLICIES, APPLY_STEPS, applyFields, applyRights } from './kind.ts'

/** Most codes that an application can ask for. */
const MOST_QUOTA = 10_000

const { submit, approve, ask, resubmit, reject, undo } = APPLY_STEPS
const transitions = [submit, approve, ask, resubmit, reject, undo] as const

/** domain 1.14: a bookshop that wants to sell for us. Approved, it is an agent with a quota of codes. */
export const bookstoreApply = defineResource({
  name: 'bookstore_apply',
  table: 'apply',
  label: '书店申请',
  title: 'org',
  measure: '份',
  grant: screenId('/operate/bookStoreApply'),
  rights: applyRights('/operate/bookStoreApply'),
  api: api('/daoyuan/api/end/operate', 'book_store_applies', 'book_store_apply'),
  fields: {
    kind: choice('类型', [{ value: 'bookstore', label: '书店' }], { required: true, readonly: true }),
    org: text('书店名称', { required: true, max: 60, search: true }),
    applicant: text('联系人', { required: true, max: 20, search: true }),
    mobile: mobile('手机号', { required: true, search: true }),
    region_code: region('所在地区', { required: true }),
    licence_no: text('营业执照号', { required: true, max: 30, search: true, example: '91320508MA1XXXXX0K' }),
    licence: images('证明材料', { most: 6, help: '营业执照、出版物经营许可证、门头照片' }),
    agent_id: reference('上级代理', () => agent, { help: '该地区有独家区域代理时，必须挂在其名下' }),
    quota: number('授权码名额', { min: 0, max: MOST_QUOTA, initial: 100, unit: '个' }),
    due_at: date('合作到期', { help: '不填则长期有效；到期后代理自动终止' }),
    ...applyFields,
  },
  list: {
    columns: ['org', 'status', 'applicant', 'mobile', 'region_code', 'licence_no', 'quota', 'agent_id', 'staff_id', 'created_at', 'due_at', 'audit_remark', 'auditor_id', 'audited_at', 'created_by_name', 'updated_at'],
    under: ['licence_no'],
    filters: ['status', 'region_code', 'agent_id', 'staff_id', 'auditor_id', 'mobile', 'due_at', 'audited_at', 'created_at'],
  },
  form: [
    { title: '书店', fields: ['org', 'licence_no', 'region_code', 'licence'] },
    { title: '联系人', fields: ['applicant', 'mobile', 'reason'] },
    { title: '合作', fields: ['agent_id', 'quota', 'due_at', 'staff_id'] },
  ],
  transitions,
  policies: APPLY_POLICIES,
  where: { kind: 'bookstore' },
  scope: { agent: 'agent_id' },
  indexes: [['kind', 'status'], ['kind', 'mobile'], ['kind', 'licence_no'], ['region_code', 'id']],
  without: ['remove'],
})

/** domain 1.14: a teacher who wants our resources. Approved, their account is a teacher's until a day. */
export const teacherApply = defineResource({
  name: 'teacher_apply',
  table: 'apply',
  label: '教师申请',
  title: 'applicant',
  measure: '份',
  grant: screenId('/operate/teacherApply'),
  rights: applyRights('/operate/teacherApply'),
  api: api('/daoyuan/api/end/operate', 'teacher_applies', 'teacher_apply'),
  fields: {
    kind: choice('类型', [{ value: 'teacher', label: '教师' }], { required: true, readonly: true }),
    applicant: text('姓名', { required: true, max: 20, search: true }),
    mobile: mobile('手机号', { required: true, search: true }),
    org: text('学校', { required: true, max: 60, search: true }),
    region_code: region('所在地区', { required: true }),
    subject_id: reference('任教学科', () => subject, { required: true }),
    licence_no: text('教师资格证号', { required: true, max: 30, search: true, example: '20263205142001234' }),
    licence: images('证明材料', { most: 6, help: '教师资格证、工作证或学校证明' }),
    due_at: date('权益到期', { help: '不填则自通过之日起一年' }),
    ...applyFields,
    /** Who the account was before: what a taken back approval gives back. */
    role_before: number('原身份', { readonly: true, audit: false }),
  },
  list: {
    columns: ['applicant', 'status', 'mobile', 'org', 'subject_id', 'region_code', 'licence_no', 'staff_id', 'created_at', 'due_at', 'audit_remark', 'auditor_id', 'audited_at', 'created_by_name', 'updated_at'],
    under: ['org'],
    filters: ['status', 'subject_id', 'region_code', 'staff_id', 'auditor_id', 'mobile', 'due_at', 'audited_at', 'created_at'],
  },
  form: [
    { title: '教师', fields: ['applicant', 'mobile', 'org', 'region_code', 'subject_id'] },
    { title: '材料', fields: ['licence_no', 'licence', 'reason'] },
    { title: '权益', fields: ['due_at', 'staff_id'] },
  ],
  transitions,
  policies: APPLY_POLICIES,
  where: { kind: 'teacher' },
  scope: { subject: 'subject_id', level: 'subject_id.level' },
  without: ['remove'],
})

/** The kinds of applications, by the word that their rows carry. */
export const APPLIES = { bookstore: bookstoreApply, teacher: teacherApply } as const

export type ApplyKind = keyof typeof APPLIES
