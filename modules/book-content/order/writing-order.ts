import { choice } from '../../../core/field/choice.ts'
import { computed } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { segment } from '../../../core/field/segment.ts'
import { longText, text } from '../../../core/field/text.ts'
import { date } from '../../../core/field/time.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { BASE, book } from '../../book/module.ts'
import { chapter, SET_GROUPS } from '../../practice/module.ts'
import { EXAM_REGIONS, LEVELS, subject } from '../../reference/module.ts'
import { staff } from '../../staff/module.ts'
import { TRAINING } from '../sets.ts'

export const ORDER_STATE = { open: 1, filled: 2, cancelled: 3 } as const
const { open, filled, cancelled } = ORDER_STATE

/** What is missing: questions of a set, or the paper of a year and a region. */
export const HOLE_KINDS = [{ value: 'set', label: '训练缺题' }, { value: 'gaokao', label: '高考真题' }] as const

/** Most questions of one order: those of a whole set. */
export const MOST_WANTED = 200

/** Questions that somebody writes until a day, because they are missing somewhere; what fills the hole closes the order. */
export const writingOrder = defineResource({
  name: 'writing_order',
  label: '写题任务',
  measure: '个',
  grant: TRAINING,
  api: api(BASE, 'writing_orders', 'writing_order'),
  fields: {
    // The hole in words, as it was called when the order was given.
    name: text('缺什么', { required: true, readonly: true, max: 160, search: true }),
    kind: choice('类型', HOLE_KINDS, { required: true, readonly: true, initial: 'set' }),
    level: choice('学段', LEVELS, { required: true, readonly: true }),
    subject_id: reference('学科', () => subject, { readonly: true, alias: 'cat_id' }),
    book_id: reference('图书', () => book, { readonly: true, neededWhile: { state: [open] } }),
    chapter_id: reference('章节', () => chapter, { readonly: true, onRemove: 'keep' }),
    group_key: choice('习题类型', SET_GROUPS, { readonly: true }),
    region_id: choice('卷区', EXAM_REGIONS.map(({ id, name }) => ({ value: id, label: name })), { readonly: true }),
    year: number('年份', { readonly: true, min: 1950, max: 2200 }),
    staff_id: reference('写题人', () => staff, { required: true, neededWhile: { state: [open] } }),
    wanted: number('题数', { required: true, min: 1, max: MOST_WANTED, unit: '道' }),
    due_at: date('截止日期', { required: true }),
    note: longText('要求', { max: 200 }),
    /** Questions that were there, or on their way, when the order was given. */
    base_n: number('起点', { readonly: true, initial: 0 }),
    written: computed('已录入', 'number'),
    done: computed('已补上', 'number'),
    forecast: computed('预计完成', 'time'),
    pace: segment('进度', [{ value: 'late', label: '已超期' }, { value: 'soon', label: '3 天内到期' }]),
    closed_at: date('完成日期', { readonly: true }),
    state: choice('状态', [{ value: open, label: '进行中', tone: 'processing' }, { value: filled, label: '已补上', tone: 'success' }, { value: cancelled, label: '已取消', tone: 'default' }], { required: true, readonly: true, initial: open }),
  },
  list: {
    columns: ['name', 'staff_id', 'wanted', 'written', 'done', 'due_at', 'forecast', 'state', 'book_id', 'kind', 'subject_id', 'level', 'note', 'created_by_name', 'created_at', 'closed_at'], under: ['book_id'],
    filters: ['state', 'pace', 'staff_id', 'book_id', 'kind', 'subject_id', 'level', 'due_at', 'created_at'],
  },
  form: [{ fields: ['staff_id', 'wanted', 'due_at', 'note'] }],
  transitions: [
    { name: 'cancel', label: '取消', field: 'state', from: [open], to: cancelled, reason: true, danger: true },
    { name: 'reopen', label: '恢复', field: 'state', from: [cancelled], to: open },
  ],
  indexes: [['book_id', 'chapter_id', 'group_key'], ['staff_id', 'state'], ['state', 'due_at']],
  scope: { subject: 'subject_id', level: 'subject_id.level' },
  logged: [{ name: 'give_order', label: '派单' }],
  // What is given is given by the call that looks what is missing.
  without: ['create', 'import'],
})
