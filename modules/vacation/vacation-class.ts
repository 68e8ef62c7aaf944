import { choice } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { group } from '../../core/field/group.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { date, time, timeRange } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { GRADES } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { CLASS_STATE as S, CLASS_STATES } from './state.ts'

const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'].map((day, index) => ({ value: index + 1, label: `周${day}` }))
const TERMS = [{ value: 1, label: '寒假' }, { value: 2, label: '暑假' }, { value: 3, label: '国庆' }, { value: 4, label: '五一' }] as const

/** Most places of a class. */
const MOST_PLACES = 500
/** Most meetings of a class. */
const MOST_MEETINGS = 100

const screen = screenId('/vacation/class')
const EDITABLE: readonly number[] = [S.open, S.paused, S.running]

/**
 * Classes in which a course is taught (domain 1.3): places, times of the week, people who teach.
 * @param courses what is taught in them
 */
export const defineVacationClass = (courses: () => Target) => defineResource({
  name: 'vacation_class',
  label: '假期班级',
  measure: '个',
  grant: screen,
  rights: defineRights(screen, { run: [11, '开班和结课'], roll: [12, '点名'], change: [13, '换班'] }),
  api: api('/daoyuan/api/end/vacation', 'classes', 'classes'),
  fields: {
    name: text('班级名称', { required: true, max: 40, search: true }),
    offer_id: reference('课程', courses, { required: true, createOnly: true }),
    term: choice('假期', TERMS, { required: true }),
    year: number('年份', { required: true, min: 2000, max: 2100 }),
    grade: choice('年级', GRADES),
    teacher_id: reference('主讲', () => staff, { required: true }),
    assistant_id: reference('班主任', () => staff),
    capacity: number('人数上限', { required: true, min: 1, max: MOST_PLACES, unit: '人' }),
    enrolled: computed('在班'),
    waiting: computed('候补'),
    seats: computed('余位', 'text'),
    start_on: date('开课日期', { required: true }),
    meeting_count: number('课次', { required: true, min: 1, max: MOST_MEETINGS, unit: '次' }),
    times: group('上课时间', { weekday: choice('星期', WEEKDAYS, { required: true }), hours: timeRange('时间', { required: true }) }, { max: 14 }),
    room: text('教室', { max: 40 }),
    live_url: text('直播间地址', { max: 300, pattern: [/^https:\/\/\S+$/, '应以 https:// 开头'] }),
    group_qr: image('微信群二维码'),
    qr_at: time('二维码上传时间', { readonly: true }),
    state: choice('状态', CLASS_STATES, { required: true, readonly: true, initial: S.open }),
  },
  list: {
    columns: ['name', 'state', 'enrolled', 'seats', 'waiting', 'offer_id', 'teacher_id', 'start_on', 'term', 'year', 'grade', 'assistant_id', 'capacity', 'meeting_count', 'room', 'times', 'updated_at'],
    filters: ['state', 'offer_id', 'term', 'year', 'grade', 'teacher_id', 'assistant_id', 'start_on', 'room', 'created_at'],
  },
  form: [
    { title: '班级', fields: ['name', 'offer_id', 'term', 'year', 'grade', 'capacity'] },
    { title: '上课', fields: ['teacher_id', 'assistant_id', 'start_on', 'meeting_count', 'times', 'room', 'live_url', 'group_qr'] },
  ],
  transitions: [
    { name: 'pause', label: '暂停招生', field: 'state', from: [S.open], to: S.paused, right: 'run' },
    { name: 'reopen', label: '恢复招生', field: 'state', from: [S.paused], to: S.open, right: 'run' },
    { name: 'begin', label: '开班', field: 'state', from: [S.open, S.paused], to: S.running, right: 'run', confirm: '开班后不再接受新的报名，候补仍会自动递补，确认开班？', instead: '开班错了，取消班级并退款' },
    { name: 'finish', label: '结课', field: 'state', from: [S.running], to: S.finished, right: 'run', confirm: '结课后不能再点名和换班，确认结课？', instead: '结课不能撤销，补课时另开班级' },
    { name: 'cancel_class', label: '取消班级', field: 'state', from: [S.open, S.paused, S.running], to: S.cancelled, right: 'run', reason: true, danger: true, instead: '取消不能撤销，需要时另开班级' },
  ],
  policies: [{ of: ['edit'], policy: 'while', field: 'state', values: [...EDITABLE], why: '班级已结课或取消，不能修改' }],
  pick: { offered: { state: S.open } },
  unique: [['year', 'term', 'name']],
  scope: { subject: 'offer_id.subject_id', level: 'offer_id.subject_id.level' },
  indexes: [['offer_id', 'state']],
})
