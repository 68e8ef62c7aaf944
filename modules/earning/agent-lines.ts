import { choice } from '../../core/field/choice.ts'
import { money } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { agent } from '../agent/module.ts'
import { defineLedger, MAX_SUM } from '../order/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { ACCOUNT, earningFields } from './line.ts'
import { EARNING_RIGHTS } from './plan.ts'
import { SECOND, SETTLEMENT, settlementFields } from './settlement.ts'

const BASE = '/daoyuan/api/end/distribution'
const S = SETTLEMENT

/** What is settled and booked to an agent's balance. */
export const agentSettlement = defineResource({
  name: 'agent_settlement',
  table: 'settlement',
  label: '佣金结算单',
  measure: '张',
  title: 'no',
  grant: EARNING_RIGHTS.screen,
  rights: EARNING_RIGHTS,
  api: api(BASE, 'settlements', 'settlement'),
  fields: settlementFields(ACCOUNT.agent, '代理', () => agent),
  list: {
    columns: ['no', 'status', 'account_id', 'amount', 'line_cnt', 'until', 'created_by_name', 'created_at', 'submitted_by', 'auditor_id', 'audited_at'],
    filters: ['status', 'account_id', 'amount', 'until', 'auditor_id', 'created_at'], summary: ['amount'],
  },
  transitions: [
    { name: 'submit', label: '提交', field: 'status', from: [S.draft], to: S.waiting, right: 'settle', instead: '提交错了，由审核人驳回' },
    { name: 'pass', label: '通过', field: 'status', from: [S.waiting], to: S.booked, right: 'audit', confirm: '通过后金额记入代理余额，不能撤回。确认通过？', instead: '通过不能撤销，多付的在下次结算扣减' },
    { name: 'refuse', label: '驳回', field: 'status', from: [S.waiting], to: S.dropped, right: 'audit', reason: true, danger: true, instead: '驳回后重新申请或重新结算' },
    { name: 'drop', label: '作废', field: 'status', from: [S.draft], to: S.dropped, right: 'settle', reason: true, danger: true, instead: '作废后明细放回，重新结算即可' },
  ],
  policies: [{ of: ['pass'], policy: 'another', field: 'created_by', why: SECOND }, { of: ['pass'], policy: 'another', field: 'submitted_by', why: SECOND }],
  logged: [{ name: 'settle', label: '生成结算单' }],
  where: { account_kind: ACCOUNT.agent },
  scope: { agent: 'account_id' },
  indexes: [['account_kind', 'account_id', 'id'], ['account_kind', 'status']],
  without: ['create', 'update', 'edit', 'remove'],
})

/** What agents earn, line by line: written by the engine alone. */
export const agentEarning = defineResource({
  name: 'agent_earning',
  table: 'earning',
  label: '佣金明细',
  measure: '条',
  title: 'title',
  grant: EARNING_RIGHTS.screen,
  rights: EARNING_RIGHTS,
  api: api(BASE, 'orders', 'order'),
  fields: earningFields(ACCOUNT.agent, '代理', () => agent, () => agentSettlement),
  list: {
    columns: ['title', 'amount', 'account_id', 'state', 'tier', 'order_no', 'words', 'base', 'rate', 'due_at', 'settlement_id', 'at'],
    filters: ['phase', 'account_id', 'tier', 'source_kind', 'amount', 'at', 'due_at', 'settlement_id'], summary: ['amount'],
  },
  logged: [{ name: 'attribute', label: '改归属' }, { name: 'adjust', label: '奖励和扣减' }],
  where: { account_kind: ACCOUNT.agent },
  scope: { agent: 'account_id' },
  audit: false,
  unique: [['account_id', 'source_kind', 'source_id', 'tier', 'cause']],
  without: ['create', 'update', 'edit', 'remove'],
})

/** What came to an agent's balance and what left it. */
export const agentLedger = defineLedger({
  kind: ACCOUNT.agent,
  name: 'agent_ledger',
  label: '代理账目',
  grant: screenId('/distribution/account/proxy'),
  api: api(BASE, 'agent_ledgers', 'agent_ledger'),
  owner: { label: '代理', target: () => agent },
  scope: { agent: 'account_id' },
})

export const WITHDRAWAL = { waiting: 1, paying: 2, paid: 3, failed: 4, refused: 5 } as const

const W = WITHDRAWAL

/** States in which the money is neither the agent's to spend nor gone. */
export const OPEN_WITHDRAWALS = [W.waiting, W.paying] as const

export const WITHDRAWAL_RIGHTS = defineRights(screenId('/distribution/account/proxy'), { withdraw: [14, '申请提现'], audit: [15, '审核提现'], pay: [16, '提现打款和查看卡号'], adjust: [17, '奖励和扣减'] })

/** Money that an agent takes out of their balance. */
export const withdrawal = defineResource({
  name: 'withdrawal',
  label: '提现',
  measure: '笔',
  title: 'no',
  grant: WITHDRAWAL_RIGHTS.screen,
  rights: WITHDRAWAL_RIGHTS,
  api: api(BASE, 'withdrawals', 'withdrawal'),
  fields: {
    no: text('提现单号', { required: true, readonly: true, unique: true, max: 24, search: true }),
    account_id: reference('代理', () => agent, { required: true, readonly: true, neededWhile: { status: [...OPEN_WITHDRAWALS] } }),
    amount: money('金额', { required: true, readonly: true, min: 1, max: MAX_SUM }),
    holder: text('收款人', { required: true, readonly: true, max: 40 }),
    bank: text('开户行', { required: true, readonly: true, max: 60 }),
    card_end: text('卡号后四位', { required: true, readonly: true, max: 4 }),
    asked_by: reference('申请人', () => staff, { readonly: true, onRemove: 'keep' }),
    trade_no: text('打款流水号', { readonly: true, max: 64, unique: true }),
    paid_at: time('打款时间', { readonly: true }),
    answer: longText('处理说明', { readonly: true, max: 200 }),
    status: choice('状态', [
      { value: W.waiting, label: '待审核', tone: 'warning' }, { value: W.paying, label: '打款中', tone: 'processing' }, { value: W.paid, label: '已打款', tone: 'success' },
      { value: W.failed, label: '打款失败', tone: 'error' }, { value: W.refused, label: '已驳回', tone: 'default' },
    ], { required: true, readonly: true, initial: W.waiting }),
  },
  list: {
    columns: ['no', 'status', 'account_id', 'amount', 'holder', 'bank', 'card_end', 'asked_by', 'trade_no', 'paid_at', 'answer', 'created_at'],
    filters: ['status', 'account_id', 'amount', 'paid_at', 'created_at'], summary: ['amount'],
  },
  transitions: [
    { name: 'pass', label: '通过', field: 'status', from: [W.waiting], to: W.paying, right: 'audit', instead: '通过错了，标为打款失败，款项退回余额' },
    { name: 'refuse', label: '驳回', field: 'status', from: [W.waiting], to: W.refused, right: 'audit', reason: true, danger: true, instead: '驳回后重新申请或重新结算' },
    { name: 'fail', label: '打款失败', field: 'status', from: [W.paying], to: W.failed, right: 'pay', reason: true, danger: true, instead: '款项已退回余额，代理可重新提现' },
  ],
  policies: [{ of: ['pass'], policy: 'another', field: 'asked_by', why: '提现须由另一人审核，不能是申请的人' }],
  logged: [{ name: 'ask', label: '申请提现' }, { name: 'pay', label: '确认打款' }, { name: 'card', label: '查看卡号' }],
  scope: { agent: 'account_id' },
  indexes: [['account_id', 'status'], ['status']],
  without: ['create', 'update', 'edit', 'remove'],
})
