import { present } from '../../core/resource/present.tsx'
import { CheckPanel } from './check-panel.tsx'
import { matterCheck } from './check.ts'

/** How counts and losses look: what was found stands beside the record. */
export default present(matterCheck)({
  cells: { diff_qty: ({ value }) => <span className="figure move-qty" data-in={Number(value) > 0} data-none={Number(value) === 0}>{Number(value) > 0 ? '+' : ''}{Number(value ?? 0).toLocaleString('zh-CN')}</span> },
  slots: { details: [{ key: 'lines', label: '清点', Content: ({ row, reload }) => <CheckPanel row={row} reload={reload} /> }] },
})
