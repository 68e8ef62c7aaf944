import { choice, shelf } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed, json } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { GRADES, subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { BASE } from './api.ts'
import { tasksSchema } from './tasks.ts'

export const PLAN_STATE = { draft: 0, live: 1, off: 2 } as const
const { draft, live, off } = PLAN_STATE
export const PLAN_STATES = [{ value: draft, label: '草稿', tone: 'idle' }, { value: live, label: '已发布', tone: 'success' }, { value: off, label: '停用', tone: 'default' }] as const

const GRANT = screenId('/classCourse/trainingPlan')

/** Address of the board of a plan. */
export const boardPath = (id: number): string => `/classCourse/trainingPlan/${id}/tasks`

/** What is to be done on which day (domain 1.5); rooms work through the version that was published. */
export const trainingPlan = defineResource({
  name: 'training_plan',
  label: '训练计划',
  measure: '个',
  grant: GRANT,
  rights: defineRights(GRANT, { publish: [12, '发布和停用'] }),
  api: api(BASE, 'training_plans', 'training_plan'),
  fields: {
    name: text('计划名称', { required: true, max: 60, search: true }),
    subject_id: reference('学科', () => subject, { required: true, alias: 'cat_id' }),
    grade: choice('年级', GRADES),
    weeks: number('周数', { required: true, min: 1, max: 52, unit: '周', initial: 4 }),
    day_minutes: number('每天目标', { required: true, min: 5, max: 600, unit: '分钟', initial: 60 }),
    target: longText('目标', { max: 300 }),
    cover: image('封面'),
    tasks: json('任务', tasksSchema, { initial: [] }),
    /** What rooms work through: the tasks of the version that was published last. */
    published: json('已发布的任务', tasksSchema, { readonly: true, initial: [], audit: false }),
    version_no: number('版本', { readonly: true, initial: 0 }),
    task_cnt: computed('任务数'),
    room_cnt: computed('执行自习室'),
    student_cnt: computed('学员数'),
    published_by: reference('发布人', () => staff, { readonly: true, onRemove: 'keep' }),
    needs: segment('待整理', [{ value: 'changed', label: '有未发布的改动' }, { value: 'empty', label: '还没有任务' }, { value: 'unused', label: '还没有自习室执行' }]),
    state: choice('状态', PLAN_STATES, { readonly: true, initial: draft }),
    status: shelf('启用', { state: 'state', on: [live], off }, { on: '启用', off: '停用' }),
  },
  list: {
    columns: ['name', 'subject_id', 'grade', 'weeks', 'task_cnt', 'room_cnt', 'student_cnt', 'state', 'status', 'version_no', 'published_by', 'updated_at', 'day_minutes', 'cover'], under: ['grade'],
    filters: ['state', 'subject_id', 'grade', 'needs', 'weeks', 'status', 'created_at'],
  },
  form: [{ fields: ['name', 'subject_id', 'grade', 'weeks', 'day_minutes', 'target', 'cover'] }],
  transitions: [
    { name: 'publish', label: '发布', field: 'state', from: [draft, live, off], to: live, right: 'publish', instead: '发布错了，停用即可' },
    { name: 'disable', label: '停用', field: 'state', from: [live], to: off, right: 'publish', danger: true, confirm: '停用后不能再授权给自习室，正在执行的照常进行。' },
  ],
  indexes: [['state', 'id']],
  pick: { offered: { state: live } },
  scope: { subject: 'subject_id', level: 'subject_id.level' },
})
