import { behind } from '../../core/field/behind.ts'
import { choice, multiChoice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { personName } from '../../core/field/person-name.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { date, time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { subject } from '../reference/module.ts'
import { anyRoom } from '../room/module.ts'
import { screenId } from '../screens.ts'
import { appUser } from '../user/module.ts'
import { BASE } from './api.ts'
import { classCourse } from './course.ts'
import { trainingPlan } from './plan.ts'
import { MOST_ACCOUNTS } from './quota.ts'

/** What has been decided about what a room may use. Whether its time is over follows from its end. */
export const GRANT_STATE = { active: 1, paused: 2, recalled: 3 } as const
const { active, paused, recalled } = GRANT_STATE
export const GRANT_STATES = [{ value: active, label: '有效', tone: 'success' }, { value: paused, label: '暂停', tone: 'warning' }, { value: recalled, label: '已回收', tone: 'default' }] as const

export const GRANT_RIGHTS = defineRights(screenId('/classCourse/studyRoom'), { open: [14, '授权、续期和开通'], recall: [15, '暂停和回收'] })

const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'].map((day, index) => ({ value: index + 1, label: `周${day}` }))

/** The kinds of what rooms may use. */
const KINDS = [{ value: 'course', label: '课程' }, { value: 'plan', label: '训练计划' }] as const

/** What every grant has, whatever is granted. */
const shared = {
  kind: choice('类型', KINDS, { required: true, readonly: true }),
  // Room and what it may use, as they were called when it was granted.
  name: text('授权', { required: true, readonly: true, max: 160, search: true }),
  room_id: reference('自习室', () => anyRoom, { required: true, readonly: true }),
  // Rooms of different schools are often called alike.
  room_school_id: behind('room_id', 'school_id'),
  subject_id: reference('学科', () => subject, { readonly: true, alias: 'cat_id' }),
} as const

const terms = {
  quota: number('名额', { required: true, min: 1, max: MOST_ACCOUNTS, unit: '个' }),
  used: computed('已用', 'number'),
  valid_until: date('有效期至', { required: true }),
  standing: computed('使用情况', 'text'),
  due: segment('到期', [{ value: 'soon', label: '30 天内到期' }, { value: 'over', label: '已到期' }, { value: 'full', label: '名额已满' }]),
  remark: longText('备注', { max: 200 }),
  state: choice('状态', GRANT_STATES, { required: true, readonly: true, initial: active }),
} as const

const transitions = [
  { name: 'pause', label: '暂停', field: 'state', from: [active], to: paused, right: 'recall', reason: true },
  { name: 'resume', label: '恢复', field: 'state', from: [paused], to: active, right: 'recall' },
  { name: 'recall', label: '回收', field: 'state', from: [active, paused], to: recalled, right: 'recall', reason: true, danger: true, instead: '回收错了，重新授权' },
  { name: 'regrant', label: '重新授权', field: 'state', from: [recalled], to: active, right: 'open', confirm: '重新授权后，回收时在用的学员恢复使用。' },
] as const

const common = {
  label: '自习室授权',
  measure: '个',
  grant: GRANT_RIGHTS.screen,
  rights: GRANT_RIGHTS,
  transitions,
  logged: [{ name: 'grant_room', label: '授权' }, { name: 'extend', label: '续期' }, { name: 'open_accounts', label: '开通学员' }],
  // What is granted is granted by the calls that look whether the room may have it.
  without: ['create', 'import'],
  scope: { school: 'room_id.school_id', partner: 'room_id.school_id.partner_id', agent: 'room_id.school_id.partner_id.agent_id', subject: 'subject_id', level: 'subject_id.level' },
} as const

/** Which room may use which course, for how many people and until when (domain 1.5). */
export const roomCourse = defineResource({
  ...common,
  name: 'room_course',
  table: 'room_course',
  api: api(BASE, 'room_courses', 'room_course'),
  where: { kind: 'course' },
  fields: { ...shared, course_id: reference('课程', () => classCourse, { required: true, readonly: true }), ...terms },
  list: {
    columns: ['room_id', 'course_id', 'standing', 'used', 'quota', 'valid_until', 'state', 'subject_id', 'updated_at', 'remark', 'room_school_id'], under: ['room_school_id'], filters: ['room_id', 'room_school_id', 'course_id', 'subject_id', 'state', 'due', 'valid_until', 'quota', 'created_at'], summary: ['quota'],
  },
  form: [{ fields: ['quota', 'valid_until', 'remark'] }],
  indexes: [['room_id', 'course_id'], ['course_id', 'state'], ['state', 'valid_until']],
})

/** Which room works through which plan, from when on and on which days of the week not. */
export const roomPlan = defineResource({
  ...common,
  name: 'room_plan',
  table: 'room_course',
  api: api(BASE, 'room_plans', 'room_plan'),
  where: { kind: 'plan' },
  fields: {
    ...shared, plan_id: reference('训练计划', () => trainingPlan, { required: true, readonly: true }),
    start_on: date('开始日期', { required: true }), rest_days: multiChoice('休息日', WEEKDAYS), ...terms,
  },
  list: {
    columns: ['room_id', 'plan_id', 'standing', 'used', 'quota', 'start_on', 'valid_until', 'state', 'subject_id', 'rest_days', 'updated_at', 'remark', 'room_school_id'], under: ['room_school_id'],
    filters: ['room_id', 'room_school_id', 'plan_id', 'subject_id', 'state', 'due', 'start_on', 'valid_until', 'quota', 'created_at'], summary: ['quota'],
  },
  form: [{ fields: ['quota', 'start_on', 'rest_days', 'valid_until', 'remark'] }],
  indexes: [['plan_id', 'state']],
})

/** What rooms may use, whatever it is: what accounts belong to. */
export const anyGrant = defineResource({
  name: 'room_grant',
  table: 'room_course',
  label: '自习室授权',
  measure: '个',
  grant: GRANT_RIGHTS.screen,
  api: api(BASE, 'room_grants', 'room_grant'),
  fields: { ...shared, ...terms },
  list: { columns: ['name', 'kind', 'standing', 'used', 'quota', 'valid_until', 'state'], filters: ['kind', 'room_id', 'state', 'due', 'valid_until'] },
  scope: common.scope,
  without: ['create', 'update', 'edit', 'remove', 'import', 'export'],
})

/** How an account stands: 3 was taken back with what its room may use, and returns with it. */
export const ACCOUNT_STATE = { used: 1, released: 2, recalled: 3 } as const
const ACCOUNT_STATES = [{ value: ACCOUNT_STATE.used, label: '在用', tone: 'success' }, { value: ACCOUNT_STATE.released, label: '已释放', tone: 'default' }, { value: ACCOUNT_STATE.recalled, label: '随授权回收', tone: 'default' }] as const

/** Somebody who uses one of the places that a room has. */
export const classAccount = defineResource({
  name: 'class_account',
  label: '使用学员',
  measure: '名',
  title: 'student',
  grant: GRANT_RIGHTS.screen,
  rights: GRANT_RIGHTS,
  api: api(BASE, 'accounts', 'account'),
  fields: {
    grant_id: reference('授权', () => anyGrant, { required: true, readonly: true, neededWhile: { state: [ACCOUNT_STATE.used] } }),
    student: personName('姓名', { required: true, readonly: true, search: true }),
    user_id: reference('用户', () => appUser, { required: true, readonly: true }),
    user_mobile: behind<string>('user_id', 'mobile'),
    opened_at: time('开通时间', { required: true, readonly: true }),
    remark: longText('备注', { max: 200 }),
    state: choice('状态', ACCOUNT_STATES, { required: true, readonly: true, initial: ACCOUNT_STATE.used }),
  },
  list: { columns: ['student', 'state', 'user_mobile', 'grant_id', 'opened_at', 'updated_at', 'remark'], filters: ['state', 'grant_id', 'user_id', 'user_mobile', 'opened_at'] },
  form: [{ fields: ['remark'] }],
  transitions: [{ name: 'release', label: '释放名额', field: 'state', from: [ACCOUNT_STATE.used], to: ACCOUNT_STATE.released, right: 'open', danger: true, confirm: '释放后该学员不能再使用，名额可以给别人。', instead: '释放错了，重新为学员开通' }],
  scope: { school: 'grant_id.room_id.school_id', partner: 'grant_id.room_id.school_id.partner_id', agent: 'grant_id.room_id.school_id.partner_id.agent_id', subject: 'grant_id.subject_id', level: 'grant_id.subject_id.level' },
  logged: [{ name: 'open_accounts', label: '开通学员' }, { name: 'tick_task', label: '登记完成' }],
  indexes: [['grant_id', 'state'], ['user_id', 'state']],
  without: ['create', 'remove'],
})
