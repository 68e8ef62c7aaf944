import { useQueryClient } from '@tanstack/react-query'
import { ListPage } from '../../core/list/list-page.tsx'
import { ListsPage } from '../../core/list/lists-page.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { agent } from '../agent/module.ts'
import { OrderLink } from '../order/door.tsx'
import { agentEarning, agentSettlement } from './agent-lines.ts'
import { agentCalls } from './calls.ts'
import { ExplainTab } from './explain-view.tsx'
import { rateText } from './formula.ts'
import { OrderDialog } from './order-dialog.tsx'
import planView from './plan-view.tsx'
import { EARNING_RIGHTS, ratePlan } from './plan.ts'
import { SettleButton } from './settle-dialogs.tsx'

export const agentEarningView = present(agentEarning)({
  cells: {
    order_no: ({ value }) => <OrderLink no={value} />,
    base: ({ value, row }) => (row.source_kind === 'order' ? formatMoney(value ?? 0) : ''),
    rate: ({ value, row }) => (row.source_kind === 'order' ? rateText(value ?? 0) : ''),
  },
  slots: { details: [{ key: 'explain', label: '怎么算的', Content: ({ row }) => <ExplainTab of={agentCalls.explain} id={row.id} /> }] },
})

/** The lines of a settlement: their sum is the settlement's. */
const Lines = ({ row }: { row: { id: number } }) => <ListPage resource={agentEarning} presentation={agentEarningView} embedded={{ fixed: { settlement_id: [String(row.id)] } }} />

export const agentSettlementView = present(agentSettlement)({
  slots: { details: [{ key: 'lines', label: '明细', Content: Lines }] },
})

/** 分销订单: what agents earn, line by line, how it is settled, and at which rates. */
export default function OrderScreen() {
  const can = useCan()
  const client = useQueryClient()
  const reload = () => void client.invalidateQueries({ queryKey: ['list'] })
  return (
    <ListsPage label="分销订单" views={[
      { key: 'lines', label: '佣金明细', resource: agentEarning, presentation: agentEarningView },
      { key: 'settlements', label: '结算单', resource: agentSettlement, presentation: agentSettlementView },
      { key: 'rates', label: '费率', resource: ratePlan, presentation: planView },
    ]} beside={<><OrderDialog />{can(EARNING_RIGHTS.id('settle')) && <SettleButton of={agentCalls.settle} owner={agent} reload={reload} />}</>} />
  )
}
