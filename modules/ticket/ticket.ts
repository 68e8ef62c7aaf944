import { behind } from '../../core/field/behind.ts'
import { choice } from '../../core/field/choice.ts'
import { images } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { appUser } from '../user/module.ts'
import { LIVING, PRIORITIES, PRIORITY, TICKET_STATE, TICKET_STATES } from './sla.ts'

const S = TICKET_STATE

/** domain 1.14: what somebody writes to us about. */
export const TICKET_KIND = { practice: 1, feature: 2, content: 3, account: 4, refund: 5, idea: 6 } as const

export const TICKET_KINDS = [
  { value: TICKET_KIND.practice, label: '题目报错' }, { value: TICKET_KIND.feature, label: '功能' }, { value: TICKET_KIND.content, label: '内容' },
  { value: TICKET_KIND.account, label: '账号' }, { value: TICKET_KIND.refund, label: '退款' }, { value: TICKET_KIND.idea, label: '建议' },
] as const

/** Characters of what names a ticket. */
export const TITLE_LENGTH = 40

/** Days after which what is solved is closed, and until which an answer opens it again. */
export const REOPEN_DAYS = 7

export const TICKET_RIGHTS = defineRights(screenId('/operate/feedback'), { handle: [11, '回复和处理'], merge: [12, '合并'], canned: [13, '维护常用回复'] })

/** Address of one ticket's screen. */
export const ticketPath = (id: number): string => `/operate/feedbackDetail?id=${id}`

/** What users write to us, from the question to the answer. What was said stands beside it (`ticket_message`). */
export const ticket = defineResource({
  name: 'ticket',
  label: '反馈',
  title: 'title',
  measure: '条',
  grant: TICKET_RIGHTS.screen,
  rights: TICKET_RIGHTS,
  api: api('/daoyuan/api/end', 'feedbacks', 'feedback'),
  fields: {
    title: text('标题', { required: true, readonly: true, max: TITLE_LENGTH, search: true }),
    user_id: reference('用户', () => appUser, { required: true, createOnly: true }),
    user_mobile: behind<string>('user_id', 'mobile'),
    kind: choice('类型', TICKET_KINDS, { required: true }),
    priority: choice('优先级', PRIORITIES, { required: true, initial: PRIORITY.normal }),
    content: longText('内容', { required: true, createOnly: true, max: 1000 }),
    imgs: images('截图', { createOnly: true }),
    practice_id: number('试题编号', { createOnly: true, min: 1 }),
    device: text('设备', { createOnly: true, max: 60 }),
    app_version: text('应用版本', { createOnly: true, max: 20 }),
    assignee_id: reference('处理人', () => staff, { onRemove: 'keep' }),
    queue: segment('队列', [{ value: 'free', label: '未分配' }, { value: 'soon', label: '即将超时' }, { value: 'late', label: '已超时' }, { value: 'asked', label: '等我方回复' }]),
    said: computed('往来'),
    first_at: time('首次回复', { readonly: true, audit: false }),
    asked_at: time('用户最近追问', { readonly: true, audit: false }),
    first_due_at: time('首次回复截止', { readonly: true, audit: false }),
    next_due_at: time('再次回复截止', { readonly: true, audit: false }),
    solve_due_at: time('解决截止', { readonly: true, audit: false }),
    due_at: time('最近截止', { readonly: true, audit: false }),
    paused_at: time('暂停自', { readonly: true, audit: false }),
    paused_min: number('暂停分钟', { readonly: true, audit: false, initial: 0 }),
    solved_at: time('解决时间', { readonly: true, audit: false }),
    satisfaction: choice('满意度', [1, 2, 3, 4, 5].map((value) => ({ value, label: `${value} 星` })), { readonly: true }),
    merged_into_id: reference('已合并到', (): Target => ticket, { readonly: true, onRemove: 'keep' }),
    linked_id: reference('关联反馈', (): Target => ticket, { readonly: true, onRemove: 'keep' }),
    state: choice('状态', TICKET_STATES, { readonly: true, initial: S.waiting }),
  },
  list: {
    columns: ['title', 'state', 'due_at', 'kind', 'priority', 'user_id', 'assignee_id', 'said', 'created_at', 'user_mobile', 'first_at', 'solved_at', 'satisfaction', 'device', 'app_version', 'practice_id', 'merged_into_id', 'updated_at'],
    filters: ['state', 'queue', 'kind', 'priority', 'assignee_id', 'user_id', 'user_mobile', 'practice_id', 'satisfaction', 'due_at', 'solved_at', 'created_at'],
  },
  form: [
    { title: '反馈', fields: ['user_id', 'kind', 'priority', 'content', 'imgs'] },
    { title: '线索', fields: ['practice_id', 'device', 'app_version'] },
    { title: '处理', fields: ['assignee_id'] },
  ],
  transitions: [
    { name: 'start', label: '开始处理', field: 'state', from: [S.waiting], to: S.doing, right: 'handle', instead: '接错了，转给别人' },
    { name: 'wait', label: '等待用户', field: 'state', from: [S.doing], to: S.user, right: 'handle' },
    { name: 'resume', label: '继续处理', field: 'state', from: [S.user], to: S.doing, right: 'handle' },
    { name: 'solve', label: '标为已解决', field: 'state', from: [S.waiting, S.doing, S.user], to: S.solved, right: 'handle', instead: '标错了，重新打开' },
    { name: 'reopen', label: '重新打开', field: 'state', from: [S.solved], to: S.doing, right: 'handle' },
    { name: 'close', label: '关闭', field: 'state', from: [S.waiting, S.doing, S.user, S.solved], to: S.closed, right: 'handle', reason: true, danger: true, instead: '关闭不能撤销，用户回复后会建新反馈' },
  ],
  logged: [{ name: 'reply', label: '回复' }, { name: 'note', label: '内部备注' }, { name: 'merge', label: '合并' }, { name: 'user_say', label: '用户追问' }, { name: 'rate', label: '用户评价' }, { name: 'fixed', label: '试题已修正' }],
  policies: [{ of: ['edit'], policy: 'while', field: 'state', values: LIVING, why: '反馈已解决或关闭，不能修改' }],
  responsible: ['assignee_id.id'],
  scope: { agent: 'user_id.agent_id' },
  indexes: [['state', 'due_at'], ['assignee_id', 'state'], ['practice_id', 'state'], ['state', 'id']],
  without: ['remove'],
})
