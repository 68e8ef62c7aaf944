import type { ReactNode } from 'react'
import { ListPage } from '../../core/list/list-page.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { DetailTab } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { activationCodeGroup } from './authorization-code.ts'

/** The batches of codes that an order issued, for a person who may see batches. */
export function OrderBatches({ row, children }: { row: WireRow; children: (tabs: readonly DetailTab[]) => ReactNode }) {
  const can = useCan()
  return children(can(activationCodeGroup.grant)
    ? [{ key: 'batches', label: '授权码批次', children: <ListPage resource={activationCodeGroup} embedded={{ fixed: { order_id: [String(row.id)] } }} /> }] : [])
}
