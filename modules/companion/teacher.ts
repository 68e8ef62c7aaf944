import { behind } from '../../core/field/behind.ts'
import { choice, multiChoice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { money, number } from '../../core/field/number.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { COMPANION_LINES } from './kind.ts'

/** domain 1.12. A teacher who has left keeps what they did, and has nobody. */
export const TEACHER_STATUS = { waiting: 1, working: 2, paused: 3, left: 4 } as const

const S = TEACHER_STATUS

/** domain 1.12: how experienced a teacher is; reports of the last two go out without a second look. */
export const TEACHER_LEVELS = [
  { value: 1, label: '见习' }, { value: 2, label: '初级' }, { value: 3, label: '中级' }, { value: 4, label: '高级' },
] as const

/** Teachers from this level on send reports themselves (operations 1.2). */
export const TRUSTED_LEVEL = 3

/** Fen for a lesson, or for a learner and month: ten thousand yuan is a slip of the pen. */
export const MAX_RATE = 1_000_000

export const TEACHER_RIGHTS = defineRights(screenId('/accompany/operation/teacher'), { audit: [11, '审核、暂停和离职'], rate: [12, '调整费率'] })

/** Who keeps learners company. Their account of the console says who they are. */
export const companionTeacher = defineResource({
  name: 'companion_teacher',
  label: '伴学教师',
  measure: '名',
  grant: TEACHER_RIGHTS.screen,
  rights: TEACHER_RIGHTS,
  api: api('/daoyuan/api/end/accompany/manager', 'teachers', 'teachers'),
  fields: {
    staff_id: reference('员工账号', () => staff, { required: true, createOnly: true, unique: true }),
    name: text('姓名', { readonly: true, max: 20, search: true }),
    mobile: behind<string>('staff_id', 'mobile', { label: '手机号' }),
    kinds: multiChoice('业务', COMPANION_LINES, { required: true, initial: ['accompany'] }),
    level: choice('级别', TEACHER_LEVELS, { required: true, initial: 1 }),
    subject_ids: referenceList('学科', () => subject),
    education: text('毕业院校和学历', { max: 60 }),
    max_students: number('最多学生', { required: true, min: 1, max: 500, initial: 25, unit: '名' }),
    lesson_rate: money('课时费', { readonly: true, max: MAX_RATE }),
    month_rate: money('月费', { readonly: true, max: MAX_RATE }),
    trial_cnt: computed('试听'),
    reading_cnt: computed('在读'),
    paused_cnt: computed('停课'),
    ended_cnt: computed('结课'),
    load: computed('带学生', 'text'),
    marking_cnt: computed('待批改'),
    on_time: computed('24 小时内批改', 'percent'),
    remark: longText('备注', { max: 200 }),
    status: choice('状态', [
      { value: S.waiting, label: '待审', tone: 'warning' }, { value: S.working, label: '在岗', tone: 'success' },
      { value: S.paused, label: '暂停', tone: 'default' }, { value: S.left, label: '离职', tone: 'default' },
    ], { readonly: true, initial: S.waiting }),
  },
  list: {
    columns: ['name', 'status', 'load', 'trial_cnt', 'reading_cnt', 'paused_cnt', 'ended_cnt', 'marking_cnt', 'on_time', 'level', 'subject_ids', 'kinds', 'lesson_rate', 'month_rate', 'mobile', 'education', 'remark', 'created_at'],
    under: ['mobile'],
    filters: ['status', 'kinds', 'level', 'subject_ids', 'mobile', 'staff_id', 'created_at'],
  },
  form: [
    { title: '教师', fields: ['staff_id', 'kinds', 'level', 'subject_ids', 'education'] },
    { title: '工作', fields: ['max_students', 'remark'] },
  ],
  transitions: [
    { name: 'pass', label: '通过', field: 'status', from: [S.waiting], to: S.working, right: 'audit', instead: '通过错了，先暂停该教师' },
    { name: 'pause', label: '暂停', field: 'status', from: [S.working], to: S.paused, right: 'audit', reason: true },
    { name: 'resume', label: '恢复在岗', field: 'status', from: [S.paused], to: S.working, right: 'audit' },
    { name: 'leave', label: '离职', field: 'status', from: [S.waiting, S.working, S.paused], to: S.left, right: 'audit', reason: true, danger: true, instead: '离职不能撤销，重新任用时再登记一次' },
  ],
  logged: [{ name: 'rate', label: '调整费率' }],
  policies: [{ of: ['edit'], policy: 'unless', field: 'status', values: [S.left], why: '该教师已离职，不能修改' }],
  pick: { offered: { status: S.working } },
  unscoped: { subject: 'A teacher may teach several subjects; who works with teachers answers for all of theirs.', level: 'A teacher may teach subjects of several levels, and is one person all the same.' },
})
