import { choice } from '../../core/field/choice.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'

/** domain 1.18. What was approved ends on a day, or is taken back; both take its effect away. */
export const APPLY_STATUS = { draft: 0, waiting: 1, asked: 2, passed: 3, refused: 4, expired: 5, undone: 6 } as const

const S = APPLY_STATUS

export const APPLY_STATES = [
  { value: S.draft, label: '草稿', tone: 'idle' },
  { value: S.waiting, label: '待审', tone: 'warning' }, { value: S.asked, label: '待补件', tone: 'processing' }, { value: S.passed, label: '已通过', tone: 'success' },
  { value: S.refused, label: '已驳回', tone: 'error' }, { value: S.expired, label: '已到期', tone: 'default' }, { value: S.undone, label: '已撤销', tone: 'default' },
] as const

/** States in which nothing is decided: one such application of a person, or of a licence, at a time. */
export const OPEN: readonly number[] = [S.draft, S.waiting, S.asked]

/** Rights of a screen of applications. */
export const applyRights = (path: Parameters<typeof screenId>[0]) => defineRights(screenId(path), { audit: [11, '审核'], undo: [12, '撤销通过'] })

/** What every application says, and what becomes of it. */
export const applyFields = {
  staff_id: reference('业务代表', () => staff, { onRemove: 'keep' }),
  reason: longText('申请说明', { max: 500 }),
  /** Who of the staff handed it in; nobody where the applicant did. */
  submitted_by: reference('提交人', () => staff, { readonly: true, onRemove: 'keep' }),
  audit_remark: text('审核意见', { readonly: true, max: 200 }),
  auditor_id: reference('审核人', () => staff, { readonly: true, onRemove: 'keep' }),
  audited_at: time('审核时间', { readonly: true }),
  /** Table and id of what the approval made. */
  effect_ref: text('生效结果', { readonly: true, max: 40 }),
  status: choice('状态', APPLY_STATES, { readonly: true, initial: S.draft }),
}

/** The steps of an application; a kind takes those that it has. */
export const APPLY_STEPS = {
  submit: { name: 'submit', label: '提交审核', field: 'status', from: [S.draft], to: S.waiting, instead: '提交错了，由审核人驳回或要求补件' },
  approve: { name: 'approve', label: '通过', field: 'status', from: [S.waiting], to: S.passed, right: 'audit', instead: '通过错了，撤销通过即可' },
  ask: { name: 'ask', label: '要求补件', field: 'status', from: [S.waiting], to: S.asked, right: 'audit', reason: true },
  resubmit: { name: 'resubmit', label: '补齐重提', field: 'status', from: [S.asked], to: S.waiting },
  reject: { name: 'reject', label: '驳回', field: 'status', from: [S.waiting, S.asked], to: S.refused, right: 'audit', reason: true, danger: true, instead: '驳回错了，请申请人重新提交' },
  undo: { name: 'undo_apply', label: '撤销通过', field: 'status', from: [S.passed], to: S.undone, right: 'undo', reason: true, danger: true, confirm: '撤销后收回这次申请开通的一切，不能恢复，确认撤销？', instead: '撤销不能恢复，需要时重新申请' },
} as const

/** Who may do what with an application, and when. */
export const APPLY_POLICIES = [
  { of: ['edit'], policy: 'while', field: 'status', values: OPEN, why: '申请已有结论，不能修改' },
  { of: ['approve'], policy: 'another', field: 'submitted_by', why: '不能审核自己提交的申请，请换一个人审核' },
] as const
