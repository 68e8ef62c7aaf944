import { choice, multiChoice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { date, time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { teacherApply } from '../apply/module.ts'
import { GRADES, subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { appUser } from '../user/module.ts'
import { REASONS, TEACHER_STATES, TEACHER_STATUS } from './states.ts'

export const TEACHER_PATH = '/teacher/teacher'

export const TEACHER_RIGHTS = defineRights(screenId(TEACHER_PATH), { stop: [11, '停用和恢复'], leave: [12, '离开和交接班级'], extend: [13, '延长权益'] })

/** domain 1.15: a teacher of a school who uses our app with their classes. Each is what an approved application made. */
export const teacherProfile = defineResource({
  name: 'teacher_profile',
  label: '教师',
  measure: '名',
  grant: TEACHER_RIGHTS.screen,
  rights: TEACHER_RIGHTS,
  api: api('/daoyuan/api/end', 'teachers', 'teachers'),
  fields: {
    name: text('姓名', { required: true, max: 20, search: true }),
    mobile: mobile('手机号', { readonly: true, search: true }),
    user_id: reference('用户', () => appUser, { required: true, readonly: true, unique: true }),
    apply_id: reference('认证申请', () => teacherApply, { readonly: true, onRemove: 'keep' }),
    school: text('学校', { required: true, max: 60, search: true }),
    region_code: region('所在地区', { required: true }),
    subject_id: reference('任教学科', () => subject, { required: true }),
    grades: multiChoice('任教年级', GRADES),
    rep_id: reference('业务员', () => staff, { onRemove: 'keep' }),
    cert_no: text('教师资格证号', { readonly: true, max: 30 }),
    certified_at: time('认证时间', { readonly: true }),
    cert_until: date('权益至', { readonly: true }),
    need: segment('需要关注', REASONS),
    class_cnt: computed('班级'),
    student_cnt: computed('学生'),
    homework_cnt: computed('30 天布置'),
    last_homework_at: time('最近布置', { readonly: true, audit: false }),
    last_words: computed('最近跟进', 'text'),
    last_follow_at: time('最近跟进时间', { readonly: true, audit: false }),
    next_follow_at: time('下次跟进', { readonly: true, audit: false }),
    stop_reason: text('停用或离开原因', { readonly: true, max: 200 }),
    remark: longText('备注', { max: 200 }),
    status: choice('状态', TEACHER_STATES, { readonly: true, initial: TEACHER_STATUS.certified }),
  },
  list: {
    columns: ['name', 'status', 'mobile', 'subject_id', 'class_cnt', 'student_cnt', 'homework_cnt', 'last_homework_at', 'rep_id', 'next_follow_at', 'cert_until', 'grades', 'region_code', 'last_words', 'last_follow_at', 'certified_at', 'cert_no', 'stop_reason', 'user_id', 'apply_id', 'remark', 'created_at'],
    under: ['school'],
    filters: ['status', 'need', 'subject_id', 'grades', 'rep_id', 'region_code', 'mobile', 'cert_until', 'next_follow_at', 'last_homework_at', 'certified_at', 'created_at'],
  },
  form: [
    { title: '教师', fields: ['name', 'subject_id', 'grades'] },
    { title: '学校', fields: ['school', 'region_code'] },
    { title: '服务', fields: ['rep_id', 'remark'] },
  ],
  logged: [{ name: 'certify', label: '认证' }, { name: 'lapse', label: '认证失效' }, { name: 'stop', label: '停用' }, { name: 'resume', label: '恢复' }, { name: 'leave', label: '离开' }, { name: 'follow', label: '跟进' }, { name: 'extend', label: '延长权益' }],
  policies: [{ of: ['edit'], policy: 'while', field: 'status', values: [TEACHER_STATUS.certified, TEACHER_STATUS.stopped], why: '教师已离开或认证失效，不能修改' }],
  pick: { offered: { status: TEACHER_STATUS.certified } },
  scope: { subject: 'subject_id', level: 'subject_id.level', agent: 'user_id.agent_id' },
  indexes: [['status', 'cert_until'], ['rep_id', 'status'], ['next_follow_at'], ['mobile']],
  without: ['create', 'remove'],
})
