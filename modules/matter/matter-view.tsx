import { Button, Space } from 'antd'
import { useState } from 'react'
import { formatDate, startOfDay } from '../../core/field/time.ts'
import { NONE } from '../../core/field/view.tsx'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { matter } from './matter.ts'
import { MoveDialog, type DocumentKind } from './move-dialog.tsx'
import { MATTER_RIGHTS } from './rights.ts'
import { Story } from './story-view.tsx'
import './matter.css'

const DAY = 86_400
const move = MATTER_RIGHTS.id('move')

/** Documents over several matters, begun from the list. */
function Documents({ reload }: { reload: () => void }) {
  const can = useCan()
  const [kind, setKind] = useState<DocumentKind>()
  if (!can(move)) return null
  return (
    <>
      <Space.Compact><Button onClick={() => setKind('in')}>入库</Button><Button onClick={() => setKind('out')}>出库</Button><Button onClick={() => setKind('transfer')}>调拨</Button></Space.Compact>
      {kind && <MoveDialog start={kind} onClose={() => setKind(undefined)} onDone={reload} />}
    </>
  )
}

const dialogs = Object.fromEntries((['in', 'out'] as const).map((kind) => [kind, ({ row, reload, onClose }: { row: { id: number }; reload: () => void; onClose: () => void }) => <MoveDialog start={kind} matterId={row.id} onClose={onClose} onDone={reload} />])) as Record<'in' | 'out', (props: { row: { id: number }; reload: () => void; onClose: () => void }) => React.ReactNode>

/** How matters look in their list: what is left with its unit, when it runs out, what is to be ordered. */
export default present(matter)({
  cells: {
    stock: ({ row }) => <span className="figure" data-low={row.status === 1 && (row.reorder_at ?? 0) > 0 && (row.stock ?? 0) + Number(row.transit ?? 0) <= (row.reorder_at ?? 0)}>{(row.stock ?? 0).toLocaleString('zh-CN')} {row.unit}</span>,
    transit: ({ value }) => (Number(value ?? 0) > 0 ? <span className="figure">{Number(value).toLocaleString('zh-CN')}</span> : NONE),
    out_on: ({ value }) => {
      if (typeof value !== 'number') return NONE
      const days = Math.round((startOfDay(value) - startOfDay(Math.floor(Date.now() / 1000))) / DAY)
      return <span className="out-on" data-soon={days <= 14} title={formatDate(value)}>{days <= 0 ? '已用完' : `${days} 天后`}</span>
    },
  },
  slots: { toolbar: Documents, details: [{ key: 'story', label: '分布和预测', Content: ({ row }) => <Story row={row} /> }] },
  rowActions: [
    { key: 'out', label: '出库', first: true, grant: move, visible: (row) => row.deleted_at === null && (row.stock ?? 0) > 0 },
    { key: 'in', label: '入库', grant: move, visible: (row) => row.deleted_at === null && row.status === 1 },
  ],
  dialogs,
})
