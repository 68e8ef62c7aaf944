import { choice } from '../../core/field/choice.ts'
import { mobile } from '../../core/field/mobile.ts'
import { number } from '../../core/field/number.ts'
import { personName } from '../../core/field/person-name.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { date, time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { BASE } from './api.ts'
import { GRADES } from '../reference/module.ts'
import { school } from './school.ts'
import { schoolCell } from './school-cell.ts'
import { schoolTeacher } from './school-teacher.ts'
import { unit } from './unit.ts'

export const STUDENT_STATUS = { stopped: 0, studying: 1, expired: 2 } as const

/** Rights of the screen beside the standard ones. */
export const STUDENT_RIGHTS = defineRights(screenId('/new-study-room/school/school-student'), { activate: [21, '激活授权码'], changeSchool: [22, '转校'], renew: [23, '续期'] })

/** A student of a partner's school. */
export const schoolStudent = defineResource({
  name: 'school_student',
  label: '学生',
  measure: '名',
  grant: STUDENT_RIGHTS.screen,
  rights: STUDENT_RIGHTS,
  api: api(BASE, 'school_students', 'school_student'),
  fields: {
    name: personName('姓名', { required: true, search: true }),
    mobile: mobile('手机', { required: true }),
    parent_mobile: mobile('家长手机'),
    student_no: text('学号', { max: 30, search: true, example: '20260001' }),
    gender: choice('性别', [{ value: 1, label: '男' }, { value: 2, label: '女' }]),
    // Another school is a right of its own (转校): codes follow, and not to every school.
    school_id: reference('学校', () => school, { required: true, createOnly: true }),
    grade: choice('年级', GRADES, { required: true }),
    cell_id: reference('班级', () => schoolCell, { within: { school_id: 'school_id' } }),
    teacher_id: reference('督学', () => schoolTeacher, { within: { school_id: 'school_id' } }),
    unit_ids: referenceList('科目', () => unit),
    start_at: date('开通日期'),
    expire_at: date('有效期'),
    last_study_at: time('最近学习', { readonly: true }),
    week_minutes: number('近7天学习（分钟）', { readonly: true }),
    status: choice('状态', [
      { value: STUDENT_STATUS.studying, label: '在读', tone: 'success' },
      { value: STUDENT_STATUS.stopped, label: '停用', tone: 'default' },
      { value: STUDENT_STATUS.expired, label: '已过期', tone: 'error' },
    ], { readonly: true, initial: STUDENT_STATUS.studying }),
  },
  list: {
    columns: ['name', 'status', 'mobile', 'school_id', 'cell_id', 'teacher_id', 'expire_at', 'last_study_at', 'week_minutes', 'grade', 'student_no', 'parent_mobile', 'gender'], under: ['grade', 'student_no'],
    filters: ['school_id', 'cell_id', 'grade', 'status', 'teacher_id', 'expire_at', 'mobile', 'parent_mobile', 'created_at'],
  },
  form: [
    { title: '学生', fields: ['name', 'mobile', 'parent_mobile', 'student_no', 'gender'] },
    { title: '在校', fields: ['school_id', 'grade', 'cell_id', 'teacher_id'] },
    { title: '学习权益', fields: ['unit_ids', 'start_at', 'expire_at'] },
  ],
  import: { columns: ['name', 'mobile', 'parent_mobile', 'student_no', 'gender', 'grade', 'cell_id', 'unit_ids', 'expire_at'], key: ['mobile'] },
  unique: [['school_id', 'student_no'], ['school_id', 'mobile']],
  transitions: [
    { name: 'stop', label: '停用', field: 'status', from: [STUDENT_STATUS.studying], to: STUDENT_STATUS.stopped, reason: true, danger: true },
    { name: 'resume', label: '恢复', field: 'status', from: [STUDENT_STATUS.stopped], to: STUDENT_STATUS.studying },
  ],
  logged: [{ name: 'change_cell', label: '转班' }, { name: 'change_school', label: '转校' }, { name: 'renew_student', label: '续期' }],
  responsible: ['teacher_id.staff_id'],
  pick: { within: ['school_id'] },
  scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
  indexes: [['school_id', 'status'], ['status'], ['expire_at']],
})
