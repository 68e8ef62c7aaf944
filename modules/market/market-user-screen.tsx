import { Link } from 'react-router'
import { ListsPage } from '../../core/list/lists-page.tsx'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { recallMarket } from './calls.ts'
import { QuotaLine } from './list-check.tsx'
import { MARKET_PATH, marketApply } from './market-apply.ts'
import { marketUser, OPENING } from './opening.ts'
import { AdjustQuota, QuotaButtons } from './quota-dialog.tsx'
import { MARKET_USER_RIGHTS, marketQuota } from './quota.ts'
import { bulkRecall, RecallDialog, type Recall } from './recall-dialog.tsx'

const recall: Recall = { grant: MARKET_USER_RIGHTS.id('recall'), words: '收回后立即不能使用，虚拟订单一并撤回，名额退给市场人员。', measure: '名', send: (ids, reason) => call(recallMarket, { ids, reason }, { quiet: true }) }

/** A request by its customer, for those who may open it. */
function Request({ id, name }: { id: number; name: string | null }) {
  const can = useCan()
  return can(marketApply.grant) ? <Link to={`${MARKET_PATH}?open=${id}`}>{name}</Link> : <span>{name}</span>
}

/** Who had something opened by the market: until when, by whom, and whether they bought afterwards. */
export const users = present(marketUser)({
  bulkFields: ['remark'],
  cells: {
    apply_id: ({ row }) => <Request id={row.apply_id} name={row.apply_name} />,
    bought: ({ value }) => (value ? <span className="figure">{formatMoney(Number(value))}</span> : null),
  },
  slots: { bulk: bulkRecall(recall) },
  rowActions: [{ key: 'recall', label: '收回', danger: true, first: true, grant: recall.grant, visible: (row) => row.state === OPENING.active }],
  dialogs: { recall: ({ row, reload, onClose }: RowDialogProps<typeof marketUser>) => <RecallDialog recall={recall} ids={[row.id]} title={row.name} onClose={onClose} onDone={reload} /> },
})

/** Who may open how many in a month, how many are used, and how many of them bought afterwards. */
export const quotas = present(marketQuota)({
  cells: {
    used: ({ value, row }) => <QuotaLine used={Number(value ?? 0)} quota={row.quota} />,
    opened: ({ value, row }) => <Link className="figure" to={`/practiceBook/marketUser?quota_id=${row.id}`}>{Number(value ?? 0)}</Link>,
    won: ({ value, row }) => <span className="figure">{Number(value ?? 0)}{Number(row.opened ?? 0) > 0 && ` · ${Math.round((Number(value ?? 0) / Number(row.opened)) * 100)}%`}</span>,
  },
  slots: { main: QuotaButtons },
  rowActions: [{ key: 'adjust', label: '调整名额', first: true, grant: MARKET_USER_RIGHTS.id('quota') }],
  dialogs: { adjust: AdjustQuota },
})

/** 市场用户: who was opened for, and the quotas that pay for it. */
export default function MarketUserScreen() {
  return <ListsPage label="市场用户或名额" views={[
    { key: 'people', label: '市场用户', resource: marketUser, presentation: users },
    { key: 'quota', label: '名额', resource: marketQuota, presentation: quotas },
  ]} />
}
