import { choice } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { agent } from '../agent/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'

export const VALIDITY_PATH = '/operate/query/validity'

export const VALIDITY_RIGHTS = defineRights(screenId(VALIDITY_PATH), { extend: [11, '延期和补开'], approve: [12, '批准延期和补开'] })

/** operations.md 2 (1902): what is longer, or for more people, is decided by a second person. */
export const ALONE = { days: 90, people: 50 } as const
/** Entitlements, or people, of one change. */
export const MOST_CHANGED = 500
/** How long a change that one person made can be taken back, in seconds: a day. */
export const TAKE_BACK_SECONDS = 86_400

export const VALIDITY_STATUS = { waiting: 1, done: 2, refused: 3, withdrawn: 4, undone: 5 } as const

const S = VALIDITY_STATUS

export const VALIDITY_STATES = [
  { value: S.waiting, label: '待批准', tone: 'warning' }, { value: S.done, label: '已生效', tone: 'success' }, { value: S.refused, label: '已驳回', tone: 'error' },
  { value: S.withdrawn, label: '已撤回', tone: 'default' }, { value: S.undone, label: '已撤销', tone: 'default' },
] as const

export const VALIDITY_KINDS = [{ value: 'extend', label: '延期' }, { value: 'open', label: '补开' }, { value: 'gift', label: '赠送' }] as const

/**
 * More time, or something that was missing, for people of any line: what it changes stands beside it (`validity_item`). It takes
 * effect at once, or when a second person agrees.
 */
export const validityChange = defineResource({
  name: 'validity_change',
  label: '延期单',
  measure: '张',
  title: 'what',
  grant: VALIDITY_RIGHTS.screen,
  rights: VALIDITY_RIGHTS,
  api: api('/daoyuan/api/end/operate', 'validity_changes', 'validity_change'),
  fields: {
    kind: choice('类型', VALIDITY_KINDS, { required: true, readonly: true }),
    what: text('内容', { required: true, readonly: true, max: 120, search: true }),
    people: number('人数', { required: true, readonly: true, unit: '人' }),
    items: number('权益数', { required: true, readonly: true, unit: '项' }),
    days: number('天数', { readonly: true, unit: '天' }),
    reason: text('原因', { required: true, readonly: true, max: 200 }),
    /** Why one person may not decide about it alone; empty where they may. */
    second: text('需审批原因', { readonly: true, max: 100 }),
    /** The agent of everybody in it; nobody's where they have several. */
    agent_id: reference('所属代理', () => agent, { readonly: true, onRemove: 'keep' }),
    done_at: time('生效时间', { readonly: true }),
    auditor_id: reference('审批人', () => staff, { readonly: true, onRemove: 'keep' }),
    audit_remark: text('审批意见', { readonly: true, max: 200 }),
    status: choice('状态', VALIDITY_STATES, { required: true, readonly: true, initial: S.waiting }),
  },
  list: {
    columns: ['what', 'status', 'kind', 'people', 'items', 'days', 'reason', 'created_by_name', 'created_at', 'second', 'auditor_id', 'audit_remark', 'done_at', 'agent_id'],
    filters: ['status', 'kind', 'auditor_id', 'agent_id', 'done_at', 'created_at'],
  },
  transitions: [
    { name: 'approve', label: '批准', field: 'status', from: [S.waiting], to: S.done, right: 'approve', instead: '批准错了，撤销延期单' },
    { name: 'reject', label: '驳回', field: 'status', from: [S.waiting], to: S.refused, right: 'approve', reason: true, danger: true, instead: '驳回错了，重新申请' },
    { name: 'withdraw', label: '撤回', field: 'status', from: [S.waiting], to: S.withdrawn, right: 'extend', instead: '撤回错了，重新申请' },
    { name: 'take_back', label: '撤销', field: 'status', from: [S.done], to: S.undone, right: 'extend', reason: true, danger: true, confirm: '撤销后到期时间恢复原样，补开的权益收回，确认撤销？', instead: '撤销错了，重新申请' },
  ],
  logged: [{ name: 'change_validity', label: '延期或补开' }],
  policies: [{ of: ['approve'], policy: 'another', field: 'created_by', why: '不能批准自己提交的，请换一个人批准' }],
  scope: { agent: 'agent_id' },
  indexes: [['status', 'id'], ['created_by', 'created_at']],
  without: ['create', 'update', 'edit', 'remove'],
})
