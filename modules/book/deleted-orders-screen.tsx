import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Input, Table, Tooltip } from 'antd'
import { useState } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { formatTime } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useWide } from '../../core/ui/use-media.tsx'
import { DELETED_SIZE, deletedOrders } from './deleted-orders.ts'
import { bookLine } from './line.ts'
import '../../core/list/list.css'

type Order = WireRow<typeof bookLine.orders>

/** 已删除订单: orders of books that were deleted, and their way back. */
export default function DeletedOrdersScreen() {
  const { message, modal } = App.useApp()
  const wide = useWide('md')
  const client = useQueryClient()
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(0)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['deleted-orders', keyword, page], placeholderData: keepPreviousData, staleTime: 0,
    queryFn: ({ signal }) => call(deletedOrders, { page: String(page), ...(keyword !== '' && { keyword }) }, { signal, quiet: true }),
  })
  const restore = (order: Order) => modal.confirm({
    title: `恢复订单 ${order.order_no}？`, content: '恢复后回到「订单」列表，金额和状态与删除前相同。', okText: '恢复',
    onOk: async () => {
      try {
        await request('POST', `${bookLine.orders.api.item}/${order.id}/restore`, {}, { quiet: true })
        void message.success(`订单 ${order.order_no} 已恢复`)
        await Promise.all([client.invalidateQueries({ queryKey: ['deleted-orders'] }), client.invalidateQueries({ queryKey: ['list'] })])
      } catch (failure) {
        void message.error(failure instanceof Error ? failure.message : '恢复失败', 5)
      }
    },
  })
  return (
    <section className="list-page" aria-label="已删除订单">
      <div className="toolbar">
        <Input.Search allowClear maxLength={60} placeholder="订单号、买方" aria-label="搜索已删除订单" enterButton="查询" className="error-search" onSearch={(text) => { setPage(0); setKeyword(text.trim()) }} />
        <Button onClick={() => void refetch()}>刷新</Button>
      </div>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      <Table<Order> rowKey={({ id }) => id} size="middle" loading={isPending} dataSource={data?.items ?? []} {...(wide && { scroll: { x: 860 } })}
        locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={keyword === '' ? '没有已删除的订单' : '没有符合条件的订单'} /> }}
        pagination={{ current: page + 1, pageSize: DELETED_SIZE, total: data?.total ?? 0, showSizeChanger: false, hideOnSinglePage: true, onChange: (next) => setPage(next - 1) }}
        columns={[
          { title: '订单号', width: 200, render: (_value, order) => <span className="figure">{order.order_no}</span> },
          { title: '商品', ellipsis: true, responsive: ['md'], render: (_value, { goods }) => goods },
          { title: '买方', width: 120, render: (_value, { buyer_name }) => buyer_name },
          { title: '应付', width: 100, align: 'right', responsive: ['md'], render: (_value, { amount }) => formatMoney(amount) },
          { title: '删除人', width: 110, responsive: ['md'], render: (_value, { updated_by_name }) => updated_by_name ?? '系统' },
          { title: '删除时间', width: 165, responsive: ['md'], render: (_value, { deleted_at }) => <time className="figure">{formatTime(Number(deleted_at))}</time> },
          { title: '操作', width: 90, render: (_value, order) => <Tooltip title={data?.can_restore ? undefined : '没有「订单 · 删除」权限，不能恢复'}><Button type="link" size="small" disabled={!data?.can_restore} onClick={() => restore(order)}>恢复</Button></Tooltip> },
        ]} />
    </section>
  )
}
