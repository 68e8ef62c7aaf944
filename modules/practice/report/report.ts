import { choice } from '../../../core/field/choice.ts'
import { number } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { longText, text } from '../../../core/field/text.ts'
import { time } from '../../../core/field/time.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { LEVELS, subject } from '../../reference/module.ts'
import { VERIFY_RIGHTS, VERIFY_SCREEN } from '../verify/state.ts'

/** What can be wrong with a question, as a reader says it. */
export const REPORT_KINDS = [
  { value: 'stem', label: '题干错' }, { value: 'option', label: '选项错' }, { value: 'answer', label: '答案错', tone: 'error' }, { value: 'analysis', label: '解析错' },
  { value: 'formula', label: '公式' }, { value: 'image', label: '图片' }, { value: 'beyond', label: '超纲' }, { value: 'other', label: '其他' },
] as const
export type ReportKind = (typeof REPORT_KINDS)[number]['value']

const REPORT_SOURCES = [{ value: 1, label: '学员' }, { value: 2, label: '员工' }] as const

export const REPORT_STATUS = { open: 0, taken: 1, accepted: 2, refused: 3 } as const
export const REPORT_STATUSES = [
  { value: REPORT_STATUS.open, label: '待处理', tone: 'warning' },
  { value: REPORT_STATUS.taken, label: '处理中', tone: 'processing' },
  { value: REPORT_STATUS.accepted, label: '已采纳', tone: 'success' },
  { value: REPORT_STATUS.refused, label: '已驳回', tone: 'default' },
] as const

/** The list of reports: a tab of the screen of checking. */
export const REPORTS_PATH = '/practice/practiceVerify?show=reports'

const S = REPORT_STATUS

/**
 * What a learner or a colleague says is wrong with a question (domain 1.11, 3.5). Accepting one opens a revision that
 * goes through checking before everything else; the report is settled when that is published.
 */
export const practiceReport = defineResource({
  name: 'practice_report',
  label: '报错',
  title: 'practice_no',
  grant: VERIFY_SCREEN,
  rights: VERIFY_RIGHTS,
  api: api('/daoyuan/api/end', 'practice_reports', 'practice_report'),
  fields: {
    practice_no: text('题号', { required: true, readonly: true, max: 24, search: true }),
    practice_id: number('试题编号', { required: true, readonly: true }),
    subject_id: reference('学科', () => subject, { required: true, readonly: true, alias: 'cat_id' }),
    level: choice('学段', LEVELS, { required: true, readonly: true }),
    kind: choice('错误类型', REPORT_KINDS, { required: true, readonly: true }),
    content: longText('说明', { readonly: true, max: 500 }),
    source: choice('来源', REPORT_SOURCES, { required: true, readonly: true }),
    user_id: number('学员编号', { readonly: true }),
    status: choice('状态', REPORT_STATUSES, { required: true, readonly: true, initial: S.open }),
    handled_at: time('处理时间', { readonly: true }),
    fixed_at: time('修正发布时间', { readonly: true }),
  },
  list: {
    columns: ['practice_no', 'status', 'content', 'subject_id', 'created_by_name', 'created_at', 'handled_at', 'kind', 'source', 'updated_by_name', 'fixed_at'], under: ['kind', 'source'],
    filters: ['status', 'kind', 'subject_id', 'level', 'source', 'practice_id', 'created_at'],
  },
  transitions: [
    { name: 'take', label: '处理', field: 'status', from: [S.open], to: S.taken, right: 'report', instead: '接错了直接采纳或驳回' },
    { name: 'accept', label: '采纳', field: 'status', from: [S.open, S.taken], to: S.accepted, right: 'report', confirm: '采纳后会打开修订稿并加急，由录入人修正后重新校对。', instead: '采纳错了，作废打开的修订稿' },
    { name: 'refuse', label: '驳回', field: 'status', from: [S.open, S.taken], to: S.refused, right: 'report', reason: true, danger: true, instead: '驳回错了，由报错人再次提交' },
  ],
  scope: { subject: 'subject_id', level: 'level' },
  indexes: [['practice_id', 'status'], ['status', 'id']],
  without: ['create', 'update', 'edit', 'remove', 'export'],
})
