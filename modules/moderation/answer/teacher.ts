import { multiChoice, toggle } from '../../../core/field/choice.ts'
import { computed } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { reference, referenceList } from '../../../core/field/reference.ts'
import { segment } from '../../../core/field/segment.ts'
import { text } from '../../../core/field/text.ts'
import { date } from '../../../core/field/time.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { subject } from '../../reference/module.ts'
import { staff } from '../../staff/module.ts'
import { TEACHER_RIGHTS } from '../rights.ts'
import { TARGETS } from '../said/said.ts'

/** 答疑教师: who answers what learners ask, of which subjects, how much at a time, and when not. */
export const commentTeacher = defineResource({
  name: 'comment_teacher',
  label: '答疑教师',
  measure: '名',
  title: 'title',
  grant: TEACHER_RIGHTS.screen,
  rights: TEACHER_RIGHTS,
  api: api('/daoyuan/api/end', 'comment_teachers', 'comment_teacher'),
  fields: {
    staff_id: reference('教师', () => staff, { required: true, createOnly: true, unique: true }),
    title: text('擅长', { required: true, max: 40, search: true, example: '高中数学函数与导数' }),
    subject_ids: referenceList('负责学科', () => subject, { help: '不选则不限学科' }),
    targets: multiChoice('应答范围', TARGETS, { help: '不选则视频和习题都答' }),
    most_open: number('同时最多', { required: true, min: 1, max: 200, unit: '条', initial: 20 }),
    leave_from: date('请假自'),
    leave_until: date('请假至', { help: '请假期间不再分配，未回答的自动转给同学科的其他教师' }),
    open_n: computed('待回答'),
    late_n: computed('已超时'),
    answered_n: computed('近 30 天回答'),
    minutes: computed('平均用时（分）'),
    adopted: computed('采纳率', 'percent'),
    on_duty: segment('目前', [{ value: 'on', label: '可分配' }, { value: 'leave', label: '请假中' }, { value: 'full', label: '已满' }]),
    status: toggle('提问分配', { on: '开', off: '关', onDone: '已开始分配', offDone: '已停止分配' }),
  },
  list: {
    under: ['title'],
    columns: ['staff_id', 'subject_ids', 'title', 'open_n', 'late_n', 'answered_n', 'minutes', 'adopted', 'status', 'targets', 'most_open', 'leave_from', 'leave_until', 'updated_at'],
    filters: ['staff_id', 'subject_ids', 'targets', 'on_duty', 'status'],
  },
  form: [{ fields: ['staff_id', 'title', 'subject_ids', 'targets', 'most_open', 'status'] }, { title: '请假', fields: ['leave_from', 'leave_until'] }],
  logged: [{ name: 'reassign', label: '转派' }],
  unscoped: { subject: 'A colleague may answer several subjects, or all; what is asked of them is narrowed instead.', level: 'A teacher may answer subjects of several stages.' },
  indexes: [['status', 'id']],
})
