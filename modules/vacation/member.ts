import { behind } from '../../core/field/behind.ts'
import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { personName } from '../../core/field/person-name.ts'
import { reference } from '../../core/field/reference.ts'
import { longText } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { appUser } from '../user/module.ts'
import { MEMBER_STATE, MEMBER_STATES } from './state.ts'
import { vacationClass } from './line.ts'

/** Somebody in a class, or on its waiting list: an order put them there. */
export const vacationMember = defineResource({
  name: 'vacation_member',
  label: '班级学员',
  measure: '名',
  title: 'student',
  grant: vacationClass.grant,
  rights: vacationClass.rights,
  api: api('/daoyuan/api/end/vacation', 'members', 'members'),
  fields: {
    class_id: reference('班级', () => vacationClass, { required: true, readonly: true, neededWhile: { state: [MEMBER_STATE.waiting, MEMBER_STATE.in] } }),
    student: personName('姓名', { readonly: true, max: 40, search: true }),
    user_id: reference('用户', () => appUser, { required: true, readonly: true }),
    user_mobile: behind<string>('user_id', 'mobile'),
    order_item_id: number('订单明细', { required: true, readonly: true }),
    queued_at: time('报名时间', { required: true, readonly: true }),
    joined_at: time('入班时间', { readonly: true }),
    attendance: computed('出勤率', 'text'),
    remark: longText('备注', { max: 200 }),
    state: choice('状态', MEMBER_STATES, { required: true, readonly: true, initial: MEMBER_STATE.waiting }),
  },
  list: {
    columns: ['student', 'state', 'user_mobile', 'class_id', 'attendance', 'queued_at', 'joined_at', 'remark'],
    filters: ['state', 'class_id', 'user_id', 'user_mobile', 'queued_at', 'joined_at'], sort: 'queued_at',
  },
  form: [{ fields: ['remark'] }],
  logged: [{ name: 'change_class', label: '换班' }],
  scope: { agent: 'user_id.agent_id', subject: 'class_id.offer_id.subject_id', level: 'class_id.offer_id.subject_id.level' },
  responsible: ['class_id.teacher_id'],
  indexes: [['class_id', 'state', 'queued_at'], ['order_item_id']],
  without: ['create', 'remove'],
})
