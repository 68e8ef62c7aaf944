import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Modal, Skeleton } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { offerEndpoints, type ShelfCheck } from './calls.ts'
import type { OfferResource } from './offer.ts'
import './offer.css'

type Item = ShelfCheck['items'][number]

const Mark = ({ ok, must }: Pick<Item, 'ok' | 'must'>) => (ok ? <CheckCircleFilled className="check-ok" aria-label="通过" /> : must ? <CloseCircleFilled className="check-bad" aria-label="未通过" /> : <ExclamationCircleFilled className="check-wait" aria-label="建议" />)

/** What a course lacks before it can be sold, item by item. @param onlyMissing leaves out what is right, and says nothing of a course without faults */
export function ShelfChecks({ offers, row, onlyMissing = false }: { offers: OfferResource; row: WireRow<OfferResource>; onlyMissing?: boolean }) {
  const { data, error } = useQuery({
    queryKey: ['shelf-check', offers.name, row.id, row.rev], queryFn: ({ signal }) => call(offerEndpoints(offers).check, undefined, { params: { id: row.id }, signal, quiet: true }), staleTime: 0,
  })
  if (error) return <Alert type="warning" showIcon title={error.message} />
  if (!data) return onlyMissing ? null : <Skeleton active />
  const items = data.items.filter(({ ok, must }) => !onlyMissing || (must && !ok))
  if (items.length === 0) return null
  return (
    <ul className="check-list">
      {items.map(({ label, ok, must, detail }) => <li key={label}><Mark ok={ok} must={must} /><span>{label}</span><span className="note">{ok ? '' : `${detail ?? ''}${must ? '' : '（建议）'}`}</span></li>)}
    </ul>
  )
}

/** 上架体检: what has to be right, and what should be, before a course is sold. */
export function CheckDialog({ offers, row, onClose }: RowDialogProps<OfferResource> & { offers: OfferResource }) {
  return (
    <Modal open title={`上架体检 · ${row.title}`} onCancel={onClose} cancelText="关闭" okButtonProps={{ hidden: true }} width={480}>
      <ShelfChecks offers={offers} row={row} />
    </Modal>
  )
}
