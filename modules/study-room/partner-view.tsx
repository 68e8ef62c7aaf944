import { Skeleton } from 'antd'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { ListButton } from '../../core/list/list-button.tsx'
import { present } from '../../core/resource/present.tsx'
import { retryLazy } from '../../core/ui/retry-lazy.tsx'
import { partnerMoneyActions, partnerMoneyDialogs } from './partner-money.tsx'
import { partner } from './partner.ts'
import { roomType } from './room-type.ts'

const HealthTab = retryLazy(async () => ({ default: (await import('./partner-health.tsx')).HealthTab }))

export default present(partner)({
  cells: {
    school_cnt: ({ value, row }) => (Number(value) > 0 ? <Link to={`/new-study-room/school/school-list?partner_id=${row.id}`}>{String(value)}</Link> : <span>0</span>),
  },
  slots: {
    toolbar: () => <ListButton resource={roomType} label="自习室类型" />,
    details: [{ key: 'health', label: '健康度', Content: ({ row }) => <Suspense fallback={<Skeleton active />}><HealthTab row={row} /></Suspense> }],
  },
  rowActions: partnerMoneyActions,
  dialogs: partnerMoneyDialogs,
})
