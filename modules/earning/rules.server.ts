import { sql } from 'drizzle-orm'
import { badRequest, invalid } from '../../core/error/error.ts'
import { formatDate } from '../../core/field/time.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { BALANCE_AFTER } from '../order/door.server.ts'
import { agentEarning, agentLedger, agentSettlement, withdrawal } from './agent-lines.ts'
import { BASIS, MAX_TIERS } from './formula.ts'
import { ANY_LINE, ratePlan } from './plan.ts'
import { freeLines, passSettlement, phases, stateOf, type SettlementRow } from './settle.server.ts'
import { teacherEarning, teacherSettlement } from './teacher-lines.ts'
import { giveBack, type WithdrawalRow } from './withdraw.server.ts'

const stored = <Row>(row: unknown) => row as Row

export const ratePlans = serve(ratePlan)({
  async before({ tx, values }) {
    const { first = 0, second = 0, line = ANY_LINE, level, valid_from } = values
    if (Math.round((first + second) * (BASIS / 100)) > MAX_TIERS) throw invalid({ second: '两级合计不能超过 50%' })
    // What was paid keeps the rates that held then.
    const [last] = await tx.query<{ at: number | null }>(sql`select extract(epoch from max(paid_at))::float8 as at from earning_share where tier = 1 and level = ${level} and (line = ${line} or ${line} = ${ANY_LINE})`)
    if (last?.at && valid_from !== undefined && valid_from !== null && valid_from <= last.at) throw invalid({ valid_from: `该日期已有订单计佣，最早可从 ${formatDate(last.at + 86_400)} 起` })
  },
  async beforeRemove({ tx, row }) {
    const [used] = await tx.query<{ n: number }>(sql`select count(*)::int as n from earning_share where plan_id = ${row.id}`)
    if (used && used.n > 0) throw badRequest(`该费率已用于 ${used.n} 笔佣金，不能删除`)
  },
})

export const agentEarnings = serve(agentEarning)({ computed: { state: stateOf }, segments: { phase: phases } })
export const teacherEarnings = serve(teacherEarning)({ computed: { state: stateOf }, segments: { phase: phases } })
export const agentLedgers = serve(agentLedger)({ computed: { balance: BALANCE_AFTER } })

export const agentSettlements = serve(agentSettlement)({
  effects: {
    async submit({ tx, row, staff }) { await touch(tx, agentSettlement, { submitted_by: staff.id }, row.id) },
    async pass({ tx, row, staff }) { await passSettlement(tx, stored<SettlementRow>(row), staff.id) },
    async refuse({ tx, row }) { await freeLines(tx, stored<SettlementRow>(row)) },
    async drop({ tx, row }) { await freeLines(tx, stored<SettlementRow>(row)) },
  },
})

export const teacherSettlements = serve(teacherSettlement)({
  effects: {
    async submit({ tx, row, staff }) { await touch(tx, teacherSettlement, { submitted_by: staff.id }, row.id) },
    async pass({ tx, row, staff }) { await passSettlement(tx, stored<SettlementRow>(row), staff.id) },
    async refuse({ tx, row }) { await freeLines(tx, stored<SettlementRow>(row)) },
    async drop({ tx, row }) { await freeLines(tx, stored<SettlementRow>(row)) },
  },
})

export const withdrawals = serve(withdrawal)({
  effects: {
    async refuse({ tx, row, staff, reason }) { await giveBack(tx, stored<WithdrawalRow>(row), staff.id, reason) },
    async fail({ tx, row, staff, reason }) { await giveBack(tx, stored<WithdrawalRow>(row), staff.id, reason) },
  },
})
