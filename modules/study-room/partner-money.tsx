import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { RowAction, RowDialogProps } from '../../core/resource/present.tsx'
import { retryLazy } from '../../core/ui/retry-lazy.tsx'
import { activationCodeGroup } from './authorization-code.ts'
import { partnerLedger, partnerOrder } from './partner-order.ts'
import { PARTNER_STATUS, PARTNER_RIGHTS, type partner } from './partner.ts'

const Statement = retryLazy(async () => ({ default: (await import('./partner-money-dialogs.tsx')).Statement }))
const TopUpDialog = retryLazy(async () => ({ default: (await import('./partner-money-dialogs.tsx')).TopUpDialog }))

/** Leads to another screen where something new is made for the partner. */
function leadTo(address: (partnerId: number) => string) {
  return function Lead({ row, onClose }: RowDialogProps<typeof partner>) {
    const navigate = useNavigate()
    useEffect(() => {
      onClose()
      void navigate(address(row.id))
    }, [navigate, onClose, row.id])
    return null
  }
}

const newOrder = (more = '') => leadTo((id) => `/new-study-room/partner-order?write=new&partner_id=${id}${more}`)

const buys = (row: WireRow<typeof partner>) => row.deleted_at === null && row.status !== PARTNER_STATUS.ended

/** What can be done with a partner's orders and money (domain 1.8). */
export const partnerMoneyActions: readonly RowAction<WireRow<typeof partner>, keyof typeof partnerMoneyDialogs>[] = [
  { key: 'order', label: '下单', grant: standardId(partnerOrder.grant, 'edit'), visible: buys },
  { key: 'issue', label: '发码', grant: standardId(activationCodeGroup.grant, 'edit'), visible: (row) => row.deleted_at === null && row.status === PARTNER_STATUS.signed },
  { key: 'renew', label: '续约', grant: standardId(partnerOrder.grant, 'edit'), visible: buys },
  { key: 'statement', label: '对账单', grant: partnerLedger.grant },
  { key: 'top_up', label: '充值', grant: PARTNER_RIGHTS.id('topUp'), visible: buys },
]

export const partnerMoneyDialogs = { order: newOrder(), renew: newOrder('&biz_type=2'), issue: leadTo((id) => `/new-study-room/authorization-code?new=${id}`), statement: Statement, top_up: TopUpDialog }
