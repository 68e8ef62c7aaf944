import { present } from '../../core/resource/present.tsx'
import { DealButton } from './deal-dialog.tsx'
import { DealTab } from './deal-tab.tsx'
import { excellentLine } from './line.ts'

/** What the orders have beside those of every line: contracts that are signed, and what is paid under them. */
export default present(excellentLine.orders)({
  slots: { toolbar: DealButton, details: [{ key: 'deal', label: '签约', Content: ({ row }) => <DealTab id={row.id} /> }] },
})
