import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { wrongState } from '../../core/error/error.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { post } from '../order/door.server.ts'
import { topUp } from './partner-account.ts'
import { PARTNER_STATUS, partner } from './partner.ts'

/** The calls that concern a partner's money beside orders. */
export function partnerAccountCalls(): Served[] {
  return [
    handle(topUp, (call) => {
      const { amount, channel, note } = call.input
      return call.transaction(async (tx) => {
        const row = await lockRow(tx, partner, call.staff, idParam(call))
        if (row['status'] === PARTNER_STATUS.ended) throw wrongState('充值', '解约')
        await post(tx, call.staff.id, { kind: 'partner', id: row.id, balanceTable: partner.table }, [{ amount, kind: 'top_up', channel, note: note ?? null }])
        return { balance: Number(row['balance'] ?? 0) + amount }
      }, { action: 'top_up' })
    }),
  ]
}
