import { PlusOutlined } from '@ant-design/icons'
import { Alert, Button, Skeleton, Space } from 'antd'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ListButton } from '../../core/list/list-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { standardId } from '../../core/grant/grant.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { Presentation } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useDrafts, DraftsButton } from './drafts-button.tsx'
import type { DraftBody } from './draft-body.ts'
import { OrderEntry } from './entry.tsx'
import { inputFields, isRecorded, wireName, type OrderLine, type OrderResource } from './line.ts'
import { presentOrders } from './order-view.tsx'
import { SettingButton } from './setting-dialog.tsx'

/** The orders of a line, as its module hands them over. */
export interface OrderScreen {
  readonly line: OrderLine
  readonly orders: OrderResource
  readonly shipments?: Resource
  /** What this screen has beside every order screen. */
  readonly own?: Presentation
}

/** Fields of the buyer that the address brings along: 下单 on a partner leads here with the partner. */
function startOf(line: OrderLine, search: URLSearchParams): DraftBody {
  const names = Object.entries(inputFields(line)).map(([key, field]) => wireName(key, field))
  const asked = names.flatMap((name) => (Number(search.get(name)) > 0 ? [[name, Number(search.get(name))]] : []))
  const bizType = Number(search.get('biz_type'))
  return {
    ...(asked.length > 0 && { user_info: Object.fromEntries(asked) as Record<string, unknown> }),
    ...(bizType > 0 && { order_info: { biz_type: bizType, items: [] } }),
  }
}

/** What stands in the address while an order is written down. */
const WRITING = 'write'

function Writing({ line, orders, id, search, leave }: OrderScreen & { id: string; search: URLSearchParams; leave: (to: Record<string, string>) => void }) {
  const known = Number(id) || undefined
  const { data, error, isPending } = useDrafts(orders, known !== undefined)
  // The draft that was made here stays the one that it was made from.
  const [made, setMade] = useState<number>()
  const own = known !== undefined && known === made
  if (known !== undefined && !own && error) return <Alert type="error" title={error.message} />
  if (known !== undefined && !own && isPending) return <Skeleton active />
  const draft = own ? undefined : data?.items.find((one) => one.id === known)
  if (known !== undefined && !own && !draft) return <Alert type="warning" showIcon title="草稿不存在或已提交" action={<Button size="small" onClick={() => leave({})}>返回列表</Button>} />
  return (
    <OrderEntry key={own ? 'new' : id} line={line} orders={orders} draft={draft} start={startOf(line, search)}
      onMade={(next) => { setMade(next); leave({ [WRITING]: String(next) }) }} onLeave={(order) => leave(order ? { open: String(order) } : {})} />
  )
}

/** The screen of a line's orders: the list, or the page of writing one down. */
export function OrderPage({ line, orders, shipments, own }: OrderScreen) {
  const [search, setSearch] = useSearchParams()
  const can = useCan()
  const writing = search.get(WRITING)
  const importing = shipments !== undefined && can(shipments.actions.import)
  const may = !isRecorded(line) && can(standardId(orders.grant, 'edit'))
  const presentation = useMemo(() => {
    const Own = own?.slots?.toolbar
    const Main = may ? () => <Button type="primary" icon={<PlusOutlined />} onClick={() => setSearch({ [WRITING]: 'new' })}>录单</Button> : undefined
    const Toolbar = ({ reload }: { reload: () => void }) => (
      <Space wrap>
        {may && <DraftsButton orders={orders} onOpen={(id) => setSearch({ [WRITING]: String(id) })} />}
        {shipments && <ListButton resource={shipments} label={importing ? '导入快递单号' : '发货记录'} />}
        {Own && <Own reload={reload} />}
        <SettingButton line={line} orders={orders} />
      </Space>
    )
    return presentOrders({ line, orders, Toolbar, Main, own })
  }, [line, orders, shipments, own, importing, may, setSearch])
  if (writing && may) return <Writing line={line} orders={orders} id={writing} search={search} leave={(to) => setSearch(to, { replace: WRITING in to })} />
  return <ListPage resource={orders} presentation={presentation} />
}
