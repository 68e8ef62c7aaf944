import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { mustLine } from './line.ts'
import { PlanDialog } from './plan-dialog.tsx'

/** What packs have beside every offer: their plan by days. */
export default present(mustLine.offers)({
  rowActions: [{ key: 'plan', label: '日计划', visible: (row) => row.can.includes('edit') }],
  dialogs: { plan: (props: RowDialogProps<typeof mustLine.offers>) => <PlanDialog {...props} /> },
})
