import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Badge, Button, Drawer, Empty, List, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { formatTime } from '../../core/field/time.ts'
import type { Resource } from '../../core/resource/define.ts'
import { useWide } from '../../core/ui/use-media.tsx'
import { orderEndpoints } from './calls.ts'
import { draftItems, draftSums } from './draft-body.ts'

/** Orders that the person has begun to write down. */
export function useDrafts(orders: Resource, on: boolean) {
  return useQuery({ queryKey: ['order-drafts', orders.name], queryFn: ({ signal }) => call(orderEndpoints(orders).drafts, undefined, { signal }), enabled: on })
}

/** 草稿: what was begun, to go on with or to throw away. */
export function DraftsButton({ orders, onOpen }: { orders: Resource; onOpen: (id: number) => void }) {
  const { modal } = App.useApp()
  const client = useQueryClient()
  const wide = useWide('md')
  const [open, setOpen] = useState(false)
  const { data, isPending } = useDrafts(orders, true)
  const items = data?.items ?? []
  const drop = (id: number) => modal.confirm({
    title: '丢弃这份草稿？', content: '丢弃后不能恢复。', okText: '丢弃', okButtonProps: { danger: true },
    onOk: async () => {
      await call(orderEndpoints(orders).dropDraft, undefined, { params: { draft_id: id } })
      await client.invalidateQueries({ queryKey: ['order-drafts', orders.name] })
    },
  })
  if (items.length === 0 && !open) return null
  return (
    <>
      <Badge count={items.length} size="small"><Button onClick={() => setOpen(true)}>草稿</Button></Badge>
      <Drawer open={open} title="未提交的草稿" size={wide ? 480 : '100%'} onClose={() => setOpen(false)}>
        {isPending ? <Skeleton active /> : items.length === 0 ? <Empty description="没有草稿" /> : (
          <List dataSource={items} rowKey="id" renderItem={(draft) => (
            <List.Item actions={[
              <Button key="open" type="link" size="small" onClick={() => { setOpen(false); onOpen(draft.id) }}>继续</Button>,
              <Button key="drop" type="link" size="small" danger onClick={() => drop(draft.id)}>丢弃</Button>,
            ]}>
              <List.Item.Meta title={`${String(draft.body.user_info?.['name'] ?? '未填写联系人')} · ${formatMoney(draftSums(draft.body).total)}`}
                description={`${formatTime(draft.updated_at).slice(0, 16)}　商品 ${draftItems(draft.body).length} 种`} />
            </List.Item>
          )} />
        )}
      </Drawer>
    </>
  )
}
