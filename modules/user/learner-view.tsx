import { Button } from 'antd'
import { useState } from 'react'
import { present, type BulkProps, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { ENTITLEMENT_STATUS } from './entitlement.ts'
import { ExtendDialog, OpeningsDrawer, OriginLine, RebindLearnerDialog } from './learner-dialogs.tsx'
import { OpenLearnersDialog } from './learner-open-dialog.tsx'
import type { LearnerLine, LearnerResource } from './learner.ts'
import './learner.css'

/** The screen of a line's learners: the standard list, opening for many, and what is done with the time of one. */
export function presentLearners(line: LearnerLine, learners: LearnerResource): Presentation {
  const open = learners.rights.id('open')
  function Toolbar({ reload }: { reload: () => void }) {
    const can = useCan()
    const [shown, setShown] = useState<'open' | 'openings'>()
    const close = () => setShown(undefined)
    if (!can(open)) return null
    return (
      <>
        <Button type="primary" onClick={() => setShown('open')}>批量开通</Button>
        <Button onClick={() => setShown('openings')}>开通记录</Button>
        {shown === 'open' && <OpenLearnersDialog line={line} learners={learners} reload={reload} onClose={close} />}
        {shown === 'openings' && <OpeningsDrawer learners={learners} reload={reload} onClose={close} />}
      </>
    )
  }
  function Bulk({ selected, query, many, onDone }: BulkProps) {
    const can = useCan()
    const [shown, setShown] = useState(false)
    // Days are given to those that somebody chose, not to whatever filters leave.
    if (!can(open) || query) return null
    return (
      <>
        <Button size="small" onClick={() => setShown(true)}>延期</Button>
        {shown && <ExtendDialog learners={learners} ids={selected} title={`延期：${many}`} onClose={() => setShown(false)} onDone={onDone} />}
      </>
    )
  }
  return present(learners)({
    bulkFields: ['remark'],
    slots: { toolbar: Toolbar, bulk: Bulk, head: ({ row }) => <OriginLine learners={learners} row={row} /> },
    rowActions: [
      { key: 'extend', label: '延期', grant: open, visible: (row) => row.status === ENTITLEMENT_STATUS.active },
      { key: 'rebind', label: '换绑', grant: learners.rights.id('takeBack'), visible: (row) => row.status === ENTITLEMENT_STATUS.active },
    ],
    dialogs: {
      extend: ({ row, reload, onClose }: RowDialogProps<LearnerResource>) => <ExtendDialog learners={learners} ids={[row.id]} title={`延期 · ${row.product}`} onClose={onClose} onDone={reload} />,
      rebind: (props: RowDialogProps<LearnerResource>) => <RebindLearnerDialog {...props} learners={learners} />,
    },
  })
}
