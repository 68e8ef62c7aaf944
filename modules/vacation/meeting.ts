import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { staff } from '../staff/module.ts'
import { vacationClass } from './line.ts'

/** One lesson of a class (done.md 14: a session is a login). */
export const vacationMeeting = defineResource({
  name: 'vacation_meeting',
  label: '课次',
  measure: '次',
  grant: vacationClass.grant,
  rights: vacationClass.rights,
  api: api('/daoyuan/api/end/vacation', 'meetings', 'meetings'),
  fields: {
    class_id: reference('班级', () => vacationClass, { required: true, createOnly: true, onRemove: 'cascade' }),
    name: text('课次', { required: true, max: 40, search: true }),
    start_at: time('上课时间', { required: true }),
    end_at: time('下课时间', { required: true }),
    teacher_id: reference('授课教师', () => staff, { required: true }),
    room: text('教室', { max: 40 }),
    conflict_reason: longText('冲突说明', { max: 200, help: '时间冲突而仍要安排时填写' }),
    rolled_at: time('点名时间', { readonly: true }),
  },
  list: { columns: ['class_id', 'name', 'start_at', 'end_at', 'teacher_id', 'room', 'rolled_at', 'conflict_reason'], filters: ['class_id', 'teacher_id', 'start_at', 'room', 'rolled_at'], sort: 'start_at' },
  form: [{ fields: ['class_id', 'name', 'start_at', 'end_at', 'teacher_id', 'room', 'conflict_reason'] }],
  logged: [{ name: 'plan_schedule', label: '排课' }, { name: 'roll', label: '点名' }],
  scope: { subject: 'class_id.offer_id.subject_id', level: 'class_id.offer_id.subject_id.level' },
  indexes: [['teacher_id', 'start_at'], ['room', 'start_at']],
})
