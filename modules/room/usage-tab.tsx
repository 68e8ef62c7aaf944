import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Skeleton } from 'antd'
import { request } from '../../core/endpoint/call.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { OrderResource } from '../order/module.ts'
import type { Rooms } from './ownerships.ts'

/** 核销: the cards that an order opened or renewed, until when they run, and the visits that were paid with them. */
function UseOfOrder({ rooms, row }: { rooms: Rooms; row: WireRow<OrderResource> }) {
  const { data, error } = useQuery({
    queryKey: ['cards of order', rooms.cardLog.name, row.order_no],
    queryFn: ({ signal }) => request<{ items: WireRow<Rooms['cardLog']>[] }>('GET', rooms.cardLog.api.list, { order_no: row.order_no, page_size: 200 }, { signal, quiet: true }),
  })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  const ids = [...new Set(data.items.map((entry) => String(entry.user_card_id)))]
  if (ids.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有开通会员卡" />
  return (
    <>
      <ListPage resource={rooms.userCard} embedded={{ fixed: { ids } }} />
      <ListPage resource={rooms.visit} embedded={{ fixed: { user_card_id: ids } }} />
    </>
  )
}

/** The tab of a member's order that shows how its cards are used. */
export const usageTab = (rooms: Rooms) => ({ key: 'use', label: '核销', Content: ({ row }: { row: WireRow<OrderResource> }) => <UseOfOrder rooms={rooms} row={row} /> })
