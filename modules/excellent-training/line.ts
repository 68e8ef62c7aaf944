import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource, type Resource } from '../../core/resource/define.ts'
import { defineCourseLine, lineResources } from '../offer/module.ts'
import { screenId, screenPath } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { EXCELLENT_LINE } from './row.ts'

/** What an order pays of its deal. */
export const PART = { whole: 1, deposit: 2, balance: 3, instalment: 4 } as const

const PARTS = [{ value: PART.whole, label: '全款' }, { value: PART.deposit, label: '定金' }, { value: PART.balance, label: '尾款' }, { value: PART.instalment, label: '分期' }] as const

/** Kind of goods that a further payment of a deal is; what was sold is opened by the first. */
export const FURTHER_PART = 'part'

/** Characters of a contract's number. */
export const CONTRACT_LENGTH = 40

const orderScreen = screenId('/excellent-training/order')

/** What an order of the line adds: which part of its deal it pays, and until when. */
export const excellentPart = defineResource({
  name: 'excellent_part',
  label: '签约付款',
  title: 'part',
  grant: orderScreen,
  api: api('/daoyuan/api/end/excellent_training', 'parts', 'parts'),
  fields: {
    part: choice('款项', PARTS, { required: true, initial: PART.whole, readonly: true }),
    part_no: number('第几期', { required: true, initial: 1, min: 1, max: 99, readonly: true }),
    due_at: time('应付日期', { readonly: true }),
  },
  list: { columns: ['part', 'part_no', 'due_at'], filters: ['part', 'due_at'] },
  without: ['create', 'update', 'edit', 'remove'],
})

/** The line with what follows from its row. */
export const excellentLine = defineCourseLine(EXCELLENT_LINE, (path) => screenId(screenPath(path)), {
  offer: {
    path: 'projects',
    fields: {
      class_type: text('班型', { max: 20 }),
      target_score: number('目标分', { min: 1, max: 1000, unit: '分' }),
      timetable: text('上课安排', { max: 100 }),
      materials: longText('学习资料', { max: 500 }),
      deposit: money('定金', { max: 10_000_000 }),
      instalments: number('最多期数', { min: 1, max: 24, unit: '期', help: '不填则不能分期' }),
    },
    columns: ['class_type', 'target_score', 'timetable', 'deposit', 'instalments'],
    filters: ['class_type', 'target_score'],
    inputs: ['class_type', 'target_score', 'timetable', 'materials', 'deposit', 'instalments'],
  },
  order: (projects) => ({
    goods: [{ kind: FURTHER_PART, label: '后续款项', unit: '期', record: { label: '项目', target: () => projects } }],
    side: excellentPart,
    more: { deal_no: text('合同号', { readonly: true, max: CONTRACT_LENGTH }) },
    columns: ['deal_no', 'part', 'due_at'],
    filters: ['deal_no', 'part', 'due_at'],
  }),
  learner: {
    fields: { class_name: text('班级', { max: 40 }), mentor_id: reference('导师', () => staff), assessed: computed('测评等级', 'text') },
    columns: ['class_name', 'mentor_id', 'assessed'],
    filters: ['class_name', 'mentor_id'],
    inputs: ['class_name', 'mentor_id'],
    responsible: ['mentor_id.id'],
  },
})

/** Its kinds of records. @public tables are made from what files export */
export const excellentResources: readonly Resource[] = lineResources(excellentLine)
