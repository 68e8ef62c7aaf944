import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { standardId } from '../../core/grant/grant.ts'
import { formatDate } from '../../core/field/time.ts'
import { present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { offerEndpoints } from './calls.ts'
import { CheckDialog, ShelfChecks } from './check-dialog.tsx'
import type { CourseLine } from './course-line.ts'
import { OFFER_STATE, VALID_MODE, type OfferResource, type OfferRow } from './offer.ts'
import { bulkPrices } from './price-dialog.tsx'

/** How long what was bought can be used, as a sentence; empty while nobody has said. */
export function validity({ valid_mode, valid_days, valid_until }: Pick<OfferRow, 'valid_mode' | 'valid_days' | 'valid_until'>): string {
  if (valid_mode === VALID_MODE.days) return valid_days ? `购买后 ${valid_days} 天` : ''
  return valid_until ? `到 ${formatDate(valid_until)}` : ''
}

/** The courses of a line: the standard list, the check before the shelf, prices of many at once. */
export function presentOffers({ offers, orderPath, learnerPath, outlinePath, textbooks }: CourseLine): Presentation {
  const endpoints = offerEndpoints(offers)
  const edit = standardId(offers.grant, 'edit')
  return present(offers)({
    cells: {
      valid_mode: ({ row }) => validity(row as OfferRow),
      learner_cnt: ({ row, value }) => <Link to={`${learnerPath}?offer_id=${row.id}`}>{Number(value ?? 0).toLocaleString('zh-CN')}</Link>,
      sold: ({ row, value }) => <Link to={`${orderPath}?offer_id=${row.id}`} title={`展示销量 ${(Number(value ?? 0) + (row.sales_base ?? 0)).toLocaleString('zh-CN')}`}>{Number(value ?? 0).toLocaleString('zh-CN')}</Link>,
    },
    slots: {
      bulk: bulkPrices(offers),
      head: ({ row }) => (
        <>
          {outlinePath !== undefined && <p><Link to={`${outlinePath}?${textbooks ? `textbook_id=${String(row['textbook_id'])}` : `offer_id=${row.id}`}`}>编辑目录</Link></p>}
          {row.state !== OFFER_STATE.archived && <ShelfChecks offers={offers} row={row} onlyMissing />}
        </>
      ),
    },
    rowActions: [
      { key: 'check', label: '上架体检', visible: (row) => row.deleted_at === null && row.state !== OFFER_STATE.archived },
      {
        key: 'duplicate', label: '复制', grant: edit, visible: (row) => row.deleted_at === null,
        run: (row, { reload }) => call(endpoints.duplicate, undefined, { params: { id: row.id } }).then(reload, () => undefined),
      },
    ],
    dialogs: { check: (props: RowDialogProps<OfferResource>) => <CheckDialog {...props} offers={offers} /> },
  })
}
