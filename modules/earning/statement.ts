import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { text } from '../../core/field/text.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { agent } from '../agent/module.ts'
import { MAX_SUM } from '../order/module.ts'
import { screenId } from '../screens.ts'

export const STATEMENT_RIGHTS = defineRights(screenId('/distribution/account/proxy'), { statement: [18, '生成和确认对账单'] })

export const STATEMENT = { open: 1, confirmed: 2, disputed: 3 } as const
const S = STATEMENT

const sum = (label: string) => money(label, { required: true, readonly: true, min: -MAX_SUM, max: MAX_SUM })

/** 对账单: what came to an agent's account in a month that is over, and what left it. Its numbers are those of the ledger and never change. */
export const agentStatement = defineResource({
  name: 'agent_statement',
  label: '对账单',
  measure: '张',
  title: 'no',
  grant: STATEMENT_RIGHTS.screen,
  rights: STATEMENT_RIGHTS,
  api: api('/daoyuan/api/end/distribution', 'agent_statements', 'agent_statement'),
  fields: {
    no: text('对账单号', { required: true, readonly: true, unique: true, max: 24, search: true }),
    account_id: reference('代理', () => agent, { required: true, readonly: true, onRemove: 'keep' }),
    month: text('账期', { required: true, readonly: true, max: 7 }),
    opening: sum('期初余额'),
    commission: sum('佣金入账'),
    withdrawn: sum('提现'),
    returned: sum('提现退回'),
    other: sum('其他'),
    closing: sum('期末余额'),
    /** What the commission came from: settlements that were let through in the month, and their lines. */
    settlement_cnt: number('结算单', { required: true, readonly: true, unit: '张' }),
    line_cnt: number('佣金明细', { required: true, readonly: true, unit: '条' }),
    line_sum: sum('明细合计'),
    gap: computed('差额', 'money'),
    answer: text('异议', { readonly: true, max: 200 }),
    even: segment('是否相符', [{ value: 'even', label: '相符' }, { value: 'odd', label: '有差额' }]),
    status: choice('状态', [
      { value: S.open, label: '待确认', tone: 'warning' }, { value: S.confirmed, label: '已确认', tone: 'success' }, { value: S.disputed, label: '有异议', tone: 'error' },
    ], { required: true, readonly: true, initial: S.open }),
  },
  list: {
    columns: ['account_id', 'month', 'status', 'opening', 'commission', 'withdrawn', 'closing', 'gap', 'returned', 'other', 'settlement_cnt', 'line_cnt', 'line_sum', 'no', 'answer', 'created_at'], under: ['no'],
    filters: ['status', 'even', 'account_id', 'commission', 'created_at'], sort: '-month', summary: ['opening', 'commission', 'withdrawn', 'returned', 'other', 'closing', 'line_sum'],
  },
  transitions: [
    { name: 'confirm', label: '代理已确认', field: 'status', from: [S.open, S.disputed], to: S.confirmed, right: 'statement', instead: '确认有误请在下月对账单中调整' },
    { name: 'dispute', label: '登记异议', field: 'status', from: [S.open], to: S.disputed, right: 'statement', reason: true, instead: '异议处理后登记代理已确认' },
  ],
  logged: [{ name: 'make_statements', label: '生成对账单' }],
  unique: [['account_id', 'month']],
  indexes: [['month', 'id'], ['status']],
  scope: { agent: 'account_id' },
  without: ['create', 'update', 'edit', 'remove'],
})

/** What a statement is made of. */
export interface StatementParts {
  settlements: { id: number; no: string; amount: number; lines: number; at: number }[]
  entries: { id: number; at: number; kind: string; amount: number; balance: number; note: string | null }[]
}

/** What came of making the statements of a month. */
export interface StatementsMade { made: number; /** Those that were there already. */ there: number; /** Agents of whom nothing is to be said. */ quiet: number }

export const makeStatements = defineEndpoint<StatementsMade>()({
  method: 'POST', path: `${agentStatement.api.list}/make`, summary: '生成对账单', grant: [STATEMENT_RIGHTS.id('statement')],
  input: z.object({ month: z.string('请选择账期').check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, '账期应为年月，如 2026-10')) }),
})

export const statementParts = defineEndpoint<StatementParts>()({ method: 'GET', path: `${agentStatement.api.item}/{id}/parts`, summary: '对账单的构成', grant: [agentStatement.grant] })
