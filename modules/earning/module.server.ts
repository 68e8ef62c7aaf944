import { sql } from 'drizzle-orm'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { addLessonWatcher } from '../companion/door.server.ts'
import { addOrderWatcher } from '../order/door.server.ts'
import { regionCalls, regionChecks } from './region.server.ts'
import { STATEMENT, agentStatement, STATEMENT_RIGHTS } from './statement.ts'
import { agentStatements, statementCalls, statementChecks, statementLines } from './statement.server.ts'
import { agentTargets } from './target.server.ts'
import { agentSettlement, WITHDRAWAL, withdrawal, WITHDRAWAL_RIGHTS } from './agent-lines.ts'
import { bookOrder } from './book.server.ts'
import { earningCalls } from './calls.server.ts'
import { insertEarningDemo } from './demo.server.ts'
import { bookLesson } from './fee.server.ts'
import { earningChecks } from './invariants.server.ts'
import door from './module.ts'
import { EARNING_RIGHTS } from './plan.ts'
import { agentEarnings, agentLedgers, agentSettlements, ratePlans, teacherEarnings, teacherSettlements, withdrawals } from './rules.server.ts'
import { SETTLEMENT } from './settlement.ts'
import { AMOUNT_RIGHTS, teacherSettlement } from './teacher-lines.ts'
import { heldSecrets, keepSecrets } from './vault.server.ts'

/** Days within which money is decided about. */
const DAYS = { settlement: 3, withdrawal: 1 } as const

const AMOUNTS = '/accompany/operation/teacher/amount/5'

const settlements = (resource: unknown, name: string, title: string, path: string, grants: { audit: number; pay?: number }) => {
  const of = resource as Resource
  const one = (state: number, verb: string, words: string, grant: number, more: { pass?: string; refuse?: string }) => listWaiting(of, {
    name: `${name}_${state}`, title: `${words}${title}`, group: 'decide', verb, path, query: () => ({ status: String(state) }), grant, due: { days: DAYS.settlement }, since: sql`updated_at`, notes: ['account_id'], amount: 'amount', ...more,
  })
  return [one(SETTLEMENT.waiting, '审核', '待审的', grants.audit, { pass: 'pass', refuse: 'refuse' }), ...(grants.pay === undefined ? [] : [one(SETTLEMENT.paying, '打款', '待打款的', grants.pay, {})])]
}

const waitingMoney = (state: number, verb: string, title: string, grant: number, more: { pass?: string; refuse?: string }) => listWaiting(withdrawal, {
  name: `withdrawal_${state}`, title, group: 'decide', verb, path: '/distribution/account/proxy?show=withdrawals', query: () => ({ status: String(state) }), grant, due: { days: DAYS.withdrawal }, since: sql`updated_at`, notes: ['account_id', 'holder'], amount: 'amount', ...more,
})

export default serveModule({
  door,
  after: ['reference', 'agent', 'staff', 'user', 'order', 'study-room', 'room', 'offer', 'course-line', 'companion', 'accompany', 'tptrain'],
  services: [ratePlans, agentEarnings, agentSettlements, agentLedgers, withdrawals, agentStatements, agentTargets, teacherEarnings, teacherSettlements],
  calls: (kernel) => {
    keepSecrets(kernel.secrets)
    return [...earningCalls(kernel), ...statementCalls, ...regionCalls]
  },
  checks: [...earningChecks, ...statementChecks, ...regionChecks],
  printed: statementLines,
  demo: (db, report) => insertEarningDemo(db, report, heldSecrets()),
  waiting: [
    ...settlements(agentSettlement, 'agent_settlement', '佣金结算单', '/distribution/order?show=settlements', { audit: EARNING_RIGHTS.id('audit') }),
    ...settlements(teacherSettlement, 'teacher_settlement', '课酬结算单', AMOUNTS, { audit: AMOUNT_RIGHTS.id('audit'), pay: AMOUNT_RIGHTS.id('pay') }),
    waitingMoney(WITHDRAWAL.waiting, '审核', '待审核的提现', WITHDRAWAL_RIGHTS.id('audit'), { pass: 'pass', refuse: 'refuse' }),
    waitingMoney(WITHDRAWAL.paying, '打款', '打款中的提现', WITHDRAWAL_RIGHTS.id('pay'), {}),
    listWaiting(agentStatement, {
      name: 'agent_statement_disputed', title: '有异议的对账单', group: 'decide', verb: '核对', path: '/distribution/account/proxy?show=statements', query: () => ({ status: String(STATEMENT.disputed) }), grant: STATEMENT_RIGHTS.id('statement'), due: { days: DAYS.settlement }, since: sql`updated_at`, notes: ['account_id', 'month', 'answer'], amount: 'closing',
    }),
  ],
})

addOrderWatcher({ moved: (tx, _before, after, cause) => bookOrder(tx, after, cause) })
addLessonWatcher((tx, entry) => bookLesson(tx, entry))
