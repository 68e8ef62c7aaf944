import * as z from 'zod/mini'
import { choice } from '../../core/field/choice.ts'
import { images } from '../../core/field/file.ts'
import { computed, json } from '../../core/field/json.ts'
import { reference } from '../../core/field/reference.ts'
import { longText } from '../../core/field/text.ts'
import { date, time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource, type RowType } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import type { CompanionKind } from './kind.ts'
import type { StudentResource } from './student.ts'
import { companionTeacher } from './teacher.ts'

/** domain 1.18: 草稿 → 待审 → 已发送 → 已读; 撤回 ends the page that parents opened. */
export const REPORT_STATE = { draft: 1, waiting: 2, sent: 3, read: 4, withdrawn: 5 } as const

const S = REPORT_STATE

/** Seconds after sending in which a report can be taken back. */
export const TAKE_BACK = 86_400

/** Fewest characters of what a teacher says (domain 1.12). */
export const FEWEST_WORDS = 30

/** What happened in the period, counted when the report was made and frozen when it is sent. */
export const factsSchema = z.object({
  tasks: z._default(z.int(), 0),
  done: z._default(z.int(), 0),
  late: z._default(z.int(), 0),
  /** Mean share of points, in percent; null where nothing was marked. */
  score: z.nullish(z.number()),
  /** The same of as long a time before. */
  before: z.nullish(z.number()),
  messages: z._default(z.int(), 0),
  lessons: z._default(z.int(), 0),
  days: z._default(z.int(), 0),
  marks: z._default(z.array(z.object({ title: z.string(), at: z.number(), score: z.number(), full: z.number() })), []),
})

export type Facts = z.infer<typeof factsSchema>

/** Reports of what somebody learned, for their parents. */
export function defineReports(kind: CompanionKind, screen: NonNullable<CompanionKind['screens']['reports']>, students: StudentResource) {
  const rights = defineRights(screenId(screen), { review: [11, '审核和发送'], takeBack: [12, '撤回'] })
  return defineResource({
    name: `${kind.value}_report`,
    table: 'companion_report',
    label: '学情报告',
    measure: '份',
    title: 'student_id',
    grant: rights.screen,
    rights,
    api: api(kind.base, 'manager/reports', 'manager/reports'),
    fields: {
      kind: choice('业务', [{ value: kind.value, label: kind.label }], { required: true, readonly: true }),
      student_id: reference('学生', () => students, { required: true, createOnly: true, onRemove: 'keep' }),
      teacher_id: reference('教师', () => companionTeacher, { readonly: true, onRemove: 'keep' }),
      period: choice('周期', [{ value: 1, label: '周报' }, { value: 2, label: '月报' }, { value: 3, label: '阶段报告' }], { required: true, initial: 1 }),
      from_at: date('起始日期', { required: true }),
      to_at: date('结束日期', { required: true }),
      facts: json('学习数据', factsSchema, { readonly: true }),
      summary: computed('数据', 'text'),
      words: longText('教师评语', { required: true, max: 1000 }),
      plan: longText('下阶段计划', { max: 500 }),
      pictures: images('附图', { most: 9 }),
      sent_at: time('发送时间', { readonly: true }),
      read_at: time('家长阅读', { readonly: true }),
      reply: longText('家长回复', { readonly: true, max: 500 }),
      replied_at: time('回复时间', { readonly: true }),
      state: choice('状态', [
        { value: S.draft, label: '草稿', tone: 'idle' }, { value: S.waiting, label: '待审', tone: 'warning' }, { value: S.sent, label: '已发送', tone: 'processing' },
        { value: S.read, label: '已读', tone: 'success' }, { value: S.withdrawn, label: '已撤回', tone: 'default' },
      ], { readonly: true, initial: S.draft }),
    },
    list: {
      columns: ['student_id', 'state', 'period', 'from_at', 'to_at', 'summary', 'teacher_id', 'words', 'sent_at', 'read_at', 'reply', 'created_at'],
      under: ['summary'],
      filters: ['state', 'teacher_id', 'student_id', 'period', 'to_at', 'sent_at', 'created_at'],
    },
    form: [{ title: '报告', fields: ['student_id', 'period', 'from_at', 'to_at', 'words', 'plan', 'pictures'] }],
    transitions: [
      { name: 'submit', label: '提交审核', field: 'state', from: [S.draft], to: S.waiting },
      { name: 'send', label: '通过并发送', field: 'state', from: [S.waiting], to: S.sent, right: 'review', instead: '已发到家长手机，24 小时内可撤回' },
      { name: 'reject', label: '退回', field: 'state', from: [S.waiting], to: S.draft, right: 'review', reason: true, danger: true },
      { name: 'withdraw', label: '撤回', field: 'state', from: [S.sent, S.read], to: S.withdrawn, right: 'takeBack', reason: true, danger: true, instead: '撤回后链接失效，需要时另写一份' },
    ],
    logged: [{ name: 'drafts', label: '批量生成' }],
    policies: [
      { of: ['edit'], policy: 'while', field: 'state', values: [S.draft, S.waiting], why: '报告已发送，不能修改' },
      { of: ['remove'], policy: 'while', field: 'state', values: [S.draft, S.withdrawn], why: '已发送的报告请先撤回' },
    ],
    responsible: ['teacher_id.staff_id'],
    where: { kind: kind.value },
    scope: { agent: 'student_id.user_id.agent_id' },
    indexes: [['kind', 'state'], ['student_id', 'to_at']],
  })
}

export type ReportResource = ReturnType<typeof defineReports>
export type ReportRow = RowType<ReportResource>
