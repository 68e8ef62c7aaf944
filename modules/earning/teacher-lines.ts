import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { companionTeacher } from '../companion/module.ts'
import { screenId } from '../screens.ts'
import { ACCOUNT, earningFields } from './line.ts'
import { SECOND, SETTLEMENT, settlementFields } from './settlement.ts'

const BASE = '/daoyuan/api/end/accompany/teacher'
const S = SETTLEMENT

export const AMOUNT_RIGHTS = defineRights(screenId('/accompany/operation/teacher/amount/:amountType'), { settle: [11, '生成和提交结算单'], audit: [12, '审核结算单'], pay: [13, '打款'], adjust: [14, '奖励和扣减'] })

/** What is settled and paid to a teacher. */
export const teacherSettlement = defineResource({
  name: 'teacher_settlement',
  table: 'settlement',
  label: '课酬结算单',
  measure: '张',
  title: 'no',
  grant: AMOUNT_RIGHTS.screen,
  rights: AMOUNT_RIGHTS,
  api: api(BASE, 'settlements', 'settlement'),
  fields: settlementFields(ACCOUNT.teacher, '教师', () => companionTeacher),
  list: {
    columns: ['no', 'status', 'account_id', 'amount', 'line_cnt', 'until', 'created_by_name', 'created_at', 'submitted_by', 'auditor_id', 'audited_at', 'trade_no', 'paid_at'],
    filters: ['status', 'account_id', 'amount', 'until', 'auditor_id', 'paid_at', 'created_at'], summary: ['amount'],
  },
  transitions: [
    { name: 'submit', label: '提交', field: 'status', from: [S.draft], to: S.waiting, right: 'settle', instead: '提交错了，由审核人驳回' },
    { name: 'pass', label: '通过', field: 'status', from: [S.waiting], to: S.paying, right: 'audit', instead: '通过不能撤销，多付的在下次结算扣减' },
    { name: 'refuse', label: '驳回', field: 'status', from: [S.waiting], to: S.dropped, right: 'audit', reason: true, danger: true, instead: '驳回后明细放回，重新结算即可' },
    { name: 'drop', label: '作废', field: 'status', from: [S.draft], to: S.dropped, right: 'settle', reason: true, danger: true, instead: '作废后明细放回，重新结算即可' },
  ],
  policies: [{ of: ['pass'], policy: 'another', field: 'created_by', why: SECOND }, { of: ['pass'], policy: 'another', field: 'submitted_by', why: SECOND }],
  logged: [{ name: 'settle', label: '生成结算单' }, { name: 'pay', label: '确认打款' }],
  where: { account_kind: ACCOUNT.teacher },
  indexes: [['account_kind', 'account_id', 'id'], ['account_kind', 'status']],
  without: ['create', 'update', 'edit', 'remove'],
})

/** What teachers earn, line by line. */
export const teacherEarning = defineResource({
  name: 'teacher_earning',
  table: 'earning',
  label: '课酬明细',
  measure: '条',
  title: 'title',
  grant: AMOUNT_RIGHTS.screen,
  rights: AMOUNT_RIGHTS,
  api: api(BASE, 'amounts', 'amount'),
  fields: earningFields(ACCOUNT.teacher, '教师', () => companionTeacher, () => teacherSettlement),
  list: {
    columns: ['title', 'amount', 'account_id', 'state', 'source_kind', 'words', 'base', 'rate', 'due_at', 'settlement_id', 'at'],
    filters: ['phase', 'account_id', 'source_kind', 'amount', 'at', 'due_at', 'settlement_id'], summary: ['amount'],
  },
  logged: [{ name: 'adjust', label: '奖励和扣减' }],
  where: { account_kind: ACCOUNT.teacher },
  audit: false,
  unique: [['account_id', 'source_kind', 'source_id', 'tier', 'cause']],
  without: ['create', 'update', 'edit', 'remove'],
})
